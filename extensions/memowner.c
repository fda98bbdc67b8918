// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner: the summary of a dump on one screen. */

#include "cli/baseline.h"
#include "memowner/case.h"
#include "page/html.h"
#include "memowner/log_source.h"
#include "overview/parts.h"
#include "pages/kernel_map.h"
#include "pageowner/view.h"
#include "vm/address.h"

static char *help[] = {
	"memowner",
	"summary of memory use at the panic",
	"[-o COL[,COL]] [-j] [-D] [-h]\n"
	"  memowner -H FILE [-E]\n"
	"  memowner -L FILE [-o COL[,COL]] [-j]\n"
	"  memowner -d FILE [-r] [-n ROWS] [-o COL[,COL]] [-j]\n"
	"  memowner case|classes|zones|pressure|rcu|shrinkers|fragmentation [OPTION]...\n"
	"  memowner pages|caches|objects|files|filesystems|processes [OPTION]...\n"
	"  memowner cgroups|vmalloc|pools|counted|sockets|dmabuf|bpf [OPTION]...\n"
	"  memowner holders|log|stuck|story [OPTION]...\n"
	"  memowner ADDR... [-c PAGES]",
	"  Sums up on one screen what used memory at the panic: the machine and when it",
	"  ended, whether memory was short and of what, memory by class, the users that",
	"  have most of it, the panic and the last report of the log on memory that ran",
	"  out, the largest allocation sites of memory allocation profiling, processes,",
	"  page faults, and commands to type next. Rows of users overlap: a cgroup has",
	"  what its descendants and processes have. SIZE of a process is what page_owner",
	"  says that it allocated, or, with anon in NAME, its anonymous memory in RAM.",
	"",
	"  -o COL     print a table of these columns, a row for each statement: -o",
	"             section,name,bytes; -o help lists the columns",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -H FILE    write a report to send: one HTML page, which needs no network, with",
	"             the summary, the tables of the other views, which need no script,",
	"             and charts of memory by class, owner, call stack and age. Names and",
	"             paths of the dump are inside",
	"  -E         (--redact) with -H: pseudonyms for what names people and machines",
	"  -L FILE    (--log) no dump, only a log: dmesg, a console, journalctl, syslog;",
	"             gzip too",
	"  -d FILE    what has grown: memory by class beside that of another dump, whose",
	"             -j is in FILE",
	"  -r         with -d: reverse the order",
	"  -n ROWS    with -d: show that many rows, 0 for all, what is the same too",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  A word chooses one view of memory; memowner WORD -h has its options, columns",
	"  and examples:",
	"  case           machine, kernel, its end, settings of vm.* that were changed",
	"  classes        every page of System RAM by class, beside the kernel's counters",
	"  zones          free memory of zones, and why an allocation fails",
	"  pressure       how long tasks waited for memory, I/O, CPUs (PSI)",
	"  rcu            what was freed and waits for RCU, and what blocks that",
	"  shrinkers      what the kernel could free beside pages, and what it put off",
	"  fragmentation  what keeps blocks of an order from being free",
	"  pages          pages in use by what struct page tells of them",
	"  caches         slab caches by size",
	"  objects        objects of slab caches by who allocated them",
	"  files          files by their page cache and shared memory",
	"  filesystems    file systems by the space that is in use",
	"  processes      processes by memory",
	"  cgroups        memory cgroups by the memory charged to them",
	"  vmalloc        areas of the vmalloc space by the function that made them",
	"  pools          pools of pages by name, and swap",
	"  counted        direct pages that the kernel lists or counts",
	"  sockets        sockets by the packets in their queues",
	"  dmabuf         DMA-BUF buffers by size",
	"  bpf            BPF maps and programs by memory",
	"  holders        who keeps memory, by the pointers in the dump",
	"  log            reports of the log on memory that ran out",
	"  stuck          who waits for whom, and what does not get on",
	"  story          what happened, in the order of time, for a ticket",
	"  ADDR           one page or object: pfn:N, phys:X, page:X, virt:X, user:PID:X",
	"",
	"  A view with -d FILE: the same of its rows; FILE may be a text of a healthy",
	"  machine, such as /proc/slabinfo (memowner(8)).",
	"",
	"  What each line rests on is in the manual page memowner(8).",
	"",
	"EXAMPLES",
	"  What to look at first:",
	"    memowner",
	"",
	"  The same and more for a reader who has no dump:",
	"    memowner -H report.html",
	"",
	"  Where memory is, and the largest slab caches:",
	"    memowner classes",
	"    memowner caches -n 3",
	NULL
};

/* What the manual page has besides. */
static char *notes[] = {
	"  Every figure is one of another command: RAM and its classes of memowner",
	"  classes, owners of pageowner -g caller, -g module, -g tgid and -g memcg, users",
	"  of memowner caches, vmalloc, pools, dmabuf, sockets (where one has a tenth of",
	"  System RAM or more), cgroups (one at its limit) and files (those of a tmpfs",
	"  or ramfs with a tenth of System RAM, none of which has most, are one), sites of allocprof,",
	"  processes and page faults of faults and faults -b, the exception of faults -x,",
	"  the OOM report of memowner zones.",
	"",
	"  The verdict rests on the log and on the zones: memory ran out, a cgroup",
	"  reached its limit, no block of an order was free though enough pages were,",
	"  the zones of a request ran out alone, or memory was not short. A report",
	"  counts if it is of the last minute. What made the kernel panic, and a lock",
	"  that threads wait for, follow. It rests on memowner zones and class buddy.",
	"",
	"  Below it, holder is who has most of what ran out, of all users below: of rows",
	"  of the same memory the one that says most of who has it. Two are named where",
	"  the second has three quarters of the first; a class of memory or unknown,",
	"  where none has a tenth of it. trigger is the task that asked last, with its",
	"  anonymous memory and swap, as its row has it, or the kernel's that it holds.",
	"",
	"  Users are owners of page_owner, and what the kernel's own lists have:",
	"  callers of vmalloc, pools, cgroups by what is charged, files, slab caches,",
	"  and processes of one name in one cgroup by their anonymous memory. All that",
	"  have a tenth of System RAM are there, and where there are few, some that",
	"  have two percent. Of a cgroup that reached its limit those that are charged",
	"  to it or to one below it come first, all that have a tenth of the limit. A",
	"  cgroup below its limit of which those in it that are shown have 80",
	"  percent is not there; .../NAME is the last part of a long path. One may have",
	"  a part of another: a process has what its callers allocated. A line that",
	"  begins with ~ is inferred: where much memory is direct, or in a slab cache",
	"  that cannot be shrunk, or was not as memory ran out, and nothing recorded who",
	"  has it, what leads to it by pointers (memowner holders, of at most 2 GiB of",
	"  memory of the kernel), and modules that are not of the kernel's source.",
	"  A slab cache says who has most of its objects where lists or counters of the",
	"  kernel do: mounts of a namespace, watches of inotify and fanotify and the",
	"  inodes that they keep, requests of io_uring and completions without room,",
	"  packets that wait in a tun or tap device, IPv6 routes of a network namespace",
	"  with the nodes of their trees, and which table has most of them; keys and",
	"  their payloads by keyring.",
	"",
	"  OLDEST is the age at the panic of its first page, of processes the time",
	"  since the first one started; it and GROWTH are left out where no row has",
	"  them. GROWTH is burst where 90 percent of the pages were allocated within an",
	"  eighth of the time since boot; leak-like where these took a quarter of it or",
	"  more, no quarter of that span and not the last eighth before the panic has",
	"  less than 25 percent of the pages that it would have at the mean rate, and",
	"  no eighth of the time has half of them; else mixed; - if there are too few",
	"  pages or the times are unknown. Pages that were in use when page_owner",
	"  started are not counted in GROWTH: the kernel stamps all of them with the",
	"  time of that start. A remark behind a class says that its share of System",
	"  RAM is unusual; -D prints the limits and their reasons. Behind buddy it says",
	"  as well that the watermarks of each zone refuse order 0, GFP_KERNEL",
	"  (memowner zones 0 GFP_KERNEL).",
	"",
	"  Behind a thread in a page fault stands what it waits for, as in faults -b.",
	"",
	"  FILE of -d is what -j of the same view printed of another dump, of any kernel,",
	"  with the same options; or, as files of a machine that runs have it,",
	"  /proc/meminfo (classes), zoneinfo (zones), buddyinfo (zones, fragmentation),",
	"  slabinfo (caches), vmallocinfo (vmalloc), the status of each process one",
	"  behind the other, or what ps prints with RSS and a command (processes); gzip",
	"  too. Rows are matched by their names, never by addresses or pids: all that",
	"  have one name are summed up. The largest growth is first, of free memory",
	"  (zones, fragmentation) what shrank most; -r turns that, -n 0 shows what is",
	"  the same as well. Of classes and pools what is in use may grow more than the",
	"  size, of processes what they hold, which is compared where FILE was made with",
	"  -o +held_bytes: the larger of the two growths ranks a row. What one side lacks",
	"  is new or gone only if all that there was is there; else that is unknown, and",
	"  told.",
	NULL
};

/* Of the summary what it has in full. */
static const struct baseline baseline = {
	.record = "class",
	.by = { { COLUMN_name } },
	.amounts = { { COLUMN_bytes } },
	.beside = { COLUMN_used_bytes },
};

static const struct view diff_view = { BASELINE_BESIDE(baseline, "class", "classes"), NO_KEYS };

enum { SUMMARY, HTML, DIFF };

static const struct view *const views[] = {
	[SUMMARY] = &summary_view, [HTML] = &html_view, [DIFF] = &diff_view
};

static const struct command_option options[] = {
	{ 'o', .values = "section,name +rank", .views = "summary diff" },
	{ 'j', .views = "summary diff" },
	{ 'd', .values = "FILE", .views = "diff", .chooses = "diff" },
	{ 'r', .views = "diff" },
	{ 'n', .values = "1", .views = "diff" },
	{ 'H', .values = "FILE", .views = "html", .chooses = "html" },
	{ 'E', .views = "html", .error = "-E (--redact) needs -H FILE" },
	{ 'L', .values = "FILE", .views = "summary",
	  .error = "--log (-L) has neither -d nor -H: these need a dump" },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

struct memowner_run {
	struct owner_view pages; /* its report is that of the command */
	struct summary summary;
};

static enum status open_sources(void *arg, enum availability *why)
{
	struct memowner_run *m = arg;

	if (m->pages.in->view == HTML)
		return ST_OK; /* each part of the page opens its own */
	m->summary.view = &m->pages;
	return parts_open(&m->summary, why);
}

#define MAX_WORDS 16 /* of a command line */

#define COMMAND(name) extern const struct command name##_command;
#include "commands.def"
#undef COMMAND

/* Not port_commands[]: that has this one. */
static const struct command *const commands[] = {
#define COMMAND(name) &name##_command,
#include "commands.def"
#undef COMMAND
	NULL
};

/* A pattern stands in double quotes where it is to be typed. */
static char *unquoted(char *word)
{
	const size_t n = strlen(word);

	if (*word != '"' || n < 2 || word[n - 1] != '"')
		return word;
	word[n - 1] = '\0';
	return word + 1;
}

/*
 * A command of this object, as if its line had been typed, in memory of its own: that of one part
 * of the page is free before the next begins.
 */
static enum status run_line(void *arg, const char *line, struct sink *sink, const char **problem)
{
	struct dump *d = arg, *own = dump_alloc(d, sizeof(*own));
	struct arena *arena = arena_within(d->arena);
	char *words = dump_strdup(d, line), *argv[MAX_WORDS + 1], *rest;
	enum status st;
	int argc = 0;

	for (char *word = strtok_r(words, " ", &rest); word && argc < MAX_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = unquoted(word);
	argv[argc] = NULL;
	dump_beside(d, arena, own);
	own->lasting = d->lasting;
	st = command_find(commands, argv[0])->run(own, sink, argc, argv);
	*problem = dump_strdup(d, own->error);
	d->told_tgid = own->told_tgid ?: d->told_tgid;
	if (own->told_mount)
		d->told_mount = dump_strdup(d, own->told_mount);
	if (own->interrupted)
		st = ST_STOPPED;
	d->lasting->asking = NULL;
	arena_reset(arena);
	return st;
}

static enum status write_html(struct owner_view *v)
{
	const char *path = v->in->opts.html;
	bool stopped;
	const struct html_request request = { path, v->in->opts.redact };
	struct dump *d = v->dump;
	enum status st;

	d->lasting = dump_alloc(d, sizeof(*d->lasting));
	dump_beside(d, arena_within(d->arena), d->lasting);
	st = html_write(d, &request, run_line, d, &stopped);

	if (st == ST_OK)
		sink_printf(v->out, "report saved to %s%s\n", path,
			    stopped ? ", partial: interrupted" : "");
	return st;
}

static enum status show(void *arg)
{
	struct memowner_run *m = arg;
	struct summary *s = &m->summary;
	const struct table *t = &s->in->table;

	if (s->in->view == HTML)
		return write_html(&m->pages);
	if (parts_run(s) == ST_OK) {
		summary_gaps(s);
		summary_next(s);
	}
	summary_fill(s);
	if (!summary_tells(s) && s->report->unknown && !s->dump->interrupted) {
		s->dump->no_data = true;
		s->report->state = s->report->unknown->why;
	}
	s->report->rows_shown = s->report->rows_total = t->n;
	if (s->in->opts.json || s->in->opts.columns) {
		if (s->in->opts.columns)
			report_table(s->report, t);
		else
			summary_put_records(s);
		if (s->in->opts.json && s->of_case)
			rows_put_record(s->report, &case_view, s->of_case, s);
		report_end(s->report, s->has_cov ? &s->cov : NULL, s->complete);
		return ST_OK;
	}
	report_finish(s->report);
	summary_print(s);
	return ST_OK;
}

static const struct command_spec usage = {
	COMMAND_TABLES,
	.instead = log_source_open,
	.map = kernel_map_if_linear,
	.open = open_sources,
	.show = show,
};

#define NOUN(name) extern const struct command name##_noun;
#include "nouns.def"
#undef NOUN
extern const struct command address_noun;

static const struct command *const nouns[] = {
#define NOUN(name) &name##_noun,
#include "nouns.def"
#undef NOUN
	NULL
};

/* Of a noun the line of its help. */
static const char *brief_of(struct dump *d, const char *command)
{
	char *words = dump_strdup(d, command), *rest;
	const char *of = strtok_r(words, " ", &rest), *noun = strtok_r(NULL, " ", &rest);
	const struct command *c = noun && !strcmp(of, "memowner") ? command_find(nouns, noun)
								  : NULL;

	return c ? c->help[1] : NULL;
}

static enum status summary(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct memowner_run m = {
		.pages = { .dump = d, .in = &in, .out = out },
		.summary = { .dump = d, .in = &in, .out = out, .brief_of = brief_of },
	};
	const struct command_run run = { d, out, &in, &m.pages.report, &m };

	return command_run(&usage, &run, argc, argv);
}

/* A noun with what stands around its word. */
static enum status run_noun(const struct command *noun, struct dump *d, struct sink *out, int argc,
			    char **argv, size_t word)
{
	char **rest = dump_alloc(d, argc * sizeof(*rest));
	int n = 0;

	for (int i = 0; i < argc; i++)
		if ((size_t)i != word)
			rest[n++] = argv[i];
	rest[n] = NULL;
	word = opts_first_word(n, rest);
	if (word && command_find(nouns, rest[word]))
		return dump_usage(d, "one view at a time: memowner %s, then memowner %s",
				  noun->name, rest[word]);
	return noun->run(d, out, n, rest);
}

static enum status memowner(struct dump *d, struct sink *out, int argc, char **argv)
{
	size_t word = opts_first_word(argc, argv);
	const struct command *noun = word ? command_find(nouns, argv[word]) : NULL;
	char *asked[] = { argv[0], argc == 3 ? argv[2] : NULL, "-h", NULL };

	/* "memowner help NOUN" is "memowner NOUN -h". */
	if (word == 1 && argc == 3 && !strcmp(argv[1], "help"))
		return memowner(d, out, command_find(nouns, argv[2]) ? 3 : 2, asked);

	if (noun)
		return run_noun(noun, d, out, argc, argv, word);
	if (word && strcmp(argv[word], "help"))
		return address_noun.run(d, out, argc, argv);
	return summary(d, out, argc, argv);
}

const struct command memowner_command = { "memowner",	  memowner, help,  &usage,
					  namelist_check, nouns,    notes, address_is_form };
