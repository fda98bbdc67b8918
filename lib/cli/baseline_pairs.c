// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/baseline_pairs.h"
#include "cli/baseline_name.h"

#include <strings.h>

/* Every column of a table, once on each side. */
static void need_all(const struct baseline_diff *d, struct baseline_side *s)
{
	const struct baseline *b = d->baseline;

	baseline_need(s, COLUMN_basis);
	baseline_need(s, COLUMN_confidence);
	for (size_t way = 0; way < BASELINE_WAYS; way++) {
		for (size_t i = 0; i < BASELINE_KEYS; i++)
			baseline_need(s, b->by[way][i]);
		baseline_need(s, b->amounts[way].column);
		baseline_need(s, b->amounts[way].plus);
		baseline_need(s, b->counts[way].column);
		if (b->amounts[way].unit == BASELINE_BLOCKS)
			baseline_need(s, COLUMN_order);
	}
	for (size_t i = 0; i < d->in->ngroups; i++)
		baseline_need(s, d->in->keys[d->in->groups[i]].column);
	baseline_need(s, b->beside.column);
	baseline_need(s, b->instead);
	baseline_need(s, b->others);
	baseline_need(s, COLUMN_alias_names);
}

void baseline_open(struct baseline_diff *d, struct dump *dump, const char *path)
{
	baseline_side_init(&d->before, dump, d->baseline, path);
	baseline_side_init(&d->now, dump, d->baseline, NULL);
	need_all(d, &d->before);
	need_all(d, &d->now);
}

static size_t stem(const char *view)
{
	const char *groups = strstr(view, "_groups");

	return groups ? (size_t)(groups - view) : strlen(view);
}

bool baseline_same_view(const struct baseline_side *a, const struct baseline_side *b)
{
	return a->view && b->view && stem(a->view) == stem(b->view) &&
	       !strncmp(a->view, b->view, stem(a->view));
}

bool baseline_has(const struct baseline_side *s, enum column_id column)
{
	size_t i = baseline_index(s, column);

	return i < s->ncolumns && s->has[i];
}

/* Of no row nothing is known to be missing. */
static bool has(const struct baseline_side *s, enum column_id column)
{
	return baseline_has(s, column) || (!s->nrows && baseline_index(s, column) < s->ncolumns);
}

/* Of another key a group has the names of what happens to be one. */
static bool is_grouped_by(const struct baseline_side *s, enum column_id column)
{
	const char *key = s->groups, *name = column_catalogue[column].name;
	size_t len;

	for (; key && *key; key += len + (key[len] == ',')) {
		len = strcspn(key, ",");
		if (len == strlen(name) && !strncasecmp(key, name, len))
			return true;
	}
	return !s->groups;
}

/* A name that no row has matches none. */
static bool both_know(const struct baseline_diff *d, enum column_id column)
{
	const struct baseline_side *const sides[] = { &d->before, &d->now };
	bool known = true;

	for (size_t n = 0; n < ARRAY_SIZE(sides); n++) {
		size_t i = baseline_index(sides[n], column);

		known &= i < sides[n]->ncolumns && (sides[n]->knows[i] || !sides[n]->nrows);
	}
	return known && is_grouped_by(&d->before, column);
}

static bool both_have(const struct baseline_diff *d, enum column_id column)
{
	return has(&d->before, column) && has(&d->now, column);
}

static bool has_measure(const struct baseline_diff *d, const struct baseline_measure *m)
{
	return m->unit == BASELINE_ROWS || (m->column && both_have(d, m->column));
}

const char *baseline_make_it(const struct baseline_diff *d)
{
	const char *groups = d->in->opts.group;

	if (!d->before.command || (!groups && !d->before.groups))
		return "";
	return arena_text(d->before.dump->arena, ": make it with%s -g%s%s", groups ? "" : "out",
			  groups ? " " : "", groups ?: "");
}

static enum status lacks(const struct baseline_diff *d, enum column_id column)
{
	const char *name = column_catalogue[column].name;

	if (!is_grouped_by(&d->before, column))
		return dump_usage(d->before.dump,
				  "the rows of the file '%s' are by %s (-g), not by %s%s",
				  d->before.path, d->before.groups, name, baseline_make_it(d));
	if (baseline_has(&d->before, column) && d->before.rows_shown < d->before.rows_total)
		return dump_usage(d->before.dump,
				  "no row of the file '%s' has a %s: make it without -n",
				  d->before.path, name);
	return !d->now.nrows || d->now.knows[baseline_index(&d->now, column)]
		       ? dump_usage(d->before.dump, "the rows of the file '%s' have no %s%s",
				    d->before.path, name, baseline_make_it(d))
		       : dump_usage(d->before.dump, "the rows of this view have no %s", name);
}

/* What rows may be matched by stands for their name where it alone makes it. */
static enum status check_filters(const struct baseline_diff *d)
{
	const struct filters *f = &d->in->filters;

	for (unsigned int i = 0; i < f->nrows; i++) {
		const char *name = f->rows[i].name;
		size_t len = strlen(name);

		if (d->in->shown->columns[f->rows[i].key].id != COLUMN_name ||
		    column_rank(COLUMN_name, name, len) < COLUMN_RANKS ||
		    (column_rank(d->by[0], name, len) < COLUMN_RANKS && !d->by[1] &&
		     column_is_text(&column_catalogue[d->by[0]])))
			continue;
		return dump_usage(
			d->before.dump,
			"%s is no key of -%c here: name is, with all that rows are matched "
			"by (%s)",
			name, f->rows[i].exclude ? 'X' : 'f', d->key);
	}
	return ST_OK;
}

static enum status choose_by(struct baseline_diff *d)
{
	const enum column_id *by = NULL;
	struct strbuf s = STRBUF_OF(256);

	for (size_t i = 0; i < d->in->ngroups; i++) {
		d->by[i] = d->in->keys[d->in->groups[i]].column;
		if (!both_know(d, d->by[i]))
			return lacks(d, d->by[i]);
	}
	for (size_t way = 0; !d->in->ngroups && !by && way < BASELINE_WAYS; way++) {
		size_t n = 0;

		by = d->baseline->by[way];
		while (n < BASELINE_KEYS && by[n] && both_know(d, by[n]))
			n++;
		if (!n || (n < BASELINE_KEYS && by[n]))
			by = NULL;
	}
	for (size_t i = 0; !d->in->ngroups && !by && i < BASELINE_KEYS; i++)
		if (!both_know(d, d->baseline->by[0][i]))
			return lacks(d, d->baseline->by[0][i]);
	for (size_t i = 0; by && i < BASELINE_KEYS; i++)
		d->by[i] = by[i];
	for (size_t i = 0; d->by[i]; i++)
		strbuf_add(&s, "%s%s", strbuf_between(&s, ","), column_catalogue[d->by[i]].name);
	d->key = arena_strdup(d->before.dump->arena, s.buf);
	return check_filters(d);
}

static enum status choose_measures(struct baseline_diff *d)
{
	const struct baseline *b = d->baseline;
	bool found = false, has_count = false;

	for (size_t way = 0; way < BASELINE_WAYS; way++) {
		if (!found && has_measure(d, &b->amounts[way]) &&
		    (b->amounts[way].column || b->amounts[way].unit == BASELINE_ROWS)) {
			d->amount = b->amounts[way];
			if (d->amount.plus && !both_have(d, d->amount.plus))
				d->amount.plus = COLUMN_NONE;
			found = true;
		}
		if (!has_count && has_measure(d, &b->counts[way])) {
			d->count = b->counts[way];
			has_count = true;
		}
	}
	if (b->beside.column && both_have(d, b->beside.column))
		d->beside = b->beside;
	return found || !b->amounts[0].column ? ST_OK : lacks(d, b->amounts[0].column);
}

/* Of a row that cannot have any there is none; where no row has it, of sizes that are not all known, it is unknown. */
static void add_plus(const struct baseline_side *s, const struct baseline_row *row,
		     enum column_id plus, struct baseline_value *v)
{
	size_t i = baseline_index(s, plus);

	if (!plus)
		return;
	if (row->cells[i].kind == CELL_INT)
		v->known &= !__builtin_add_overflow(v->n, row->cells[i].i, &v->n);
	else
		v->known &= s->knows[i] || s->sizes_complete;
}

static struct baseline_value value_of(const struct baseline_side *s, const struct baseline_row *row,
				      const struct baseline_measure *m)
{
	const struct cell *cell, *order;
	struct baseline_value v = { 0 };
	size_t i = baseline_index(s, m->column);

	if (m->unit == BASELINE_ROWS && (i == s->ncolumns || !s->has[i]))
		return (struct baseline_value){ .known = true, .n = 1 };
	if (!m->column || i == s->ncolumns)
		return v;
	cell = &row->cells[i];
	v.known = cell->kind == CELL_INT;
	v.n = cell->i;
	v.rounded = row->rounded;
	if (v.known && (m->unit == BASELINE_PAGES || m->unit == BASELINE_BLOCKS))
		v.known = !__builtin_mul_overflow(v.n, (int64_t)s->page_size, &v.n);
	if (v.known && m->unit == BASELINE_BLOCKS) {
		order = &row->cells[baseline_index(s, COLUMN_order)];
		v.known = order->kind == CELL_INT && order->i >= 0 && order->i < 62 &&
			  !__builtin_mul_overflow(v.n, (int64_t)1 << order->i, &v.n);
	}
	add_plus(s, row, m->plus, &v);
	return v;
}

static void add(struct baseline_value *sum, struct baseline_value v, bool is_first)
{
	sum->known = v.known && (is_first || sum->known) &&
		     !__builtin_add_overflow(sum->n, v.n, &sum->n);
	sum->is_bound |= v.is_bound;
	sum->rounded += v.rounded;
}

static void add_sum(struct baseline_sum *sum, const struct baseline_sum *other)
{
	if (!other->rows)
		return;
	add(&sum->amount, other->amount, !sum->rows);
	add(&sum->count, other->count, !sum->rows);
	add(&sum->beside, other->beside, !sum->rows);
	sum->rows += other->rows;
}

/* "unknown": a class of pages, what keeps an object. */
static bool is_rest(const struct baseline_diff *d, const struct baseline_side *s,
		    const struct baseline_row *row, const char *name)
{
	bool is = !name;

	for (size_t i = 0; d->by[i]; i++) {
		const char *text = cell_words(&row->cells[baseline_index(s, d->by[i])]);

		is |= text && !strcmp(text, "unknown");
	}
	return is;
}

static struct baseline_pair *pair_of(struct baseline_diff *d, const char *name)
{
	bool is_new;
	/* Rows without a name are not those with an empty one. */
	struct baseline_pair *p =
		hash_bytes_get(&d->pairs, name ?: "", baseline_name_bytes(name), &is_new)->value;

	if (name && (is_new || baseline_name_is_better(name, p->name)))
		p->name = arena_strdup(d->before.dump->arena, name);
	return p;
}

static unsigned int basis_of(const struct baseline_side *s, const struct baseline_row *row)
{
	const char *word = cell_words(&row->cells[baseline_index(s, COLUMN_basis)]);
	unsigned int basis = BASIS_RECORDED;

	while (word && basis < BASIS_INFERRED && strcmp(word, basis_words[basis]))
		basis++;
	return basis;
}

static void add_confidence(struct baseline_diff *d, struct baseline_pair *p, uint64_t n)
{
	if (!p->confidence.known || n < p->confidence.n)
		p->confidence = (struct maybe_u64){ n, true };
	d->has_confidence = true;
}

static void add_rows(struct baseline_diff *d, const struct baseline_side *s, bool is_now)
{
	char *buf = dump_alloc(s->dump, BASELINE_NAME);

	for (const struct baseline_row *row = s->rows; row; row = row->next) {
		const char *name = baseline_name(d, s, row, buf);
		struct baseline_pair *p = pair_of(d, name);
		const struct baseline_sum one = { .rows = 1,
						  .amount = value_of(s, row, &d->amount),
						  .count = value_of(s, row, &d->count),
						  .beside = value_of(s, row, &d->beside) };
		unsigned int basis = basis_of(s, row);
		const struct cell *confidence;

		add_sum(is_now ? &p->now : &p->before, &one);
		p->is_rest |= is_rest(d, s, row, name);
		if (basis > p->basis)
			p->basis = basis;
		confidence = &row->cells[baseline_index(s, COLUMN_confidence)];
		if (confidence->kind == CELL_INT)
			add_confidence(d, p, (uint64_t)confidence->i);
	}
}

/* Names of what rows have besides their own, "a, b" */
static void add_others(struct baseline_diff *d, const struct baseline_side *s,
		       struct hash_bytes *others)
{
	size_t i = baseline_index(s, d->baseline->others);
	char *buf = dump_alloc(s->dump, BASELINE_NAME);

	for (const struct baseline_row *row = s->rows; row && i < s->ncolumns; row = row->next) {
		const char *at = cell_words(&row->cells[i]);

		for (size_t len; at && *at; at += len + strspn(at + len, ", ")) {
			struct hash_bytes_entry *e;

			len = strcspn(at, ", ");
			e = hash_bytes_get(others, at, len, NULL);
			*(struct baseline_pair **)e->value = pair_of(d,
								     baseline_name(d, s, row, buf));
		}
	}
}

static void merge(struct baseline_diff *d, struct baseline_pair *p, struct baseline_pair *into)
{
	while (into->merged)
		into = into->merged;
	if (into == p)
		return;
	add_sum(&into->now, &p->now);
	add_sum(&into->before, &p->before);
	if (p->basis > into->basis)
		into->basis = p->basis;
	if (p->confidence.known)
		add_confidence(d, into, p->confidence.n);
	p->merged = into;
}

/* What has a name of its own on one side may be counted in another on the other. */
static void merge_others(struct baseline_diff *d)
{
	struct hash_bytes now, before;

	if (!d->baseline->others || d->by[0] != d->baseline->by[0][0] || d->by[1])
		return;
	hash_bytes_init(&now, d->now.dump->arena, sizeof(struct baseline_pair *));
	hash_bytes_init(&before, d->now.dump->arena, sizeof(struct baseline_pair *));
	add_others(d, &d->now, &now);
	add_others(d, &d->before, &before);
	for (struct hash_bytes_entry *e = d->pairs.first; e; e = e->next) {
		struct baseline_pair *p = e->value, **into = NULL;

		if (!p->name)
			continue;
		if (!p->now.rows)
			into = hash_bytes_find(&now, p->name, strlen(p->name));
		if (!into && !p->before.rows)
			into = hash_bytes_find(&before, p->name, strlen(p->name));
		if (into)
			merge(d, p, *into);
	}
}

/* Names of modules, "f [m]", may be new. */
static bool has_names_of_vmlinux(const struct baseline_diff *d)
{
	hash_bytes_for_each(const struct baseline_pair, p, &d->pairs) {
		if (p->name && !strchr(p->name, '[') && !p->before.rows)
			return false;
	}
	return true;
}

/* What a text should have, and has not; NULL: all is there that can be known. */
static const char *lacks_what(const struct baseline_diff *d)
{
	const struct baseline_side *s = &d->before;

	if (!s->text)
		return NULL;
	if (s->is_cut)
		return "its last line has no end";
	if (s->unread)
		return dump_text(s->dump, "%s no form that is known, line %lu",
				 PLURAL_TEXT(s->unread, "line has", "lines have"), s->first_unread);
	if (s->text->must && !s->has_must && !(s->text->or_names && has_names_of_vmlinux(d)))
		return dump_text(s->dump, "it has no line of %s", s->text->must);
	for (const struct hash_bytes_entry *e = d->pairs.first; e && s->text->has_all;
	     e = e->next) {
		const struct baseline_pair *p = e->value;

		if (p->name && !p->before.rows)
			return dump_text(s->dump, "it has no line of %s", p->name);
	}
	return s->lacks;
}

/* Whether all rows that there were are there: then a name that has none had none. */
static bool is_whole(const struct baseline_side *s)
{
	if (s->text)
		return !s->text->is_part;
	/* A line that was left out of the file later is a row that it lacks. */
	return s->has_summary && s->sizes_complete && s->has_rows_shown &&
	       s->rows_shown == s->rows_total &&
	       (s->baseline->record || s->row_lines == s->rows_shown);
}

/* Of a name without rows: they are 0, or unknown. Of one with rows: all there is, or a lower bound. */
static void end_sum(const struct baseline_diff *d, const struct baseline_pair *p,
		    struct baseline_sum *sum, bool is_whole, bool is_each)
{
	if (sum->rows) {
		sum->amount.is_bound = !is_whole && !is_each && !d->amount.is_counter;
		sum->count.is_bound = !is_whole && !is_each && !d->count.is_counter;
		sum->beside.is_bound = sum->amount.is_bound;
		return;
	}
	sum->is_none = sum->amount.known = is_whole && !p->is_lacking;
	sum->beside.known = sum->is_none && d->beside.column;
	sum->count.known = sum->is_none && (d->count.column || d->count.unit == BASELINE_ROWS);
}

void baseline_add_total(struct baseline_diff *d, const struct baseline_pair *p)
{
	struct baseline_pair *t = &d->total;
	bool is_first = !t->now.rows;

	if (p->is_lacking)
		return;
	t->now.rows++;
	add(&t->now.amount, p->now.amount, is_first);
	add(&t->before.amount, p->before.amount, is_first);
	add(&t->now.count, p->now.count, is_first);
	add(&t->before.count, p->before.count, is_first);
	if (p->basis > t->basis)
		t->basis = p->basis;
}

void baseline_end_total(struct baseline_diff *d)
{
	struct baseline_pair *t = &d->total;

	if (d->lacks)
		t->before.amount.known = t->before.count.known = false;
	/* No row at all, of sides that have all there is. */
	if (!t->now.rows) {
		t->now.amount.known = d->now_whole;
		t->before.amount.known = d->before_whole;
	}
	if (d->baseline->overlap)
		t->now = t->before = (struct baseline_sum){ 0 };
}

bool baseline_other_kernel(const struct baseline_diff *d)
{
	const struct baseline_side *b = &d->before, *n = &d->now;

	return b->kernel && n->kernel && strcmp(b->kernel, n->kernel);
}

static bool is_lacking(const struct baseline_diff *d, const struct baseline_pair *p)
{
	const char *name = d->baseline->may_lack;

	return name && p->name && !strncmp(p->name, name, strlen(name)) &&
	       (!p->now.rows || !p->before.rows) && (d->before.text || baseline_other_kernel(d));
}

/* Of rows that others were chosen from, or that are others, nothing is compared. */
static enum status check_options(const struct baseline_diff *d)
{
	const struct baseline_side *b = &d->before, *n = &d->now;

	if (b->text)
		return ST_OK;
	if (!b->has_options)
		return dump_usage(b->dump, "the file '%s' does not tell its options", b->path);
	if (!strcmp(b->options, n->has_options ? n->options : ""))
		return ST_OK;
	if (baseline_same_filters(b, n, &d->in->opts))
		return ST_OK;
	if (!*b->options)
		return dump_usage(
			b->dump,
			"the file '%s' was made without %s, with which rows are compared: make it "
			"anew with %s -j",
			b->path, n->options, n->options);
	return dump_usage(b->dump,
			  "the file '%s' was made with %s: its rows are not those of this view",
			  b->path, b->options);
}

enum status baseline_pair_up(struct baseline_diff *d)
{
	enum status st = check_options(d) ?: choose_by(d) ?: choose_measures(d);

	if (st != ST_OK)
		return st;
	hash_bytes_init(&d->pairs, d->now.dump->arena, sizeof(struct baseline_pair));
	add_rows(d, &d->now, true);
	add_rows(d, &d->before, false);
	merge_others(d);
	d->lacks = lacks_what(d);
	d->before_whole = !d->lacks && is_whole(&d->before);
	d->now_whole = is_whole(&d->now);
	hash_bytes_for_each(struct baseline_pair, p, &d->pairs) {
		p->is_lacking = is_lacking(d, p);
		p->shown = p->name && p->basis == BASIS_INFERRED
				   ? arena_text(d->now.dump->arena, "~%s", p->name)
				   : p->name;
		end_sum(d, p, &p->now, d->now_whole, false);
		end_sum(d, p, &p->before, d->before_whole,
			d->before.text && !d->before.text->has_many);
	}
	return ST_OK;
}

struct cell baseline_growth(const struct baseline_value *now, const struct baseline_value *before)
{
	int64_t n = 0;
	bool known = now->known && before->known && !now->is_bound && !before->is_bound;

	known = known && !__builtin_sub_overflow(now->n, before->n, &n);
	return cell_if(known, cell_int(n));
}

struct cell baseline_most_growth(const struct baseline_pair *p)
{
	const struct cell by = baseline_growth(&p->now.amount, &p->before.amount);
	const struct cell beside = baseline_growth(&p->now.beside, &p->before.beside);

	return by.kind == CELL_INT && beside.kind == CELL_INT && beside.i > by.i ? beside : by;
}

/* A lower bound that is more than all there is on the other side; NULL: it is not. */
static const char *bound_change(const struct baseline_pair *p)
{
	const struct baseline_value *now = &p->now.amount, *before = &p->before.amount;

	if (!now->known || !before->known || p->is_rest)
		return NULL;
	if (!before->is_bound && now->n > before->n)
		return "grown";
	return !now->is_bound && before->n > now->n ? "shrunk" : NULL;
}

const char *baseline_change(const struct baseline_pair *p)
{
	struct cell by = baseline_growth(&p->now.amount, &p->before.amount);
	const struct cell most = baseline_most_growth(p);

	/* Of what is as large as before, or is less by less than it grew beside that, this growth. */
	if (by.kind == CELL_INT && most.i > (by.i < 0 ? -by.i : by.i))
		by = most;
	else if (by.kind == CELL_INT && !by.i)
		by.i = baseline_growth(&p->now.beside, &p->before.beside).i;
	/* Of what has no memory of its own, as areas that map pages of others, how many there are. */
	if (by.kind == CELL_INT && !by.i && !p->now.amount.n)
		by = cell_int(baseline_growth(&p->now.count, &p->before.count).i);
	if ((!p->before.rows && !p->before.is_none) || (!p->now.rows && !p->now.is_none) ||
	    baseline_is_rounding(p))
		return NULL;
	if (p->now.amount.is_bound || p->before.amount.is_bound)
		return p->before.rows && p->now.rows ? bound_change(p) : NULL;
	if (!p->before.rows && !p->is_rest)
		return "new";
	if (!p->now.rows && !p->is_rest)
		return "gone";
	return by.kind != CELL_INT ? NULL : by.i > 0 ? "grown" : by.i < 0 ? "shrunk" : "same";
}
