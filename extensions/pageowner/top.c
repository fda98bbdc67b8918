// SPDX-License-Identifier: GPL-2.0-or-later
#include "class_counters.h"
#include "module_sites.h"
#include "holders.h"
#include "memory.h"
#include "scan_read.h"

#define DEFAULT_ROWS 10

#define ROW struct owner_group
#define GROUPS const struct owner_groups

/* Without page_owner the groups are those of struct page. */
static bool of_records(const struct owner_view *v)
{
	return v->saved || v->has_owner;
}

static bool has_allocs(const struct owner_view *v)
{
	return of_records(v) && owner_has_records(v);
}

static struct cell ages_of_cell(const void *record, void *groups)
{
	const struct owner_group *g = record;
	const struct owner_view *v = ((const struct owner_groups *)groups)->v;
	struct steps *steps;

	/* A record of a scan has the first and the last time of its pages alone. */
	if (!g->ages || !g->has_time || v->saved)
		return cell_steps(NULL);
	steps = dump_alloc(v->dump, sizeof(*steps));
	*steps = (struct steps){ AGES, g->ages, ages_name };
	return cell_steps(steps);
}

CELL_WITH(tracked_cell, ROW, GROUPS,
	  cell_if(of_records(v->v), cell_uint(units_tenths(r->pages, v->cov.live))))

/* A group of struct pages that is as large as what crashkernel= sets aside may have it. */
static bool has_share(const struct owner_group *r, const struct owner_groups *g)
{
	const struct ram *ram = &g->v->owner.ram;

	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] == KEY_CLASS && r->keys[i] != VALUE_UNKNOWN)
			return strcmp((const char *)(uintptr_t)r->keys[i],
				      page_class_names[CLASS_RESERVED]) != 0 ||
			       class_has_share(CLASS_RESERVED, ram);
	return of_records(g->v) || !ram->capture || r->pages < ram->capture;
}

CELL_WITH(ram_cell, ROW, GROUPS,
	  cell_if(v->cov.ram_pages &&owner_saved_has_base(v->v) && has_share(r, v),
		  cell_uint(units_tenths(r->pages, ram_base(&v->v->owner.ram)))))
CELL_WITH(allocs_cell, ROW, GROUPS, cell_if(has_allocs(v->v), cell_uint(r->allocs)))
CELL_WITH(orders_cell, ROW, GROUPS, cell_if(has_allocs(v->v) && r->orders, cell_uint(r->orders)))
CELL_WITH(tasks_cell, ROW, GROUPS, cell_if(v->count_tasks && r->pages, cell_uint(r->tasks)))
CELL_WITH(stacks_cell, ROW, GROUPS, cell_if(v->count_stacks && r->pages, cell_uint(r->stacks)))
CELL_WITH(counted_cell, ROW, GROUPS, cell_if(v->v->in->opts.counters, cell_uint(r->counted)))
CELL_WITH(drift_cell, ROW, GROUPS,
	  cell_if(v->v->in->opts.counters, cell_int((int64_t)(r->counted - r->pages))))
CELL_WITH(cut_cell, ROW, GROUPS, cell_cut(owner_stack(v->v, r->one_stack ? r->handle : 0)))

CAN_HAVE(counts_stacks, ROW, GROUPS, v->v->in->opts.counters)
CAN_HAVE(has_one_stack, ROW, GROUPS, r->one_stack)

#define IF_ALL "if all pages of the group have the same"
#define ONE_STACK "if the group has one stack"

CELL_WITH(record_basis_cell, ROW, GROUPS, cell_text(owner_basis(v->v)))

static const struct view_column columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_pages, IN_BOTH | KNOWN, UINT_OF(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, CELL_BY(owner_group_bytes) },
	{ COLUMN_tracked_percent, IN_TEXT, CELL_BY(tracked_cell) },
	{ COLUMN_ram_percent, IN_TEXT, CELL_BY(ram_cell) },
	{ COLUMN_allocs, IN_BOTH, CELL_BY(allocs_cell) },
	{ COLUMN_tasks, 0, CELL_BY(tasks_cell) },
	{ COLUMN_stacks, 0, CELL_BY(stacks_cell) },
	{ COLUMN_counted_pages, 0, "with -k", .can_have = counts_stacks, .needs_option = 'k',
	  CELL_BY(counted_cell) },
	{ COLUMN_drift_pages, 0, "with -k", .can_have = counts_stacks, .needs_option = 'k',
	  CELL_BY(drift_cell) },
	{ COLUMN_orders, IN_BOTH, CELL_BY(orders_cell) },
	{ COLUMN_age_max_ns, IN_BOTH, CELL_BY(owner_group_oldest) },
	{ COLUMN_age_min_ns, IN_BOTH, CELL_BY(owner_group_youngest) },
	{ COLUMN_handle, IN_BOTH, ONE_STACK, .can_have = has_one_stack,
	  CELL_BY(owner_group_handle) },
	{ COLUMN_ages, 0, CELL_BY(ages_of_cell) },
	{ COLUMN_stack, IN_BOTH, ONE_STACK, .can_have = has_one_stack,
	  CELL_LATE(owner_group_stack) },
	{ COLUMN_cut, IN_JSON | NO_SORT_KEY, CELL_LATE(cut_cell) },
	GROUP_KEY_COLUMNS(0, IF_ALL, IF_ALL){
		COLUMN_state, 0, IF_ALL, .choices = owner_state_choices, GROUP_KEY(KEY_STATE) },
	BASIS_ASKED(record_basis_cell, BASIS_OF_RECORDS),
};

/* The columns of a ranking by these keys. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table;

	if (in->ngroups && !cmdline_groups_by(in, KEY_STACK) && !in->opts.json) {
		rows_hide(in, (const enum column_id[]){ COLUMN_handle, COLUMN_stack, COLUMN_orders,
							COLUMN_NONE });
		table_show(t, COLUMN_stacks);
	}
	if (in->opts.counters) {
		table_show(t, COLUMN_counted_pages);
		table_show(t, COLUMN_drift_pages);
	}
	owner_keys_show(t, in->groups, in->ngroups);
}

/* Whether -g and the filters ask for nothing that only a record of page_owner tells. */
static bool groups_pages(const struct cmdline *in)
{
	bool of_page = in->ngroups && !in->opts.counters;

	for (size_t i = 0; i < in->ngroups; i++)
		of_page &= owner_key_is_of_page(in->groups[i]);
	for (unsigned int i = 0; i < in->filters.n; i++)
		of_page &= owner_key_is_of_page(in->filters.filters[i].key) ||
			   in->filters.filters[i].key == KEY_SIZE;
	return of_page;
}

static enum status open_top(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	enum status st;

	v->any_kernel = v->groups_pages = groups_pages(v->in);
	st = owner_view_open(v, why);
	return st == ST_OK && v->in->opts.counters ? owner_counters_open(v, why) : st;
}

/* What the kernel counted for the stack of each group; stacks that no page has get a row. */
static void add_counted(struct owner_groups *groups)
{
	struct owner_view *v = groups->v;
	const struct stack_counts *counted = v->own;
	struct hash_u64 seen;

	hash_u64_init(&seen, v->dump->arena, 0);
	hash_bytes_for_each(struct owner_group, g, &groups->groups) {
		const struct cached_stack *k = stack_cache_get(&v->stacks, g->handle);

		hash_u64_get(&seen, g->handle, NULL);
		g->counted = k->decoded ? stack_counted_pages(&k->record) : 0;
	}
	owner_groups_rows(groups, &v->in->table);
	for (struct hash_u64_entry *e = counted->pages.first; e; e = e->next) {
		struct owner_group *g;

		if (hash_u64_has(&seen, e->key))
			continue;
		g = dump_alloc(v->dump, sizeof(*g));
		*g = (struct owner_group){ .handle = e->key,
					   .one_stack = true,
					   .counted = *(const uint64_t *)e->value };
		row_add(&v->in->table, g, groups);
	}
}

static void sort_rows(struct owner_groups *groups)
{
	struct cmdline *in = groups->v->in;

	rows_put_off(in);
	if (in->opts.counters)
		add_counted(groups);
	else
		owner_groups_rows(groups, &in->table);
	rows_sort(in);
}

/* "471 stacks, 57,442 allocations" */
static void put_total(struct owner_view *v, const char *one, const char *many)
{
	const struct table *t = &v->in->table;
	size_t column = table_index(t, COLUMN_allocs);
	uint64_t allocs = 0;
	char n[UNITS_PLURAL];

	for (size_t i = 0; i < t->n; i++)
		allocs += t->rows[i][column].u;
	units_plural(n, t->n, one, many);
	if (!t->n)
		return;
	if (owner_has_records(v))
		sink_printf(v->out, "%s, %s\n", n, COUNT_OF(allocs, "allocation"));
	else
		sink_printf(v->out, "%s\n", n);
}

/* The total, or "... 113 more stacks with 3.2M". */
static void put_rest(struct owner_view *v, bool has_total)
{
	const struct table *t = &v->in->table;
	const char *one = v->in->ngroups ? "group" : "stack";
	const char *many = v->in->ngroups ? "groups" : "stacks";

	if (v->report.rows_shown == t->n && has_total)
		put_total(v, one, many);
	else
		report_rest_bytes(&v->report, t, &v->in->opts, v->report.rows_shown,
				  table_index(t, COLUMN_bytes), one, many);
}

/* "-" is what is unknown, too. */
static void put_several(const struct owner_groups *g)
{
	const struct owner_view *v = g->v;
	const struct table *t = &v->in->table;
	char names[256];
	struct strbuf s = strbuf_in(names, sizeof(names));

	for (size_t i = 0; i < g->nextras; i++) {
		enum column_id id = owner_keys[g->extras[i]].column;
		bool has_several = false;

		for (uint64_t row = 0; table_shows(t, id) && row < v->report.rows_shown; row++) {
			const struct owner_group *group = t->rows[row][t->ncolumns].record;

			has_several |= group->several >> i & 1;
		}
		if (has_several)
			strbuf_add(&s, "%s%s", s.len ? ", " : "", column_catalogue[id].title);
	}
	if (s.len)
		sink_printf(v->out, "%s: - where the pages of a group have several\n", names);
}

/* What has to be counted for the columns and sort keys that were asked for. */
static void ask_for(struct owner_groups *groups)
{
	const struct cmdline *in = groups->v->in;
	const struct table *t = &in->table;

	groups->count_tasks = table_needs(t, COLUMN_tasks);
	groups->count_stacks = table_needs(t, COLUMN_stacks);
	groups->count_ages = table_needs(t, COLUMN_ages);
	for (size_t key = KEY_CALLER; key < KEY_CALLEE && groups->nextras < GROUP_EXTRAS; key++)
		if (!cmdline_groups_by(in, key) && table_needs(t, owner_keys[key].column))
			groups->extras[groups->nextras++] = key;
}

/* Whether the rows are modules, and have all of their pages. */
static bool by_module(const struct owner_view *v)
{
	const struct cmdline *in = v->in;
	const struct filters *f = &in->filters;

	return in->ngroups == 1 && in->groups[0] == KEY_MODULE && !f->nrows && !v->saved &&
	       !in->opts.json && !ANY_OF(i, f->n, f->filters[i].key != KEY_MODULE);
}

/* Pages whose value of a key of -g is not in the dump: rows with "-". */
static void warn_unknown(struct owner_groups *g)
{
	struct owner_view *v = g->v;
	/* Where the data of a key could not be opened at all, that was said. */
	const struct {
		enum owner_key key;
		bool open;
		const char *text;
	} keys[] = {
		{ KEY_CLASS, v->classes, "the class of %s is unknown" },
		{ KEY_MEMCG, v->has_memcgs, "the cgroup of %s is unknown" },
		{ KEY_CACHE, v->slabs, "the slab cache of %s is unknown" },
		{ KEY_FILE, v->files, "the file of %s is unknown" },
		{ KEY_MAPPER, v->mappers && !(v->mappers->unknown && v->has_owner),
		  "the mapper of %s is unknown" }, /* else owner_view_end() says it */
	};

	for (size_t i = 0; i < g->nkeys && !v->saved; i++)
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
			struct gap gap = { keys[k].text, 0, "page", "pages" };

			if (g->keys[i] != keys[k].key || !keys[k].open)
				continue;
			hash_bytes_for_each(const struct owner_group, group, &g->groups)
				if (group->keys[i] == VALUE_UNKNOWN)
					gap.n += group->pages;
			report_gaps(&v->report, &gap, 1);
		}
}

/* -g mapper, memcg, class, cache, file, zone, node where no page has a record. */
static enum status show_states(struct owner_groups *groups)
{
	struct owner_view *v = groups->v;
	struct memory_gaps gaps;
	uint64_t visited;
	enum status st;

	if (!v->classes) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	groups->cov.ram_pages = v->owner.ram.pages;
	st = owner_groups_by_state(groups, &gaps, &visited);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	warn_unknown(groups);
	sort_rows(groups);
	rows_hide(v->in,
		  (const enum column_id[]){ COLUMN_tracked_percent, COLUMN_allocs, COLUMN_stacks,
					    COLUMN_age_max_ns, COLUMN_age_min_ns, COLUMN_NONE });
	cmdline_reselect(v->in);
	rows_put(&v->report, v->in);
	if (v->holders)
		owner_holders_trust(v, v->holders);
	if (!v->in->opts.json) {
		put_rest(v, false);
		put_several(groups);
		if (v->in->filters.n)
			owner_view_kept(v, &groups->select);
		sink_printf(v->out, "pages in use by struct page, whoever allocated them%s\n",
			    owner_has_early(v) ? "; early ones are direct" : "");
	}
	owner_tell_classes(v);
	if (!v->of_pages)
		report_warn(&v->report, "page_owner records are not available: %s",
			    v->owner_problem);
	memory_end(v, &groups->cov, st, &gaps, visited, NULL);
	return st;
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct owner_groups *groups = dump_alloc(v->dump, sizeof(*groups));
	enum status st;

	owner_groups_init(v, groups);
	ask_for(groups);
	if (!of_records(v))
		return show_states(groups);
	st = owner_groups_scan(groups);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	warn_unknown(groups);
	sort_rows(groups);
	rows_put(&v->report, v->in);
	if (!v->in->opts.json) {
		put_rest(v, true);
		put_several(groups);
		if (cmdline_groups_by(v->in, KEY_CLASS) && v->in->table.n)
			sink_text(v->out,
				  "classes of pages with an owner; memowner classes has those "
				  "of every page of System RAM\n");
		if (owner_uses(v, KEY_CACHE))
			sink_text(v->out,
				  "CACHE: of the slab that the page was allocated for, not of who "
				  "has its objects (memowner objects)\n");
	}
	if (st == ST_OK && by_module(v))
		st = owner_module_sites(v, v->report.rows_shown);
	owner_view_end(v, &groups->cov, &groups->select);
	return st;
}

const struct view owner_top_view = {
	"top",
	"",
	COLUMNS_OF(columns),
	.has_groups = true,
	.filters_rows = true,
	.prepare = prepare,
	.open = open_top,
	.show = show,
	.sorted_by = "bytes",
	.rows = DEFAULT_ROWS,
};

CELL_FROM(confidence_cell, ROW,
	  cell_if(r->walks, cell_uint(r->walks / r->pages * 1000 / WALK_WHOLE)))

/* The holder of its pages; NULL: it is of none, or of another class, which stands there in brackets. */
static const char *inferred(const ROW *r, void *groups)
{
	const struct cell c = owner_group_key(r, groups, KEY_HOLDER);
	const char *word = cell_words(&c);

	return word && *word != '[' ? word : NULL;
}

/* In text what is inferred has a mark. */
static struct cell holder_cell(const void *record, void *groups)
{
	GROUPS *g = groups;
	const char *word = inferred(record, groups);

	if (!word || g->v->in->opts.json)
		return owner_group_key(record, groups, KEY_HOLDER);
	return cell_text(dump_text(g->v->dump, "~%s", word));
}

static struct cell basis_cell(const void *record, void *groups)
{
	GROUPS *g = groups;
	bool is = g->v->holders &&
		  (inferred(record, groups) || !cmdline_groups_by(g->v->in, KEY_HOLDER));

	return cell_text(is ? "inferred" : "derived");
}

#define PAGE_KEY(NAME, KEY)                              \
	{                                                \
		COLUMN_##NAME, 0, IF_ALL, GROUP_KEY(KEY) \
	}

static const struct view_column page_columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_pages, IN_BOTH | KNOWN, UINT_OF(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, CELL_BY(owner_group_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, CELL_BY(ram_cell) },
	PAGE_KEY(block_migratetype, KEY_BLOCK_MIGRATETYPE),
	PAGE_KEY(node, KEY_NODE),
	PAGE_KEY(zone, KEY_ZONE),
	PAGE_KEY(memcg, KEY_MEMCG),
	{ COLUMN_class, IN_BOTH, IF_ALL, .choices = page_class_names + 1, GROUP_KEY(KEY_CLASS) },
	{ COLUMN_cache, 0, IF_ALL, .width = 32, GROUP_KEY(KEY_CACHE) },
	PAGE_KEY(file, KEY_FILE),
	PAGE_KEY(mapper, KEY_MAPPER),
	{ COLUMN_holder, 0, IF_ALL, CELL_BY(holder_cell) },
	{ COLUMN_confidence, OR_NONE, "if a key is holder", .needs_key = COLUMN_holder,
	  CELL_BY(confidence_cell) },
	BASIS_ASKED(basis_cell, "inferred where a key is holder"),
};

/* Of pages without a record there is no stack to group by. */
static void prepare_pages(struct cmdline *in)
{
	if (!in->ngroups)
		in->groups[in->ngroups++] = KEY_CLASS;
	rows_hide(in, (const enum column_id[]){ COLUMN_class, COLUMN_NONE });
	owner_keys_show(&in->table, in->groups, in->ngroups);
	if (cmdline_groups_by(in, KEY_HOLDER))
		table_show(&in->table, COLUMN_confidence);
}

static enum status open_pages(void *arg, enum availability *why)
{
	struct owner_view *v = arg;

	v->any_kernel = v->groups_pages = v->of_pages = true;
	return owner_view_open(v, why);
}

const struct view owner_pages_view = {
	"pages",
	"",
	COLUMNS_OF(page_columns),
	.has_groups = true,
	.filters_rows = true,
	.prepare = prepare_pages,
	.open = open_pages,
	.show = show,
	.sorted_by = "bytes",
	.rows = DEFAULT_ROWS,
};
