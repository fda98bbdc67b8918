// SPDX-License-Identifier: GPL-2.0-or-later
#include "memowner/case.h"
#include "memowner/screen.h"
#include "noun.h"

#define ROW struct vm_setting

CELL_FROM(value_cell, ROW, cell_text(r->value))

static const struct view_column columns[] = {
	{ COLUMN_setting, IN_BOTH | KNOWN, TEXT_OF(ROW, name) },
	{ COLUMN_value, IN_BOTH, "as its file shows it", CELL_BY(value_cell) },
	{ COLUMN_default_value, IN_BOTH, TEXT_OF(ROW, standard) },
	{ COLUMN_keeps_bytes, IN_BOTH, UINT_MAYBE(ROW, kept) },
	{ COLUMN_remark, IN_BOTH, "what it is for", TEXT_OF(ROW, remark) },
	{ COLUMN_changed, IN_JSON, BOOL_IF(ROW, changed, has_changed) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_setting, "name of the setting", KEY_FILTERS },
};

struct case_noun {
	struct summary_case machine;
	struct vm_settings settings;
	enum status st;
};

static enum status open_view(void *arg, enum availability *why NOT_USED)
{
	struct owner_view *v = arg;
	struct case_noun *c = v->own = dump_alloc(v->dump, sizeof(*c));

	owner_view_init(v);
	case_read(v->dump, &v->report, &c->machine);
	c->st = vm_settings_collect(v->dump, &c->settings);
	if (c->st == ST_OK)
		c->st = settings_add(v->dump, &c->settings);
	return ST_OK;
}

/* -f asks for settings, whatever they are set to. */
static bool asks_for_some(const struct opts *o)
{
	return ANY_OF(i, o->nfilters, !o->filters[i].exclude);
}

/* What is known to be as the kernel makes it, or keeps little, is no news. */
static bool is_shown(const struct owner_view *v, const struct vm_setting *s)
{
	return v->in->opts.all || asks_for_some(&v->in->opts) || s->changed ||
	       (!s->has_changed && !s->is_minor);
}

/* A row that -a alone shows, or that is asked for. */
static void add_beside(struct owner_view *v, const char *name, const char *value,
		       const char *remark)
{
	struct vm_setting *s = dump_alloc(v->dump, sizeof(*s));

	*s = (struct vm_setting){ .name = name, .value = value, .remark = remark };
	if (v->in->opts.all || asks_for_some(&v->in->opts))
		rows_add(v->in, s, v);
	else
		v->report.rows_total++;
}

/* Words of the command line end at a blank that is in no quotes (next_arg() of lib/cmdline.c). */
static size_t option_length(const char *at)
{
	bool is_quoted = false;
	size_t n = 0;

	for (; at[n] && (is_quoted || at[n] != ' '); n++)
		is_quoted ^= at[n] == '"';
	return n;
}

/* "boot.panic" is 0, "boot.quiet" is set: what a comparison has of the machine. */
static void add_machine(struct owner_view *v, const struct summary_case *c)
{
	const char *at = c->machine.command_line ?: "";

	add_beside(v, "taint", c->taint && !*c->taint ? "none" : c->taint,
		   "letters of what tainted the kernel");
	for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
		size_t n = option_length(at), name = strcspn(at, "= ");
		bool has_value = name < n;

		if (name > n)
			name = n;
		add_beside(v, dump_text(v->dump, "boot.%.*s", (int)name, at),
			   has_value
				   ? dump_text(v->dump, "%.*s", (int)(n - name - 1), at + name + 1)
				   : "set",
			   "option of the command line");
		at += n;
	}
}

static void put_settings(struct owner_view *v, size_t usual)
{
	/* Rows that -a alone shows are rows that there are. */
	v->report.rows_total += usual;
	if (v->in->opts.json)
		return;
	rows_put_kept(&v->report, v->in);
	if (usual)
		sink_printf(v->out, "%s (-a shows all)\n",
			    PLURAL_TEXT(usual, "setting has its default, or keeps little",
					"settings have their default, or keep little"));
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct case_noun *c = v->own;
	size_t usual = 0;
	enum status st;

	/* Who asks for a setting has the machine above. */
	if (!v->in->opts.json && !asks_for_some(&v->in->opts))
		case_put(&(struct screen){ .out = v->out }, &c->machine);
	for (size_t i = 0; i < c->settings.n; i++)
		if (is_shown(v, &c->settings.all[i]))
			rows_add(v->in, &c->settings.all[i], v);
		else
			usual++;
	add_machine(v, &c->machine);
	rows_show(&v->report, v->in);
	if (v->in->opts.json)
		rows_put_record(&v->report, &case_record_view, &c->machine, v);
	put_settings(v, usual);
	report_gaps(&v->report, c->settings.gaps.rows, c->settings.gaps.n);
	report_part(&v->report, "options of the command line",
		    first_problem_end(v->dump, &c->machine.machine.no_line));
	st = report_part(&v->report, "settings", c->st);
	report_end(&v->report, NULL, st == ST_OK);
	return st;
}

static const struct view view = {
	"case",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.below = &case_record_view,
	.only = "some settings of vm.*, fs.*, kernel.*, net.* and of boot",
	ROWS_ARE("setting", "settings", "setting", 0),
	.open = open_view,
	.show = show,
};

/* A value is no number: a setting that has another one is a new row of that, and its old row is gone. */
static const struct baseline baseline = {
	.by = { { COLUMN_setting, COLUMN_value } },
	.amounts = { { COLUMN_NONE, BASELINE_ROWS,
		       .note = "a setting that changed is new by its value now, and gone by that of before" } },
	.many = "settings",
	.asks_all = true,
	.overlap = "values are no numbers",
};

static const struct view diff_view = { BASELINE_OF(baseline, "setting", "settings"), NO_KEYS };

static char *help[] = {
	"memowner case",
	"which machine, which kernel, when it ended, how it was set",
	"",
	"  Host, release, build, command line, taint and the loaded modules that set it,",
	"  whether vmlinux is of this kernel, how much is promised to processes and may",
	"  be (Committed_AS, CommitLimit), which limits of mappings, address space,",
	"  neighbours, threads, PIDs and open files are used to 95 percent, so that",
	"  requests fail though memory is free, and the settings of vm.*, with some of",
	"  fs.*, kernel.* and of boot: what each keeps from processes, what it is for.",
	"  Those with their default, and such as keep less than a hundredth of memory",
	"  and have none, are shown with -a or any -f alone, as taint and each option of",
	"  the command line are; -d compares all of these with FILE, of case -a -j.",
	"EXAMPLES",
	"  The case; what decides how much may be promised:",
	"    memowner case",
	"    memowner case -f setting=vm.overcommit*",
	NULL
};

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = {
	{ 'a' }, RANKED_ROWS("setting=vm.swappiness", "setting", "+changed"), DIFF, LAST_OPTIONS
};

OWNER_NOUN(case)
