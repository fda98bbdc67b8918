// SPDX-License-Identifier: GPL-2.0-or-later
/* json, table, opts, invocation, report. */
#include "cli/cmdline.h"
#include "util/json.h"
#include "cli/opts.h"
#include "cli/report.h"
#include "stub.h"
#include "cli/table.h"
#include "test.h"

static void json_escapes(void)
{
	static struct text t;
	struct json j;

	text_open(&t);
	json_open_line(&j, &t.sink, "row");
	json_text(&j, "a", "q\"b\\s/\n\x01");
	json_text(&j, "utf8", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7");
	json_text(&j, "bad", "\xff\xc3(\xc0\xaf\xed\xa0\x80\x7f");
	json_text(&j, "none", NULL);
	json_close_line(&j);
	CHECK_TEXT(
		text_get(&t),
		"{\"record\":\"row\",\"a\":\"q\\u0022b\\u005cs/\\u000a\\u0001\","
		"\"utf8\":\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\","
		"\"bad\":\"\\u00ff\\u00c3(\\u00c0\\u00af\\u00ed\\u00a0\\u0080\\u007f\",\"none\":null}\n");
}

/* Of any length, at any place: bytes are looked at eight at a time. */
static void json_escapes_each_byte(void)
{
	static struct text t;
	char text[32], want[128], escaped[8];
	struct json j;
	unsigned int wrong = 0;

	for (unsigned int c = 1; c < 256; c++)
		for (size_t n = 1; n < 20; n++)
			for (size_t at = 0; at < n; at++) {
				memset(text, 'a', n);
				text[at] = (char)c;
				text[n] = '\0';
				snprintf(escaped, sizeof(escaped),
					 c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\u%04x"
										     : "%c",
					 c);
				snprintf(want, sizeof(want),
					 "{\"record\":\"x\",\"k\":\"%.*s%s%s\"}\n", (int)at, text,
					 escaped, text + at + 1);
				text_open(&t);
				json_open_line(&j, &t.sink, "x");
				json_ready_key(&j, "\"k\":", 4);
				json_text(&j, "not this one", text);
				json_close_line(&j);
				wrong += strcmp(text_get(&t), want) != 0;
			}
	CHECK(!wrong);
}

/* What is short is put together in one piece: from 96 bytes on it is not. */
static void json_short_and_long(void)
{
	static struct text t;
	char key[128], text[128], want[1024];
	struct json j;

	for (size_t n = 94; n < 99; n++) {
		memset(key, 'k', n);
		memset(text, 't', n);
		key[n] = text[n] = '\0';
		text_open(&t);
		json_open_line(&j, &t.sink, "x");
		json_text(&j, key, text);
		json_uint(&j, key, 0);
		json_hex(&j, key, 0);
		json_int(&j, key, -1);
		json_close_line(&j);
		snprintf(want, sizeof(want),
			 "{\"record\":\"x\",\"%s\":\"%s\",\"%s\":0,\"%s\":\"0x0\",\"%s\":-1}\n",
			 key, text, key, key, key);
		CHECK_TEXT(text_get(&t), want);
	}
}

static void json_numbers_and_nesting(void)
{
	static struct text t;
	struct json j;

	text_open(&t);
	json_open_line(&j, &t.sink, "x");
	json_uint(&j, "u", UINT64_MAX);
	json_int(&j, "i", INT64_MIN);
	json_hex(&j, "h", 0xffff888000000000);
	json_bool(&j, "b", true);
	json_open_array(&j, "l");
	json_open_object(&j, NULL);
	json_null(&j, "n");
	json_close_object(&j);
	json_uint(&j, NULL, 1);
	json_close_array(&j);
	json_open_array(&j, "e");
	json_close_array(&j);
	json_close_line(&j);
	CHECK_TEXT(text_get(&t),
		   "{\"record\":\"x\",\"u\":18446744073709551615,"
		   "\"i\":-9223372036854775808,\"h\":\"0xffff888000000000\",\"b\":true,"
		   "\"l\":[{\"n\":null},1],\"e\":[]}\n");
}

enum { C_NAME, C_SIZE, C_PATH, C_HIDDEN, C_STACK, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[C_NAME] = { COLUMN_name, IN_BOTH, .width = 8 },
	[C_SIZE] = { COLUMN_bytes, IN_BOTH },
	[C_PATH] = { COLUMN_path, IN_TEXT, .width = 10 },
	[C_HIDDEN] = { COLUMN_before_pages, IN_JSON },
	[C_STACK] = { COLUMN_stack, IN_BOTH },
};
static const struct view view = { "view", "", COLUMNS_OF(columns) };

static void add(struct table *t, const char *name, int64_t bytes, const char *path)
{
	struct cell *row = table_add(t);

	row[C_NAME] = cell_text(name);
	row[C_SIZE] = cell_int(bytes);
	row[C_PATH] = cell_text(path);
	row[C_HIDDEN] = cell_uint(7);
}

static void fill(struct table *t, struct dump *d, bool json)
{
	CHECK(table_init(t, d, columns, COLUMNS, json) == ST_OK);
	add(t, "b", 2048, "a/b.c:1");
	add(t, "a-long-name", 3, "some/long/path.c:22");
	add(t, "c", 2048, NULL);
	table_add(t);
}

static void table_shows_text(void)
{
	static const struct frame frame = {
		.addr = 0x1000, .symbol = "f", .offset = 0x10, .size = 0x20, .module = "mod"
	};
	static const struct frame *frames[] = { &frame };
	static const struct stack stack = { .n = 1, .frames = frames };
	static struct text t;
	STUB(s);
	struct table tab;

	text_open(&t);
	fill(&tab, &s.dump, false);
	tab.rows[0][C_STACK] = cell_stack(&stack);
	table_sort(&tab, "bytes,name", false);
	table_text(&tab, &t.sink, 4);
	CHECK_TEXT(text_get(&t), "NAME         SIZE  PATH\n"
				 "b            2.0K  a/b.c:1\n"
				 "    f+0x10 [mod]\n"
				 "c            2.0K  -\n"
				 "a-long-name    3B  some/long/path.c:22\n"
				 "-               -  -\n");
}

/* What a terminal of that width shows. */
static const char *on_terminal(struct table *tab, struct text *t, unsigned int width, size_t n)
{
	text_open(t);
	t->sink.columns = width;
	table_text(tab, &t->sink, n);
	return text_get(t);
}

static void table_fits_a_terminal(void)
{
	static struct text t;
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	add(&tab, "a-name-of-twenty-one-", 1234567, "some/long/path/to/a.c:22");
	add(&tab, "b", 3, "a.c:1");
	/* Texts first, the widest of them, each to its least; never a figure. */
	CHECK_TEXT(on_terminal(&tab, &t, 55, 2),
		   "NAME                   SIZE  PATH\n"
		   "a-name-of-twenty-one-  1.2M  some/long/path/to/a.c:22\n"
		   "b                        3B  a.c:1\n");
	CHECK_TEXT(on_terminal(&tab, &t, 40, 2), "NAME              SIZE  PATH\n"
						 "a-name-of-twen..  1.2M  ..path/to/a.c:22\n"
						 "b                   3B  a.c:1\n");
	/* Then rows are continued. */
	CHECK_TEXT(on_terminal(&tab, &t, 31, 2), "NAME                   SIZE\n"
						 "    PATH\n"
						 "a-name-of-twenty-one-  1.2M\n"
						 "    some/long/path/to/a.c:22\n"
						 "b                        3B\n"
						 "    a.c:1\n");
	CHECK_TEXT(on_terminal(&tab, &t, 16, 1), "NAME\n"
						 "    SIZE\n"
						 "    PATH\n"
						 "a-name-of-twen..\n"
						 "    1.2M\n"
						 "    ../to/a.c:22\n");
}

/* A path loses its beginning, a name its end, or the other way about; where neither end has what differs, it is lost. */
static void texts_that_differ_are_not_cut_to_the_same(void)
{
	static struct text t;
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	add(&tab, "system-postgresql-one", 3, "/machine.slice/edge1.service/payload");
	add(&tab, "system-postgresql-two", 3, "/machine.slice/edge2.service/payload");
	CHECK_TEXT(on_terminal(&tab, &t, 55, 2),
		   "NAME                   SIZE  PATH\n"
		   "system-postgresql-one    3B  ..ce/edge1.service/payload\n"
		   "system-postgresql-two    3B  ..ce/edge2.service/payload\n");
	CHECK_TEXT(on_terminal(&tab, &t, 22, 2), "NAME              SIZE\n"
						 "    PATH\n"
						 "..postgresql-one    3B\n"
						 "    ...service/payload\n"
						 "..postgresql-two    3B\n"
						 "    ...service/payload\n");
}

static void prose_is_continued_below_itself(void)
{
	static const struct view_column prose[] = { { COLUMN_count, IN_BOTH },
						    { COLUMN_meaning, IN_BOTH } };
	static struct text t;
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, prose, 2, false) == ST_OK);
	table_add(&tab)[1] = cell_text("pages that were read, and were read ahead");
	CHECK_TEXT(on_terminal(&tab, &t, 30, 1), "COUNT  MEANING\n"
						 "    -  pages that were read,\n"
						 "       and were read ahead\n");
	CHECK_TEXT(on_terminal(&tab, &t, 0, 1),
		   "COUNT  MEANING\n    -  pages that were read, and were read ahead\n");
}

static void ways_stand_below_their_rows(void)
{
	static const struct view_column ways[] = { { COLUMN_count, IN_BOTH },
						   { COLUMN_way, IN_BOTH },
						   { COLUMN_confidence, IN_BOTH } };
	static struct text t;
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, ways, 3, false) == ST_OK);
	table_add(&tab)[1] =
		cell_text("a [m] -> struct b (of c) -> struct d (of e and f) -> pages");
	CHECK_TEXT(on_terminal(&tab, &t, 30, 1), "COUNT  CONFIDENCE\n"
						 "    -           -\n"
						 "    a [m]\n"
						 "        -> struct b (of c)\n"
						 "        -> struct d (of e and\n"
						 "        f) -> pages\n");
	CHECK_TEXT(on_terminal(&tab, &t, 0, 1),
		   "COUNT  CONFIDENCE\n    -           -\n"
		   "    a [m] -> struct b (of c) -> struct d (of e and f) -> pages\n");
}

static void table_cuts_no_character_in_two(void)
{
	static struct text t;
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	/* One column each, then two each, then bytes that are none. */
	add(&tab, "aaaaaaaaa\xc3\xa4\xc3\xa4 more", 1, "long/path/\xc3\xa4\xc3\xa4/bbbbbbb");
	add(&tab,
	    "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad",
	    1,
	    "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad");
	add(&tab, "\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4\xa4", 1, "x\x1b[2J\n");
	CHECK(table_select(&tab, "name,path") == ST_OK);
	CHECK_TEXT(on_terminal(&tab, &t, 26, 3),
		   "NAME          PATH\n"
		   "aaaaaaaaa\xc3\xa4..  ..\xc3\xa4\xc3\xa4/bbbbbbb\n"
		   "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad..  "
		   "..\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\n"
		   "??????????..  x?[2J?\n");
}

static void lines_of_a_terminal_are_wrapped(void)
{
	static struct text t;

	text_open(&t);
	t.sink.columns = 20;
	sink_text(&t.sink, "short\n  one two three four five six\n");
	sink_printf(&t.sink, "a_word_that_is_longer_than_the_line %s", "and\x1b more\n");
	sink_text(&t.sink, "no end of line");
	CHECK_TEXT(text_get(&t),
		   "short\n  one two three four\n    five six\n"
		   "a_word_that_is_longer_than_the_line\n  and? more\nno end of line");
	text_open(&t);
	t.sink.columns = 20;
	t.sink.unwrapped = true;
	sink_text(&t.sink, "one two three four five six\n");
	CHECK_TEXT(text_get(&t), "one two three four five six\n");
	text_open(&t);
	sink_text(&t.sink, "one two three four five six\x1b\n");
	CHECK_TEXT(text_get(&t), "one two three four five six\x1b\n");
}

static void table_sorts_unknown_last_either_way(void)
{
	STUB(s);
	struct table tab;

	fill(&tab, &s.dump, false);
	table_sort(&tab, "size", true);
	CHECK(tab.rows[0][C_SIZE].i == 3 && tab.rows[3][C_SIZE].kind == CELL_NULL);
	table_sort(&tab, "size", false);
	CHECK(tab.rows[2][C_SIZE].i == 3 && tab.rows[3][C_SIZE].kind == CELL_NULL);
	CHECK(table_check_sort(&tab, "stack") == ST_USAGE);
	CHECK(strstr(s.dump.error, "not sorted by, known are: name bytes path before_pages"));
	CHECK(table_check_sort(&tab, "what") == ST_USAGE);
	CHECK_TEXT(s.dump.error,
		   "unknown sort key 'what', known are: name bytes path before_pages");
}

static void table_sorts_steps_by_their_rank(void)
{
	static const struct ranked_text steps[] = { { "<100ms", 0 },
						    { "1s-10s", 1 },
						    { "10s-1min", 2 } };
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	for (size_t i = 0; i < 3; i++)
		table_add(&tab)[C_NAME] = cell_ranked(&steps[(i + 1) % 3]);
	table_sort(&tab, "name", false);
	for (size_t i = 0; i < 3; i++)
		CHECK_TEXT(cell_words(&tab.rows[i][C_NAME]), steps[2 - i].text);
	table_sort(&tab, "name", true);
	CHECK_TEXT(cell_words(&tab.rows[0][C_NAME]), "<100ms");
}

/* Those of rank 0 are behind rows that have none, either way before those of which it is not known. */
static void table_sorts_rank_0_behind_none(void)
{
	static const struct ranked_text idle = { "idle", 0 }, reclaim = { "reclaim", 3 };
	const struct cell cells[] = { { .kind = CELL_NULL },
				      cell_ranked(&idle),
				      { .kind = CELL_NULL, .is_none = true },
				      cell_ranked(&reclaim) };
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	for (size_t i = 0; i < 4; i++)
		table_add(&tab)[C_NAME] = cells[i];
	table_sort(&tab, "name", false);
	CHECK(tab.rows[0][C_NAME].ranked == &reclaim && tab.rows[1][C_NAME].is_none);
	CHECK(tab.rows[2][C_NAME].ranked == &idle && !tab.rows[3][C_NAME].is_none);
	table_sort(&tab, "name", true);
	CHECK(tab.rows[0][C_NAME].ranked == &idle && tab.rows[1][C_NAME].ranked == &reclaim);
	CHECK(tab.rows[2][C_NAME].is_none && tab.rows[3][C_NAME].kind == CELL_NULL);
}

static void table_selects_columns(void)
{
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, columns, COLUMNS, false) == ST_OK);
	CHECK(tab.nselected == 4);
	CHECK(table_select(&tab, "+before_pages,-stack,-path") == ST_OK);
	CHECK(tab.nselected == 3 && tab.selected[2] == C_HIDDEN);
	CHECK(table_select(&tab, "path,size") == ST_OK);
	CHECK(tab.nselected == 2 && tab.selected[0] == C_PATH && tab.selected[1] == C_SIZE);
	CHECK(table_select(&tab, "path,nope") == ST_USAGE && tab.nselected == 2);
	CHECK(table_select(&tab, "-path,-size") == ST_USAGE && tab.nselected == 2);
	CHECK(table_select(&tab, "") == ST_USAGE);
	CHECK(table_select(&tab, "name,name,name") == ST_OK && tab.nselected == 1);
}

static void columns_have_names_headers_and_aliases(void)
{
	static const struct view_column both[] = { { .id = COLUMN_type },
						   { .id = COLUMN_age_max_ns } },
					other[] = { { .id = COLUMN_task_state },
						    { .id = COLUMN_state } };
	struct view_column many[VIEW_COLUMNS + 1] = { 0 };
	STUB(s);
	struct table tab;

	CHECK(table_init(&tab, &s.dump, both, 2, false) == ST_OK);
	CHECK(table_find(&tab, "oldest", 6) == 1 && table_find(&tab, "OLDEST,x", 6) == 1);
	CHECK(table_find(&tab, "TYPE", 4) == 0 && table_find(&tab, "state", 5) == 2);
	CHECK(table_find(&tab, "old", 3) == 2 && table_find(&tab, "", 0) == 2);
	CHECK(table_select(&tab, "+Oldest") == ST_OK && table_shows_at(&tab, 1));
	CHECK(table_check_sort(&tab, "OLDEST") == ST_OK);
	/* An alias is for where no column has it as its name. */
	CHECK(table_init(&tab, &s.dump, other, 2, false) == ST_OK);
	CHECK(table_find(&tab, "state", 5) == 1 && table_find(&tab, "S", 1) == 0);
	CHECK(table_index(&tab, COLUMN_state) == 1 && table_index(&tab, COLUMN_pid) == 2);
	/* An index that a view leaves out has no column. */
	CHECK(table_init(&tab, &s.dump, many, 1, false) == ST_USAGE);
	for (size_t i = 0; i <= VIEW_COLUMNS; i++)
		many[i].id = COLUMN_pid;
	CHECK(table_init(&tab, &s.dump, many, VIEW_COLUMNS, false) == ST_OK);
	CHECK(table_init(&tab, &s.dump, many, VIEW_COLUMNS + 1, false) == ST_USAGE);
	CHECK(column_rank(COLUMN_block_migratetype, "block", 5) == 1);
	CHECK(column_rank(COLUMN_ts_ns, "TS", 2) == 2 &&
	      column_rank(COLUMN_ts_ns, "ts_ns", 5) == 0);
	CHECK(column_rank(COLUMN_pid, "TGID", 4) == COLUMN_RANKS);
	CHECK(column_rank(COLUMN_NONE, "", 0) == COLUMN_RANKS);
}

static void table_rows_in_json(void)
{
	static struct text t;
	STUB(s);
	struct table tab;

	text_open(&t);
	fill(&tab, &s.dump, true);
	table_json_row(&tab, &t.sink, tab.rows[1]);
	table_json_row(&tab, &t.sink, tab.rows[3]);
	CHECK_TEXT(
		text_get(&t),
		"{\"record\":\"row\",\"name\":\"a-long-name\",\"bytes\":3,\"before_pages\":7,\"stack\":null}\n"
		"{\"record\":\"row\",\"name\":null,\"bytes\":null,\"before_pages\":null,\"stack\":null}\n");
}

static enum status parse(struct stub *s, struct opts *o, char *line)
{
	static char copy[256];
	char *argv[32];
	int argc = 0;

	strcpy(copy, line);
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	return opts_parse(&s->dump, argc, argv, "tjnsrolDhd", o);
}

static void options(void)
{
	STUB(s);
	struct opts o;

	CHECK(parse(&s, &o, "cmd a -j -n 5 b -s x -r -D") == ST_OK);
	CHECK(o.json && o.reverse && o.notes && o.has_rows && o.rows == 5 && o.nargs == 2);
	CHECK_TEXT(o.sort, "x");
	CHECK_TEXT(o.args[1], "b");
	CHECK(opts_rows(&o, 10, 3) == 3 && opts_rows(&o, 10, 30) == 5);
	CHECK(parse(&s, &o, "cmd") == ST_OK && !o.json && !o.nargs);
	CHECK(opts_rows(&o, 10, 30) == 10 && opts_rows(&o, 0, 30) == 30);
	CHECK(parse(&s, &o, "cmd -n 0") == ST_OK && opts_rows(&o, 10, 30) == 30);
	CHECK(parse(&s, &o, "cmd -j") == ST_OK && opts_rows(&o, 10, 30) == 30);
	CHECK(parse(&s, &o, "cmd -x") == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown option -x, known are: -t -j -n -s -r -o -l -D -h -d");
	CHECK(parse(&s, &o, "cmd -s") == ST_USAGE);
	CHECK_TEXT(s.dump.error, "option -s needs a value: KEY[,KEY]");
	CHECK(parse(&s, &o, "cmd -n many") == ST_USAGE);
	/* Without its file -d had -n for one, and 0 was an address. */
	CHECK(parse(&s, &o, "cmd -d -n 0") == ST_USAGE);
	CHECK_TEXT(s.dump.error, "option -d needs a value: a file; -n is an option, a file of that "
				 "name is ./-n");
	CHECK(parse(&s, &o, "cmd -d ./-n") == ST_OK);
	CHECK_TEXT(o.diff, "./-n");
	/* -l takes the next word only if it can be nothing else. */
	CHECK(parse(&s, &o, "cmd a -l / b") == ST_OK && o.lines && o.nargs == 2);
	CHECK_TEXT(o.lines_dir, "/");
	CHECK_TEXT(o.args[1], "b");
	CHECK(parse(&s, &o, "cmd -l .. -j") == ST_OK && o.lines_dir && o.json && !o.nargs);
	CHECK(parse(&s, &o, "cmd -l -j") == ST_OK && o.lines && !o.lines_dir && o.json);
	CHECK(parse(&s, &o, "cmd -l @/tmp") == ST_OK && !o.lines_dir && o.nargs == 1);
	CHECK(parse(&s, &o, "cmd -l pfn:5") == ST_OK && !o.lines_dir && o.nargs == 1);
	CHECK(parse(&s, &o, "cmd -l") == ST_OK && o.lines && !o.nargs);
	CHECK(parse(&s, &o, "cmd -l no/where") == ST_USAGE);
}

static void invocations(void)
{
	static const struct view second = { "second", "-v", COLUMNS_OF(columns) },
				 third = { "third", "-d FILE", .takes_arguments = true };
	static const struct view *const views[] = { &view, &second, &third };
	static char *help[] = { "cmd", "does things", "[-j]", "more", NULL };
	static const struct command_option options[] = {
		{ 't', .values = "view" },
		{ 'a', .views = "other one" },
		{ .letter = 'j' },
		{ 'n', .values = "1" },
		{ 's', .values = "name" },
		{ .letter = 'r' },
		{ 'o', .values = "name" },
		{ .letter = 'D' },
		{ .letter = 'h' },
		{ .letter = 'v', .chooses = "second" },
		{ 'd', .values = "FILE", .views = "third", .chooses = "third" },
		{ 'k', .views = "second", .error = "-k needs -v" },
		{ 0 },
	};
	static const struct option_pair pairs[] = { { 'v', 'r', ": they differ" }, { 0 } };
	static const struct command_spec usage = {
		.options = options, .pairs = pairs, .views = views, .nviews = 3, .help = help
	};
	static char *wrong_view[] = { "cmd", "-t", "other", NULL }, *no_a[] = { "cmd", "-a", NULL },
		    *both[] = { "cmd", "-j", "-D", NULL }, *short_help[] = { "cmd", "-h", NULL },
		    *list[] = { "cmd", "-o", "help", NULL }, *key[] = { "cmd", "-s", "nope", NULL };
	static struct text t;
	STUB(s);
	struct cmdline in;

	text_open(&t);
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, wrong_view, &usage, &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "unknown view 'other', -t takes: view");
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, no_a, &usage, &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "-a cannot be combined with -t view");
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, both, &usage, &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "-j cannot be combined with -D");
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, key, &usage, &in) == ST_USAGE);
	CHECK_TEXT(text_get(&t), "");
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, short_help, &usage, &in) == ST_OK && in.done);
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, list, &usage, &in) == ST_OK && in.done);
	CHECK(!strncmp(text_get(&t), "cmd: does things\nusage: cmd [-j]\n", 32));
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "help", NULL }, &usage, &in) ==
		      ST_OK &&
	      in.done);
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "--help", NULL }, &usage,
			    &in) == ST_OK &&
	      in.done);
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "second", NULL }, &usage,
			    &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "'second' is a view: cmd -v");
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "-v", NULL }, &usage, &in) ==
	      ST_OK);
	CHECK(in.view == 1 && in.shown == &second);
	/* -t names what an option chooses: a flag is as good as given, a value is missing. */
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, (char *[]){ "cmd", "-t", "second", NULL }, &usage,
			    &in) == ST_OK);
	CHECK(opts_given(&in.opts, 'v'));
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, (char *[]){ "cmd", "-t", "third", NULL }, &usage,
			    &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "the view 'third' needs -d");
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "-k", NULL }, &usage, &in) ==
	      ST_USAGE);
	CHECK_TEXT(s.dump.error, "-k needs -v");
	CHECK(cmdline_parse(&s.dump, &t.sink, 3, (char *[]){ "cmd", "-v", "-r", NULL }, &usage,
			    &in) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "-v cannot be combined with -r: they differ");
	CHECK(cmdline_parse(&s.dump, &t.sink, 2, (char *[]){ "cmd", "x", NULL }, &usage, &in) ==
	      ST_USAGE);
	CHECK_TEXT(s.dump.error, "unexpected argument 'x'");
	CHECK(cmdline_parse(&s.dump, &t.sink, 4, (char *[]){ "cmd", "-d", "f", "x", NULL }, &usage,
			    &in) == ST_OK);
}

static void warnings_are_counted_beyond_their_room(void)
{
	static struct text t;
	STUB(s);
	struct report r;

	text_open(&t);
	report_init(&r, &s.dump, &t.sink, "cmd", "view", false);
	for (int i = 0; i < REPORT_WARNINGS + 5; i++)
		report_warn(&r, "warning %d", i);
	report_end(&r, NULL, true);
	CHECK(strstr(text_get(&t), "warning: and 6 more warnings\n"));
	CHECK(!strstr(text_get(&t), "warning 16"));
}

TESTS({ "json: escapes, and bytes that are not UTF-8", json_escapes },
      { "json: each byte at each place of a short text", json_escapes_each_byte },
      { "json: keys and texts at the length from which they are written by themselves",
	json_short_and_long },
      { "json: numbers and nesting", json_numbers_and_nesting },
      { "table: text", table_shows_text },
      { "table: on a terminal texts give way, then rows are continued", table_fits_a_terminal },
      { "texts that differ are not cut to the same", texts_that_differ_are_not_cut_to_the_same },
      { "table: prose is continued below itself", prose_is_continued_below_itself },
      { "table: ways stand below their rows", ways_stand_below_their_rows },
      { "table: text is cut between characters", table_cuts_no_character_in_two },
      { "sink: lines of a terminal are wrapped", lines_of_a_terminal_are_wrapped },
      { "table: unknown is last either way", table_sorts_unknown_last_either_way },
      { "table: steps are sorted by rank", table_sorts_steps_by_their_rank },
      { "table: rank 0 is behind none", table_sorts_rank_0_behind_none },
      { "table: -o", table_selects_columns }, { "table: JSON", table_rows_in_json },
      { "columns: names, headers, aliases", columns_have_names_headers_and_aliases },
      { "opts: letters, values, arguments", options },
      { "invocation: views and what they refuse", invocations },
      { "report: warnings without end", warnings_are_counted_beyond_their_room })
