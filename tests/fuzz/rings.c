// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace buffers: lists of sub-buffers, records, events and names of tasks. */
#include <string.h>

#include "fuzz.h"
#include "trace/ring_cursor.h"
#include "trace/event_reader.h"
#include "trace/trace_event.h"

#define CPUS 4
#define LARGEST 65536 /* bytes of a sub-buffer; more costs time and finds nothing else */

/* Every record is inside of the sub-buffer that the cursor has read. */
static void use_cpu(const struct ring_cpu *cpu, bool all)
{
	struct ring_cursor cursor;
	struct ring_record record;
	enum ring_doubt doubt;
	uint32_t size = cpu->buffer->subbuf;

	ring_cursor_start(&cursor, cpu, all);
	while (ring_cursor_next(&cursor, &record, &doubt)) {
		const uint8_t *start = cursor.page.data, *end = start + size;

		if (record.data < start || record.len > size || record.data + record.len > end ||
		    record.end <= record.offset || doubt > RING_DAMAGED)
			__builtin_trap();
	}
	if (cursor.next > cpu->nplaces || (cursor.tally.damaged && !cursor.tally.problem))
		__builtin_trap();
}

void fuzz_rings(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct ring_layout layout;
	struct ring_buffer buffer;

	if (ring_layout_open(d, &layout) != ST_OK ||
	    ring_buffer_open(d, &layout, seed & ~7U, &buffer) != ST_OK || buffer.subbuf > LARGEST)
		return;
	for (unsigned int i = 0; i < CPUS && i < buffer.ncpus; i++) {
		struct ring_cpu cpu;

		if (ring_cpu_open(&buffer, i, &cpu) == ST_OK)
			use_cpu(&cpu, seed & 1);
	}
}

void fuzz_traceevents(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct trace_event_state state;
	struct saved_cmdlines saved;
	struct trace_arrays arrays;
	struct trace_events events;
	struct trace_event event;
	char comm[SAVED_COMM];

	if (saved_cmdlines_open(d, &saved) == ST_OK)
		for (unsigned int i = 0; i < 64; i++)
			if (saved_cmdlines_find(&saved, seed + i * 0x1003, comm) &&
			    strlen(comm) >= SAVED_COMM)
				__builtin_trap();
	if (trace_arrays_open(d, &arrays) != ST_OK || trace_events_open(d, &events) != ST_OK)
		return;
	if (trace_events_find(&events, "exceptions", "page_fault_user", &event) != ST_OK)
		event = (struct trace_event){ .call = seed };
	for (size_t i = 0; i < arrays.n && i < 4; i++)
		trace_event_state(&events, &arrays.at[i], &event, &state);
}
