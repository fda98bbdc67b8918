// SPDX-License-Identifier: GPL-2.0-or-later
#include "story/story.h"

#include "memowner/log_source.h"
#include "overview/parts.h"
#include "noun.h"

#define ROW struct story_event

CELL_FROM(basis_cell, ROW, cell_text(r->basis))
CELL_WITH(command_cell, ROW, const struct story, cell_text(story_typed(v->s, r->command)))

static const struct view_column columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "null: on a clock that the dump does not convert",
	  UINT_MAYBE(ROW, ts) },
	{ COLUMN_utc_s, IN_JSON, UINT_MAYBE(ROW, utc_s) },
	{ COLUMN_log_date, IN_JSON, TEXT_OF(ROW, log_date) },
	{ COLUMN_event_clock, IN_JSON | KNOWN, NAME_OF(ROW, clock, event_clocks) },
	{ COLUMN_event, IN_BOTH | KNOWN, NAME_OF(ROW, kind, event_names) },
	{ COLUMN_name, IN_BOTH, "whom the sentence is about; null: the machine",
	  TEXT_OF(ROW, what) },
	{ COLUMN_bytes, IN_BOTH | SIGNED, "that it has at the end",
	  INT_IF(ROW, bytes.n, bytes.known) },
	{ COLUMN_sentence, IN_BOTH | KNOWN, TEXT_OF(ROW, text) },
	{ COLUMN_command, IN_BOTH | KNOWN, "that has the figures of the sentence",
	  CELL_BY(command_cell) },
	{ COLUMN_confidence, IN_JSON, UINT_MAYBE(ROW, confidence) },
	BASIS_BY(basis_cell, "of the figures"),
};

#undef ROW

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct story *st = v->own = dump_alloc(v->dump, sizeof(*st));

	st->s = dump_alloc(v->dump, sizeof(*st->s));
	st->s->dump = v->dump;
	st->s->in = v->in;
	st->s->out = v->out;
	st->s->view = v;
	return parts_open(st->s, why);
}

static void collect(struct story *st)
{
	st->is_partial = parts_run(st->s) != ST_OK;
	if (!st->is_partial)
		story_collect(st);
	summary_gaps(st->s);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct story *st = v->own;
	struct summary *s = st->s;
	struct table *t = &v->in->table;

	collect(st);
	/* A dump of which nothing is known tells no story. */
	if (!summary_tells(s) && v->report.unknown && !v->dump->interrupted) {
		v->dump->no_data = true;
		v->report.state = v->report.unknown->why;
	}
	for (size_t i = 0; i < st->n; i++)
		row_add(t, st->events[i], st);
	v->report.rows_shown = v->report.rows_total = t->n;
	if (v->in->opts.json || v->in->opts.columns) {
		report_table(&v->report, t);
		report_end(&v->report, s->has_cov ? &s->cov : NULL,
			   s->complete && !st->is_partial && !s->reports.dropped);
		return ST_OK;
	}
	report_finish(&v->report);
	story_print(st);
	return ST_OK;
}

static const struct view view = {
	"story", "", COLUMNS_OF(columns), .command = "memowner", .open = open_view, .show = show
};

static char *help[] = {
	"memowner story",
	"what happened, in the order of time, on one page for a ticket",
	"",
	"  A sentence for each event: the boot, processes that have much, growth of",
	"  owners by the times of page_owner, files, threads that wait, reports of the",
	"  log, the panic, then memory at the end; each with the command that has its",
	"  figures.",
	"  A sentence that begins with ~ is inferred. Times are of the clock of the log,",
	"  those with \"about\" of other clocks, within two seconds. The page has about 60",
	"  lines of 80 columns on a terminal; into a file a sentence is a line. What is",
	"  more is folded and counted, -j has all.",
	"EXAMPLES",
	"  The page for a ticket; its events as a table:",
	"    memowner story",
	"    memowner story -o time,event,name,bytes,command",
	NULL
};

static const struct view *const views[] = { &view };

static const struct command_option options[] = { VALUE('o', "+name"), VALUE('L', "FILE"),
						 LAST_OPTIONS };

OWNER_NOUN(story, .instead = log_source_open)
