// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparison of two scans: groups with the same text of all keys are the same. */

#include "cli/baseline.h"
#include "scan_read.h"
#include "text_range.h"
#include "view.h"

/* A group in both scans; NULL: not in that one. Both: it was merged with another pair. */
struct owner_pair {
	struct owner_group *now, *before;
};

struct owner_match {
	struct dump *dump;
	const char *by_function;  /* why offsets are not compared; NULL: they are */
	struct hash_bytes pairs;  /* of struct owner_pair, by text */
	struct hash_bytes masked; /* of struct owner_pair *, those that were left over */
};

#define IDENTITY 32768

static const char *part_of(const struct owner_match *m, const struct frame *f, bool masked,
			   char *buf, size_t size)
{
	if (masked && !f->symbol)
		return "";
	if (!m->by_function)
		return frame_text(f, buf, size);
	function_text(f, buf, size);
	/* Of "clone.constprop.0" the compiler adds what follows the name. */
	if (f->symbol)
		buf[strcspn(buf, ".")] = '\0';
	return buf;
}

/* Functions of the allocators differ most of all between kernels. */
static unsigned int first_frame(const struct owner_match *m, const struct stack *stack)
{
	const struct frame *caller = m->by_function ? stack_caller(stack) : NULL;
	unsigned int i = 0;

	while (caller && stack->frames[i] != caller)
		i++;
	return i;
}

/* The text of all keys of a group; text beyond the buffer does not distinguish groups. */
static size_t identity(const struct owner_match *m, struct owner_groups *g,
		       const struct owner_group *group, bool masked, char *buf)
{
	struct owner_view *v = g->v;
	struct strbuf s = strbuf_in(buf, IDENTITY);

	for (size_t i = 0; i < g->nkeys; i++) {
		const struct stack *stack;
		struct cell cell;
		char text[640];

		if (g->keys[i] == KEY_STACK) {
			stack = owner_stack(v, group->keys[i]);
			for (unsigned int f = stack ? first_frame(m, stack) : 0;
			     stack && f < stack->n; f++)
				strbuf_add(
					&s, "%s\t",
					part_of(m, stack->frames[f], masked, text, sizeof(text)));
			continue;
		}
		cell = owner_value_cell(v, g->keys[i], group->keys[i]);
		if (cell_words(&cell))
			strbuf_add(&s, "%s\n", cell_words(&cell));
		else
			strbuf_add(&s, "%d %lu\n", cell.kind, cell.u);
	}
	return s.len;
}

/* Pages of a group are those of all groups with its text. */
static void merge(struct owner_group **side, struct owner_group *group)
{
	if (*side && group)
		group->pages += (*side)->pages;
	if (group)
		*side = group;
}

static void add_groups(struct owner_match *m, struct owner_groups *g, bool is_now, char *buf)
{
	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		size_t len = identity(m, g, e->value, false, buf);
		struct owner_pair *p = hash_bytes_get(&m->pairs, buf, len, NULL)->value;

		merge(is_now ? &p->now : &p->before, e->value);
	}
}

static bool has_bare_frame(struct owner_groups *g, const struct owner_group *group)
{
	const struct stack *stack = NULL;

	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_STACK)
			stack = owner_stack(g->v, group->keys[i]);
	return stack && ANY_OF(i, stack->n, !stack->frames[i]->symbol);
}

/* Pairs that miss a side, and have addresses: one of a scan is one of the other without them. */
static void match_rest(struct owner_match *m, struct owner_groups *now, struct owner_groups *before,
		       char *buf)
{
	for (struct hash_bytes_entry *e = m->pairs.first; e; e = e->next) {
		struct owner_pair *p = e->value, **first;
		struct owner_groups *g = p->now ? now : before;
		struct owner_group *group = p->now ?: p->before;
		bool is_new;

		if ((p->now && p->before) || !has_bare_frame(g, group))
			continue;
		first = hash_bytes_get(&m->masked, buf, identity(m, g, group, true, buf), &is_new)
				->value;
		if (is_new) {
			*first = p;
			continue;
		}
		merge(&(*first)->now, p->now);
		merge(&(*first)->before, p->before);
		p->now = p->before = NULL;
	}
}

/* Sizes of the functions of stacks by name; 0: functions of different size have the name. */
static void add_sizes(struct owner_groups *g, struct hash_bytes *sizes)
{
	char text[640];

	hash_bytes_for_each(const struct owner_group, group, &g->groups) {
		const struct stack *stack = owner_stack(g->v, group->handle);

		for (unsigned int i = 0; stack && i < stack->n; i++) {
			const struct frame *f = stack->frames[i];
			uint64_t *size;
			bool is_new;

			if (!f->symbol || !f->size)
				continue;
			function_text(f, text, sizeof(text));
			size = hash_bytes_get(sizes, text, strlen(text), &is_new)->value;
			*size = is_new || *size == f->size ? f->size : 0;
		}
	}
}

static void compare_sizes(struct owner_match *m, struct owner_groups *now,
			  struct owner_groups *before)
{
	struct hash_bytes ours, theirs;

	hash_bytes_init(&ours, m->dump->arena, sizeof(uint64_t));
	hash_bytes_init(&theirs, m->dump->arena, sizeof(uint64_t));
	add_sizes(now, &ours);
	add_sizes(before, &theirs);
	for (struct hash_bytes_entry *e = theirs.first; e; e = e->next) {
		uint64_t size = *(uint64_t *)e->value, other;
		bool is_new;

		other = *(uint64_t *)hash_bytes_get(&ours, e->key, e->key_size, &is_new)->value;
		if (is_new || !size || !other || other == size)
			continue;
		m->by_function = dump_text(m->dump, "%.*s has %lu bytes now, %lu in %s",
					   (int)e->key_size, (const char *)e->key, other, size,
					   before->v->saved->path);
		return;
	}
}

/* Whether the two scans are of one kernel: by its release, else by the sizes of functions. */
static void choose_text(struct owner_match *m, struct owner_groups *now,
			struct owner_groups *before)
{
	const struct saved_scan *saved = now->v->saved;
	const char *ours = saved ? saved->kernel : kernel_release(m->dump);
	const char *theirs = before->v->saved->kernel;

	if (!ours || !theirs || !strcmp(ours, theirs)) {
		compare_sizes(m, now, before);
		return;
	}
	m->by_function = dump_text(m->dump, "the kernel is %s now, %s in %s", ours, theirs,
				   before->v->saved->path);
}

/* now and before were scanned. */
static void owner_match_groups(struct owner_groups *now, struct owner_groups *before,
			       struct owner_match *ret)
{
	struct owner_match *m = ret;
	char *buf = dump_alloc(now->v->dump, IDENTITY);

	*m = (struct owner_match){ .dump = now->v->dump };
	hash_bytes_init(&m->pairs, m->dump->arena, sizeof(struct owner_pair));
	hash_bytes_init(&m->masked, m->dump->arena, sizeof(struct owner_pair *));
	for (size_t i = 0; i < now->nkeys; i++)
		if (now->keys[i] == KEY_STACK)
			choose_text(m, now, before);
	add_groups(m, now, true, buf);
	add_groups(m, before, false, buf);
	match_rest(m, now, before, buf);
}

struct diff {
	struct owner_groups now, before;
	struct owner_match match;
	bool shows_all; /* groups that did not change too */
	uint64_t groups_total, unchanged;
};

#define ROW struct owner_pair
#define DIFF struct diff

static struct cell key_cell(const void *record, void *view, unsigned int key)
{
	const struct owner_pair *p = record;
	struct diff *d = view;

	return p->now ? owner_group_key(p->now, &d->now, key)
		      : owner_group_key(p->before, &d->before, key);
}

static uint64_t pages_of(const struct owner_group *g)
{
	return g ? g->pages : 0;
}

static int64_t growth(const struct diff *d, const struct owner_pair *p)
{
	return (int64_t)((pages_of(p->now) << d->now.v->page_shift) -
			 (pages_of(p->before) << d->before.v->page_shift));
}

CELL_WITH(growth_cell, ROW, DIFF, cell_int(growth(v, r)))
CELL_FROM(pages_growth_cell, ROW, cell_int((int64_t)(pages_of(r->now) - pages_of(r->before))))
CELL_FROM(pages_cell, ROW, cell_uint(pages_of(r->now)))
CELL_FROM(before_cell, ROW, cell_uint(pages_of(r->before)))
CELL_WITH(handle_cell, ROW, DIFF, r->now ? owner_group_handle(r->now, &v->now) : cell_text(NULL))
CELL_WITH(stack_cell, ROW, DIFF,
	  r->now ? owner_group_stack(r->now, &v->now) : owner_group_stack(r->before, &v->before))

#define ONE_STACK "null: the group has more than one stack"

CELL_WITH(basis_cell, struct owner_pair, struct diff, cell_text(owner_basis(v->now.v)))

static const struct view_column columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_diff_bytes, IN_BOTH | KNOWN, CELL_BY(growth_cell) },
	{ COLUMN_diff_pages, IN_BOTH | KNOWN, CELL_BY(pages_growth_cell) },
	{ COLUMN_pages, IN_BOTH | KNOWN, "now", CELL_BY(pages_cell) },
	{ COLUMN_before_pages, IN_BOTH | KNOWN, CELL_BY(before_cell) },
	{ COLUMN_handle, IN_BOTH, ONE_STACK, CELL_BY(handle_cell) },
	{ COLUMN_caller, 0, "with -g caller", CELL_OF(key_cell, KEY_CALLER) },
	{ COLUMN_module, 0, "with -g module", CELL_OF(key_cell, KEY_MODULE) },
	{ COLUMN_tgid, 0, "with -g tgid", CELL_OF(key_cell, KEY_TGID) },
	{ COLUMN_comm, 0, "with -g comm", CELL_OF(key_cell, KEY_COMM) },
	{ COLUMN_order, 0, "with -g order", CELL_OF(key_cell, KEY_ORDER) },
	{ COLUMN_gfp, 0, "with -g gfp", CELL_OF(key_cell, KEY_GFP) },
	{ COLUMN_stack, IN_BOTH, ONE_STACK, CELL_LATE(stack_cell) },
	BASIS_ASKED(basis_cell, BASIS_OF_RECORDS),
};

static bool has_column(const struct table *t, size_t key)
{
	return table_index(t, owner_keys[key].column) < t->ncolumns;
}

static void prepare(struct cmdline *in)
{
	bool by_stack = !in->ngroups;

	for (size_t i = 0; i < in->ngroups; i++) {
		by_stack |= in->groups[i] == KEY_STACK;
		if (has_column(&in->table, in->groups[i]))
			owner_keys_show(&in->table, &in->groups[i], 1);
	}
	if (!by_stack)
		rows_hide(in, (const enum column_id[]){ COLUMN_handle, COLUMN_stack, COLUMN_NONE });
}

static void add_rows(struct diff *d)
{
	struct cmdline *in = d->now.v->in;

	d->shows_all = in->opts.json || (in->opts.has_rows && !in->opts.rows);
	hash_bytes_for_each(const struct owner_pair, p, &d->match.pairs) {
		bool same = !growth(d, p);

		if (!p->now && !p->before)
			continue;
		d->groups_total++;
		d->unchanged += same;
		if (!same || d->shows_all)
			row_add(&in->table, p, d);
	}
}

/* A group and a filter apply to both scans, or their effect would look like growth. */
static enum status check_before(struct owner_view *before)
{
	const struct cmdline *in = before->in;
	const struct saved_scan *text = before->saved;
	enum status st = ST_OK;

	/* Stacks are in no order: any that is new may be one that was cut off. */
	if (text->cut_line && text->kind == SCAN_SHOW_STACKS)
		return dump_usage(
			before->dump,
			"the file '%s' ends inside of a record, at line %lu: it is truncated",
			text->path, text->cut_line);

	for (size_t i = 0; i < in->ngroups && st == ST_OK; i++)
		st = owner_key_check(before, in->groups[i]);
	for (unsigned int i = 0; i < in->filters.n && st == ST_OK; i++)
		st = owner_key_check(before, in->filters.filters[i].key);
	return st;
}

static bool is_whole(const struct scan_stats *cov)
{
	return !cov->unreadable && !cov->undecodable;
}

/* "no group changed: 471 groups have as many pages as in the saved scan" */
static void put_unchanged(struct diff *d)
{
	const struct owner_view *v = d->now.v;
	bool whole = is_whole(&d->now.cov) && is_whole(&d->before.cov) && !v->dump->interrupted;
	bool none = d->unchanged == d->groups_total;

	if (d->unchanged)
		sink_printf(v->out, "%s%s as many pages as in %s%s\n",
			    !none   ? ""
			    : whole ? "no group changed: "
				    : "no group of the pages that were read changed: ",
			    PLURAL_TEXT(d->unchanged, "group has", "groups have"),
			    owner_saved_name(d->before.v),
			    d->shows_all || none ? ""
			    : d->unchanged == 1	 ? " and is not shown (-n 0 shows all)"
						 : " and are not shown (-n 0 shows all)");
}

/* "of 6.12.95", "in FILE" */
static const char *source_of(struct dump *d, const struct saved_scan *scan)
{
	if (scan->kind == SCAN_SAVED)
		return dump_text(d, "of %s", scan->kernel ?: "an unnamed kernel");
	return dump_text(d, "in %s", scan->path);
}

/* Rows are in the order of growth: what shrank most is last. */
static void put_shrunk(const struct owner_view *v)
{
	const struct table *t = &v->in->table;
	const size_t growth = table_index(t, COLUMN_diff_bytes);
	uint64_t n = 0, bytes = 0;

	for (size_t i = v->report.rows_shown; v->report.rows_shown && i < t->n; i++)
		if (t->rows[i][growth].i < 0) {
			n++;
			bytes -= (uint64_t)t->rows[i][growth].i;
		}
	if (n)
		sink_printf(v->out, "%s not shown, with %s in all (%s)\n",
			    PLURAL_TEXT(n, "group that shrank is", "groups that shrank are"),
			    SIZE_TEXT(bytes),
			    v->in->opts.sort || v->in->opts.reverse ? "-n 0" : "-r");
}

static void put_totals(struct diff *d)
{
	const struct owner_view *v = d->now.v, *before = d->before.v;

	put_shrunk(v);
	put_unchanged(d);
	sink_printf(v->out, "%s now, %s in %s %s\n", COUNT_OF(d->now.cov.live, "live page"),
		    COUNT_TEXT(d->before.cov.live), owner_saved_name(before),
		    source_of(v->dump, before->saved));
	if (d->now.early)
		sink_printf(v->out, "%s before page_owner started %s not among the %s",
			    PLURAL_TEXT(d->now.early, "page from", "pages from"),
			    d->now.early == 1 ? "is" : "are",
			    "rows: show_stacks does not count such pages\n");
}

/* Pages that the groups of the saved scan lack, though its kernel had them. */
static uint64_t missing_pages(const struct scan_stats *cov)
{
	uint64_t seen = cov->scanned + cov->skipped;

	return cov->undecodable + (cov->ram_pages > seen ? cov->ram_pages - seen : 0);
}

static bool is_unknown(const struct owner_groups *groups, const struct owner_group *g)
{
	return g && ANY_OF(i, groups->nkeys,
			   groups->keys[i] != KEY_STACK && g->keys[i] == VALUE_UNKNOWN);
}

/* A machine of another size: its groups are as many pages for other reasons. */
static void warn_ram(struct diff *d)
{
	const struct owner_view *v = d->now.v, *before = d->before.v;
	const struct ram *now = &v->owner.ram, *then = &before->owner.ram;
	const bool has_base = before->saved->has_capture;
	const uint64_t pages = has_base ? ram_base(now) : now->pages;
	const uint64_t of = has_base ? ram_base(then) : then->pages;

	if (of && of != pages && !now->derived && !then->derived)
		report_warn(&d->now.v->report, "System RAM is %s now, %s in %s%s",
			    SIZE_TEXT(pages << v->page_shift), SIZE_TEXT(of << before->page_shift),
			    owner_saved_name(before),
			    has_base && now->capture + then->capture
				    ? ", without what crashkernel= sets aside"
				    : "");
}

/* Pages that are missing, or in no known group, on one side look like growth of the other groups. */
static void warn_gaps(struct diff *d)
{
	uint64_t missing = missing_pages(&d->before.cov), now = 0, then = 0;
	const char *name = owner_saved_name(d->before.v);
	struct report *r = &d->now.v->report;

	hash_bytes_for_each(const struct owner_pair, p, &d->match.pairs) {
		if (is_unknown(&d->now, p->now))
			now += p->now->pages;
		if (is_unknown(&d->now, p->before))
			then += p->before->pages;
	}
	owner_saved_cut(d->now.v, d->before.v->saved);
	warn_ram(d);
	if (cmdline_groups_by(d->now.v->in, KEY_TGID))
		report_warn(r, "process IDs are those of one boot: in another the same one is of "
			       "another process; -g comm compares names");
	for (const struct dump_gap *g = d->before.v->saved->lacks; g; g = g->next)
		report_warn(r, "%s were unknown in %s: %s", g->part, name, g->reason);
	if (missing)
		report_warn(r, "%s lacks the records of %s: GROWTH may include these pages", name,
			    COUNT_OF(missing, "page"));
	if (now != then)
		report_warn(r,
			    "a key of -g is unknown for %s now, for %s in %s: GROWTH of other "
			    "groups may include these pages",
			    COUNT_OF(now, "page"), COUNT_TEXT(then), name);
	d->now.v->has_gaps |= missing || now != then || d->before.v->saved->lacks;
}

static enum status open_diff(void *arg, enum availability *why)
{
	struct owner_view *v = arg, *before;
	const struct cmdline *in = v->in;
	enum status st = owner_view_open(v, why);

	for (size_t i = 0; i < in->ngroups && st == ST_OK; i++)
		if (in->groups[i] != KEY_STACK && !has_column(&in->table, in->groups[i]))
			st = dump_usage(v->dump, "%s: not part of a saved scan",
					key_name(&owner_keys[in->groups[i]]));
	if (st != ST_OK)
		return st;
	v->own = before = dump_alloc(v->dump, sizeof(*before));
	*before = (struct owner_view){ .dump = v->dump, .in = v->in, .out = v->out };
	owner_view_init(before);
	st = owner_saved_open(before, v->in->opts.diff) ?: check_before(before);
	*why = availability_of(st);
	return st;
}

static enum status show(void *arg)
{
	struct owner_view *v = arg, *before = v->own;
	struct diff *d = dump_alloc(v->dump, sizeof(*d));
	enum status st, scanned;

	owner_groups_init(v, &d->now);
	owner_groups_init(before, &d->before);
	d->now.without_early = d->before.without_early = !owner_has_records(v) ||
							 !owner_has_records(before);
	/* The saved scan first: it is quick. An interrupt then makes the other one partial. */
	st = owner_groups_scan(&d->before) ?: text_range_limit(v, before->saved);
	if (st != ST_OK)
		return st;
	scanned = owner_groups_scan(&d->now);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	owner_match_groups(&d->now, &d->before, &d->match);
	add_rows(d);
	rows_sort(v->in);
	if (d->match.by_function)
		report_warn(
			&v->report,
			"call stacks are compared from the caller on, by functions without offsets: %s",
			d->match.by_function);
	if (d->now.without_early)
		report_warn(
			&v->report,
			"show_stacks leaves out stacks of fewer pages than "
			"count_threshold and, since 6.17, stacks that were first "
			"seen where no lock can be taken: 0 pages: not in the file; a text that "
			"was cut between two stacks does not show it");
	warn_gaps(d);
	rows_put(&v->report, v->in);
	if (!v->in->opts.json)
		put_totals(d);
	owner_view_end(v, &d->now.cov, &d->now.select);
	return scanned;
}

/* What -j said of another dump. */
static const struct baseline baseline = {
	.by = { { COLUMN_stack } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_allocs } },
	.many = "allocations",
	.passes_groups = true,
};

static const struct key baseline_keys[] = {
	BASELINE_KEY(COLUMN_caller, "function that allocated"),
	BASELINE_KEY(COLUMN_module, "module that allocated"),
	BASELINE_KEY(COLUMN_comm, "name of the thread"),
	BASELINE_KEY(COLUMN_memcg, "memory cgroup"),
	BASELINE_KEY(COLUMN_class, "use of the memory"),
	BASELINE_KEY(COLUMN_order, "order of the allocation"),
	BASELINE_KEY(COLUMN_gfp, "flags of the allocation"),
};

static const struct view baseline_view = { BASELINE_OF_JSON(baseline, "group", "groups"),
					   KEYS_OF(baseline_keys) };

const struct view owner_diff_view = {
	"diff",
	"-d FILE",
	COLUMNS_OF(columns),
	.prepare = prepare,
	.filters_rows = true,
	.of_json = &baseline_view,
	.open = open_diff,
	.show = show,
	.row = "group",
	.many = "groups",
	.sorted_by = "diff_bytes",
	.rows = 10,
};
