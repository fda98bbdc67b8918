// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -k -t tracepoints and -t variables: what frames were collected by. */
#include "kgtp.h"
#include "util/hash_bytes.h"

enum {
	TP_NUMBER,
	TP_ADDRESS,
	TP_SYMBOL,
	TP_LOCATION,
	TP_PROBE,
	TP_HITS,
	TP_PAGE_FAULT,
	TP_STOPPED,
	TP_DISABLED,
	TP_COLUMNS
};

static const struct view_column tracepoint_columns[TP_COLUMNS] = {
	[TP_NUMBER] = { COLUMN_tracepoint, IN_BOTH | KNOWN },
	[TP_ADDRESS] = { COLUMN_address, IN_BOTH,
			 "of the tracepoint, or of the instruction if "
			 "that is unknown" },
	[TP_SYMBOL] = { COLUMN_symbol, IN_BOTH },
	[TP_LOCATION] = { COLUMN_location, IN_BOTH },
	[TP_PROBE] = { COLUMN_probe, IN_JSON },
	[TP_HITS] = { COLUMN_hits, IN_BOTH | KNOWN },
	[TP_PAGE_FAULT] = { COLUMN_page_fault, IN_BOTH },
	[TP_STOPPED] = { COLUMN_stopped, IN_BOTH },
	[TP_DISABLED] = { COLUMN_disabled, IN_JSON },
};

enum { VAR_NUMBER, VAR_NAME, VAR_BUILTIN, VAR_INITIAL, VAR_COLUMNS };

static const struct view_column variable_columns[VAR_COLUMNS] = {
	[VAR_NUMBER] = { COLUMN_number, IN_BOTH | KNOWN },
	[VAR_NAME] = { COLUMN_name, IN_BOTH },
	[VAR_BUILTIN] = { COLUMN_builtin, IN_BOTH | KNOWN },
	[VAR_INITIAL] = { COLUMN_initial_value, IN_BOTH | KNOWN },
};

/* Tracepoints as rows: those of the list, and those that only frames tell of. */
struct counted {
	struct kgtp_view *k;
	struct hash_bytes all; /* struct hits by number and address */
};

struct hits {
	uint64_t number, address, frames;
	bool has_address;
	const struct kgtp_tracepoint *t;
};

static struct hits *hits_of(struct counted *c, uint64_t number, bool has_address, uint64_t address)
{
	uint64_t key[3] = { number, has_address, has_address ? address : 0 };
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(&c->all, key, sizeof(key), &is_new);
	struct hits *h = e ? e->value : NULL;

	if (h && is_new)
		*h = (struct hits){ number, address, 0, has_address, NULL };
	return h;
}

static enum status count(struct counted *c)
{
	const struct kgtp *g = &c->k->kgtp;

	for (size_t i = 0; i < g->tracepoints.n; i++) {
		const struct kgtp_tracepoint *t = &g->tracepoints.t[i];
		struct hits *h = hits_of(c, t->number, true, t->address);

		if (!h)
			return ST_NOMEM;
		h->t = t;
	}
	for (size_t i = 0; i < g->frames.n && !dump_stopped(c->k->view->dump); i++) {
		const struct kgtp_frame *f = &g->frames.f[i];
		uint64_t address = 0;
		bool has = kgtp_view_address(c->k, f, &address);
		struct hits *h;

		if (f->defects & KGTP_HEAD_LOST)
			continue;
		h = hits_of(c, f->number, has, address);
		if (!h)
			return ST_NOMEM;
		h->frames += !f->is_step;
	}
	return ST_OK;
}

static enum status add_tracepoint(struct kgtp_view *k, const struct hits *h)
{
	struct cell *row = table_add(&k->view->in->table);
	const struct kgtp_tracepoint *t = h->t;
	bool is_fault;

	if (!row)
		return ST_NOMEM;
	row[TP_NUMBER] = cell_uint(h->number);
	row[TP_HITS] = cell_uint(h->frames);
	if (h->has_address) {
		row[TP_ADDRESS] = cell_hex(h->address);
		row[TP_SYMBOL] = cell_text(kgtp_view_symbol(k, h->address));
		if (kgtp_view_page_fault(k, h->address, t, &is_fault))
			row[TP_PAGE_FAULT] = cell_bool(is_fault);
	}
	if (t) {
		row[TP_LOCATION] = cell_text(t->name);
		row[TP_PROBE] = cell_text(kgtp_tracepoint_probe(t));
		row[TP_STOPPED] = cell_text(t->stopped);
		row[TP_DISABLED] = cell_bool(t->disabled);
	}
	return ST_OK;
}

static enum status finish(struct kgtp_view *k)
{
	struct fault_view *v = k->view;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st = ST_OK;
	size_t shown;
	bool whole;

	if (o->sort)
		st = table_sort(t, o->sort, o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, 0);
	report_rest(&v->report, t->n - shown, "row", "rows", NULL);
	whole = kgtp_view_warn(k);
	report_end(&v->report, NULL, whole);
	return ST_OK;
}

static enum status show_tracepoints(struct fault_view *v)
{
	struct counted c = { .k = v->data };
	enum status st;

	hash_bytes_init(&c.all, v->dump->arena, sizeof(struct hits));
	st = count(&c);
	for (const struct hash_bytes_entry *e = c.all.first; st == ST_OK && e; e = e->next)
		st = add_tracepoint(c.k, e->value);
	return st == ST_OK ? finish(c.k) : st;
}

static enum status show_variables(struct fault_view *v)
{
	struct kgtp_view *k = v->data;
	const struct kgtp_variables *all = &k->kgtp.variables;

	for (size_t i = 0; i < all->n; i++) {
		struct cell *row = table_add(&v->in->table);

		if (!row)
			return ST_NOMEM;
		row[VAR_NUMBER] = cell_uint(all->v[i].number);
		row[VAR_NAME] = cell_text(all->v[i].name);
		row[VAR_BUILTIN] = cell_bool(all->v[i].builtin);
		row[VAR_INITIAL] = cell_int(all->v[i].initial);
	}
	return finish(k);
}

const struct fault_view_ops kgtp_tracepoints_view = {
	.view = { "tracepoints", "-k -t tracepoints", COLUMNS_OF(tracepoint_columns) },
	.open = kgtp_view_open,
	.show = show_tracepoints,
};

const struct fault_view_ops kgtp_variables_view = {
	.view = { "variables", "-k -t variables", COLUMNS_OF(variable_columns) },
	.open = kgtp_view_open,
	.show = show_variables,
};
