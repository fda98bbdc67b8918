// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner: the summary of a dump on one screen. */
#include <string.h>

#include "cli/command.h"
#include "crash/port.h"
#include "memowner/summary.h"
#include "mm/kernel_map.h"
#include "pageowner/view.h"

static char *help[] = {
	"memowner",
	"summary of memory use at the panic",
	"[-o COL[,COL]] [-j] [-D] [-h]",
	"  Sums up on one screen what used memory at the panic: the panic and the last",
	"  report of the log on memory that ran out, memory by class, the largest owners",
	"  of page_owner, the largest allocation sites of memory allocation profiling,",
	"  processes, page faults, and commands to type next.",
	"",
	"  -o COL     print a table of these columns, a row for each statement: -o",
	"             section,name,bytes; -o help lists the columns",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  Every figure is one of another command: RAM and its classes of pageowner -m,",
	"  owners of pageowner -g caller, -g module, -g tgid and -g memcg, caches of",
	"  pageowner -t caches, sites of allocprof, processes and page faults of faults",
	"  and faults -b, the exception of faults -x, the OOM report of pageowner -z.",
	"",
	"  OLDEST and NEWEST are ages at the panic. GROWTH is burst where 90 percent of",
	"  the pages were allocated within an eighth of the time since boot; leak-like",
	"  where these took a quarter of it or more, no quarter of that span and not the",
	"  last eighth before the panic has less than 25 percent of the pages that it",
	"  would have at the mean rate, and no eighth of the time has half of them; else",
	"  mixed; - if there are too few pages or the times are unknown. A remark behind",
	"  a class says that its share of System RAM is unusual; the limits and their",
	"  reasons stand in extensions/memowner/limits.c.",
	"",
	"  Behind a thread in a page fault stands what it waits for, as in faults -b.",
	"",
	"EXAMPLES",
	"  What to look at first:",
	"    memowner",
	NULL
};

static const struct view *const views[] = { &summary_view };

static const struct command_option options[] = {
	{ 'o', .values = "section,name" },
	{ .letter = 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

struct memowner_run {
	struct owner_view pages; /* its report is that of the command */
	struct summary summary;
	bool has_ram;
	const char *problem; /* why not */
};

/* Nothing is required: what cannot be opened is told where it is missing. */
static enum status open_sources(void *arg, enum availability *why)
{
	struct memowner_run *m = arg;
	struct owner_view *v = &m->pages;
	enum status st;

	v->any_kernel = true;
	v->sums_up = true;
	st = owner_view_open(v, why);
	if (st == ST_NOMEM)
		return st;
	m->has_ram = st == ST_OK;
	if (st != ST_OK)
		m->problem = arena_strdup(v->dump->arena, v->dump->error);
	return ST_OK;
}

/* Why pages have no owners where not even the pages are known. */
static enum status without_pages(struct memowner_run *m)
{
	const char *why = m->pages.owner_problem;
	enum status st = summary_missing(&m->summary, "RAM", "%s", m->problem);

	if (st != ST_OK)
		return st;
	return why && strcmp(why, m->problem)
		       ? summary_missing(&m->summary, "owners", "%s", why)
		       : summary_missing(&m->summary, "owners", "the pages cannot be walked: %s",
					 m->problem);
}

static enum status fill(struct memowner_run *m)
{
	struct summary *s = &m->summary;
	enum status st = summary_log(s);

	if (st == ST_OK)
		st = m->has_ram ? summary_pages(s, &m->pages) : without_pages(m);
	if (st == ST_OK)
		st = summary_sites(s);
	if (st == ST_OK)
		st = summary_tasks(s);
	return st == ST_OK ? summary_next(s) : st;
}

static enum status show(void *arg)
{
	struct memowner_run *m = arg;
	struct summary *s = &m->summary;
	enum status st;

	s->report = &m->pages.report;
	s->table = &s->in->table;
	s->complete = m->has_ram;
	st = fill(m);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	summary_sort(s);
	s->report->rows_shown = s->report->rows_total = s->table->n;
	if (s->in->opts.json || s->in->opts.columns) {
		report_table(s->report, s->table);
		report_end(s->report, s->has_cov ? &s->cov : NULL, s->complete);
		return ST_OK;
	}
	report_finish(s->report);
	summary_print(s);
	return ST_OK;
}

static const struct command_spec usage = {
	COMMAND_TABLES,
	.map = kernel_map_if_linear,
	.open = open_sources,
	.show = show,
};

static enum status memowner(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct memowner_run m = {
		.pages = { .dump = d, .in = &in, .out = out },
		.summary = { .dump = d, .in = &in, .out = out },
	};
	const struct command_run run = { d, out, &in, &m.pages.report, &m };

	return command_run(&usage, &run, argc, argv);
}

const struct command memowner_command = { "memowner", memowner, help, &usage };
