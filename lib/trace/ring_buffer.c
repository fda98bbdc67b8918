// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_buffer.h"

#include "kernel/percpu.h"
#include "trace/ring_cpu.h"

#define MAX_CPUS 8192	      /* CONFIG_NR_CPUS goes no higher */
#define BUFFER_OFF (1U << 20) /* RB_BUFFER_OFF */
#define MAX_SUBBUF (1U << 20) /* bytes; ring_buffer_subbuf_order_set() refuses more */

/*
 * 5.6 renamed struct ring_buffer to struct trace_buffer; the older struct trace_buffer is what
 * struct array_buffer is now, and has no table of CPUs. perf had a struct ring_buffer as well, up to
 * 5.6 (perf/core: Rename struct ring_buffer): the buffer of a CPU points to that of ftrace.
 */
static const struct layout_row buffer_rows[] = {
	FINDS(struct ring_layout, buffers, "struct trace_buffer", REQUIRED, "5.6", "buffers"),
	FINDS(struct ring_layout, record_disabled, "struct trace_buffer", REQUIRED, "5.6",
	      "record_disabled.counter"),
	FINDS(struct ring_layout, order, "struct trace_buffer", OPTIONAL, "6.8", "subbuf_order"),
};

#define OF_CPU "struct ring_buffer_per_cpu.buffer"
static const struct layout_row older_rows[] = {
	FINDS(struct ring_layout, buffers, OF_CPU, REQUIRED, "to 5.5", "buffers"),
	FINDS(struct ring_layout, record_disabled, OF_CPU, REQUIRED, "to 5.5",
	      "record_disabled.counter"),
};

static const struct layout_row cpu_rows[] = {
	STRUCTURE(struct ring_layout, cpu, "struct ring_buffer_per_cpu"),
	READS(struct ring_cpu, off, OPTIONAL, "all", "record_disabled.counter"),
	READS(struct ring_cpu, nr_pages, REQUIRED, "all", "nr_pages"),
	READS(struct ring_cpu, pages, REQUIRED, "all", "pages"),
	READS(struct ring_cpu, head, REQUIRED, "all", "head_page"),
	READS(struct ring_cpu, tail, REQUIRED, "all", "tail_page"),
	READS(struct ring_cpu, commit, REQUIRED, "all", "commit_page"),
	READS(struct ring_cpu, reader, REQUIRED, "all", "reader_page"),
	READS(struct ring_cpu, entries, REQUIRED, "all", "entries"),
	READS(struct ring_cpu, overrun, REQUIRED, "all", "overrun"),
	READS(struct ring_cpu, commit_overrun, OPTIONAL, "all", "commit_overrun"),
	READS(struct ring_cpu, dropped, OPTIONAL, "all", "dropped_events"),
	READS(struct ring_cpu, read, REQUIRED, "all", "read"),
	READS(struct ring_cpu, spare, OPTIONAL, "4.12", "free_page"),
	FINDS(struct ring_layout, back, "struct ring_buffer_per_cpu", REQUIRED, "all", "buffer"),
	STRUCTURE(struct ring_layout, page, "struct buffer_page"),
	READS(struct buffer_page, next, REQUIRED, "all", "list.next"),
	READS(struct buffer_page, prev, REQUIRED, "all", "list.prev"),
	READS(struct buffer_page, write, REQUIRED, "all", "write"),
	READS(struct buffer_page, read, REQUIRED, "all", "read"),
	READS(struct buffer_page, entries, REQUIRED, "all", "entries"),
	READS(struct buffer_page, data, REQUIRED, "all", "page"),
	FINDS(struct ring_layout, stamp, "struct buffer_data_page", REQUIRED, "all", "time_stamp"),
	FINDS(struct ring_layout, commit, "struct buffer_data_page", REQUIRED, "all", "commit"),
	FINDS(struct ring_layout, start, "struct buffer_data_page", REQUIRED, "all", "data"),
};

enum status ring_layout_open(struct dump *d, struct ring_layout *ret)
{
	struct ring_layout l = { 0 };
	enum status st = STRUCTS_OPEN(d, buffer_rows, &l);

	if (st == ST_UNKNOWN)
		st = STRUCTS_OPEN(d, older_rows, &l);
	st = st ?: STRUCTS_OPEN(d, cpu_rows, &l);
	if (st != ST_OK)
		return st;
	if (STRUCT_FIELD(&l.page, struct buffer_page, next)->offset != 0 || l.start.offset < 16 ||
	    l.start.offset > 64 || l.stamp.offset > 8 || l.commit.offset > 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: ring buffer of ftrace");
	const struct field read[] = { l.buffers, l.record_disabled, l.order };

	st = layout_buffer(d, "struct trace_buffer", layout_span(read, 3), &l.buffer);
	if (st == ST_OK)
		*ret = l;
	return st;
}

/* Entries of trace_buffer.buffers, allocated for nr_cpu_ids of them; 7.2 dropped "cpus". */
static enum status cpu_ids(struct dump *d, unsigned int *ret)
{
	uint64_t n;
	enum status st = dump_has_symbol(d, "nr_cpu_ids") ? dump_value(d, "nr_cpu_ids", &n)
							  : percpu_ids(d, &n);

	if (st == ST_OK && (!n || n > MAX_CPUS))
		st = dump_fail(d, ST_CORRUPT, "%lu possible CPUs", n);
	if (st == ST_OK)
		*ret = n;
	return st;
}

enum status ring_buffer_open(struct dump *d, const struct ring_layout *layout, uint64_t address,
			     struct ring_buffer *ret)
{
	struct ring_buffer b = { .dump = d, .layout = layout, .address = address };
	const uint8_t *raw = layout->buffer.raw;
	uint64_t order;
	enum status st = layout_read(d, address, &layout->buffer, "trace_buffer")
				 ?: cpu_ids(d, &b.ncpus);

	if (st != ST_OK)
		return st;
	b.cpus = field_get(&layout->buffers, raw);
	b.disabled = field_get(&layout->record_disabled, raw);
	b.off = b.disabled & BUFFER_OFF;
	b.disabled &= ~BUFFER_OFF;
	order = field_get(&layout->order, raw);
	if (order > 20 || dump_page_size(d) << order > MAX_SUBBUF)
		return dump_fail(d, ST_CORRUPT, "sub-buffers of order %lu", order);
	b.subbuf = dump_page_size(d) << order;
	*ret = b;
	return ST_OK;
}
