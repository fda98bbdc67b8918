// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_buffer.h"

#include "kernel/percpu.h"

#define FIRST_OF_CPU RING_CPU_RECORD_DISABLED
#define MAX_CPUS 8192	      /* CONFIG_NR_CPUS goes no higher */
#define BUFFER_OFF (1U << 20) /* RB_BUFFER_OFF */
#define MAX_SUBBUF (1U << 20) /* bytes; ring_buffer_subbuf_order_set() refuses more */

/*
 * 5.6 renamed struct ring_buffer to struct trace_buffer; the older struct trace_buffer is what
 * struct array_buffer is now, and has no table of CPUs. perf had a struct ring_buffer as well, up to
 * 5.6 (perf/core: Rename struct ring_buffer): the buffer of a CPU points to that of ftrace.
 */
static const struct layout_row buffer_rows[FIRST_OF_CPU] = {
	[RING_BUFFERS] = { "struct trace_buffer", { "buffers" }, REQUIRED, "5.6" },
	[RING_RECORD_DISABLED] = { "struct trace_buffer",
				   { "record_disabled.counter" },
				   REQUIRED,
				   "5.6" },
	[RING_ORDER] = { "struct trace_buffer", { "subbuf_order" }, OPTIONAL, "6.8" },
};

#define OF_CPU "struct ring_buffer_per_cpu.buffer"
static const struct layout_row older_rows[RING_ORDER] = {
	[RING_BUFFERS] = { OF_CPU, { "buffers" }, REQUIRED, "to 5.5" },
	[RING_RECORD_DISABLED] = { OF_CPU, { "record_disabled.counter" }, REQUIRED, "to 5.5" },
};

#define CPU_ROW(member, need, since)                                  \
	{                                                             \
		"struct ring_buffer_per_cpu", { member }, need, since \
	}
#define PAGE_ROW(member, need)                                \
	{                                                     \
		"struct buffer_page", { member }, need, "all" \
	}
#define DATA_ROW(member)                                               \
	{                                                              \
		"struct buffer_data_page", { member }, REQUIRED, "all" \
	}

static const struct layout_row cpu_rows[RING_FIELDS - FIRST_OF_CPU] = {
	[RING_CPU_RECORD_DISABLED - FIRST_OF_CPU] = CPU_ROW("record_disabled.counter", OPTIONAL,
							    "all"),
	[RING_CPU_NR_PAGES - FIRST_OF_CPU] = CPU_ROW("nr_pages", REQUIRED, "all"),
	[RING_CPU_PAGES - FIRST_OF_CPU] = CPU_ROW("pages", REQUIRED, "all"),
	[RING_CPU_HEAD - FIRST_OF_CPU] = CPU_ROW("head_page", REQUIRED, "all"),
	[RING_CPU_TAIL - FIRST_OF_CPU] = CPU_ROW("tail_page", REQUIRED, "all"),
	[RING_CPU_COMMIT - FIRST_OF_CPU] = CPU_ROW("commit_page", REQUIRED, "all"),
	[RING_CPU_READER - FIRST_OF_CPU] = CPU_ROW("reader_page", REQUIRED, "all"),
	[RING_CPU_ENTRIES - FIRST_OF_CPU] = CPU_ROW("entries", REQUIRED, "all"),
	[RING_CPU_OVERRUN - FIRST_OF_CPU] = CPU_ROW("overrun", REQUIRED, "all"),
	[RING_CPU_COMMIT_OVERRUN - FIRST_OF_CPU] = CPU_ROW("commit_overrun", OPTIONAL, "all"),
	[RING_CPU_DROPPED - FIRST_OF_CPU] = CPU_ROW("dropped_events", OPTIONAL, "all"),
	[RING_CPU_READ - FIRST_OF_CPU] = CPU_ROW("read", REQUIRED, "all"),
	[RING_PAGE_NEXT - FIRST_OF_CPU] = PAGE_ROW("list.next", REQUIRED),
	[RING_PAGE_PREV - FIRST_OF_CPU] = PAGE_ROW("list.prev", REQUIRED),
	[RING_PAGE_WRITE - FIRST_OF_CPU] = PAGE_ROW("write", REQUIRED),
	[RING_PAGE_READ - FIRST_OF_CPU] = PAGE_ROW("read", REQUIRED),
	[RING_PAGE_ENTRIES - FIRST_OF_CPU] = PAGE_ROW("entries", REQUIRED),
	[RING_PAGE_DATA - FIRST_OF_CPU] = PAGE_ROW("page", REQUIRED),
	[RING_DATA_STAMP - FIRST_OF_CPU] = DATA_ROW("time_stamp"),
	[RING_DATA_COMMIT - FIRST_OF_CPU] = DATA_ROW("commit"),
	[RING_DATA_START - FIRST_OF_CPU] = DATA_ROW("data"),
};

enum status ring_layout_open(struct dump *d, struct ring_layout *ret)
{
	struct ring_layout l;
	enum status st = layout_resolve(d, buffer_rows, FIRST_OF_CPU, l.f);

	if (st == ST_UNKNOWN)
		st = layout_resolve(d, older_rows, RING_ORDER, l.f);
	st = st ?: layout_resolve(d, cpu_rows, RING_FIELDS - FIRST_OF_CPU, &l.f[FIRST_OF_CPU]);
	if (st != ST_OK)
		return st;
	if (l.f[RING_PAGE_NEXT].offset != 0 || l.f[RING_DATA_START].offset < 16 ||
	    l.f[RING_DATA_START].offset > 64 || l.f[RING_DATA_STAMP].offset > 8 ||
	    l.f[RING_DATA_COMMIT].offset > 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: ring buffer of ftrace");
	st = layout_buffer(d, "struct trace_buffer", layout_span(l.f, FIRST_OF_CPU), &l.buffer) ?:
			layout_buffer(d, "struct ring_buffer_per_cpu",
				   layout_span(&l.f[FIRST_OF_CPU], RING_PAGE_NEXT - FIRST_OF_CPU),
				   &l.cpu) ?: layout_buffer(
			d, "struct buffer_page",
			layout_span(&l.f[RING_PAGE_NEXT], RING_DATA_STAMP - RING_PAGE_NEXT),
			&l.page);
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
	const struct field *f = layout->f;
	const uint8_t *raw = layout->buffer.raw;
	uint64_t order;
	enum status st = layout_read(d, address, &layout->buffer, "trace_buffer")
				 ?: cpu_ids(d, &b.ncpus);

	if (st != ST_OK)
		return st;
	b.cpus = field_get(&f[RING_BUFFERS], raw);
	b.disabled = field_get(&f[RING_RECORD_DISABLED], raw);
	b.off = b.disabled & BUFFER_OFF;
	b.disabled &= ~BUFFER_OFF;
	order = field_get(&f[RING_ORDER], raw);
	if (order > 20 || dump_page_size(d) << order > MAX_SUBBUF)
		return dump_fail(d, ST_CORRUPT, "sub-buffers of order %lu", order);
	b.subbuf = dump_page_size(d) << order;
	*ret = b;
	return ST_OK;
}
