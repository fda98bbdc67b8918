// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of the page: columns in which no row has a value, and stacks that several rows have. */
#include "cli/table.h"
#include "stub.h"
#include "test.h"

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH },
	{ COLUMN_comm, IN_BOTH },
	{ COLUMN_lock, IN_BOTH },
	{ COLUMN_stack, IN_BOTH },
};

static const struct frame schedule = { .addr = 0x1000, .symbol = "schedule", .size = 16 },
			  autofs = { .addr = 0x2000, .symbol = "autofs_wait", .size = 16 };
static const struct frame *const all[] = { &schedule, &autofs };

/* Each decoder makes its own. */
static const struct stack same = { 2, (const struct frame **)all, 0, 1 },
			  again = { 2, (const struct frame **)all, 0, 1 },
			  other = { 1, (const struct frame **)all, 0, 0 };

/* A table t of N columns, that goes into the page ret; then what else the page is to be. */
#define OPEN_PAGE(COLUMNS, N, ...)                                \
	static struct text ret;                                   \
	struct sink_page state = { .room = 8000, ##__VA_ARGS__ }; \
	struct table t;                                           \
	STUB(s);                                                  \
	text_open(&ret);                                          \
	ret.sink.page = &state;                                   \
	CHECK(table_init(&t, &s.dump, COLUMNS, N, false) == ST_OK)

/* Three threads; lock: of the second. */
static const char *page_of(const char *spec, const char *lock, bool is_part, bool is_below)
{
	const struct stack *const stacks[] = { &same, &again, &other };
	OPEN_PAGE(columns, ARRAY_SIZE(columns), .is_part = is_part);

	CHECK(!spec || table_select(&t, spec) == ST_OK);
	for (unsigned int i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct cell *row = table_add(&t);

		row[0] = cell_uint(339 + i);
		row[1] = cell_text("<b>");
		row[2] = cell_text(i == 1 ? lock : NULL);
		row[3] = (struct cell){ .kind = CELL_STACK, .stack = stacks[i] };
	}
	table_text(&t, &ret.sink, ARRAY_SIZE(stacks));
	if (is_below) {
		state.is_below = true;
		table_text(&t, &ret.sink, 1);
	}
	return text_get(&ret);
}

static unsigned int count(const char *page, const char *text)
{
	unsigned int n = 0;

	for (; (page = strstr(page, text)); page++)
		n++;
	return n;
}

static void a_column_without_a_value(void)
{
	const char *page = page_of(NULL, NULL, false, false);

	CHECK(!strstr(page, ">LOCK</th>"));
	CHECK(count(page, "<td") == 3 * 2);
	page = page_of(NULL, "rwsem", false, false);
	CHECK(strstr(page, ">LOCK</th>"));
	/* What names the rows stays. */
	page = page_of("lock", NULL, false, false);
	CHECK(strstr(page, ">LOCK</th>"));
}

static void a_stack_of_several_rows(void)
{
	const char *page = page_of(NULL, NULL, false, false);

	CHECK(count(page, "<details>") == 2 && count(page, "autofs_wait+0x0\n") == 1);
	CHECK(strstr(page, "<td>as &#60;b&#62; (339)</td>"));
	/* It is called by what the thread does, and begins where it left the CPU. */
	CHECK(strstr(page, "<summary>autofs_wait</summary><pre>schedule+0x0\n"));
	/* Without names there is none to point to. */
	CHECK(count(page_of("comm,stack", NULL, false, false), "<details>") == 3);
}

static void sums_of_a_part(void)
{
	CHECK(count(page_of(NULL, NULL, false, true), "<table>") == 2);
	CHECK(count(page_of(NULL, NULL, true, true), "<table>") == 1);
}

static const struct view_column thread_columns[] = {
	{ COLUMN_pid, IN_BOTH },  { COLUMN_comm, IN_BOTH }, { COLUMN_blocked_ns, IN_BOTH },
	{ COLUMN_does, IN_BOTH }, { COLUMN_tgid, IN_BOTH },
};

/* Threads worker-0, worker-1, ..., of which the one with this number does something else. */
static const char *threads_of(unsigned int n, unsigned int other_one, unsigned int tgid)
{
	static char names[16][16];
	OPEN_PAGE(thread_columns, ARRAY_SIZE(thread_columns));

	for (unsigned int i = 0; i < n; i++) {
		struct cell *row = table_add(&t);

		snprintf(names[i], sizeof(names[i]), "worker-%u", i);
		row[0] = cell_uint(300 + i);
		row[1] = cell_text(names[i]);
		row[2] = cell_uint((i + 2) * 1000000000ULL);
		row[3] = cell_text(i == other_one ? "waits for io" : "waits for a lock");
		row[4] = cell_uint(tgid ? tgid : 300 + i);
	}
	table_text(&t, &ret.sink, n);
	return text_get(&ret);
}

static const char *threads(unsigned int n, unsigned int other_one)
{
	return threads_of(n, other_one, 0);
}

static void processes_of_threads(void)
{
	CHECK(!strstr(threads(2, 0), ">TGID</th>"));
	CHECK(strstr(threads_of(6, 2, 274), ">TGID</th>") &&
	      strstr(threads_of(6, 2, 274), ">274</td>"));
}

static void rows_that_are_alike(void)
{
	const char *page = threads(6, 2);

	CHECK(count(page, "<th scope=row>") == 2);
	CHECK(strstr(page, "<th scope=row>worker-0 <span class=soft>and 4 more</span></th>"));
	CHECK(strstr(page, "<summary>5</summary>300, 301, 303, 304, 305</details>"));
	CHECK(strstr(page, ">2.0s to 7.0s</td>") && strstr(page, "<th scope=row>worker-2</th>"));
	/* A few are read as fast. */
	CHECK(count(threads(4, 0), "<th scope=row>") == 4);
	CHECK(!strstr(threads(4, 0), "more"));
}

/* Five workers that are one row, and another thread with their stack: it names what the row is called. */
static void a_stack_of_rows_that_are_one(void)
{
	static const struct view_column of[] = {
		{ COLUMN_pid, IN_BOTH },
		{ COLUMN_comm, IN_BOTH },
		{ COLUMN_does, IN_BOTH },
		{ COLUMN_stack, IN_BOTH },
	};
	OPEN_PAGE(of, ARRAY_SIZE(of));

	for (unsigned int i = 0; i < 6; i++) {
		struct cell *row = table_add(&t);

		row[0] = cell_uint(300 + i);
		row[1] = cell_text(i < 5 ? "postgres" : "bash");
		row[2] = cell_text("waits");
		row[3] = (struct cell){ .kind = CELL_STACK, .stack = i % 2 ? &same : &again };
	}
	table_text(&t, &ret.sink, 6);
	CHECK(strstr(text_get(&ret), "<td>as postgres and 4 more</td>"));
	CHECK(!strstr(text_get(&ret), "as postgres (300)"));
}

/* Parts of the time in which members began name no row. */
static void a_time_line_names_no_row(void)
{
	static const struct view_column of[] = {
		{ COLUMN_member_times, IN_BOTH },
		{ COLUMN_comm, IN_BOTH },
	};
	OPEN_PAGE(of, ARRAY_SIZE(of));

	for (unsigned int i = 0; i < 2; i++) {
		struct cell *row = table_add(&t);

		row[0] = cell_text("___1______");
		row[1] = cell_text(i ? "nginx" : "perl");
	}
	table_text(&t, &ret.sink, 2);
	CHECK(strstr(text_get(&ret), "<th scope=row>perl</th>"));
}

/* Removed cgroups of one path, and one that is there; without the state of each they are not alike. */
static const char *cgroups_page(bool has_state)
{
	static const struct view_column of[] = {
		{ COLUMN_memcg, IN_BOTH },
		{ COLUMN_usage_bytes, IN_BOTH },
		{ COLUMN_memcg_state, IN_BOTH },
	};
	OPEN_PAGE(of, has_state ? 3 : 2);

	for (unsigned int i = 0; i < 6; i++) {
		struct cell *row = table_add(&t);

		row[0] = cell_text("/a.service");
		row[1] = cell_uint((6 - i) << 20);
		if (has_state)
			row[2] = cell_text(i ? "dying" : "online");
	}
	table_text(&t, &ret.sink, 6);
	return text_get(&ret);
}

static void removed_cgroups_of_one_path(void)
{
	const char *page = cgroups_page(true);

	CHECK(count(page, "<tr>") == 3);
	CHECK(strstr(page, "/a.service <span class=soft>and 4 more</span>"));
	CHECK(strstr(page, ">1.0M to 5.0M</td>"));
	CHECK(count(cgroups_page(false), "<tr>") == 7);
}

/* The first ones in a module, where the page wants some. */
static void stacks_that_stand_open(void)
{
	static const struct frame in_module = {
		.addr = 0x3000, .symbol = "snap_flush", .module = "snap", .size = 16
	};
	static const struct frame *const frames[] = { &schedule, &in_module };
	static const struct stack of_module = { 2, (const struct frame **)frames, 0, 1 };
	OPEN_PAGE(columns + 3, 1, .open_stacks = 1);

	table_add(&t)[0] = (struct cell){ .kind = CELL_STACK, .stack = &same };
	table_add(&t)[0] = (struct cell){ .kind = CELL_STACK, .stack = &of_module };
	table_add(&t)[0] = (struct cell){ .kind = CELL_STACK, .stack = &of_module };
	table_text(&t, &ret.sink, 3);
	CHECK(count(text_get(&ret), "<details open><summary>snap_flush [snap]") == 1);
	CHECK(count(text_get(&ret), "<details open>") == 1);
	CHECK(count(text_get(&ret), "<details>") == 2);
}

TESTS({ "a stack of rows that are one has the name of that row", a_stack_of_rows_that_are_one },
      { "a time line names no row", a_time_line_names_no_row },
      { "removed cgroups of one path are a row", removed_cgroups_of_one_path },
      { "stacks in a module stand open", stacks_that_stand_open },
      { "a column without a value is none", a_column_without_a_value },
      { "a stack that several rows have stands once", a_stack_of_several_rows },
      { "the process of threads, if it is not the number of each", processes_of_threads },
      { "rows that are alike are one, with how many they are", rows_that_are_alike },
      { "sums of all stand below all", sums_of_a_part })
