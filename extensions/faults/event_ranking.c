// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e -g: page-fault events counted by the keys of -g. */
#include "events.h"

struct group {
	struct row_group keys;
	const char *ip_symbol; /* of its first event, with -g ip */
	uint64_t events, threads;
	bool has_time;
	uint64_t first, last;
};

#define ROW struct group

CELL_WITH(basis_cell, void, const struct fault_view,
	  cell_text(cmdline_groups_by(v->in, EVENT_VMA) || cmdline_filters_by(v->in, EVENT_VMA)
			    ? "derived"
			    : "recorded"))

static const struct view_column columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_events, IN_BOTH | KNOWN, UINT_OF(ROW, events) },
	{ COLUMN_event_percent, IN_TEXT, SHARE_OF(ROW, events) },
	{ COLUMN_threads, IN_BOTH | KNOWN, UINT_OF(ROW, threads) },
	{ COLUMN_first_ts_ns, IN_BOTH, UINT_IF(ROW, first, has_time) },
	{ COLUMN_last_ts_ns, IN_BOTH, UINT_IF(ROW, last, has_time) },
	{ COLUMN_pid, 0 },
	{ COLUMN_comm, 0 },
	{ COLUMN_cpu, 0 },
	{ COLUMN_instance, 0 },
	{ COLUMN_mode, 0 },
	{ COLUMN_address, 0, "of the page that faulted" },
	{ COLUMN_ip, 0 },
	{ COLUMN_ip_symbol, 0, TEXT_OF(ROW, ip_symbol) },
	{ COLUMN_instruction, 0 },
	{ COLUMN_error_code, 0 },
	{ COLUMN_error, 0 },
	{ COLUMN_vma_file, 0 },
	BASIS_ASKED(basis_cell, "derived where vma_file is asked for"),
};

/* The keys, and what one of them says of another. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table;

	for (size_t i = 0; i < in->ngroups; i++) {
		table_show(t, in->keys[in->groups[i]].column);
		if (in->groups[i] == EVENT_IP)
			table_show(t, COLUMN_ip_symbol);
	}
}

const struct view fault_event_ranking = {
	"ranking",
	"-e -g ip",
	COLUMNS_OF(columns),
	.prepare = prepare,
	.keys = event_keys,
	.nkeys = EVENT_KEYS,
	ROWS_ARE("group", "groups", "events", 10),
	MEMBERS_ARE("event", "events"),
};

/* The clock that times are of: that of the first event that has one. */
struct timing {
	const struct trace_buffer_of *of; /* NULL: there was none yet */
	uint64_t others;		  /* events of other clocks */
};

/* Whether the time of an event can be compared with those of the others. */
static bool is_timed(struct timing *t, const struct trace_buffer_of *b)
{
	if (b->array->clock.in_ns && !t->of)
		t->of = b;
	if (t->of && event_clocks_same(t->of, b))
		return true;
	t->others++;
	return false;
}

static void count(struct fault_view *v, struct fault_event *ev, struct timing *timing,
		  struct row_groups *groups, struct hash_bytes *threads)
{
	const struct cmdline *in = v->in;
	uint64_t thread[2] = { 0, (uint32_t)ev->record.pid };
	bool is_new;
	struct group *g;

	ev->address &= ~(dump_page_size(v->dump) - 1);
	g = row_groups_get(groups, in, COLUMNS(event_key_columns), ev, v, &is_new);
	for (size_t i = 0; is_new && i < in->ngroups; i++)
		if (in->groups[i] == EVENT_IP)
			g->ip_symbol = fault_symbol_cell(ev, v).text;
	thread[0] = (uintptr_t)g;
	hash_bytes_get(threads, thread, sizeof(thread), &is_new);
	g->events++;
	g->threads += is_new;
	if (!is_timed(timing, ev->record.ring->buffer))
		return;
	if (!g->has_time || ev->record.ts < g->first)
		g->first = ev->record.ts;
	if (!g->has_time || ev->record.ts > g->last)
		g->last = ev->record.ts;
	g->has_time = true;
}

/* A reader takes times for those of the log. */
static void warn_of_clocks(struct fault_view *v, const struct timing *t)
{
	const char *others =
		t->others ? dump_text(v->dump, ": %lu events of other clocks have none", t->others)
			  : "";

	if (t->of &&
	    (t->others || t->of->array->other_boot || !trace_clock_is_log(&t->of->array->clock)))
		report_warn(&v->report, "FIRST and LAST are of the clock %s%s",
			    event_clock_text(v, t->of->array), others);
}

enum status fault_event_ranking_show(struct fault_view *v)
{
	struct fault_events *e = v->data;
	struct row_groups groups;
	struct hash_bytes threads;
	struct timing timing = { NULL };
	struct fault_event ev;

	row_groups_init(&groups, v->dump, sizeof(struct group));
	hash_bytes_init(&threads, v->dump->arena, 0);
	while (fault_events_next(e, &ev))
		count(v, &ev, &timing, &groups, &threads);
	v->in->table.whole = e->kept;
	for (struct hash_bytes_entry *g = groups.groups.first; g; g = g->next)
		row_add_group(v->in, g->value, v);
	rows_sort(v->in);
	warn_of_clocks(v, &timing);
	rows_put(&v->report, v->in);
	return event_buffers_end(v, &e->reader, e->kept);
}
