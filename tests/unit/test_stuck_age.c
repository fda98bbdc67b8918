// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner stuck -f age: who runs to try again is left out by AGE, and may have waited for longer, which is told. */
#include "extensions/nouns/stuck_asked.h"
#include "stub.h"
#include "test.h"

#define S 1000000000ULL

static struct cell age_cell(const void *record, void *view)
{
	return report_age(&((const struct owner_view *)view)->report,
			  ((const struct stuck_task *)record)->since_ns);
}

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(struct stuck_task, task.pid) },
	{ COLUMN_blocked_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_waits_for, IN_BOTH, TEXT_OF(struct stuck_task, waits_for) },
};

static const struct key keys[] = {
	{ COLUMN_blocked_ns, "time", KEY_FILTERS },
	{ COLUMN_waits_for, "what", KEY_FILTERS },
};

static const struct view view = { "stuck", "", COLUMNS_OF(columns), KEYS_OF(keys),
				  ROWS_ARE("thread", "threads", "blocked_ns", 0) };

/* What is told of -f first -f second of a server of RPC, reclaim and a lock that were waited for since 1 s before the end. */
static const char *told(const char *first, const char *second)
{
	static struct text text;
	static struct cmdline in;
	static struct owner_view v;
	static char all_told[512];
	struct key_set set = { keys, 2, columns, 3, true };
	struct stuck_task lock = { .has_since = true, .since_ns = 99 * S, .waits_for = "rwsem" };
	struct stuck_task reclaim = { .next = &lock,
				      .has_since = true,
				      .since_ns = 99 * S,
				      .where = PLACE_RECLAIM,
				      .waits_for = "reclaim" };
	struct stuck_task rpc = {
		.next = &reclaim, .has_since = true, .since_ns = 99 * S, .waits_for = "rpc"
	};
	const struct stuck all = { .first = &rpc };
	STUB(s);

	text_open(&text);
	in = (struct cmdline){ .shown = &view, .keys = keys, .nkeys = 2 };
	for (const char *filter = first; filter; filter = filter == first ? second : NULL)
		in.opts.filters[in.opts.nfilters++] = (struct opt_filter){ .text = filter };
	CHECK(filters_parse(&s.dump, &in.opts, &set, &in.filters) == ST_OK);
	CHECK(table_init(&in.table, &s.dump, COLUMNS(columns), false) == ST_OK);
	v = (struct owner_view){ .dump = &s.dump, .in = &in, .out = &text.sink };
	report_init_bare(&v.report, &s.dump, &text.sink, "memowner", "stuck", true);
	v.report.info = (struct dump_info){ .has_panic_time = true, .panic_ns = 100 * S };
	stuck_warn_of_age(&v, &all);
	CHECK(v.report.nwarnings <= 1);
	snprintf(all_told, sizeof(all_told), "%s", v.report.nwarnings ? v.report.warnings[0] : "");
	return all_told;
}

static void those_who_try_again(void)
{
	CHECK_TEXT(told(NULL, NULL), "");
	CHECK_TEXT(told("waits_for=rwsem", NULL), "");
	CHECK_TEXT(told("blocked=500ms..", NULL), "");
	/* Younger ones are asked for: what is left out waits for no longer than it has. */
	CHECK_TEXT(told("blocked=..500ms", NULL), "");
	CHECK_TEXT(told("blocked=60s..", "waits_for=rpc"),
		   "by their AGE 1 thread that waits for a server of RPC is left out: it is the "
		   "time since the last run, which was to send the request again, and they may "
		   "have waited for longer");
	CHECK_TEXT(
		told("blocked=60s..", "waits_for=reclaim"),
		"by their AGE 1 thread in reclaim or the allocator is left out: it is the time "
		"since the last run, and who reclaims runs again and again, and may have been at "
		"it for longer");
	CHECK_TEXT(told("blocked=60s..", "waits_for=rwsem"), "");
	/* Of two ranges the younger one has it. */
	CHECK_TEXT(told("blocked=..2s,60s..", "waits_for=rpc"), "");
}

TESTS({ "those who try again", those_who_try_again })
