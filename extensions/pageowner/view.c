// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "holders.h"

#include "zones/vmstat.h"
#include "scan_read.h"

#define STACK_DEPTH 16 /* PAGE_OWNER_STACK_DEPTH in mm/page_owner.c, all kernels */

bool owner_uses(const struct owner_view *v, enum owner_key key)
{
	const struct cmdline *in = v->in;
	const char *name = key_name(&owner_keys[key]);
	size_t column = table_find(&in->table, name, strlen(name));

	if (v->needs >> key & 1)
		return true;
	if (v->sums_up || in->shown->keys) /* the view has keys of its own */
		return false;
	return ANY_OF(i, in->ngroups, in->groups[i] == key) ||
	       ANY_OF(i, in->filters.n, in->filters.filters[i].key == key) ||
	       table_needs_at(&in->table, column);
}

/* Keys of -f, -X and -g that this kernel does not record are refused. */
static enum status check_keys(struct owner_view *v)
{
	enum status st = ST_OK;

	if (v->in->shown->keys)
		return ST_OK;
	for (size_t i = 0; i < v->in->ngroups && st == ST_OK; i++)
		st = owner_key_check(v, v->in->groups[i]);
	for (unsigned int i = 0; i < v->in->filters.n && st == ST_OK; i++)
		st = owner_key_check(v, v->in->filters.filters[i].key);
	return st;
}

/*
 * A source that could not be opened is told: what the view shows without it is not complete.  That of
 * an address is told where the kernel has it.
 */
static bool opened(struct owner_view *v, const char *what, enum status st)
{
	report_asked(&v->report, what, !v->in->opts.nargs, st);
	return st == ST_OK;
}

/* The same of one that the summary asks for itself. */
static bool has_source(struct owner_view *v, enum owner_source source, const char *what,
		       enum status st)
{
	first_problem_keep(v->dump, &v->problems[source], st);
	/* Of an address it is the line of what the page is now. */
	if (v->sums_up || (source == SOURCE_STATES && v->in->opts.nargs && !v->in->opts.json))
		return st == ST_OK;
	return opened(v, what, st);
}

/* Needs what is known of struct page. */
static void open_classes(struct owner_view *v)
{
	struct dump *d = v->dump;
	struct page_classes *c = dump_alloc(d, sizeof(*c));
	enum status st = page_classes_open(d, &v->states, &v->owner.ram, c);

	if (has_source(v, SOURCE_CLASSES, "page classes", st))
		v->classes = c;
	if (v->classes && c->problem)
		report_warn(&v->report, "page classes are incomplete: %s", c->problem);
}

static void open_owners(struct owner_view *v)
{
	struct task_owners *o = dump_alloc(v->dump, sizeof(*o));

	if (!opened(v, "which processes are alive", task_owners_open(v->dump, o)))
		return;
	v->owners = o;
	if (o->problem)
		report_warn(&v->report, "the list of processes is incomplete: %s", o->problem);
}

/* Call sites of pages are shown where they are known, and are no reason to fail. */
static void open_tags(struct owner_view *v)
{
	struct tag_names *t = dump_alloc(v->dump, sizeof(*t));
	enum status st = tag_names_open(v->dump, &v->owner.ext.memmap, t);

	if (st == ST_OK)
		v->tags = t;
	else
		decoder_trace(v->dump, "decide no call sites of pages: %s", v->dump->error);
	report_part(&v->report, "call sites of pages", st);
}

static void open_slabs(struct owner_view *v)
{
	struct slabs *s = dump_alloc(v->dump, sizeof(*s));

	if (opened(v, "slab caches", slabs_open(v->dump, &v->owner.ext.memmap, s)))
		v->slabs = s;
}

/* An address is told the file of its page where that is known. */
static void open_files(struct owner_view *v)
{
	struct cached_files *f = dump_alloc(v->dump, sizeof(*f));

	if (opened(v, "files of pages", cached_files_open(v->dump, f)))
		v->files = f;
}

/* The same of the processes that map it. */
static void open_mappers(struct owner_view *v)
{
	struct mappers *m = dump_alloc(v->dump, sizeof(*m));
	enum status st = mappers_open(v->dump, &v->owner.ext.memmap, &v->states, m);

	if (opened(v, "processes that map pages", st))
		v->mappers = m;
	if (v->mappers && m->problem)
		report_warn(&v->report, "the list of processes is incomplete: %s", m->problem);
}

static void open_holders(struct owner_view *v)
{
	struct holders *h;
	enum status st = owner_holders_open(v) ?: owner_holders_find(v, &h);

	if (opened(v, "holders of pages", st))
		v->holders = h;
}

static void open_pages(struct owner_view *v)
{
	bool cache = owner_uses(v, KEY_CACHE), file = owner_uses(v, KEY_FILE);
	bool mapper = owner_uses(v, KEY_MAPPER), holder = owner_uses(v, KEY_HOLDER);
	bool class = cache || file || mapper || holder || owner_uses(v, KEY_CLASS) ||
		     (v->groups_pages && !v->has_owner);
	bool states = class || v->shows_types;
	struct dump *d = v->dump;
	enum status st;

	if (v->shows_sites || v->in->opts.nargs)
		open_tags(v);
	if (owner_uses(v, KEY_MEMCG))
		v->has_memcgs = has_source(v, SOURCE_MEMCGS, "cgroups", memcgs_open(d, &v->memcgs));
	if (owner_uses(v, KEY_OWNER))
		open_owners(v);
	if (!states && !v->has_memcgs)
		return;
	st = page_types_open(d, &v->owner.ext.memmap, &v->states);
	v->has_states = has_source(v, SOURCE_STATES, "struct page", st);
	if (!v->has_states)
		v->problems[SOURCE_CLASSES] = v->problems[SOURCE_STATES];
	if (v->has_states && class)
		open_classes(v);
	if (v->has_states && holder)
		open_holders(v);
	else if (v->has_states && cache)
		open_slabs(v);
	if (v->has_states && (file || v->in->opts.nargs))
		open_files(v);
	if (v->has_states && (mapper || v->in->opts.nargs))
		open_mappers(v);
}

void owner_view_init(struct owner_view *v)
{
	v->page_shift = v->dump->page_shift;
	hash_bytes_init(&v->texts, v->dump->arena, 0);
	text_lists_init(&v->lists, v->dump->arena);
	hash_u64_init(&v->stack_values, v->dump->arena, sizeof(struct stack_values));
}

static const void *next_record(const struct collected *c, const void *record)
{
	const char *next = (const char *)record + c->bytes;

	if (!c->bytes)
		return *(const void *const *)record;
	return next < (const char *)c->first + c->n * c->bytes ? next : NULL;
}

enum status owner_collected_show(void *arg)
{
	struct owner_view *v = arg;
	const struct view *view = v->in->shown;
	const struct collected *c = &v->collected;
	const void *record = c->bytes && !c->n ? NULL : c->first;

	for (; record; record = next_record(c, record))
		rows_add(v->in, record, v);
	rows_show(&v->report, v->in);
	if (c->below && view->below)
		rows_put_below(&v->report, v->in, view->below, c->below, c->nbelow, c->below_bytes,
			       v);
	rows_put_kept(&v->report, v->in);
	if (view->put_text && !v->in->opts.json)
		view->put_text(v);
	report_gaps(&v->report, c->gaps.rows, c->gaps.n);
	report_end(&v->report, NULL, !c->is_partial);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

bool owner_has_records(const struct owner_view *v)
{
	return !v->saved || v->saved->kind != SCAN_SHOW_STACKS;
}

bool owner_has_handles(const struct owner_view *v)
{
	return !v->saved || v->saved->kind == SCAN_SAVED;
}

static void add_lines(struct owner_view *v)
{
	if (!v->in->opts.lines)
		return;
	stack_cache_with_lines(&v->stacks, v->in->opts.lines_dir);
	v->report.lines = &v->stacks.lines;
}

static enum status open_owner(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st = page_owner_open(d, &v->owner, why);

	if (st != ST_OK)
		return st;
	st = stack_cache_open(d, &v->stacks);
	if (st != ST_OK) {
		*why = st == ST_ABSENT ? UNKNOWN_LAYOUT : availability_of(st);
		return st;
	}
	v->has_depot = true;
	add_lines(v);
	return ST_OK;
}

/* Tracks of slab objects have stacks too, up to 5.17 without the stack depot. */
static void open_track_stacks(struct owner_view *v)
{
	v->has_depot = stack_cache_open(v->dump, &v->stacks) == ST_OK;
	if (!v->has_depot)
		symbolizer_open(v->dump, &v->stacks.symbols);
	add_lines(v);
}

/* A set of texts, each once; its next index. */
static size_t add_once(const char **set, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (!text || !strcmp(set[i], text))
			return n;
	set[n] = text;
	return n + (text != NULL);
}

/* Values of keys whose set the dump tells: refused here, before the first line of output. */
static enum status check_sets(struct owner_view *v)
{
	const struct filters *f = &v->in->filters;
	const char **known = dump_alloc(v->dump, (v->zones.n + NAMES_TYPES + 1) * sizeof(*known));
	enum status st;
	size_t n = 0;

	if (v->in->shown->keys)
		return ST_OK;
	for (size_t i = 0; i < v->zones.n; i++)
		n = add_once(known, n, v->zones.zones[i].name);
	st = filters_check(v->dump, f, owner_keys, KEY_ZONE, known);
	memset(known, 0, n * sizeof(*known));
	n = 0;
	for (size_t i = 0; i < v->zones.n; i++) {
		char node[16];

		snprintf(node, sizeof(node), "%u", v->zones.zones[i].node);
		n = add_once(known, n, intern(&v->texts, node));
	}
	st = st ?: filters_check(v->dump, f, owner_keys, KEY_NODE, known);
	memset(known, 0, n * sizeof(*known));
	n = 0;
	for (size_t i = 0; i < v->names.nmigratetypes; i++)
		n = add_once(known, n, v->names.migratetypes[i]);
	/* One that could not be read may be the one that is meant. */
	if (n < v->names.nmigratetypes)
		known[0] = NULL;
	return st ?: filters_check(v->dump, f, owner_keys, KEY_MIGRATETYPE, known) ?:
			filters_check(v->dump, f, owner_keys, KEY_BLOCK_MIGRATETYPE, known);
}

/* What pages are can be told without their owners. */
static enum status open_without(struct owner_view *v, enum status opened, enum availability *why)
{
	enum status st;

	v->owner_problem = dump_why(v->dump);
	v->owner_why = *why;
	v->records_unknown = opened != ST_ABSENT;
	if (v->has_tracks)
		open_track_stacks(v);
	st = owner_view_open_memmap(v);
	*why = availability_of(st);
	return st;
}

struct session owner_session(struct owner_view *v)
{
	return (struct session){ .dump = v->dump,
				 .ram = &v->owner.ram,
				 .memmap = &v->owner.ext.memmap,
				 .types = v->has_states ? &v->states : NULL };
}

/* Where nothing was recorded struct page and pointers tell, too. */
#define WITHOUT_RECORDS "; memowner classes, pages and holders answer without"

enum status owner_view_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	if (v->in->opts.saved) {
		st = owner_saved_open(v, v->in->opts.saved);
		/* What the answer lacks is what the scan lacked. */
		for (const struct dump_gap *g = st == ST_OK ? v->saved->lacks : NULL; g;
		     g = g->next)
			dump_lacks(v->dump, g->part, g->why, "%s", g->reason);
		return st == ST_OK ? check_keys(v) : st;
	}
	st = v->of_pages ? ST_ABSENT : open_owner(v, why);
	if (st == ST_ABSENT && !v->any_kernel)
		return dump_absent(d, "%s" WITHOUT_RECORDS, dump_why(d));
	if (st != ST_OK && !v->any_kernel)
		return st;
	v->has_owner = st == ST_OK;
	if (!v->has_owner)
		st = open_without(v, st, why);
	if (st != ST_OK)
		return st;
	names_open(d, &v->names);
	st = zones_open(d, &v->zones);
	first_problem_keep(d, &v->problems[SOURCE_ZONES], st);
	if (st != ST_OK)
		decoder_trace(d, "decide nodes and zones unknown: %s", d->error);
	if (st != ST_OK && (owner_uses(v, KEY_NODE) || owner_uses(v, KEY_ZONE)))
		dump_lacks(d, "nodes and zones of pages", st, "%s", d->error);
	v->stacks.depth_limit = STACK_DEPTH;
	if (owner_uses(v, KEY_BLOCK_MIGRATETYPE)) {
		v->has_blocks = pageblocks_open(d, &v->owner.ext.memmap, &v->zones, &v->blocks) ==
				ST_OK;
		if (!v->has_blocks)
			dump_lacks(d, "migrate types of blocks", ST_UNKNOWN, "%s", d->error);
	}
	open_pages(v);
	/* The summary warns itself. */
	if (v->owner.ram.derived && !v->sums_up)
		report_warn(&v->report, "%s", v->owner.ram.derived);
	st = check_sets(v);
	return st == ST_OK ? check_keys(v) : st;
}

void owner_put_base(const struct owner_view *v)
{
	const struct ram *ram = &v->owner.ram;
	const uint64_t base = ram_base(ram);

	if (v->in->opts.json || base == ram->pages || !v->report.rows_shown ||
	    !table_shows(&v->in->table, COLUMN_ram_percent))
		return;
	sink_printf(v->out, "RAM%% is of %s: %s without ", SIZE_TEXT(base << v->page_shift),
		    ram->name ?: "System RAM");
	if (ram->capture)
		sink_printf(v->out, "the capture kernel's %s",
			    SIZE_TEXT(ram->capture << v->page_shift));
	if (ram->offline)
		sink_printf(v->out, "%s%s that is offline", ram->capture ? " and " : "",
			    SIZE_TEXT(ram->offline << v->page_shift));
	sink_text(v->out, "\n");
}

/* "filters kept 1,234 of 59,987 pages (4.8M)" */
void owner_view_kept(struct owner_view *v, const struct owner_select *s)
{
	sink_printf(v->out, "filters kept %s of %s pages (%s)\n", COUNT_TEXT(s->kept),
		    COUNT_TEXT(s->of), SIZE_TEXT(s->kept << v->page_shift));
}

/* Columns of a member of struct page_owner that not every kernel has. */
static const struct {
	enum column_id column;
	enum owner_field needs;
	bool is_age; /* by the time of the panic */
} recorded[] = {
	{ COLUMN_pid, OWNER_PID, false },
	{ COLUMN_tgid, OWNER_TGID, false },
	{ COLUMN_comm, OWNER_COMM, false },
	{ COLUMN_owner, OWNER_TGID, false },
	{ COLUMN_tasks, OWNER_PID, false },
	{ COLUMN_ts_ns, OWNER_TS, false },
	{ COLUMN_age, OWNER_TS, true },
	{ COLUMN_age_max_ns, OWNER_TS, true },
	{ COLUMN_age_min_ns, OWNER_TS, true },
	{ COLUMN_ages, OWNER_TS, true },
	{ COLUMN_free_ts_ns, OWNER_FREE_TS, false },
	{ COLUMN_free_pid, OWNER_FREE_PID, false },
	{ COLUMN_free_tgid, OWNER_FREE_TGID, false },
	{ COLUMN_free_handle, OWNER_FREE_HANDLE, false },
	{ COLUMN_free_stack, OWNER_FREE_HANDLE, false },
};

/* "TEXT: OLDEST, YOUNGEST", of the columns that are shown; has: which members the kernel has. */
static void put_columns(struct owner_view *v, const char *text, bool has, bool ages_only)
{
	const struct table *t = &v->in->table;
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		size_t column = table_index(t, recorded[i].column);
		const struct column *c;

		if (column == t->ncolumns || !table_shows_at(t, column) ||
		    v->owner.f[recorded[i].needs].present != has ||
		    (ages_only && !recorded[i].is_age))
			continue;
		c = table_column(t, column);
		sink_printf(v->out, "%s%s", n++ ? ", " : text, c->title ?: c->help);
	}
	sink_text(v->out, n ? "\n" : "");
}

void owner_view_counters(struct owner_view *v)
{
	struct counters *c = dump_alloc(v->dump, sizeof(*c));

	if (opened(v, "the kernel's counters", counters_open(v->dump, c)))
		v->counters = c;
}

/* In text: which columns of the table this kernel, or the saved scan, has no values for. */
static void owner_view_unrecorded(struct owner_view *v)
{
	put_columns(v,
		    !v->saved		   ? "not recorded by this kernel: "
		    : owner_has_handles(v) ? "not part of the saved scan: "
					   : "not in the file: ",
		    false, false);
	if (!v->report.info.has_panic_time)
		put_columns(v, "unknown without the time of the panic: ", true, true);
}

static void put_unloaded(struct owner_view *v)
{
	char name[MODULE_NAME];

	if (modules_last_unloaded(v->dump, name) == ST_OK)
		sink_printf(
			v->out,
			"[gone]: no text mapped here: module unloaded, or its init code freed; last unloaded: %s\n",
			name);
}

/* Words that two events of a page have: which of them is meant. */
static void put_freed(struct owner_view *v)
{
	bool is_list = !strcmp(v->in->shown->name, "list");

	sink_printf(
		v->out,
		is_list ? "of freed pages PID, COMM, TIME, HANDLE are of the allocation, filters by "
			  "them, AGE, CALLER of the last free: -o "
			  "+free_pid,free_ts_ns,free_handle\n"
			: "of freed pages stacks, tasks, times and ages are of the last free\n");
}

void owner_view_end(struct owner_view *v, const struct scan_stats *cov,
		    const struct owner_select *select)
{
	struct report *r = &v->report;
	const struct gap gaps[] = {
		{ "which processes map %s is unknown: a VMA or a page table is corrupt, or not in this dump",
		  v->mappers ? v->mappers->unknown : 0, "page", "pages" },
		{ "corrupt page_owner record or stack on %s", cov->undecodable, "page", "pages",
		  .is_note = true },
		{ "no page_ext entry in this dump for %s", cov->unreadable, "page", "pages" },
	};

	if (!r->json)
		owner_view_unrecorded(v);
	if (select && select->filters->n && !r->json)
		owner_view_kept(v, select);

	if (select && select->free && !r->json)
		put_freed(v);
	owner_put_base(v);
	if (v->stacks.symbols.has_gone && !r->json)
		put_unloaded(v);
	REPORT_GAPS(r, gaps);
	if (select && !select->free)
		owner_tell_classes(v);
	if (v->saved && v->saved->derived)
		report_warn(r, "%s", v->saved->derived);
	if (v->saved && v->saved->kind == SCAN_SAVED && !v->saved->has_capture)
		report_warn(r, "shares of RAM are unknown: the saved scan, of 2.0.0 or older, "
			       "does not tell how much of it is the capture kernel's");
	if (v->saved && v->saved->kind == SCAN_SAVED)
		report_warn(r, "rows are those of the saved scan %s of %s", v->saved->path,
			    v->saved->kernel ?: "an unnamed kernel");
	else if (v->saved)
		report_warn(r, "rows are those of %s in %s: %s with %s%s", owner_saved_name(v),
			    v->saved->path, COUNT_OF(v->saved->nrecords, "record"),
			    COUNT_OF(v->saved->cov.live, "page"),
			    v->saved->kind == SCAN_PAGE_OWNER && v->saved->rises
				    ? dump_text(v->dump, ", PFN %#lx to %#lx", v->saved->first_pfn,
						v->saved->end_pfn - 1)
				    : "");
	if (v->saved)
		owner_saved_cut(v, v->saved);
	if (v->saved && cmdline_filters_by(v->in, KEY_GFP))
		report_warn(r, "which flags a word of gfp, as GFP_KERNEL, has in it is told by the "
			       "kernel of this dump");
	/* A text of a live kernel has no pages but those of its records. */
	report_end(r, v->saved && v->saved->kind != SCAN_SAVED ? NULL : cov,
		   !v->owner.ram.derived && !v->has_gaps);
}
