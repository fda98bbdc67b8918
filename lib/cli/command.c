// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/command.h"

#include "cli/rows.h"

bool command_opened(struct report *r, const struct opts *o, enum availability why, enum status *st)
{
	if (o->notes)
		report_trace(r->dump, r->sink);
	if (*st != ST_OK) {
		report_no_data(r, why);
		*st = ST_OK;
		return false;
	}
	return !o->notes;
}

/* What was interrupted says so, with what it has; a text of the kernel alone beside it. */
static enum status end_stopped(const struct command_run *run, enum status st)
{
	if (st != ST_STOPPED || run->report->has_ended || !run->dump->interrupted)
		return st;
	if (run->in->shown->bare) {
		dump_remark(run->dump, "INTERRUPTED, partial");
		return st;
	}
	report_end(run->report, NULL, false);
	return ST_OK;
}

static enum status answer(const struct command_spec *spec, const struct command_run *run,
			  enum availability why, enum status st)
{
	const struct view *view = run->in->shown;
	enum status (*show)(void *arg) = view->show ?: spec->show;

	if (st != ST_OK || !view->writes_meta)
		report_meta(run->report);
	if (run->dump->interrupted && view->bare)
		return end_stopped(run, ST_STOPPED);
	if (st == ST_STOPPED) {
		report_end(run->report, NULL, false);
		return ST_OK;
	}
	if (st == ST_OK && view->opens_more)
		return end_stopped(run, show(run->arg));
	return command_opened(run->report, &run->in->opts, why, &st)
		       ? end_stopped(run, show(run->arg))
		       : st;
}

/* What the arguments name is not in this dump, none of it: said by a warning of each. */
static bool found_none(const struct command_run *run)
{
	const struct cmdline *in = run->in;

	return in->opts.nargs && !in->opts.notes && !in->filters.n && !in->filters.nrows &&
	       run->report->rows_total == run->report->rows_nowhere && !run->dump->interrupted;
}

/* In JSON. */
static const char *command_name(const struct command_spec *spec, const struct view *shown)
{
	if (shown->command)
		return shown->command;
	return spec->command ?: spec->help[0];
}

/* Of another build's vmlinux nothing is asked that rests on its types or symbols. */
static enum status refuse(const struct command_run *run, const struct command_spec *spec,
			  enum status why)
{
	struct report *r = run->report;

	report_init_bare(r, run->dump, run->out, command_name(spec, run->in->shown),
			 run->in->shown->name, run->in->opts.json);
	report_meta(r);
	report_no_data(r, availability_of(why));
	return ST_OK;
}

enum status command_run(const struct command_spec *spec, const struct command_run *run, int argc,
			char **argv)
{
	struct dump *d = run->dump;
	enum availability why = AVAILABLE;
	enum status st = cmdline_parse(d, run->out, argc, argv, spec, run->in);

	if (st != ST_OK || run->in->done)
		return st;
	if (run->in->shown->run)
		return run->in->shown->run(spec, run, argv[0]);
	run->out->unwrapped = run->in->opts.json || run->in->shown->bare;
	if (spec->instead && run->in->opts.log)
		st = spec->instead(d, run->in->opts.log);
	if (st != ST_OK)
		return st;
	st = namelist_check(d);
	/* A symbol that vmlinux lacks says nothing then of the kernel of the dump. */
	st = st ?: dump_symbols_fit(d);
	if (st != ST_OK)
		return refuse(run, spec, st);
	if (spec->map)
		spec->map(d);
	if (spec->check)
		st = spec->check(run->arg);
	if (st != ST_OK)
		return st;
	report_init(run->report, d, run->out, command_name(spec, run->in->shown),
		    run->in->shown->name, run->in->opts.json);
	run->report->filters = &run->in->filters;
	run->report->opts = &run->in->opts;
	rows_note_groups(run->in);
	st = (run->in->shown->open ?: spec->open)(run->arg, &why);
	if (st == ST_USAGE)
		return st;
	st = answer(spec, run, why, st);
	d->no_data |= found_none(run);
	/* A text of the kernel alone has no end for them. */
	for (const struct dump_gap *g = d->told_gaps ? NULL : d->gaps; g; g = g->next)
		/* That no type is known each answer says. */
		if (g->why != ST_UNKNOWN || !dump_has_no_types(d))
			dump_remark(d, "%s unknown: %s", g->part, g->reason);
	return st;
}
