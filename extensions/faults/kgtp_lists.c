// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -k -t tracepoints and -t variables: what frames were collected by. */
#include "kgtp.h"

/* A tracepoint of the list, or one that only frames tell of. */
struct hits {
	uint64_t number, frames;
	struct kgtp_spot spot;
	const struct kgtp_tracepoint *t; /* NULL: it is not in the list */
};

#define HITS struct hits
#define VIEW struct kgtp_view

CELL_FROM(address_cell, HITS, kgtp_address_cell(r->spot))
CELL_WITH(symbol_cell, HITS, VIEW, kgtp_symbol_cell(v, r->spot))
CELL_FROM(probe_cell, HITS, cell_text(r->t ? kgtp_tracepoint_probe(r->t) : NULL))
CELL_WITH(page_fault_cell, HITS, VIEW, kgtp_page_fault_cell(v, r->spot))

static const struct view_column tracepoint_columns[] = {
	{ COLUMN_tracepoint, IN_BOTH | KNOWN, UINT_OF(HITS, number) },
	{ COLUMN_address, IN_BOTH, "of the tracepoint, or of the instruction if that is unknown",
	  CELL_BY(address_cell) },
	{ COLUMN_symbol, IN_BOTH, CELL_BY(symbol_cell) },
	{ COLUMN_location, IN_BOTH, VIA(TEXT, HITS, t, name) },
	{ COLUMN_probe, IN_JSON, CELL_BY(probe_cell) },
	{ COLUMN_hits, IN_BOTH | KNOWN, UINT_OF(HITS, frames) },
	{ COLUMN_page_fault, IN_BOTH, CELL_BY(page_fault_cell) },
	{ COLUMN_stopped, IN_BOTH, VIA(TEXT, HITS, t, stopped) },
	{ COLUMN_disabled, IN_JSON, VIA(BOOL, HITS, t, disabled) },
	BASIS(recorded),
};

#define VARIABLE struct kgtp_variable

static const struct view_column variable_columns[] = {
	{ COLUMN_number, IN_BOTH | KNOWN, UINT_OF(VARIABLE, number) },
	{ COLUMN_name, IN_BOTH, TEXT_OF(VARIABLE, name) },
	{ COLUMN_builtin, IN_BOTH | KNOWN, BOOL_OF(VARIABLE, builtin) },
	{ COLUMN_initial_value, IN_BOTH | KNOWN, INT_OF(VARIABLE, initial) },
	BASIS(recorded),
};

static struct hits *hits_of(struct hash_bytes *all, uint64_t number, struct kgtp_spot spot)
{
	uint64_t key[3] = { number, spot.known, spot.known ? spot.address : 0 };
	bool is_new;
	struct hits *h = hash_bytes_get(all, key, sizeof(key), &is_new)->value;

	if (is_new)
		*h = (struct hits){ number, 0, spot, NULL };
	return h;
}

static enum status finish(struct kgtp_view *k)
{
	rows_show(&k->view->report, k->view->in);
	return kgtp_view_end(k, true);
}

static enum status show_tracepoints(struct fault_view *v)
{
	struct kgtp_view *k = v->data;
	const struct kgtp *g = &k->kgtp;
	struct hash_bytes all;

	hash_bytes_init(&all, v->dump->arena, sizeof(struct hits));
	for (size_t i = 0; i < g->tracepoints.n; i++) {
		const struct kgtp_tracepoint *t = &g->tracepoints.t[i];

		hits_of(&all, t->number, (struct kgtp_spot){ t->address, true, true })->t = t;
	}
	for (size_t i = 0; i < g->frames.n && !dump_stopped(v->dump); i++) {
		const struct kgtp_frame *f = &g->frames.f[i];
		struct kgtp_spot spot = kgtp_view_spot(k, f);

		spot.is_exact = false;
		if (!(f->defects & KGTP_HEAD_LOST))
			hits_of(&all, f->number, spot)->frames += !f->is_step;
	}
	for (const struct hash_bytes_entry *e = all.first; e; e = e->next)
		row_add(&v->in->table, e->value, k);
	return finish(k);
}

static enum status show_variables(struct fault_view *v)
{
	struct kgtp_view *k = v->data;

	for (size_t i = 0; i < k->kgtp.variables.n; i++)
		row_add(&v->in->table, &k->kgtp.variables.v[i], k);
	return finish(k);
}

const struct fault_view_ops kgtp_tracepoints_view = {
	.view = { "tracepoints", "-k -t tracepoints", COLUMNS_OF(tracepoint_columns),
		  ALL_ROWS_ARE("row", "rows", NULL, 0) },
	.open = kgtp_view_open,
	.show = show_tracepoints,
};

const struct fault_view_ops kgtp_variables_view = {
	.view = { "variables", "-k -t variables", COLUMNS_OF(variable_columns),
		  ALL_ROWS_ARE("row", "rows", NULL, 0) },
	.open = kgtp_view_open,
	.show = show_variables,
};
