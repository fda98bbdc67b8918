// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that sum up others: what -g puts into one, and what filters kept of both. */
#include "cli/rows.h"

#include "cli/row_times.h"

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
	e = hash_bytes_get(&g->groups, key, in->ngroups * sizeof(key[0]), is_new);
	group = e->value;
	group->members++;
	for (size_t i = 0; *is_new && i < in->ngroups; i++)
		group->values[i] = values[i];
	return group;
}

/* Whether groups have what all members have in a column: it is asked for, and not their key. */
static bool is_common(const struct cmdline *in, size_t column)
{
	const struct view_column *c = &in->table.columns[column];

	return view_has_common(in->shown, c) && table_needs_at(&in->table, column) &&
	       !cmdline_groups_column(in, c->id);
}

struct cell *row_add_group(struct cmdline *in, const struct row_group *group, void *view)
{
	struct table *t = &in->table;
	struct cell *row = row_add(t, group, view);

	for (size_t i = 0; group->sums && i < t->ncolumns; i++)
		if (is_common(in, i))
			row[i] = group->sums[i];
	for (size_t i = 0; i < in->ngroups; i++)
		row[table_index(t, in->keys[in->groups[i]].column)] = group->values[i];
	return row;
}

bool cell_same(const struct cell *a, const struct cell *b)
{
	return a->kind == b->kind && (a->kind == CELL_NULL || a->u == b->u ||
				      (a->kind == CELL_TEXT && !strcmp(a->text, b->text)));
}

void cell_keep_common(struct cell *common, const struct cell *c)
{
	if (!cell_same(common, c))
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

/* What a member has in a column of its own, or NULL of a column that members lack. */
static bool has_cell(const struct table *members, enum column_id id, const void *member, void *view,
		     struct cell *ret)
{
	const size_t at = table_index(members, id);

	if (at == members->ncolumns)
		return false;
	*ret = row_cell(members, &members->columns[at], member, view);
	return true;
}

void rows_add_member(struct cmdline *in, const void *member, void *view)
{
	const struct table *t = &in->table;
	const struct table members = { .dump = t->dump,
				       .columns = in->shown->member_columns,
				       .ncolumns = in->shown->nmember_columns };
	struct row_groups *g = groups_of(in, view);
	struct row_group *group;
	bool is_new;

	group = row_groups_get(g, in, members.columns, members.ncolumns, member, view, &is_new);
	if (is_new)
		group->sums = dump_alloc(t->dump, t->ncolumns * sizeof(*group->sums));
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct cell_source *s = &t->columns[i].from;
		const bool is_common_one = is_common(in, i);
		struct cell *sum = &group->sums[i], c;

		if (s->kind <= SOURCE_MEMBERS && !is_common_one)
			continue;
		if (s->cell)
			c = s->cell(member, view);
		else if (!has_cell(&members, is_common_one ? t->columns[i].id : s->of, member, view,
				   &c))
			continue;
		c = cell_value(&c);
		if (s->kind == SOURCE_TIMES)
			row_times_add(t, sum, &c);
		else if (s->kind == SOURCE_VALUES)
			count_value(g, sum, &c);
		else if (is_new)
			*sum = c.kind == CELL_TEXT ? cell_text(intern(&g->texts, c.text)) : c;
		else if (s->kind == SOURCE_COMMON || is_common_one)
			cell_keep_common(sum, &c);
		else
			sum_up(s->kind, sum, &c);
	}
}

void rows_add_groups(struct cmdline *in)
{
	struct row_groups *g = in->row_groups;

	hash_bytes_for_each(const struct row_group, group, &g->groups)
		if (rows_keep_group(in, group, g->view))
			row_add_group(in, group, g->view);
}

bool rows_have_parts(const struct cmdline *in)
{
	return in->shown->member && cmdline_cuts_groups(in) && in->kept < in->members;
}

/* Filters of members, or of groups, by their names: "rss, comm". */
static void add_names(const struct cmdline *in, bool of_groups, struct strbuf *s)
{
	const struct filters *f = &in->filters;
	const char *between = "";

	for (unsigned int i = 0; i < f->n; i++) {
		if (!(in->keys[f->filters[i].key].use & KEY_OF_GROUP) == of_groups)
			continue;
		strbuf_add(s, "%s%s", between, f->filters[i].name);
		between = ", ";
	}
	for (unsigned int i = 0; of_groups && i < f->nrows; i++) {
		strbuf_add(s, "%s%s", between, f->rows[i].name);
		between = ", ";
	}
}

static void put_groups_kept(struct report *r, const struct cmdline *in, bool of_members)
{
	const struct view *v = in->shown;
	const struct table *t = &in->table;
	const uint64_t all = t->n + t->left_out + t->refused;
	struct strbuf members = STRBUF_OF(256), groups = STRBUF_OF(256);

	sink_text(r->sink, "filters kept ");
	add_names(in, false, &members);
	add_names(in, true, &groups);
	if (of_members)
		sink_printf(r->sink, "%s of %s (%s), and of these ", COUNT_TEXT(in->kept),
			    PLURAL_TEXT(in->members, v->member, v->members), members.buf);
	sink_printf(r->sink, "%s of %s", COUNT_TEXT(t->n), PLURAL_TEXT(all, v->row, v->many));
	sink_printf(r->sink, of_members ? " (%s)\n" : "\n", groups.buf);
}

void rows_put_kept(struct report *r, const struct cmdline *in)
{
	const struct view *v = in->shown;
	const struct filters *f = &in->filters;
	unsigned int of_members = 0, rows = v->member_columns ? f->nrows : 0;

	for (unsigned int i = 0; i < f->n; i++)
		of_members += !(in->keys[f->filters[i].key].use & KEY_OF_GROUP);
	if (r->json)
		return;
	if (v->member && (of_members < f->n || rows))
		put_groups_kept(r, in, of_members);
	else if (v->member)
		report_kept(r, f, in->kept, in->members, v->member, v->members);
	else
		report_rows_kept(r, f, &in->table, v->row, v->many);
	report_groups_kept(r, rows_have_parts(in), v->member, v->members);
}
