// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/row_groups.h"

#include "util/units.h"

void row_groups_init(struct row_groups *g, struct dump *d, size_t group_bytes)
{
	hash_bytes_init(&g->groups, d->arena, group_bytes);
	hash_bytes_init(&g->texts, d->arena, 0);
}

void *row_groups_get(struct row_groups *g, const struct cmdline *in,
		     const struct view_column *columns, size_t n, const void *record, void *view,
		     bool *is_new)
{
	const struct table t = { .dump = in->table.dump, .columns = columns, .ncolumns = n };
	struct cell values[GROUP_KEYS];
	uint64_t key[GROUP_KEYS][2] = { { 0 } };
	struct hash_bytes_entry *e;
	struct row_group *group;

	for (size_t i = 0; i < in->ngroups; i++) {
		size_t column = table_index(&t, in->keys[in->groups[i]].column);

		values[i] = row_cell(&t, &columns[column], record, view);
		values[i] = cell_value(&values[i]);
		if (values[i].kind == CELL_TEXT)
			values[i] = cell_text(intern(&g->texts, values[i].text));
		key[i][0] = values[i].kind;
		key[i][1] = values[i].kind == CELL_NULL ? 0 : values[i].u;
	}
	e = hash_bytes_get(&g->groups, key, sizeof(key), is_new);
	group = e->value;
	group->members++;
	for (size_t i = 0; *is_new && i < in->ngroups; i++)
		group->values[i] = values[i];
	return group;
}

struct cell *row_add_group(struct cmdline *in, const struct row_group *group, void *view)
{
	struct table *t = &in->table;
	struct cell *row = row_add(t, group, view);

	for (size_t i = 0; i < in->ngroups; i++)
		row[table_index(t, in->keys[in->groups[i]].column)] = group->values[i];
	return row;
}

static bool is_same(const struct cell *a, const struct cell *b)
{
	return a->kind == b->kind &&
	       (a->u == b->u || (a->kind == CELL_TEXT && !strcmp(a->text, b->text)));
}

void cell_keep_common(struct cell *common, const struct cell *c)
{
	if (!is_same(common, c))
		*common = (struct cell){ .kind = CELL_NULL,
					 .is_none = !cell_is_unknown(common) &&
						    !cell_is_unknown(c) };
}

/* A sum, the largest or the smallest, with one more. */
static void sum_up(enum source_kind kind, struct cell *sum, const struct cell *c)
{
	bool is_sum = kind == SOURCE_SUM || kind == SOURCE_SUM_SHARE;

	if (c->kind == CELL_NULL) {
		if (!c->is_none && (is_sum || sum->kind == CELL_NULL))
			*sum = *c;
	} else if (sum->kind == CELL_NULL) {
		if (sum->is_none || !is_sum)
			*sum = *c;
	} else if (is_sum) {
		sum->u += c->u;
	} else if (kind == SOURCE_MOST ? c->u > sum->u : c->u < sum->u) {
		sum->u = c->u;
	}
}

static void count_value(struct row_groups *g, struct cell *count, const struct cell *c)
{
	const uint64_t value[3] = { (uintptr_t)count, c->kind, c->u };
	bool is_new;

	if (c->kind == CELL_NULL)
		return;
	hash_bytes_get(&g->seen, value, sizeof(value), &is_new);
	*count = cell_uint(count->u + is_new);
}

static struct row_groups *groups_of(struct cmdline *in, void *view)
{
	struct dump *d = in->table.dump;

	if (!in->row_groups) {
		in->row_groups = dump_alloc(d, sizeof(*in->row_groups));
		row_groups_init(in->row_groups, d, sizeof(struct row_group));
		hash_bytes_init(&in->row_groups->seen, d->arena, 0);
		in->row_groups->view = view;
	}
	return in->row_groups;
}

void row_groups_add(struct cmdline *in, const void *member, void *view)
{
	const struct table *t = &in->table;
	const struct table members = { .dump = t->dump,
				       .columns = in->shown->member_columns,
				       .ncolumns = in->shown->nmember_columns };
	struct row_groups *g = groups_of(in, view);
	struct row_group *group;
	bool is_new;

	if (!rows_keep_member(in, members.columns, members.ncolumns, member, view))
		return;
	group = row_groups_get(g, in, members.columns, members.ncolumns, member, view, &is_new);
	if (is_new)
		group->sums = dump_alloc(t->dump, t->ncolumns * sizeof(*group->sums));
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct cell_source *s = &t->columns[i].from;
		struct cell *sum = &group->sums[i], c;

		if (s->kind <= SOURCE_MEMBERS)
			continue;
		c = s->cell ? s->cell(member, view)
			    : row_cell(&members, &members.columns[table_index(&members, s->of)],
				       member, view);
		c = cell_value(&c);
		if (s->kind == SOURCE_VALUES)
			count_value(g, sum, &c);
		else if (is_new)
			*sum = c;
		else if (s->kind == SOURCE_COMMON)
			cell_keep_common(sum, &c);
		else
			sum_up(s->kind, sum, &c);
	}
}

void row_groups_rows(struct cmdline *in)
{
	struct row_groups *g = in->row_groups;

	for (const struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		const struct row_group *group = e->value;

		if (rows_keep_group(in, group, group->members, g->view))
			row_add_group(in, group, g->view);
	}
}

struct cell row_group_cell(const struct table *t, const struct view_column *c, const void *group)
{
	const struct row_group *g = group;
	struct cell cell;

	if (c->from.kind == SOURCE_MEMBERS)
		return cell_uint(g->members);
	cell = g->sums[c - t->columns];
	return c->from.kind == SOURCE_SUM_SHARE && cell.kind != CELL_NULL
		       ? cell_uint(units_tenths(cell.u, t->whole))
		       : cell;
}
