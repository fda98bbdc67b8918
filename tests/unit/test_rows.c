// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that show records: a cell for each kind of member, what is unknown, filters of keys, order. */
#include "cli/rows.h"

#include "stub.h"
#include "test.h"

struct record {
	uint8_t order;
	int32_t pid;
	uint64_t bytes, address, pages;
	bool has_pid, frozen;
	const char *comm;
	char name[8];
};

#define R struct record

static struct cell doubled(const void *record, void *view)
{
	return cell_uint(((const struct record *)record)->order * *(const unsigned int *)view);
}

CELL_FROM(order_cell, R, cell_if(r->order, cell_uint(r->order)))
CELL_WITH(times_cell, R, const unsigned int, cell_uint(r->pages + *v))

static const struct view_column columns[] = {
	{ COLUMN_bytes, IN_BOTH, UINT_OF(R, bytes) },
	{ COLUMN_order, IN_BOTH, UINT_OF(R, order) },
	{ COLUMN_pid, IN_BOTH, INT_IF(R, pid, has_pid) },
	{ COLUMN_tgid, IN_BOTH, INT_OF(R, pid) },
	{ COLUMN_address, IN_BOTH, HEX_NONZERO(R, address) },
	{ COLUMN_object_bytes, IN_BOTH, PAGES_OF(R, pages) },
	{ COLUMN_kthread, IN_BOTH, BOOL_OF(R, frozen) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(R, comm) },
	{ COLUMN_name, IN_BOTH, CHARS_OF(R, name) },
	{ COLUMN_path, IN_BOTH, CHARS_IF(R, name, has_pid) },
	{ COLUMN_allocs, IN_BOTH, CELL_BY(doubled) },
	{ COLUMN_node, IN_BOTH, CELL_BY(order_cell) },
	{ COLUMN_ram_percent, IN_BOTH, SHARE_IF(R, pages, has_pid) },
	{ COLUMN_cache, IN_BOTH, CELL_BY(times_cell) },
	{ COLUMN_rss_bytes, IN_BOTH, SIGNED_PAGES_IF(R, pid, has_pid) },
	{ COLUMN_zone, IN_BOTH },
};

enum {
	BYTES,
	ORDER,
	PID,
	TGID,
	ADDRESS,
	SIZE,
	FROZEN,
	COMM,
	NAME,
	PATH,
	DOUBLED,
	ORDER_IF,
	SHARE,
	TIMES,
	BALANCE,
	ZONE
};

static const struct key keys[] = {
	{ COLUMN_comm, "name of the task", KEY_FILTERS },
	{ COLUMN_bytes, "bytes", KEY_FILTERS },
};

static const struct view view = { "records", "", COLUMNS_OF(columns), KEYS_OF(keys),
				  ROWS_ARE("record", "records", "bytes", 2) };

static bool is_null(const struct cell *c)
{
	return c->kind == CELL_NULL;
}

static void cells(void)
{
	const struct record full = { 255,   -2,	     1 << 20, 0xffff888000001000, 3, true,
				     false, "httpd", "name" };
	const struct record bare = { 0 };
	unsigned int times = 3;
	struct cell *row;
	struct table t;
	STUB(s);

	CHECK(table_init(&t, &s.dump, COLUMNS(columns), false) == ST_OK);
	t.whole = 12;
	row = row_add(&t, &full, &times);
	CHECK(row[BYTES].kind == CELL_UINT && row[BYTES].u == 1 << 20);
	CHECK(row[ORDER].kind == CELL_UINT && row[ORDER].u == 255);
	CHECK(row[PID].kind == CELL_INT && row[PID].i == -2);
	CHECK(row[TGID].kind == CELL_INT && row[TGID].i == -2);
	CHECK(row[ADDRESS].kind == CELL_HEX && row[ADDRESS].u == 0xffff888000001000);
	CHECK(row[SIZE].kind == CELL_UINT && row[SIZE].u == 3 << 12);
	CHECK(row[FROZEN].kind == CELL_BOOL && !row[FROZEN].u);
	CHECK_TEXT(cell_words(&row[COMM]), "httpd");
	CHECK_TEXT(cell_words(&row[NAME]), "name");
	CHECK(row[DOUBLED].u == 765 && row[ORDER_IF].u == 255);
	CHECK(row[SHARE].kind == CELL_UINT && row[SHARE].u == 250 && row[TIMES].u == 6);
	CHECK(row[BALANCE].kind == CELL_INT && row[BALANCE].i == -8192);
	CHECK(is_null(&row[ZONE]));
	/* Zeros: what a member, its emptiness or a bool makes unknown, and what is 0. */
	row = row_add(&t, &bare, &times);
	CHECK(row[BYTES].kind == CELL_UINT && !row[BYTES].u && row[TGID].kind == CELL_INT);
	CHECK(is_null(&row[PID]) && is_null(&row[ADDRESS]) && is_null(&row[COMM]));
	CHECK(is_null(&row[NAME]) && is_null(&row[PATH]) && is_null(&row[ORDER_IF]));
	CHECK(is_null(&row[SHARE]));
	CHECK(t.n == 2);
}

/* A name that is known to be empty is no unknown one. */
static void an_empty_name(void)
{
	const struct record r = { .has_pid = true };
	unsigned int times = 1;
	STUB(s);
	struct table t;
	struct cell *row;

	CHECK(table_init(&t, &s.dump, COLUMNS(columns), false) == ST_OK);
	row = row_add(&t, &r, &times);
	CHECK(is_null(&row[NAME]));
	CHECK_TEXT(cell_words(&row[PATH]), "");
}

static void shown(void)
{
	static const struct record records[] = {
		{ .bytes = 4096, .comm = "a" },	   { .bytes = 1 << 20, .comm = "b" },
		{ .bytes = 65536, .comm = "a" },   { .bytes = 8192, .comm = "a" },
		{ .bytes = 1 << 30, .comm = "c" },
	};
	struct key_set set = { keys, 2, columns, sizeof(columns) / sizeof(columns[0]), true };
	static struct cmdline in;
	static struct report report;
	static struct text text;
	unsigned int times = 1;
	STUB(s);

	text_open(&text);
	in = (struct cmdline){ .shown = &view, .keys = keys, .opts.nfilters = 1 };
	in.opts.filters[0] = (struct opt_filter){ .text = "comm=a" };
	CHECK(filters_parse(&s.dump, &in.opts, &set, &in.filters) == ST_OK);
	CHECK(table_init(&in.table, &s.dump, COLUMNS(columns), false) == ST_OK);
	CHECK(table_select(&in.table, "bytes,comm") == ST_OK);
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		rows_add(&in, &records[i], &times);
	CHECK(in.table.n == 3 && in.table.refused == 2);
	report_init_bare(&report, &s.dump, &text.sink, "test", "records", false);
	rows_show(&report, &in);
	rows_put_kept(&report, &in);
	CHECK(report.rows_shown == 2 && report.rows_total == 3);
	CHECK_TEXT(text_get(&text), " SIZE  COMM\n"
				    "64.0K  a\n"
				    " 8.0K  a\n"
				    "... 1 more record with 4.0K (-n 0 shows all)\n"
				    "filters kept 3 of 5 records\n");
}

/* A value that the column of the filter lacks, and another one has: of a number that of a process alone. */
static void value_of_another_column(void)
{
	static const struct record records[] = {
		{ .bytes = 281, .comm = "prewarm", .name = "imgprox", .has_pid = true, .pid = 281 },
		{ .bytes = 4096, .comm = "prewarm", .name = "imgprox", .order = 77 },
	};
	static const struct {
		const char *asked, *told;
	} all[] = {
		{ "comm=imgprox",
		  "-f comm=imgprox: nothing that was read has it; -f name=imgprox or "
		  "-f path=imgprox keeps what has it there; known are: prewarm" },
		{ "comm=img*", "-f comm=img*: nothing that was read has it; -f name=img* or "
			       "-f path=img* keeps what has it there; known are: prewarm" },
		{ "comm=282", "-f comm=282: nothing that was read has it; known are: prewarm" },
		{ "bytes=77",
		  "-f bytes=77: nothing that was read has it; it is from 281B to 4.0K" },
		{ "name=prewarm", "-f name=prewarm: nothing that was read has it; -f comm=prewarm "
				  "keeps what has it there; known are: imgprox" },
	};
	struct key_set set = { keys, 2, columns, sizeof(columns) / sizeof(columns[0]), true };
	unsigned int times = 1;
	char told[FILTER_UNMET];
	STUB(s);

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		static struct cmdline in;
		const struct filter *f;

		in = (struct cmdline){
			.shown = &view, .keys = keys, .nkeys = 2, .opts.nfilters = 1
		};
		in.opts.filters[0] = (struct opt_filter){ .text = all[i].asked };
		CHECK(filters_parse(&s.dump, &in.opts, &set, &in.filters) == ST_OK);
		CHECK(table_init(&in.table, &s.dump, COLUMNS(columns), false) == ST_OK);
		CHECK(table_select(&in.table, "bytes,comm") == ST_OK);
		f = in.filters.n ? in.filters.filters : in.filters.rows;
		for (size_t k = 0; k < ARRAY_SIZE(records); k++)
			rows_add(&in, &records[k], &times);
		table_filter(&in.table, &in.filters);
		CHECK(!in.table.n && filter_unmet(f, 0, true, told, sizeof(told)));
		CHECK_TEXT(told, all[i].told);
	}
}

/* What stands behind the first record of three, by the columns that are shown and what they are sorted by. */
static const char *rest_of(const char *shown, const char *sort)
{
	static const struct record records[] = { { .bytes = 4096, .pages = 1, .name = "a" },
						 { .bytes = 8192, .name = "a" },
						 { .bytes = 1 << 20, .name = "a" } };
	static const struct view first = { "records", "", COLUMNS_OF(columns), KEYS_OF(keys),
					   ROWS_ARE("record", "records", "bytes", 1) };
	static struct cmdline in;
	static struct report report;
	static struct text text;
	unsigned int times = 1;
	STUB(s);

	text_open(&text);
	in = (struct cmdline){ .shown = &first, .keys = keys, .opts.sort = sort };
	CHECK(table_init(&in.table, &s.dump, COLUMNS(columns), false) == ST_OK);
	CHECK(table_select(&in.table, shown) == ST_OK);
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		rows_add(&in, &records[i], &times);
	report_init_bare(&report, &s.dump, &text.sink, "test", "records", false);
	rows_show(&report, &in);
	return strstr(text_get(&text), "...");
}

/* A size without a name is the one that is shown and ranks. */
static void the_rest_names_its_size(void)
{
	CHECK_TEXT(rest_of("bytes,name", NULL), "... 2 more records with 12.0K (-n 0 shows all)\n");
	CHECK_TEXT(rest_of("bytes,object_bytes", "object_bytes"),
		   "... 2 more records with 1.0M of SIZE (-n 0 shows all)\n");
	CHECK_TEXT(rest_of("object_bytes,name", NULL),
		   "... 2 more records with 12.0K of SIZE (-n 0 shows all)\n");
	CHECK_TEXT(rest_of("bytes,name", "name,bytes"),
		   "... 2 more records with 12.0K (-n 0 shows all)\n");
}

CAN_HAVE(has_none, R, void, false)

static const struct view_column empty_columns[] = {
	{ COLUMN_bytes, IN_BOTH, UINT_OF(R, bytes) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(R, comm) },
	{ COLUMN_pid, IN_BOTH, "with -o; none: no task", .can_have = has_none,
	  INT_IF(R, pid, has_pid) },
};

/* Of a column that was asked for and is "-" in each row it is told, and what the view says of that. */
static void empty(void)
{
	static const struct record records[] = { { .bytes = 9 }, { .bytes = 8, .comm = "a" } };
	static const struct {
		const char *shown, *told;
		size_t n;
	} cases[] = {
		{ "bytes,comm", "comm is unknown of all rows that are shown\n", 1 },
		{ "bytes,comm", "", 2 },
		{ "comm,pid", "no row that is shown has pid (none: no task)\n", 2 },
		{ "comm,pid", "", 0 },
		{ NULL, "", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report;
		struct table t;
		struct text text;
		STUB(s);

		text_open(&text);
		CHECK(table_init(&t, &s.dump, COLUMNS(empty_columns), false) == ST_OK);
		CHECK(!cases[i].shown || table_select(&t, cases[i].shown) == ST_OK);
		row_add(&t, &records[0], NULL);
		row_add(&t, &records[1], NULL);
		report_init_bare(&report, &s.dump, &text.sink, "test", "records", false);
		rows_tell_empty(&report, NULL, &t, cases[i].n);
		CHECK_TEXT(text_get(&text), cases[i].told);
	}
}

CAN_HAVE(has_task, R, const unsigned int, !r->frozen && *v)

static const struct view_column doubtful_columns[] = {
	{ COLUMN_comm, IN_BOTH, TEXT_OF(R, comm) },
	{ COLUMN_pid, IN_BOTH, .can_have = has_task, INT_IF(R, pid, has_pid) },
	{ COLUMN_address, IN_BOTH | OR_NONE, HEX_NONZERO(R, address) },
	{ COLUMN_bytes, IN_BOTH, UINT_OF(R, bytes) },
};

/* The warnings of filters, joined, where the records are filtered and sorted. */
static const char *told(const char *first, const char *second, const char *sort, bool *complete)
{
	static const struct record records[] = {
		{ .comm = "a", .pid = 7, .has_pid = true, .bytes = 3 },
		{ .comm = "a", .bytes = 4 },
		{ .comm = "a", .frozen = true, .bytes = 5 },
		{ .bytes = 6 },
	};
	struct key_set set = { keys, 2, doubtful_columns, 4, true };
	static struct cmdline in;
	static struct report report;
	static struct text text;
	static char all[512];
	unsigned int has = 1;
	STUB(s);

	text_open(&text);
	in = (struct cmdline){ .shown = &view, .keys = keys, .opts.sort = sort };
	for (const char *filter = first; filter; filter = filter == first ? second : NULL)
		in.opts.filters[in.opts.nfilters++] = (struct opt_filter){ .text = filter };
	CHECK(filters_parse(&s.dump, &in.opts, &set, &in.filters) == ST_OK);
	CHECK(table_init(&in.table, &s.dump, COLUMNS(doubtful_columns), true) == ST_OK);
	in.table.one = "record";
	in.table.many = "records";
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		rows_add(&in, &records[i], &has);
	report_init_bare(&report, &s.dump, &text.sink, "test", "records", true);
	report.filters = &in.filters;
	rows_show(&report, &in);
	report_end(&report, NULL, true);
	*all = '\0';
	for (unsigned int i = 0; i < report.nwarnings; i++)
		strcat(strcat(all, i ? "; " : ""), report.warnings[i]);
	*complete = strstr(text_get(&text), "\"complete\":true");
	return all;
}

/* Of a row that is left out because a value is unknown it is told; not where there is none. */
static void left_out(void)
{
	bool complete;

	CHECK_TEXT(told("pid=7", NULL, NULL, &complete),
		   "pid is unknown of 2 records, which -f leaves out");
	CHECK(!complete);
	CHECK_TEXT(told("comm=a", NULL, NULL, &complete),
		   "comm is unknown of 1 record, which -f leaves out");
	CHECK(!complete);
	/* The other filter refuses what is known of them. */
	CHECK_TEXT(told("pid=7", "bytes=..3", NULL, &complete), "");
	CHECK(complete);
	CHECK_TEXT(told("pid=8", NULL, NULL, &complete),
		   "-f pid=8: nothing that is known has it; it is 7; "
		   "pid is unknown of 2 records, which -f leaves out");
	CHECK_TEXT(told("pid=-", NULL, NULL, &complete), "");
	CHECK_TEXT(told("address=5", NULL, NULL, &complete),
		   "-f address=5: nothing that was read has it; of all there is none ('-')");
	CHECK(complete);
	CHECK_TEXT(told(NULL, NULL, "pid", &complete),
		   "pid is unknown of 2 of 4 rows, which come last");
	CHECK_TEXT(told(NULL, NULL, "address", &complete),
		   "not sorted by address: no row is known to have one");
}

static const struct view_column below_columns[] = {
	{ COLUMN_name, IN_BOTH, CHARS_OF(R, name) },
	{ COLUMN_bytes, IN_BOTH, UINT_OF(R, bytes) },
};

/* Records behind the rows; what is missing, which the end tells. */
static void behind(void)
{
	static const struct view below = { "records-total", "", COLUMNS_OF(below_columns),
					   .sorted_by = "bytes" };
	static const struct record records[] = { { .bytes = 1, .name = "low" },
						 { .bytes = 9, .name = "high" } };
	const struct gap none[] = { { "%s missing", 0, "page", "pages" },
				    GAP_WHY("unknown: %s", NULL),
				    { "a note of %s", 1, "page", "pages", .is_note = true } };
	const struct gap some[] = { { "%s missing: %s", 2, "page is", "pages are", "no data" },
				    { "all of it: %s", true, .why = "gone" },
				    { "without 1%", true } };
	static struct cmdline in;
	static struct report report;
	static struct text text;
	STUB(s);

	text_open(&text);
	report_init_bare(&report, &s.dump, &text.sink, "test", "records", true);
	rows_put_below(&report, &in, &below, records, 2, sizeof(records[0]), NULL);
	CHECK_TEXT(text_get(&text), "{\"record\":\"total\",\"name\":\"high\",\"bytes\":9}\n"
				    "{\"record\":\"total\",\"name\":\"low\",\"bytes\":1}\n");
	REPORT_GAPS(&report, none);
	CHECK(report.nwarnings == 1 && !report.has_gaps);
	CHECK_TEXT(report.warnings[0], "a note of 1 page");
	REPORT_GAPS(&report, some);
	CHECK(report.nwarnings == 4 && report.has_gaps);
	CHECK_TEXT(report.warnings[1], "2 pages are missing: no data");
	CHECK_TEXT(report.warnings[2], "all of it: gone");
	CHECK_TEXT(report.warnings[3], "without 1%");
}

/* In a page a title has rows behind it, though the rows above took all room. */
static void behind_a_title(void)
{
	static const struct view below = { "records-total", "", COLUMNS_OF(below_columns) };
	static const struct record record = { .bytes = 1, .name = "low" };
	static struct cmdline in;
	static struct report report;
	static struct text text;
	struct sink_page page = { .room = 7, .below_room = 3000, .rows = 9 };
	struct table t;
	STUB(s);

	text_open(&text);
	text.sink.page = &page;
	report_init_bare(&report, &s.dump, &text.sink, "test", "records", false);
	CHECK(table_init(&t, &s.dump, below_columns, ARRAY_SIZE(below_columns), false) == ST_OK);
	row_add(&t, &record, NULL);
	rows_put_table(&report, &in, &below, &t, "Those that grew:\n");
	CHECK(strstr(text_get(&text), "<td") && !page.left_out);
}

/* Columns that -g asks for stand before those that are always behind them. */
static void grouped(void)
{
	static struct cmdline in = { .keys = keys, .groups = { 0, 1 }, .ngroups = 2 };
	STUB(s);

	CHECK(table_init(&in.table, &s.dump, COLUMNS(columns), false) == ST_OK);
	CHECK(table_select(&in.table, "pid,bytes,name") == ST_OK);
	rows_show_groups(&in, (const enum column_id[]){ COLUMN_name, COLUMN_NONE });
	CHECK(in.table.nselected == 4 && in.table.selected[0] == PID);
	CHECK(in.table.selected[1] == COMM && in.table.selected[2] == BYTES);
	CHECK(in.table.selected[3] == NAME);
}

static unsigned int lookups;

static struct cell times_cell_of(const void *record, void *unused NOT_USED, unsigned int times)
{
	return cell_uint(((const struct record *)record)->pages * times);
}

static struct cell late_cell(const void *record, void *unused NOT_USED)
{
	lookups++;
	return cell_text(((const struct record *)record)->comm);
}

static const struct view_column late_columns[] = {
	{ COLUMN_rank, IN_BOTH },
	{ COLUMN_bytes, IN_BOTH, UINT_OF(R, bytes) },
	{ COLUMN_pages, IN_BOTH, CELL_OF(times_cell_of, 2) },
	{ COLUMN_objects, IN_BOTH, CELL_OF(times_cell_of, 3) },
	{ COLUMN_comm, IN_BOTH, CELL_LATE(late_cell) },
};

static const struct view late_view = { "records", "", COLUMNS_OF(late_columns),
				       ROWS_ARE("record", "records", "bytes", 1) };

/* Late cells are made for rows that are shown, for all where they sort. */
static void late(void)
{
	static const struct record records[] = { { .bytes = 1, .pages = 5, .comm = "b" },
						 { .bytes = 2, .pages = 7, .comm = "c" },
						 { .bytes = 3, .pages = 9, .comm = "a" } };
	static struct cmdline in;
	static struct report report;
	struct stub s = { 0 };
	static struct text text;

	for (unsigned int sorts = 0; sorts < 2; sorts++) {
		stub_open(&s);
		text_open(&text);
		lookups = 0;
		in = (struct cmdline){ .shown = &late_view, .opts.sort = sorts ? "comm" : NULL };
		CHECK(table_init(&in.table, &s.dump, COLUMNS(late_columns), false) == ST_OK);
		if (sorts)
			CHECK(table_check_sort(&in.table, "comm") == ST_OK);
		CHECK(rows_need_late(&in) == sorts);
		for (size_t i = 0; i < 3; i++)
			row_add(&in.table, &records[i], NULL);
		report_init_bare(&report, &s.dump, &text.sink, "test", "records", false);
		rows_show(&report, &in);
		CHECK(lookups == (sorts ? 3 : 1));
		/* The largest, and the first text, are of the same record. */
		CHECK(in.table.rows[0][0].u == 1 && in.table.rows[2][0].u == 3);
		CHECK(in.table.rows[0][2].u == 18 && in.table.rows[0][3].u == 27);
		CHECK_TEXT(cell_words(&in.table.rows[0][4]), "a");
		CHECK((in.table.rows[1][4].kind == CELL_NULL) == !sorts);
		stub_close(&s);
	}
}

static const struct view_column member_columns[] = {
	{ COLUMN_comm, 0, TEXT_OF(R, comm) },
	{ COLUMN_order, 0, UINT_OF(R, order) },
	{ COLUMN_bytes, 0, UINT_OF(R, bytes) },
	{ COLUMN_pid, 0, INT_IF(R, pid, has_pid) },
	{ COLUMN_address, OR_NONE, HEX_NONZERO(R, address) },
	{ COLUMN_pages, 0, UINT_OF(R, pages) },
};

static const struct view_column sum_columns[] = {
	{ COLUMN_comm, IN_BOTH },
	{ COLUMN_records, IN_BOTH, MEMBERS },
	{ COLUMN_bytes, IN_BOTH, SUM_OF(COLUMN_bytes) },
	{ COLUMN_pid, IN_BOTH, SUM_OF(COLUMN_pid) },
	{ COLUMN_tgid, IN_BOTH, MOST_OF(COLUMN_pid) },
	{ COLUMN_ppid, IN_BOTH, LEAST_OF(COLUMN_pid) },
	{ COLUMN_order, IN_BOTH, COMMON_OF(COLUMN_order) },
	{ COLUMN_orders, IN_BOTH, VALUES_OF(COLUMN_order) },
	{ COLUMN_address, IN_BOTH, SUM_OF(COLUMN_address) },
	{ COLUMN_ram_percent, IN_BOTH, SUM_SHARE_OF(COLUMN_pages) },
	{ COLUMN_node, IN_BOTH, MOST_BY(order_cell) },
	{ COLUMN_tracked_percent, IN_BOTH, SUM_SHARE_OF(COLUMN_bytes) },
};

static const struct key sum_keys[] = { { COLUMN_comm, "name of the task", KEY_GROUPS } };
static const struct view sums_view = { "sums",
				       "",
				       COLUMNS_OF(sum_columns),
				       KEYS_OF(sum_keys),
				       ROWS_ARE("group", "groups", "bytes", 0),
				       SUMS_UP(member_columns) };

/* Groups of -g: sums, extremes, what is common, and what they are of members of which it is unknown. */
static void sums(void)
{
	static const char a[] = "a", b[] = "b";
	static const struct record records[] = {
		{ .order = 1, .bytes = 10, .pid = 5, .has_pid = true, .comm = a, .pages = 1 },
		{ .order = 1, .bytes = 100, .pid = 7, .has_pid = true, .comm = b, .pages = 10 },
		{ .order = 2, .bytes = 1, .pid = 3, .comm = a, .address = 16, .pages = 2 },
		{ .order = 2, .bytes = 2, .pid = 4, .has_pid = true, .comm = a, .pages = 3 },
	};
	static struct cmdline in = { .keys = sum_keys, .shown = &sums_view, .ngroups = 1 };
	const struct cell *row;
	STUB(s);

	CHECK(table_init(&in.table, &s.dump, COLUMNS(sum_columns), false) == ST_OK);
	in.table.whole = 12;
	s.dump.page_shift = 2;
	for (size_t i = 0; i < 4; i++)
		rows_add(&in, &records[i], NULL);
	rows_sort(&in);
	CHECK(in.table.n == 2 && in.members == 4);
	row = in.table.rows[0];
	CHECK_TEXT(cell_words(&row[0]), "b");
	/* Of bytes the share is that of the pages they fill. */
	CHECK(row[11].u == 25 * 1000 / 12);
	CHECK(row[1].u == 1 && row[2].u == 100 && row[3].i == 7 && row[6].u == 1 && row[7].u == 1);
	row = in.table.rows[1];
	CHECK_TEXT(cell_words(&row[0]), "a");
	CHECK(row[1].u == 3 && row[2].u == 13);
	/* One is unknown: so is the sum. */
	CHECK(cell_is_unknown(&row[3]) && row[4].i == 5 && row[5].i == 4);
	CHECK(is_null(&row[6]) && row[6].is_none && row[7].u == 2);
	/* Two have none. */
	CHECK(row[8].u == 16 && row[9].u == 500 && row[10].u == 2);
	/* Of what is unknown no share is 0. */
	in.table.whole = 0;
	rows_sort(&in);
	in.table.n = 0;
	CHECK(table_init(&in.table, &s.dump, COLUMNS(sum_columns), false) == ST_OK);
	rows_add(&in, &records[0], NULL);
	rows_sort(&in);
	CHECK(cell_is_unknown(&in.table.rows[0][9]));
}

TESTS({ "rows behind a title", behind_a_title },
      { "a cell for each kind of member; what is unknown", cells },
      { "a known name may be empty", an_empty_name },
      { "keys refuse rows and count them; order, limit, the line of the rest", shown },
      { "a value that another column has", value_of_another_column },
      { "the rest names its size where another one is shown or ranks", the_rest_names_its_size },
      { "columns that are empty are told", empty },
      { "rows that are left out as unknown are told", left_out },
      { "records behind the rows; gaps, of which the end tells", behind },
      { "columns that -g adds", grouped }, { "cells with an argument, and late ones", late },
      { "groups of -g: sums of members", sums })
