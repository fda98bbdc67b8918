// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/pressure.h"

#include "noun.h"

#define ROW struct pressure_line

static const char *const resources[] = { "memory", "io", "cpu", "irq", NULL };
static const char *const shares[] = { "some", "full", NULL };

CELL_FROM(cgroup_cell, ROW, cell_text(r->is_system ? "/" : r->cgroup))
/* Sorted as the kinds are: memory first. */
static struct cell resource_cell(const void *record, void *unused NOT_USED)
{
	static struct ranked_text ranked[PSI_KINDS];
	const ROW *r = record;

	ranked[r->kind] = (struct ranked_text){ psi_kinds[r->kind].resource, PSI_KINDS };
	for (size_t i = 0; resources[i]; i++)
		ranked[r->kind].rank -= !strcmp(resources[i], psi_kinds[r->kind].resource) * i;
	return cell_ranked(&ranked[r->kind]);
}

CELL_FROM(share_cell, ROW, cell_text(psi_kinds[r->kind].share))

static const struct view_column columns[] = {
	{ COLUMN_resource, IN_BOTH | KNOWN, .choices = resources, CELL_BY(resource_cell) },
	{ COLUMN_stalled_tasks, IN_BOTH | KNOWN, .choices = shares, CELL_BY(share_cell) },
	{ COLUMN_avg10_percent, IN_BOTH, UINT_IF(ROW, now.avg[0], has_now) },
	{ COLUMN_avg60_percent, IN_BOTH, UINT_IF(ROW, now.avg[1], has_now) },
	{ COLUMN_avg300_percent, IN_BOTH, UINT_IF(ROW, now.avg[2], has_now) },
	{ COLUMN_stalled_ns, IN_BOTH, UINT_IF(ROW, now.total_ns, has_now) },
	{ COLUMN_recorded_avg10_percent, IN_JSON | KNOWN, UINT_OF(ROW, recorded.avg[0]) },
	{ COLUMN_recorded_avg60_percent, IN_JSON | KNOWN, UINT_OF(ROW, recorded.avg[1]) },
	{ COLUMN_recorded_avg300_percent, IN_JSON | KNOWN, UINT_OF(ROW, recorded.avg[2]) },
	{ COLUMN_recorded_stalled_ns, IN_JSON | KNOWN, UINT_OF(ROW, recorded.total_ns) },
	{ COLUMN_updated_age_ns, IN_JSON, UINT_IF(ROW, age_ns, has_age) },
	{ COLUMN_cgroup, IN_BOTH, "/: the whole machine, as in /proc/pressure",
	  CELL_BY(cgroup_cell) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_resource, "what tasks waited for", KEY_FILTERS, .choices = resources },
	{ COLUMN_stalled_tasks, "some or full", KEY_FILTERS, .choices = shares },
	{ COLUMN_cgroup, "cgroup; /: the machine", KEY_FILTERS },
	{ COLUMN_avg10_percent, "share of the last 10 seconds, in percent", KEY_FILTERS },
};

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct pressure *p = v->own = dump_alloc(v->dump, sizeof(*p));
	enum status st;

	owner_view_init(v);
	st = pressure_collect(v->dump, p);
	v->collected = (struct collected){
		COLLECTED_ARRAY(p->lines, p->n),
		.gaps = p->gaps,
		.is_partial = st == ST_STOPPED || p->tree_ends || p->unread,
	};
	/* All follow from the time of the end. */
	if (p->n)
		report_age(&v->report, 0);
	*why = p->is_off ? OFF_AT_BOOT : availability_of(st);
	return st == ST_STOPPED ? ST_OK : st;
}

/* Where filters keep no line: of what there are lines.  Pressure of irq is of 6.1 and later, and not of each kernel. */
static void put_resources(const struct owner_view *v, const struct pressure *p)
{
	struct strbuf b = STRBUF_OF(128);

	if (v->report.rows_total || !p->n)
		return;
	for (size_t i = 0; resources[i]; i++)
		if (ANY_OF(n, p->n, !strcmp(psi_kinds[p->lines[n].kind].resource, resources[i])))
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), resources[i]);
	sink_printf(v->out, "the lines of this dump are of %s\n", b.buf);
}

static bool is_of(const struct cell *row, const char *resource)
{
	const ROW *r = row->record;

	return !strcmp(psi_kinds[r->kind].resource, resource);
}

/* Of resources that stand behind the last row that is shown: what tasks of the whole machine waited for them. */
static void put_hidden(const struct owner_view *v, const struct pressure *p)
{
	const struct table *t = &v->in->table;
	const bool is_filtered = v->in->filters.n || v->in->filters.nrows;
	const size_t shown = v->report.rows_shown;
	struct strbuf b = STRBUF_OF(256);

	for (size_t i = 0; shown && resources[i]; i++) {
		const char *of = resources[i];

		if (ANY_OF(n, shown, is_of(&t->rows[n][t->ncolumns], of)) ||
		    !ANY_OF(n, t->n, is_of(&t->rows[n][t->ncolumns], of)))
			continue;
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), of);
		for (size_t n = 0; !is_filtered && n < p->n; n++)
			if (p->lines[n].is_system && p->lines[n].has_now &&
			    !strcmp(psi_kinds[p->lines[n].kind].resource, of) &&
			    !strcmp(psi_kinds[p->lines[n].kind].share, "some"))
				strbuf_add(&b, " (some %s of /)",
					   TIME_TEXT(p->lines[n].now.total_ns));
	}
	if (b.len)
		sink_printf(v->out, "no line of %s is shown: -f resource=...%s\n", b.buf,
			    is_filtered ? "" : ", or -f cgroup=/");
}

static void put_text(void *arg)
{
	struct owner_view *v = arg;
	const struct pressure *p = v->own;

	put_resources(v, p);
	put_hidden(v, p);
	if (p->older)
		sink_printf(
			v->out,
			"the kernel updated the averages of %s last %s%s%s before the end (updated_age_ns): figures of the end are derived\n",
			PLURAL_TEXT(p->older, "group of tasks", "groups of tasks"),
			p->older > 1 ? TIME_TEXT(p->newest_ns) : "", p->older > 1 ? " to " : "",
			TIME_TEXT(p->oldest_ns));
	if (p->turned_off)
		sink_printf(v->out, "pressure is turned off of %s (cgroup.pressure)\n",
			    COUNT_OF(p->turned_off, "cgroup"));
}

static const struct view view = {
	"pressure",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	ROWS_ARE("line", "lines", "resource,avg10_percent,avg60_percent,stalled_ns", 20),
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_text,
};

static char *help[] = {
	"memowner pressure",
	"how long tasks waited for memory, I/O, CPUs (PSI)",
	"",
	"  The lines of /proc/pressure and of the pressure files of each cgroup, as they",
	"  would have been read at the panic. The kernel updates the averages while tasks",
	"  run, and when a file is read: what it had, and as of when, is in the columns",
	"  recorded_* and updated_age_ns. \"/\" is the whole machine.",
	"EXAMPLES",
	"  Who waited for memory; the machine alone:",
	"    memowner pressure -f resource=memory",
	"    memowner pressure -f cgroup=/ -o +updated_age_ns",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_resource, COLUMN_stalled_tasks, COLUMN_cgroup } },
	.amounts = { { COLUMN_avg10_percent } },
	.texts = { &baseline_pressure },
	.overlap = "shares of a time are not summed up",
};

static const struct view diff_view = { BASELINE_OF(baseline, "line", "lines"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = {
	RANKED_ROWS("resource=memory,io", "stalled_ns", "+updated_age_ns"), DIFF, LAST_OPTIONS
};

OWNER_NOUN(pressure)
