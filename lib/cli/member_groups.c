// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/member_groups.h"

/* Values that differ: there is none of all, if both are known. */
static struct cell several(const struct cell *a, const struct cell *b)
{
	return (struct cell){ .kind = CELL_NULL,
			      .is_none = !cell_is_unknown(a) && !cell_is_unknown(b) };
}

void member_groups_init(struct member_groups *g, struct cmdline *in,
			const struct view_column *columns, size_t n, const enum column_id *by,
			size_t bytes)
{
	struct dump *d = in->table.dump;

	*g = (struct member_groups){ .in = in };
	table_init(&g->members, d, columns, n, false);
	for (size_t i = 0; i < n; i++)
		table_show(&g->members, i);
	for (size_t i = 0; i < in->ngroups; i++)
		g->by[g->n++] = table_index(&g->members, in->keys[in->groups[i]].column);
	for (; !in->ngroups && *by; by++)
		g->by[g->n++] = table_index(&g->members, *by);
	hash_bytes_init(&g->groups, d->arena, bytes);
}

void *member_groups_add(struct member_groups *g, const void *member, void *view)
{
	struct cell cells[VIEW_COLUMNS], *common;
	uint64_t key[2 * GROUP_KEYS];
	struct member_group *group;
	bool is_new;

	if (!rows_keep_member(g->in, g->members.columns, g->members.ncolumns, member, view))
		return NULL;
	row_fill(&g->members, member, view, cells);
	for (size_t i = 0; i < g->members.ncolumns; i++)
		cells[i] = cell_value(&cells[i]);
	for (size_t i = 0; i < g->n; i++) {
		key[2 * i] = cells[g->by[i]].kind;
		key[2 * i + 1] = cells[g->by[i]].u;
	}
	group = hash_bytes_get(&g->groups, key, 2 * g->n * sizeof(key[0]), &is_new)->value;
	group->is_new = is_new;
	group->members++;
	for (size_t i = 0; i < g->members.ncolumns; i++) {
		common = &group->cells[i];
		if (is_new)
			*common = cells[i];
		else if (common->kind != cells[i].kind || common->u != cells[i].u)
			*common = several(common, &cells[i]);
	}
	return group;
}

void member_groups_rows(struct member_groups *g, void *view)
{
	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		const struct member_group *group = e->value;

		if (rows_keep_group(g->in, group, group->members, view))
			row_add(&g->in->table, group, view);
	}
}

struct cell member_group_cell(const void *group, void *view, unsigned int index)
{
	(void)view;
	return ((const struct member_group *)group)->cells[index];
}
