// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of "memowner -H": its size and its markup, whatever the dump makes the commands print. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/table.h"
#include "extensions/page/html.h"
#include "stub.h"
#include "tasks/task.h"
#include "test.h"

#define LIMIT 1500000
#define ENOUGH 500000 /* bytes: more than the page keeps of an answer */
#define ROWS 3000

/* Each answer: a meta line, rows, a summary line with a warning of that many bytes; of text a table as well. */
struct answer {
	struct dump *dump;
	char fill;
	size_t row, warning;
	bool has_sums, is_empty; /* below the rows; no row is there */
	const char *mount;	 /* that a summary named */
	int32_t tgid;		 /* the same */
	bool lacks_one;		 /* what is asked of one process has no row */
	const char *below;	 /* a line below each table */
	const char *
		next; /* statements of the first screen, and behind "next:" what it proposes to type */
};

/* A process of two threads, and one of one. */
static const struct task all[] = {
	{ .pid = 298, .tgid = 298, .comm = "dbproxy" },
	{ .pid = 300, .tgid = 298, .comm = "worker" },
	{ .pid = 303, .tgid = 303, .comm = "hactl" },
};

enum status tasks_open(struct dump *d, struct tasks *ret)
{
	*ret = (struct tasks){ .dump = d };
	return ST_OK;
}

enum status tasks_walk(struct tasks *t NOT_USED,
		       enum status (*visit)(void *arg, const struct task *task), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		visit(arg, &all[i]);
	return ST_OK;
}

/* Of threads that wait the page has names alone. */
void kthread_names_open(struct dump *d NOT_USED, struct kthread_names *ret NOT_USED) {}

bool kthread_workqueue(struct kthread_names *k NOT_USED, uint64_t workqueue NOT_USED,
		       char buf[KTHREAD_NAME] NOT_USED)
{
	return false;
}

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH },
	{ COLUMN_comm, IN_BOTH },
};

/* At once: millions of bytes one by one take half a minute with the sanitizers. */
static void put_filled(struct sink *sink, const char *start, char fill, size_t n)
{
	static char filled[200000];

	CHECK(n <= sizeof(filled));
	memset(filled, fill, n);
	sink_text(sink, start);
	sink_write(sink, filled, n);
	sink_text(sink, "\"}\n");
}

static void put_table(struct answer *a, struct sink *sink)
{
	struct table t;
	char *name = dump_alloc(a->dump, a->row + 1);

	memset(name, a->fill, a->row);
	CHECK(table_init(&t, a->dump, columns, 2, false) == ST_OK);
	for (unsigned int i = 0; i < ROWS; i++) {
		struct cell *row = table_add(&t);

		row[0] = cell_uint(i);
		row[1] = cell_text(name);
	}
	table_text(&t, sink, a->is_empty ? 0 : ROWS);
	sink->page->is_below = a->has_sums;
	if (a->has_sums)
		table_text(&t, sink, 1);
	sink->page->is_below = false;
}

/* "verdict   hactl (303)" and "  memowner stuck  # who waits", as they are on a terminal. */
static void put_screen(const struct sink *sink, char *line)
{
	const struct sink_page *p = sink->page;
	bool is_next = false;

	for (char *end; *line; line = end + 1) {
		char *words;

		end = strchr(line, '\n');
		*end = '\0';
		words = strstr(line, "  # ");
		if (words)
			*words = '\0';
		if (!strcmp(line, "next:"))
			is_next = true;
		else if (is_next)
			p->proposed(p->screen, line + 2, words ? words + 4 : NULL);
		else
			line[strcspn(line, " ")] = '\0', p->said(p->screen, line, line + 10);
	}
}

static enum status answer(void *arg, const char *line, struct sink *sink,
			  const char **problem NOT_USED)
{
	struct answer *a = arg;

	if (a->lacks_one && (strstr(line, "used_by=") || strstr(line, "-f state=Z"))) {
		sink_text(sink, "warning: -f used_by=7: nothing that was read has it\n");
		return ST_OK;
	}
	if (sink->page) {
		put_table(a, sink);
		sink_text(sink, "warning: -f protocol=TCPv6: nothing that was read has it\n");
		sink_text(sink, "warning: place is unknown of 1 thread, which -X keeps\n");
		sink_text(sink, "filters kept 4 of 85 threads\n");
		sink_text(sink, a->below ?: "");
	}
	if (a->next && !strcmp(line, "memowner"))
		put_screen(sink, dump_strdup(a->dump, a->next));
	put_filled(sink, "{\"record\":\"meta\",\"kernel\":\"", a->fill, 100);
	for (unsigned int i = 0; i < ENOUGH / (a->row + 28); i++)
		put_filled(sink, "{\"record\":\"row\",\"name\":\"", a->fill, a->row);
	put_filled(sink, "{\"record\":\"summary\",\"warnings\":\"", a->fill, a->warning);
	return ST_OK;
}

/* The page that has these answers; the caller frees it. */
static char *page_of(struct answer a, size_t *size)
{
	char dir[] = "/tmp/page.XXXXXX", path[64], *page = calloc(1, 3 * LIMIT);
	STUB(s);
	bool stopped = true;
	FILE *f;

	a.dump = &s.dump;
	s.dump.told_mount = a.mount;
	s.dump.told_tgid = a.tgid;
	CHECK(page && mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/page", dir);
	CHECK(html_write(&s.dump, &(struct html_request){ .path = path }, answer, &a, &stopped) ==
		      ST_OK &&
	      !stopped);
	f = fopen(path, "r");
	*size = f && page ? fread(page, 1, 3 * LIMIT - 1, f) : 0;
	if (f)
		fclose(f);
	unlink(path);
	rmdir(dir);
	return page;
}

/* What the first part that is full says. */
static unsigned long rows_left_out(const char *page)
{
	static const char key[] = "\"rows_left_out\":";
	const char *p = strstr(page, key);

	return p ? strtoul(p + strlen(key), NULL, 10) : 0;
}

static void full_parts_stay_below_the_limit(void)
{
	size_t size;
	char *page = page_of(
		(struct answer){
			.fill = 'x',
			.row = 100,
			.warning = 1000,
			.next = "verdict   hactl (303)\n"
				"next:\n  memowner case -f setting=a\n  memowner case -f setting=b\n"
				"  memowner case -f setting=c\n" },
		&size);

	CHECK(size > LIMIT / 2 && size < LIMIT);
	CHECK(strstr(page, "id=\"asked3\"") && strstr(page, "id=\"named_sockets\""));
	CHECK(strstr(page, "\"warnings\":\"x") && rows_left_out(page) > 1000);
	CHECK(strstr(page, " rows stand here: the page has no room for the others</p>"));
	CHECK(strstr(page, "more lines had no room in this page</p>"));
	free(page);
}

static void markup_counts_as_it_is_written(void)
{
	size_t size;
	char *page = page_of((struct answer){ .fill = '<', .row = 100, .warning = 1000 }, &size);

	CHECK(size > LIMIT / 2 && size < LIMIT);
	CHECK(strstr(page, "\\u003c\\u003c") && strstr(page, "<th scope=row>&#60;&#60;"));
	CHECK(!strstr(page, "<<"));
	free(page);
}

static void bytes_of_no_character_are_one(void)
{
	size_t size;
	char *page = page_of((struct answer){ .fill = '\xff', .row = 10, .warning = 10 }, &size);

	CHECK(size < LIMIT && strstr(page, "<th scope=row>&#255;&#255;"));
	free(page);
	page = page_of((struct answer){ .fill = '\x01', .row = 10, .warning = 10 }, &size);
	CHECK(size < LIMIT && strstr(page, "<th scope=row>?"
					   "?"
					   "?"));
	free(page);
}

static void long_warnings_are_left_out(void)
{
	size_t size;
	char *page = page_of((struct answer){ .fill = 'x', .row = 100, .warning = 200000 }, &size);

	CHECK(size < LIMIT && strstr(page, "{\"record\":\"meta\""));
	CHECK(!strstr(page, "{\"record\":\"summary\""));
	free(page);
}

/* Tables of the page, and of these the ones without a row. */
static unsigned int count(const char *page, const char *text)
{
	unsigned int n = 0;

	for (; (page = strstr(page, text)); page++)
		n++;
	return n;
}

#define A_HEAD "</thead><tbody>"
#define WITHOUT_ROW A_HEAD "\n</tbody>"

static void a_head_has_a_row(void)
{
	size_t size;
	unsigned int tables;
	char *page = page_of((struct answer){ .fill = 'x', .row = 10, .warning = 10 }, &size);

	tables = count(page, A_HEAD);
	CHECK(tables > 20 && !count(page, WITHOUT_ROW));
	free(page);
	/* Rows that took all room leave some for the sums below them. */
	page = page_of((struct answer){ .fill = 'x', .row = 10, .warning = 10, .has_sums = true },
		       &size);
	/* Files by mount are all files, whose sums stand above. */
	CHECK(count(page, A_HEAD) == 2 * tables - 1 && !count(page, WITHOUT_ROW));
	free(page);
	/* Nothing to sum up: no section has a table. */
	page = page_of(
		(struct answer){
			.fill = 'x', .row = 10, .warning = 10, .has_sums = true, .is_empty = true },
		&size);
	CHECK(!count(page, A_HEAD) && strstr(page, "<h3 id=\"sockets\">"));
	free(page);
	/* The largest row alone is more than some sections have room for. */
	page = page_of((struct answer){ .fill = '<', .row = 3000, .warning = 10 }, &size);
	CHECK(count(page, A_HEAD) < tables && !count(page, WITHOUT_ROW));
	CHECK(strstr(page, "3,000 more rows had no room in this page"));
	free(page);
}

static void the_named_file_system_has_a_section(void)
{
	struct answer a = { .fill = 'x', .row = 10, .warning = 10 };
	size_t size;
	char *page = page_of(a, &size);

	CHECK(!strstr(page, "told_files"));
	free(page);
	a.mount = "/run";
	page = page_of(a, &size);
	CHECK(strstr(page, ">memowner files -f mount=/run -n 10 "));
	CHECK(!strstr(page, "largest_files"));
	free(page);
}

static void a_process_that_is_named_has_sections(void)
{
	struct answer a = { .fill = 'x', .row = 10, .warning = 10, .tgid = 7 };
	size_t size;
	char *page = page_of(a, &size);

	CHECK(strstr(page, "<h2 id=\"largest_files\">Files of process 7</h2>"));
	CHECK(!strstr(page, "id=\"named"));
	/* The page has chosen the filter: what it does not find is no news. */
	CHECK(!strstr(page, "nothing that was read has it") && !strstr(page, "which -X keeps"));
	free(page);
	a.lacks_one = true;
	page = page_of(a, &size);
	CHECK(!strstr(page, "process 7") && strstr(page, "<h2 id=\"sockets\">"));
	CHECK(!strstr(page, "ombies"));
	free(page);
	/* What has most is no process: none stands in for it. */
	a = (struct answer){ .fill = 'x', .row = 10, .warning = 10, .tgid = DUMP_TOLD_OTHER };
	page = page_of(a, &size);
	CHECK(!strstr(page, "largest_files") && strstr(page, "<h2 id=\"files\">"));
	free(page);
}

static void those_that_the_first_screen_names_have_sections(void)
{
	struct answer a = { .fill = 'x', .row = 10, .warning = 10, .tgid = 7 };
	size_t size;
	char *page, *named, *stuck;

	a.next = "verdict   task idle (0); hactl (303) waits on a unix socket for worker (300)\n"
		 "stuck     hactl (303) waits\n"
		 "processes other (7): anon 80.1M\n";
	page = page_of(a, &size);
	/* All that waits is one section, each thread in one of its tables. */
	CHECK(strstr(page,
		     "read on</span> <span><a href=\"#named\">Who waits for whom</a></span>"));
	named = strstr(page, "<h3 id=\"named\">Threads of hactl (303), dbproxy (298)</h3>");
	stuck = strstr(page, "<h3 id=\"stuck\"");
	CHECK(named && stuck && named < stuck && count(page, ">Who waits for whom</h2>") == 1);
	CHECK(count(page, ">Who waits for whom</a>") == 2 &&
	      strstr(page, "<section><h2 id=\"of-named\">Who waits for whom</h2>"));
	CHECK(strstr(page, ">memowner stuck -a -f tgid=303,298 "));
	CHECK(strstr(page, ">memowner stuck -X tgid=303,298 "));
	CHECK(strstr(page, ">memowner sockets -f used_by=303,298 "));
	/* Where the screen tells of none that wait, the others are folded. */
	a.next = "verdict   hactl (303) waits on a unix socket for worker (300)\n";
	free(page);
	page = page_of(a, &size);
	CHECK(strstr(page, "<details><summary><h2 id=\"stuck\">Other threads that wait</h2>"));
	/* What is proposed of these is that section. */
	a.next = "verdict   task idle (0); hactl (303) waits on a unix socket for worker (300)\n"
		 "next:\n  memowner stuck -a -o +does -f tgid=303,298  # what they do\n";
	free(page);
	page = page_of(a, &size);
	CHECK(count(page, ">Who waits for whom</a>") == 2 && !strstr(page, "\"asked1\""));
	free(page);
	/* Several commands of which one section has all rows are one link. */
	a.next = "verdict   hactl (303) waits on a unix socket for worker (300)\n"
		 "next:\n  memowner stuck  # who waits\n"
		 "  memowner stuck -o +stack  # who waits, with stacks\n";
	page = page_of(a, &size);
	CHECK(count(page, ">Who waits for whom</a>") == 2 && !strstr(page, "\"asked1\""));
	free(page);
	/* Of very many threads the groups stand there, and a few threads. */
	a.next = "verdict   task idle (0); hactl (303) waits on a unix socket for worker (300)\n"
		 "next:\n  memowner stuck -a -g comm,function -f tgid=303  # in which functions\n";
	page = page_of(a, &size);
	CHECK(strstr(page, "\"asked1\"") &&
	      strstr(page, ">memowner stuck -a -f tgid=303,298 -n 6 "));
	/* Not of the process that has most, where it is another one. */
	CHECK(strstr(page, "<h2 id=\"largest_files\">Files of hactl (303)</h2>"));
	free(page);
}

static void what_several_lack_is_said_once(void)
{
	size_t size;
	char *page = page_of(
		(struct answer){
			.fill = 'x',
			.row = 10,
			.warning = 10,
			.below =
				"classes cover 114,552 of 114,552 pages of System RAM\n"
				"warning: this kernel was built without page_owner (CONFIG_PAGE_OWNER)\n"
				"in all 4 rows\n" },
		&size);

	/* The first screen is short, and has its own; a line that is short may be a title. */
	CHECK(count(page, "classes cover 114,552") == 2);
	CHECK(count(page, "built without page_owner") == 2);
	CHECK(count(page, "in all 4 rows") > 20);
	CHECK(!strstr(page, "filters kept"));
	free(page);
	/* One that stands behind the others says it as well: whoever reads it looks there. */
	page = page_of(
		(struct answer){ .fill = 'x',
				 .row = 10,
				 .warning = 10,
				 .is_empty = true,
				 .below = "warning: this kernel was built without page_owner\n" },
		&size);
	CHECK(strstr(strstr(page, "id=none"), "built without page_owner"));
	free(page);
}

static void what_the_summary_proposes_is_there(void)
{
	struct answer a = {
		.fill = 'x',
		.row = 10,
		.warning = 10,
		.next = "next:\n  memowner processes -n 5 -f \"cgroup=/a/*\"  # processes by memory\n"
			"  memowner holders  # who keeps memory\n"
			"  memowner files  # files by their page cache\n",
	};
	size_t size;
	char *page = page_of(a, &size), *own, *story, *stuck;

	/* A link to the section that has it; a filter makes one of its own, behind what happened. */
	CHECK(strstr(
		page,
		"read on</span> <span><a href=\"#asked1\">Processes by memory (cgroup /a/*)</a>, "
		"<a href=\"#holders\">Holders by pointers</a>, "
		"<a href=\"#files\">Files</a></span>"));
	CHECK(!strstr(page, "next:") && !strstr(page, "# who keeps memory"));
	own = strstr(page, "<h2 id=\"asked1\">Processes by memory (cgroup /a/*)</h2>");
	story = strstr(page, "<h2 id=\"story\"");
	stuck = strstr(page, "<h2 id=\"stuck\"");
	CHECK(story && own && stuck && story < own && own < stuck);
	CHECK(count(page, "<h2 id=\"asked") == 1);
	CHECK(strstr(page, ">memowner processes -n 20 -f &#34;cgroup=/a/*&#34;</p>"));
	free(page);
	/* One in another order, with words of its own, is not what is asked behind it. */
	a.next = "next:\n  memowner processes -s held_bytes -o +held_bytes  # what is free\n"
		 "  memowner processes -n 5  # processes by memory\n";
	page = page_of(a, &size);
	CHECK(strstr(page,
		     "<a href=\"#asked1\">What is free</a>, <a href=\"#processes\">Processes</a>"));
	free(page);
	/* Of what it is: the words may have its key. */
	a.next = "next:\n  memowner case -f setting=vm.x  # the setting\n";
	page = page_of(a, &size);
	CHECK(strstr(page, "<a href=\"#asked1\">The setting (vm.x)</a></span>"));
	free(page);
	/* Of threads all that wait stand in one section, and what a column is may be said. */
	a.next = "next:\n  memowner stuck -o +stack  # stacks\n"
		 "  memowner objects -g holder,type -f cache=x  # who keeps\n";
	page = page_of(a, &size);
	CHECK(strstr(page, "<a href=\"#stuck\">Who waits for whom</a>"));
	CHECK(strstr(page, ">memowner stuck -X place=idle -X state=R "));
	CHECK(strstr(page, "HOLDER is the module, or vmlinux,"));
	free(page);
	/* The section ranks those first that a filter would keep, or is of what is asked for. */
	a.next = "next:\n  memowner pressure -f resource=cpu  # how long\n"
		 "  memowner fragmentation 10  # what keeps blocks\n";
	page = page_of(a, &size);
	CHECK(!strstr(page, "\"asked1\"") && strstr(page, "<a href=\"#pressure\">Pressure</a>"));
	CHECK(strstr(page, "<a href=\"#fragmentation\">Fragmentation</a>"));
	CHECK(strstr(page, ">memowner fragmentation 10 -n 15</p>"));
	CHECK(count(page, ">memowner fragmentation ") == 1);
	free(page);
	/* An exception that is named first stands first. */
	a.next = "next:\n  faults -x  # the exception\n  memowner virt:0x1000  # the object\n";
	page = page_of(a, &size);
	CHECK(strstr(page, "<h2 id=\"exception\"") < strstr(page, "<h2 id=\"asked2\""));
	CHECK(strstr(page, "<h2 id=\"asked2\"") < strstr(page, "id=\"of-"));
	free(page);
	/* How many rows are to be seen says nothing of which. */
	a.next = "next:\n  memowner processes -n 5  # processes by memory\n";
	page = page_of(a, &size);
	CHECK(strstr(page, "<a href=\"#processes\">Processes</a></span>"));
	free(page);
}

/* What is between a title and the end of its section. */
static bool is_folded(const char *page, const char *title)
{
	const char *at = strstr(page, title);

	CHECK(at);
	return at && at - page > 32 && !strncmp(at - strlen("<summary>"), "<summary>", 9);
}

static void where_the_first_screen_leads_is_open(void)
{
	struct answer a = {
		.fill = 'x',
		.row = 10,
		.warning = 10,
		.next = "verdict   hactl (303) waits\nnext:\n  memowner caches  # slab caches\n",
	};
	size_t size;
	char *page = page_of(a, &size), *rest;

	rest = strstr(page, "The rest of the machine");
	CHECK(rest && !is_folded(page, "<h2 id=\"summary\">") &&
	      !is_folded(page, "<h2 id=\"story\">"));
	CHECK(!is_folded(page, "<h2 id=\"caches\">") && strstr(page, "<h2 id=\"caches\">") < rest);
	/* The others stand behind it, and their titles say what is there. */
	CHECK(is_folded(page, "<h2 id=\"classes\">") && strstr(page, "<h2 id=\"classes\">") > rest);
	CHECK(strstr(page, "<h2 id=\"classes\">Memory by class</h2> <span class=soft>15 rows: ") ||
	      strstr(page,
		     "<h2 id=\"classes\">Memory by class</h2> <span class=soft>3,000 rows: "));
	CHECK(count(page, "<section class=fold><details><summary>") ==
	      count(page, "</details></section>"));
	CHECK(strstr(page, "#caches\">Slab caches</a>\n<a href=\"#exception\""));
	free(page);
}

static void what_is_beside_the_case_stands_behind_titles(void)
{
	struct answer a = {
		.fill = 'x',
		.row = 10,
		.warning = 10,
		.next = "verdict   2 threads are in a deadlock; memory was not short: 1M was free\n"
			"RAM       System RAM 9M\n"
			"panic     hung_task\n"
			"next:\n  memowner stuck  # who waits\n  memowner files  # files\n",
	};
	size_t size;
	char *page = page_of(a, &size), *memory, *panic, *files;

	/* Memory that was not short, and what follows it up to the next statement. */
	memory = strstr(page, "<details class=memory><summary>Memory, which was not short");
	panic = strstr(page, "<span class=label>panic</span>");
	CHECK(memory && panic && memory < strstr(page, "System RAM 9M"));
	CHECK(memory && panic && strstr(memory, "</details>\n") < panic);
	CHECK(count(page, "<details class=memory>") == 1);
	/* The stack of who panicked, where the summary leads to others. */
	CHECK(is_folded(page, "<h2 id=\"exception\">"));
	/* Of a list that is open the largest. */
	files = strstr(page, ">memowner files -n 20</p>");
	CHECK(files && files < strstr(page, "The rest of the machine"));
	free(page);
	/* Of one who has most of what was short it is the case. */
	a.next = "verdict   memory ran out\nRAM       System RAM 9M\n"
		 "next:\n  faults -x  # the exception\n";
	page = page_of(a, &size);
	CHECK(!strstr(page, "<details class=memory>") && !is_folded(page, "<h2 id=\"exception\">"));
	CHECK(strstr(page, ">memowner files -n 60</p>"));
	free(page);
}

static void what_several_have_nothing_of_is_one_line(void)
{
	struct answer a = { .fill = 'x',
			    .row = 10,
			    .warning = 10,
			    .is_empty = true,
			    .below = "no data: this kernel was built without page_owner\n" };
	size_t size;
	char *page = page_of(a, &size);

	CHECK(strstr(page, "<h2 id=absent>Not there, in this kernel</h2> <span class=soft>"));
	/* The log has room for more of its own. */
	CHECK(count(strstr(page, "id=absent"), "built without page_owner") <= 2);
	free(page);
}

TESTS({ "what is beside the case stands behind titles",
	what_is_beside_the_case_stands_behind_titles },
      { "parts that are full have room below 1.5 MB", full_parts_stay_below_the_limit },
      { "a < is counted as what stands for it, and never a tag", markup_counts_as_it_is_written },
      { "a byte that is no character is one", bytes_of_no_character_are_one },
      { "warnings without room are left out", long_warnings_are_left_out },
      { "a head of a table has a row, and sums have rows that they sum up", a_head_has_a_row },
      { "where the first screen leads is open, the rest behind titles",
	where_the_first_screen_leads_is_open },
      { "what several have nothing of is one line", what_several_have_nothing_of_is_one_line },
      { "the file system that has most has a section, and no process stands in for it",
	the_named_file_system_has_a_section },
      { "the process that is named has sections, if they have a row",
	a_process_that_is_named_has_sections },
      { "whom the first screen names has sections, whoever has most",
	those_that_the_first_screen_names_have_sections },
      { "what several sections lack is said in the first of them", what_several_lack_is_said_once },
      { "what the first screen proposes to type is in the page",
	what_the_summary_proposes_is_there })
