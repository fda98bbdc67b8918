// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/shrinkers.h"

#include "noun.h"

#define ROW struct shrinker

CAN_HAVE(is_of_fs, ROW, void, r->has_caches || !r->function)
CAN_HAVE(has_id, ROW, void, r->is_memcg_aware || !r->has_flags)

static const struct view_column columns[] = {
	{ COLUMN_objects, IN_BOTH, "null: only its function, run in the kernel, could tell",
	  UINT_IF(ROW, objects, has_objects) },
	{ COLUMN_deferred_objects, IN_BOTH, UINT_IF(ROW, deferred, has_deferred) },
	{ COLUMN_dentries, IN_BOTH, .can_have = is_of_fs, UINT_IF(ROW, dentries, has_caches) },
	{ COLUMN_inodes, IN_BOTH, .can_have = is_of_fs, UINT_IF(ROW, inodes, has_caches) },
	{ COLUMN_seeks, IN_BOTH | KNOWN, INT_OF(ROW, seeks) },
	{ COLUMN_batch, IN_JSON | KNOWN, INT_OF(ROW, batch) },
	{ COLUMN_shrinker_flags, IN_JSON, TEXT_IF(ROW, flags, has_flags) },
	{ COLUMN_shrinker_id, IN_JSON, .can_have = has_id, UINT_IF(ROW, id, has_number) },
	{ COLUMN_address, IN_JSON | KNOWN, "of the struct shrinker", HEX_OF(ROW, address) },
	{ COLUMN_fs_type, IN_JSON, .can_have = is_of_fs, TEXT_OF(ROW, fs_type) },
	{ COLUMN_shrinker, IN_BOTH, "of a file system without that name sb-TYPE:DEVICE",
	  TEXT_OF(ROW, name) },
	{ COLUMN_function, IN_BOTH, "that counts its objects", TEXT_OF(ROW, function) },
	{ COLUMN_module, IN_JSON, "that has the function", TEXT_OF(ROW, module) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_shrinker, "name of the shrinker", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_function, "function that counts its objects", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_module, "module of the function", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_fs_type, "type of the file system", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_node, "NUMA node", KEY_GROUPS },
	{ COLUMN_memcg, "memory cgroup", KEY_GROUPS },
};

#define PART struct shrinker_part

CAN_HAVE(part_is_of_fs, PART, void, is_of_fs(r->shrinker, handed))

CELL_FROM(part_objects_cell, PART, cell_if(!r->is_part_of_objects, cell_uint(r->objects)))
CELL_FROM(part_deferred_cell, PART, cell_if(!r->is_part_of_deferred, cell_uint(r->deferred)))

/* What -g sums up. */
static const struct view_column part_columns[] = {
	{ COLUMN_objects, 0, CELL_BY(part_objects_cell) },
	{ COLUMN_deferred_objects, 0, CELL_BY(part_deferred_cell) },
	{ COLUMN_address, 0, HEX_OF(PART, shrinker) },
	{ COLUMN_shrinker, 0, VIA(TEXT, PART, shrinker, name) },
	{ COLUMN_function, 0, VIA(TEXT, PART, shrinker, function) },
	{ COLUMN_module, 0, VIA(TEXT, PART, shrinker, module) },
	{ COLUMN_fs_type, 0, .can_have = part_is_of_fs, VIA(TEXT, PART, shrinker, fs_type) },
	{ COLUMN_node, 0, UINT_IF(PART, node, has_node) },
	{ COLUMN_memcg, 0, TEXT_OF(PART, memcg) },
};

static const struct view_column group_columns[] = {
	{ COLUMN_objects, IN_BOTH, "null: of one of its shrinkers it is unknown",
	  SUM_OF(COLUMN_objects) },
	{ COLUMN_deferred_objects, IN_BOTH, "null: of one of its shrinkers it is unknown",
	  SUM_OF(COLUMN_deferred_objects) },
	{ COLUMN_shrinkers, IN_BOTH | KNOWN, VALUES_OF(COLUMN_address) },
	{ COLUMN_shrinker, 0 },
	{ COLUMN_function, 0 },
	{ COLUMN_module, 0 },
	{ COLUMN_fs_type, 0 },
	{ COLUMN_node, 0, "null: unknown, or the shrinker does not tell nodes apart" },
	{ COLUMN_memcg, 0, "/: the root, or none is charged; null: unknown" },
	BASIS(derived),
};

/* The parts of all of them, for groups: one list. */
static struct shrinker_part *join_parts(const struct shrinkers *x)
{
	struct shrinker_part *first = NULL, **last = &first;

	for (const struct shrinker *s = x->first; s; s = s->next)
		if (s->parts) {
			*last = s->parts;
			last = s->last_part;
		}
	return first;
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct shrinkers *x = v->own = dump_alloc(v->dump, sizeof(*x));
	enum status st;

	owner_view_init(v);
	st = shrinkers_collect(v->dump, x);
	v->collected = (struct collected){
		.first = v->in->ngroups ? (void *)join_parts(x) : x->first,
		.gaps = x->gaps,
		.is_partial = st == ST_STOPPED || x->list_ends,
	};
	*why = availability_of(st);
	return st == ST_STOPPED ? ST_OK : st;
}

static void put_sum(void *arg)
{
	struct owner_view *v = arg;
	const struct shrinkers *x = v->own;

	sink_printf(
		v->out,
		"%s%s; how many objects there are only a function of the kernel could tell for %zu\n",
		x->list_ends ? "at least " : "", COUNT_OF(x->n, "shrinker"), x->uncounted);
}

static const struct view groups_view = {
	"shrinkers_groups",
	"-g memcg",
	COLUMNS_OF(group_columns),
	KEYS_OF(keys),
	.prepare = cmdline_show_keys,
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_sum,
	ROWS_ARE("group", "groups", "objects,deferred_objects", 20),
	MEMBERS_ARE("part", "parts"),
	SUMS_UP(part_columns),
};

static const struct view view = {
	"shrinkers",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.grouped = &groups_view,
	ROWS_ARE("shrinker", "shrinkers", "objects,deferred_objects,shrinker", 20),
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_sum,
};

static char *help[] = {
	"memowner shrinkers",
	"what the kernel could free beside pages, and what it put off",
	"",
	"  Shrinkers by OBJECTS: unused dentries and inodes, and what else the kernel has",
	"  a count of; -: only a function of the kernel could tell. Of shadow nodes it",
	"  frees only what exceeds an eighth of the pages. DEFERRED: objects that a scan",
	"  put off, as the allocation may not wait for a file system, or there were few;",
	"  they add to the next scan. -g sums up by node, memory cgroup and others.",
	"EXAMPLES",
	"  All of them; unused dentries and inodes by the cgroup that pays for them:",
	"    memowner shrinkers",
	"    memowner shrinkers -g memcg -f function=super_cache_count",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_shrinker }, { COLUMN_function, COLUMN_module } },
	.amounts = { { COLUMN_objects } },
	.many = "objects that could be freed",
};

static const struct view diff_view = { BASELINE_OF(baseline, "shrinker", "shrinkers"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = {
	{ 'g', .values = "memcg shrinker,node", .views = "shrinkers" },
	RANKED_ROWS("objects=1..", "deferred_objects", "+module"),
	DIFF,
	LAST_OPTIONS
};

OWNER_NOUN(shrinkers)
