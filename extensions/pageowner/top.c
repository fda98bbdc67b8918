// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "page_owner/page_owner_stacks.h"
#include "module_sites.h"
#include "util/units.h"
#include "memory.h"
#include "view.h"

#define DEFAULT_ROWS 10

/* Columns of keys follow the others, in the order of the keys. */
enum {
	COL_RANK,
	COL_PAGES,
	COL_BYTES,
	COL_TRACKED,
	COL_RAM,
	COL_ALLOCS,
	COL_TASKS,
	COL_STACKS,
	COL_COUNTED,
	COL_DRIFT,
	COL_ORDERS,
	COL_AGE_MAX,
	COL_AGE_MIN,
	COL_HANDLE,
	COL_AGES,
	COL_STACK,
	COL_CUT,
	COL_KEYS,
	COLUMNS = COL_KEYS + KEY_CALLEE - 1
};

/* That of KEY_STACK is COL_STACK. */
#define COLUMN_OF(key) (COL_KEYS + (key)-1)

#define KEY_COLUMN(key, id, ...) [COLUMN_OF(key)] = { COLUMN_##id, 0, IF_ALL, __VA_ARGS__ }
#define IF_ALL "if all pages of the group have the same"
#define ONE_STACK "if the group has one stack"

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_TRACKED] = { COLUMN_tracked_percent, IN_TEXT },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_ALLOCS] = { COLUMN_allocs, IN_BOTH },
	[COL_TASKS] = { COLUMN_tasks, 0 },
	[COL_STACKS] = { COLUMN_stacks, 0 },
	[COL_COUNTED] = { COLUMN_counted_pages, 0, "with -k" },
	[COL_DRIFT] = { COLUMN_drift_pages, 0, "with -k" },
	[COL_ORDERS] = { COLUMN_orders, IN_BOTH },
	[COL_AGE_MAX] = { COLUMN_age_max_ns, IN_BOTH },
	[COL_AGE_MIN] = { COLUMN_age_min_ns, IN_BOTH },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, ONE_STACK },
	[COL_AGES] = { COLUMN_ages, 0 },
	[COL_STACK] = { COLUMN_stack, IN_BOTH, ONE_STACK },
	[COL_CUT] = { COLUMN_cut, IN_JSON | NO_SORT_KEY },
	KEY_COLUMN(KEY_CALLER, caller),
	KEY_COLUMN(KEY_MODULE, module),
	KEY_COLUMN(KEY_PID, pid),
	KEY_COLUMN(KEY_TGID, tgid),
	KEY_COLUMN(KEY_COMM, comm),
	KEY_COLUMN(KEY_ORDER, order),
	KEY_COLUMN(KEY_GFP, gfp),
	KEY_COLUMN(KEY_MIGRATETYPE, migratetype),
	KEY_COLUMN(KEY_BLOCK_MIGRATETYPE, block_migratetype),
	KEY_COLUMN(KEY_NODE, node),
	KEY_COLUMN(KEY_ZONE, zone),
	KEY_COLUMN(KEY_MEMCG, memcg),
	KEY_COLUMN(KEY_CLASS, class, .choices = page_class_names + 1),
	KEY_COLUMN(KEY_CACHE, cache, .width = 32),
	KEY_COLUMN(KEY_FILE, file),
	KEY_COLUMN(KEY_MAPPER, mapper),
	KEY_COLUMN(KEY_AGE, age),
	KEY_COLUMN(KEY_OWNER, owner, .choices = owner_life_choices),
	KEY_COLUMN(KEY_STATE, state, .choices = owner_state_choices),
};

/* The columns of a ranking by these keys. */
static void prepare(struct cmdline *in)
{
	bool by_stack = !in->ngroups;

	for (size_t i = 0; i < in->ngroups; i++)
		by_stack |= in->groups[i] == KEY_STACK;
	if (!by_stack && !in->opts.json) {
		table_hide(&in->table, COL_HANDLE);
		table_hide(&in->table, COL_STACK);
		table_hide(&in->table, COL_ORDERS);
		table_show(&in->table, COL_STACKS);
	}
	if (in->opts.counters) {
		table_show(&in->table, COL_COUNTED);
		table_show(&in->table, COL_DRIFT);
	}
	for (size_t i = 0; i < in->ngroups; i++)
		if (in->groups[i] != KEY_STACK)
			table_show(&in->table, COLUMN_OF(in->groups[i]));
}

const struct view owner_top_view = {
	"top", "", COLUMNS_OF(columns), .has_groups = true, .filters_rows = true, .prepare = prepare
};

static struct cell age(const struct owner_view *v, const struct owner_group *g, uint64_t ts)
{
	return cell_if(g->has_time, report_age(&v->report, ts));
}

static const struct steps *age_steps(struct owner_view *v, const struct owner_group *g)
{
	struct steps *steps = dump_alloc(v->dump, sizeof(*steps));

	if (steps)
		*steps = (struct steps){ AGES, g->ages, ages_name };
	return steps;
}

static void fill_keys(const struct owner_groups *groups, const struct owner_group *g,
		      struct cell *row)
{
	struct owner_view *v = groups->v;

	for (size_t i = 0; i < groups->nextras; i++)
		row[COLUMN_OF(groups->extras[i])] = owner_value_cell(v, groups->extras[i],
								     g->extras[i]);
	for (size_t i = 0; i < groups->nkeys; i++)
		if (groups->keys[i] != KEY_STACK)
			row[COLUMN_OF(groups->keys[i])] = owner_value_cell(v, groups->keys[i],
									   g->keys[i]);
}

/* Without page_owner the groups are those of struct page. */
static bool has_pages_of_records(const struct owner_view *v)
{
	return v->saved || v->has_owner;
}

static enum status add_row(struct owner_groups *groups, const struct owner_group *g,
			   struct scan_stats *cov)
{
	struct owner_view *v = groups->v;
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return ST_NOMEM;
	fill_keys(groups, g, row);
	row[COL_PAGES] = cell_uint(g->pages);
	row[COL_BYTES] = cell_uint(g->pages << v->page_shift);
	row[COL_TRACKED] = cell_if(has_pages_of_records(v),
				   cell_uint(units_tenths(g->pages, cov->live)));
	row[COL_RAM] = cell_if(cov->ram_pages, cell_uint(units_tenths(g->pages, cov->ram_pages)));
	row[COL_ALLOCS] = cell_if(owner_has_records(v) && has_pages_of_records(v),
				  cell_uint(g->allocs));
	row[COL_TASKS] = cell_if(groups->count_tasks, cell_uint(g->tasks));
	row[COL_STACKS] = cell_if(groups->count_stacks, cell_uint(g->stacks));
	row[COL_ORDERS] = cell_if(owner_has_records(v) && has_pages_of_records(v),
				  cell_uint(g->orders));
	row[COL_AGE_MIN] = age(v, g, g->ts_max);
	row[COL_AGE_MAX] = age(v, g, g->ts_min);
	row[COL_HANDLE] = cell_if(g->one_stack && g->handle, cell_hex(g->handle));
	if (groups->count_ages && g->has_time)
		row[COL_AGES] = cell_steps(age_steps(v, g));
	return ST_OK;
}

/* What the kernel counted for the stack of each row; stacks that no page has get a row. */
static enum status add_counted(struct owner_view *v)
{
	struct table *t = &v->in->table;
	const struct stack_counts *counted = v->counted;
	struct hash_u64 seen;
	bool is_new;

	hash_u64_init(&seen, v->dump->arena, 0);
	for (size_t i = 0; i < t->n; i++) {
		struct cell *row = t->rows[i];
		const struct cached_stack *k = stack_cache_get(&v->stacks, row[COL_HANDLE].u);
		uint64_t n = k && k->decoded ? stack_counted_pages(&k->record) : 0;

		hash_u64_get(&seen, row[COL_HANDLE].u, &is_new);
		row[COL_COUNTED] = cell_uint(n);
		row[COL_DRIFT] = cell_int((int64_t)n - (int64_t)row[COL_PAGES].u);
	}
	for (struct hash_u64_entry *e = counted->pages.first; e; e = e->next) {
		struct cell *row = hash_u64_has(&seen, e->key) ? NULL : table_add(t);
		uint64_t n = *(const uint64_t *)e->value;

		if (!row)
			continue;
		row[COL_PAGES] = row[COL_BYTES] = row[COL_ALLOCS] = row[COL_RAM] =
			row[COL_TRACKED] = cell_uint(0);
		row[COL_COUNTED] = cell_uint(n);
		row[COL_DRIFT] = cell_int(n);
		row[COL_HANDLE] = cell_hex(e->key);
	}
	return ST_OK;
}

static enum status fill_table(struct owner_groups *groups, struct scan_stats *cov)
{
	struct owner_view *v = groups->v;
	struct table *t = &v->in->table;
	const struct opts *o = &v->in->opts;
	enum status st = ST_OK;

	for (struct hash_bytes_entry *e = groups->groups.first; e && st == ST_OK; e = e->next) {
		const struct owner_group *g = e->value;

		if (owner_selects_group(&groups->select, g->pages << v->page_shift))
			st = add_row(groups, g, cov);
	}
	if (st == ST_OK && o->counters)
		st = add_counted(v);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

/* Names are looked up for what is shown only. */
static void name_stacks(struct owner_view *v, size_t shown)
{
	for (size_t i = 0; i < shown; i++) {
		struct cell *row = v->in->table.rows[i];

		const struct stack *stack;

		if (row[COL_HANDLE].kind != CELL_HEX)
			continue;
		stack = stack_cache_frames(&v->stacks,
					   stack_cache_get(&v->stacks, row[COL_HANDLE].u));
		row[COL_STACK] = cell_stack(stack);
		row[COL_CUT] = cell_if(stack, cell_bool(stack && stack->cut));
		if (!owner_has_handles(v))
			row[COL_HANDLE] = (struct cell){ .kind = CELL_NULL };
	}
}

/* "471 stacks, 57,442 allocations" */
static void put_total(struct owner_view *v)
{
	uint64_t allocs = 0;
	char n[UNITS_PLURAL], of[UNITS_PLURAL];

	if (!v->in->table.n)
		return;
	for (size_t i = 0; i < v->in->table.n; i++)
		allocs += v->in->table.rows[i][COL_ALLOCS].u;
	units_plural(n, v->in->table.n, v->in->ngroups ? "group" : "stack",
		     v->in->ngroups ? "groups" : "stacks");
	if (owner_has_records(v))
		sink_printf(v->out, "%s, %s\n", n,
			    units_plural(of, allocs, "allocation", "allocations"));
	else
		sink_printf(v->out, "%s\n", n);
}

/* "classes of pages with an owner; pageowner -m has those of every page of System RAM" */
static void put_relation(const struct owner_view *v)
{
	for (size_t i = 0; i < v->in->ngroups; i++)
		if (v->in->groups[i] == KEY_CLASS && v->in->table.n)
			sink_text(v->out, "classes of pages with an owner; pageowner -m has those "
					  "of every page of System RAM\n");
}

/* "... 113 more stacks with 3.2M" */
static void put_more(struct owner_view *v, size_t shown)
{
	char size[UNITS_BYTES];
	uint64_t pages = 0;

	for (size_t i = shown; i < v->in->table.n; i++)
		pages += v->in->table.rows[i][COL_PAGES].u;
	units_size(size, pages << v->page_shift);
	report_rest(&v->report, v->in->table.n - shown, v->in->ngroups ? "group" : "stack",
		    v->in->ngroups ? "groups" : "stacks", size);
}

static void put_rest(struct owner_view *v, size_t shown)
{
	if (shown == v->in->table.n)
		put_total(v);
	else
		put_more(v, shown);
}

/* What has to be counted for the columns and sort keys that were asked for. */
static void ask_for(struct owner_groups *groups)
{
	const struct cmdline *in = groups->v->in;
	const char *sort = in->opts.sort;

	groups->count_tasks = table_needs(&in->table, COL_TASKS, sort);
	groups->count_stacks = table_needs(&in->table, COL_STACKS, sort);
	groups->count_ages = table_needs(&in->table, COL_AGES, sort);
	for (size_t key = KEY_CALLER; key < KEY_CALLEE && groups->nextras < GROUP_EXTRAS; key++) {
		bool is_key = false;

		for (size_t i = 0; i < in->ngroups; i++)
			is_key |= in->groups[i] == key;
		if (!is_key && table_needs(&in->table, COLUMN_OF(key), sort))
			groups->extras[groups->nextras++] = key;
	}
}

/* Whether the rows are the modules, and have all of their pages. */
static bool by_module(const struct owner_view *v)
{
	const struct cmdline *in = v->in;

	return in->ngroups == 1 && in->groups[0] == KEY_MODULE && !in->filters.n &&
	       !in->filters.nrows && !v->saved && !in->opts.json;
}

/* Pages whose value of a key of -g is not in the dump: rows with "-". */
static void warn_unknown(struct owner_groups *g)
{
	struct owner_view *v = g->v;
	/* Where the data of a key could not be opened at all, that was said. */
	const struct {
		enum owner_key key;
		bool open;
		const char *what;
	} keys[] = {
		{ KEY_CLASS, v->classes, "class" },
		{ KEY_MEMCG, v->has_memcgs, "cgroup" },
		{ KEY_CACHE, v->slabs, "slab cache" },
		{ KEY_FILE, v->files, "file" },
		{ KEY_MAPPER, v->mappers && !v->mappers->unknown, "mapper" },
	};

	for (size_t i = 0; i < g->nkeys && !v->saved; i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			char n[UNITS_PLURAL];
			uint64_t pages = 0;

			if (g->keys[i] != keys[k].key || !keys[k].open)
				continue;
			for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
				const struct owner_group *group = e->value;

				if (group->keys[i] == VALUE_UNKNOWN)
					pages += group->pages;
			}
			if (!pages)
				continue;
			report_warn(&v->report, "the %s of %s is unknown", keys[k].what,
				    units_plural(n, pages, "page", "pages"));
			v->has_gaps = true;
		}
}

/* -g mapper, memcg, class, cache, file, zone, node where no page has a record. */
static enum status show_states(struct owner_view *v, struct owner_groups *groups)
{
	static const unsigned int of_records[] = { COL_TRACKED, COL_ALLOCS, COL_STACKS, COL_AGE_MAX,
						   COL_AGE_MIN };
	struct scan_stats cov = { .ram_pages = v->owner.ram.pages };
	struct memory_gaps gaps;
	uint64_t visited, shown;
	enum status st = v->classes ? owner_groups_by_state(groups, &gaps, &visited) : ST_UNKNOWN,
		    filled;

	if (!v->classes) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	warn_unknown(groups);
	filled = fill_table(groups, &cov);
	if (filled != ST_OK)
		return filled;
	for (size_t i = 0; !v->in->opts.json && i < sizeof(of_records) / sizeof(of_records[0]); i++)
		table_hide(&v->in->table, of_records[i]);
	cmdline_reselect(v->in);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	if (!v->in->opts.json) {
		put_more(v, shown);
		if (v->in->filters.n)
			owner_view_kept(v, &groups->select);
		sink_text(v->out, "pages in use by struct page, whoever allocated them\n");
	}
	report_warn(&v->report, "page_owner records are not available: %s", v->owner_problem);
	memory_end(v, &cov, st, &gaps, visited, NULL);
	return st;
}

enum status owner_top(struct owner_view *v)
{
	struct owner_groups groups;
	struct scan_stats cov;
	enum status st, filled;
	uint64_t shown;

	owner_groups_init(v, &groups);
	ask_for(&groups);
	if (!has_pages_of_records(v))
		return show_states(v, &groups);
	st = owner_groups_scan(&groups, &cov);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	warn_unknown(&groups);
	filled = fill_table(&groups, &cov);
	if (filled != ST_OK)
		return filled;
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, v->in->table.n);
	name_stacks(v, shown);
	report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	if (!v->in->opts.json) {
		put_rest(v, shown);
		put_relation(v);
	}
	if (!v->in->opts.json && owner_uses(v, KEY_CACHE))
		sink_text(v->out, "CACHE: of the slab that the page was allocated for, not of who "
				  "has its objects (-t objects)\n");
	if (st == ST_OK && by_module(v))
		st = owner_module_sites(v, shown);
	if (st == ST_NOMEM)
		return st;
	owner_view_end(v, &cov, &groups.select);
	return st;
}
