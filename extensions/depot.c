// SPDX-License-Identifier: GPL-2.0-or-later
/* depot: what is behind a stack depot handle. */
#include <string.h>

#include "depot/records.h"
#include "depot/stats.h"
#include "mm/kernel_map.h"
#include "crash/port.h"
#include "cli/textfile.h"
#include "util/units.h"

#define MAX_HANDLES 100000

static char *help[] = {
	"depot",
	"call stacks behind stack depot handles",
	"HANDLE...|@FILE [-s KEY[,KEY]] [-r] [-n ROWS] [-j] [-o COL[,COL]]\n"
	"        [-l [DIR]]\n"
	"  depot -i [-a] [-j] [-o COL[,COL]]\n"
	"  depot -D | -h",
	"  Shows the call stack that a handle stands for. page_owner, SLUB's user",
	"  tracking, KASAN and others store such handles.",
	"",
	"  HANDLE     hexadecimal, with or without 0x",
	"  @FILE      read handles from FILE, one per line",
	"  -i         show the state of the depot: pools, records, hash chains, and how",
	"             many pages with a page_owner record have no usable stack; kernels",
	"             before 6.9 need -a for the last",
	"  -a         with -i: count these pages by a scan of page_ext",
	"  -s KEY     sort by columns, numbers descending, text ascending. Default: the",
	"             order of the arguments",
	"  -r         reverse the order",
	"  -n ROWS    show at most ROWS rows; 0, the default, shows all",
	"  -o COL     choose columns: -o handle,stack shows these, -o +x,-y adds x and",
	"             removes y; -o help lists the columns",
	"  -l [DIR]   add file, line and inlined functions to each frame, from debug",
	"             information in DIR or where crash found vmlinux and the modules",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  Each record stores its own handle. A handle that differs from the handle in",
	"  its record is reported and not decoded.",
	"",
	"EXAMPLES",
	"  The handle of the first row of \"pageowner -t top\":",
	"    depot 0x2e40005",
	"",
	"  Two handles, stacks only:",
	"    depot -o handle,stack 2e40005 7460003",
	"",
	"  Is the depot full, and how many pages have no usable stack:",
	"    depot -i -a",
	NULL
};

enum { RECORDS, HEALTH };

static const struct view *const views[] = {
	[RECORDS] = &depot_view,
	[HEALTH] = &depot_stats_view,
};

static const struct command_option options[] = {
	{ 'i', .views = "health", .chooses = "health" },
	{ 'a', .views = "health" },
	{ 's', .values = "count", .views = "records" },
	{ 'r', .views = "records" },
	{ 'n', .values = "1", .views = "records" },
	{ 'o', .values = "count" },
	{ 'l', .views = "records" },
	{ .letter = 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

static const struct command_spec usage = {
	.options = options,
	.views = views,
	.nviews = sizeof(views) / sizeof(views[0]),
	.help = help,
};

struct handles {
	struct dump *dump;
	uint32_t *handles;
	size_t n;
};

static enum status add_handle(struct handles *h, const char *text)
{
	struct dump *d = h->dump;
	uint64_t v;

	if (!units_parse_hex(text, &v) || v > UINT32_MAX)
		return dump_fail(d, ST_USAGE,
				 "'%s' is not a handle: handles are hexadecimal numbers of 32 bits",
				 text);
	if (h->n == MAX_HANDLES)
		return dump_fail(d, ST_USAGE, "more than %d handles", MAX_HANDLES);
	h->handles[h->n++] = v;
	return ST_OK;
}

/* The first word; lines without one are skipped. */
static enum status add_line(void *arg, char *line)
{
	char *rest, *word = strtok_r(line, " \t\r", &rest);

	return word ? add_handle(arg, word) : ST_OK;
}

static enum status add_file(struct handles *h, const char *path)
{
	size_t before = h->n;
	enum status st = textfile_read(h->dump, path, add_line, h);

	if (st == ST_OK && h->n == before)
		return dump_fail(h->dump, ST_USAGE, "the file '%s' contains no handle", path);
	return st;
}

static enum status parse_handles(const struct opts *o, struct handles *h)
{
	struct dump *d = h->dump;
	enum status st = ST_OK;

	if (!o->nargs)
		return dump_fail(d, ST_USAGE, "a HANDLE or an @FILE with handles is required");
	h->handles = dump_alloc(d, MAX_HANDLES * sizeof(*h->handles));
	if (!h->handles)
		return ST_NOMEM;
	for (unsigned int i = 0; i < o->nargs && st == ST_OK; i++)
		st = *o->args[i] == '@' ? add_file(h, o->args[i] + 1) : add_handle(h, o->args[i]);
	return st;
}

static enum status show(struct cmdline *in, struct report *r)
{
	struct table *t = &in->table;
	enum status st = ST_OK;

	if (in->opts.sort)
		st = table_sort(t, in->opts.sort, in->opts.reverse);
	if (st != ST_OK)
		return st;
	report_rows(r, t, &in->opts, 0);
	report_end(r, NULL, !r->nwarnings);
	return ST_OK;
}

static enum status show_records(struct dump *d, struct cmdline *in, const struct handles *h,
				struct stack_cache *stacks, struct stack_list *users,
				struct report *r)
{
	enum status st = ST_OK;

	for (size_t i = 0; i < h->n && st == ST_OK && !dump_stopped(d); i++)
		st = depot_view_add(d, &in->table, stacks, users, h->handles[i], r);
	return st == ST_OK ? show(in, r) : st;
}

static enum status parse(const struct cmdline *in, struct handles *h)
{
	if (in->opts.notes)
		return ST_OK;
	return in->view == RECORDS ? parse_handles(&in->opts, h) : ST_OK;
}

static enum status depot(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct handles h = { .dump = d };
	struct stack_cache stacks;
	struct stack_list users;
	struct report r;
	enum status st = cmdline_parse(d, out, argc, argv, &usage, &in);

	if (st != ST_OK || in.done)
		return st;
	kernel_map_if_linear(d);
	st = parse(&in, &h);
	if (st != ST_OK)
		return st;
	report_begin(&r, d, out, "depot", views[in.view]->name, in.opts.json);
	st = stack_cache_open(d, &stacks);
	if (st == ST_OK && stack_list_open(d, &users) != ST_OK)
		report_warn(&r, "%s", d->error);
	if (st == ST_OK && stacks.symbols.problem)
		report_warn(&r, "some module names are missing: %s", stacks.symbols.problem);
	if (st == ST_OK && in.opts.lines) {
		stack_cache_with_lines(&stacks, in.opts.lines_dir);
		r.lines = &stacks.lines;
	}
	if (in.opts.notes)
		report_trace(d, out);
	if (st != ST_OK) {
		report_no_data(&r, st == ST_ABSENT && dump_has_symbol(d, "stack_table")
					   ? OFF_AT_BOOT
					   : availability_of(st));
		return ST_OK;
	}
	if (in.opts.notes)
		return ST_OK;
	st = in.view == HEALTH ? depot_stats_show(d, &in, &stacks.depot, &users, in.opts.all, &r)
			       : show_records(d, &in, &h, &stacks, &users, &r);
	return st;
}

const struct command depot_command = { "depot", depot, help, &usage };
