// SPDX-License-Identifier: GPL-2.0-or-later
/* depot: call stacks behind stack depot handles. */

#include "depot/records.h"
#include "pages/kernel_map.h"
#include "cli/command.h"
#include "cli/textfile.h"

#define MAX_HANDLES 100000 /* that a command line names */

static char *help[] = {
	"depot",
	"call stacks behind stack depot handles",
	"HANDLE...|@FILE|-a [-f KEY=VALUE] [-X KEY=VALUE] [-s KEY[,KEY]] [-r]\n"
	"        [-n ROWS] [-j] [-o COL[,COL]] [-l [DIR]]\n"
	"  depot -i [-a] | -v | -u [HANDLE...] [-j] [-o COL[,COL]]\n"
	"  depot -D | -h",
	"  Shows the call stack that a handle stands for. page_owner, SLUB's user",
	"  tracking, KASAN and others store such handles.",
	"",
	"  HANDLE     hexadecimal, with or without 0x",
	"  @FILE      read handles from FILE, one per line; # starts a comment. FILE may",
	"             be compressed by gzip",
	"  -a         show all records",
	"  -i         show the state of the depot: pools, records, hash chains, and how",
	"             many pages with a page_owner record have no usable stack; kernels",
	"             before 6.9 need -a for the last",
	"  -i -a      count these pages by a scan of page_ext",
	"  -v         verify the depot: each record has the handle of its place, room in",
	"             its pool, frames that are kernel text, their hash, and is in the",
	"             chain of its hash. Prints a row for each defect",
	"  -u         count the uses of handles, of all without HANDLE: by page_owner,",
	"             tracks of SLUB, KASAN, kmemleak and ref_tracker. Why a user that is",
	"             built in cannot be counted, or in part only, is in a warning.",
	"             Behind them, the objects that kmemleak reported as leaks",
	"  -f K=V     keep the records that match: -f stack=vfs_* -f frames=16..",
	"             -f \"stack=/vfs_(write|read)/\"; -f help lists the keys",
	"  -X K=V     leave out the records that match",
	"  -s KEY     sort by columns, numbers descending, text ascending. Default: the",
	"             order of the arguments; with -a count, then frames",
	"  -r         reverse the order",
	"  -n ROWS    show at most ROWS rows; 0 shows all. Default: all; 10 with -a, but",
	"             all with -j",
	"  -o COL     choose columns: -o handle,stack shows these, -o +x,-y adds x and",
	"             removes y; -o help lists the columns",
	"  -l [DIR]   add file, line and inlined functions to each frame, from debug",
	"             information in DIR or where vmlinux and the modules were found",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  More is in the manual page depot(8).",
	"",
	"EXAMPLES",
	"  The handle of the first row of \"pageowner -t top\":",
	"    depot 0x2e40005",
	"",
	"  Two handles, stacks only:",
	"    depot -o handle,stack 2e40005 7460003",
	"",
	"  All stacks that contain a function; the deepest stacks:",
	"    depot -a -f stack=vfs_write",
	"    depot -a -s frames -n 3",
	"",
	"  Who uses a handle:",
	"    depot -u 0x2e40005",
	"",
	"  Is every record and every chain of the depot sound:",
	"    depot -v",
	"",
	"  Is the depot full, and how many pages have no usable stack:",
	"    depot -i -a",
	NULL
};

/* What the manual page has besides. */
static char *notes[] = {
	"  Each record stores its own handle. A handle that differs from the handle in",
	"  its record is reported and not decoded.",
	"",
	"  On a terminal, lines fit its width: the widest texts of a table are cut (..),",
	"  then its rows are continued in the next line. Figures are never cut. A file or",
	"  a pipe gets every text as it is.",
	NULL
};

enum { RECORDS, ALL, HEALTH, DEFECTS, USERS };

static const struct view *const views[] = {
	[RECORDS] = &depot_view,	[ALL] = &depot_all_view,     [HEALTH] = &depot_stats_view,
	[DEFECTS] = &depot_verify_view, [USERS] = &depot_users_view,
};

static const struct command_option options[] = {
	{ 'i', .views = "health", .chooses = "health" },
	{ 'v', .views = "defects", .chooses = "defects" },
	{ 'u', .views = "users", .chooses = "users" },
	{ 'a', .views = "all health", .chooses = "all" },
	{ 'f', .values = "frames=3.. pool=0..", .views = "records all defects" },
	{ 'X', .values = "frames=100.. pool=8000..", .views = "records all defects" },
	{ 's', .values = "count pool", .views = "records all defects" },
	{ 'r', .views = "records all defects" },
	{ 'n', .values = "1", .views = "records all defects" },
	{ 'o', .values = "count pool" },
	{ 'l', .views = "records all" },
	{ .letter = 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

/* What the views draw from. */
struct depot_run {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report report;
	struct stack_cache stacks;
	struct stack_list users;
	uint32_t *handles; /* that were asked for */
	size_t n;
};

static enum status add_handle(struct depot_run *h, const char *text)
{
	struct dump *d = h->dump;
	uint64_t v;

	if (!units_parse_hex(text, &v) || v > UINT32_MAX)
		return dump_usage(
			d, "'%s' is not a handle: handles are hexadecimal numbers of 32 bits",
			text);
	if (h->n == MAX_HANDLES)
		return dump_usage(d, "more than %d handles", MAX_HANDLES);
	h->handles[h->n++] = v;
	return ST_OK;
}

struct handle_file {
	struct depot_run *run;
	const char *path;
	unsigned long line;
};

/* A handle and a comment, either of them or none. */
static enum status add_line(void *arg, char *line)
{
	struct handle_file *f = arg;
	char *rest, *word, *comment = strchr(line, '#'), start[41], *more;

	f->line++;
	if (comment)
		*comment = '\0';
	word = strtok_r(line, " \t\r", &rest);
	if (!word)
		return ST_OK;
	more = strtok_r(NULL, " \t\r", &rest);
	if (!more && add_handle(f->run, word) == ST_OK)
		return ST_OK;
	if (f->run->n == MAX_HANDLES)
		return ST_USAGE;
	textfile_start(more ?: word, start, sizeof(start));
	return dump_usage(f->run->dump, "line %lu of the file '%s': '%s' is no handle%s", f->line,
			  f->path, start,
			  more ? ": a line has one handle" : " of 32 bits in hexadecimal");
}

static enum status add_file(struct depot_run *h, const char *path)
{
	struct handle_file f = { .run = h, .path = path };
	size_t before = h->n;
	enum status st = textfile_read(h->dump, path, add_line, &f);

	if (st == ST_OK && h->n == before)
		return dump_usage(h->dump, "the file '%s' contains no handle", path);
	return st;
}

static enum status parse_handles(const struct opts *o, struct depot_run *h)
{
	struct dump *d = h->dump;
	enum status st = ST_OK;

	if (!o->nargs)
		return dump_usage(
			d, "a HANDLE, an @FILE with handles, -a (all records), -i (state of the "
			   "depot), -v (defects) or -u (users) is required");
	h->handles = dump_alloc(d, MAX_HANDLES * sizeof(*h->handles));
	for (unsigned int i = 0; i < o->nargs && st == ST_OK; i++)
		st = *o->args[i] == '@' ? add_file(h, o->args[i] + 1) : add_handle(h, o->args[i]);
	return st;
}

static enum status check(void *arg)
{
	struct depot_run *v = arg;

	if (v->in->opts.notes || (v->in->view == USERS && !v->in->opts.nargs))
		return ST_OK;
	return v->in->view == RECORDS || v->in->view == USERS ? parse_handles(&v->in->opts, v)
							      : ST_OK;
}

static enum status open_sources(void *arg, enum availability *why)
{
	struct depot_run *v = arg;
	struct dump *d = v->dump;
	enum status st = stack_cache_open(d, &v->stacks);

	if (st != ST_OK) {
		*why = st == ST_ABSENT && dump_knows_symbol(d, "stack_table") ? OFF_AT_BOOT
									      : availability_of(st);
		return st;
	}
	if (stack_list_open(d, &v->users) != ST_OK)
		report_warn(&v->report, "%s", d->error);
	if (v->in->opts.lines) {
		stack_cache_with_lines(&v->stacks, v->in->opts.lines_dir);
		v->report.lines = &v->stacks.lines;
	}
	return ST_OK;
}

static enum status show_records(struct depot_run *v, const struct record_source *from)
{
	for (size_t i = 0; i < v->n && !dump_stopped(v->dump); i++)
		depot_view_add(from, v->handles[i]);
	rows_show(&v->report, v->in);
	report_end(&v->report, NULL, !v->report.nwarnings);
	return ST_OK;
}

static enum status show(void *arg)
{
	struct depot_run *v = arg;
	const struct record_source from = { v->in, &v->stacks, &v->users, &v->report };

	if (v->in->view == RECORDS)
		return show_records(v, &from);
	if (v->in->view == ALL)
		return depot_all_show(&from);
	if (v->in->view == DEFECTS)
		return depot_verify_show(&from);
	if (v->in->view == USERS)
		return depot_users_show(&from, v->handles, v->n);
	return depot_stats_show(v->dump, v->in, &v->stacks.depot, &v->users, v->in->opts.all,
				&v->report);
}

static const struct command_spec usage = {
	COMMAND_TABLES, .keys = record_keys,  .nkeys = RECORD_KEYS, .map = kernel_map_if_linear,
	.check = check, .open = open_sources, .show = show,
};

COMMAND_MAIN(depot, struct depot_run)
