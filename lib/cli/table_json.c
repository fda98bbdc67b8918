// SPDX-License-Identifier: GPL-2.0-or-later

#include "cli/table.h"
#include "util/units.h"

/* How the cells of a table look in JSON. */

#define ORDER_BITS 64

static void json_orders(struct json *j, const char *key, uint64_t orders)
{
	json_open_array(j, key);
	for (unsigned int i = 0; i < ORDER_BITS; i++)
		if (orders >> i & 1)
			json_uint(j, NULL, i);
	json_close_array(j);
}

static void json_place(struct json *j, const struct src_loc *p)
{
	json_text(j, "file", p->file);
	if (p->line)
		json_uint(j, "line", p->line);
	else
		json_null(j, "line");
}

static void json_source(struct json *j, const struct src_lines *s)
{
	static const struct src_loc unknown;

	json_place(j, s ? &s->at : &unknown);
	if (!s || !s->knows_inlined) {
		json_null(j, "inlined");
		return;
	}
	json_open_array(j, "inlined");
	for (unsigned int i = 0; i < s->ninlined; i++) {
		json_open_object(j, NULL);
		json_text(j, "symbol", s->inlined[i].symbol);
		json_place(j, &s->inlined[i]);
		json_close_object(j);
	}
	json_close_array(j);
}

void json_stack(struct json *j, const char *key, const struct stack *s)
{
	json_open_array(j, key);
	for (unsigned int i = 0; i < s->n; i++) {
		const struct frame *f = s->frames[i];

		json_open_object(j, NULL);
		/* A saved scan has names only. */
		if (f->addr)
			json_hex(j, "addr", f->addr);
		else
			json_null(j, "addr");
		json_text(j, "symbol", f->symbol);
		if (f->symbol)
			json_uint(j, "offset", f->offset);
		else
			json_null(j, "offset");
		json_text(j, "module", f->module);
		json_source(j, f->source);
		json_text(j, "label", frame_label_name(f->label));
		json_close_object(j);
	}
	json_close_array(j);
}

static void json_steps(struct json *j, const char *key, const struct steps *steps)
{
	json_open_object(j, key);
	for (unsigned int i = 0; i < steps->n; i++)
		json_uint(j, steps->name(i), steps->counts[i]);
	json_close_object(j);
}

static void json_cell(struct json *j, const struct column *col, const struct cell *c);

static void json_fields(struct json *j, const char *key, const struct fields *fields)
{
	json_open_object(j, key);
	for (unsigned int i = 0; i < fields->n; i++) {
		const struct column named = { .name = fields->names[i] };

		json_cell(j, &named, &fields->values[i]);
	}
	json_close_object(j);
}

/* Each row has a basis, one of few words: written with its key, as one. False: it is another. */
__attribute__((noinline)) static bool json_basis(struct json *j, const char *word)
{
#define READY(WORD)                                                                  \
	{                                                                            \
		WORD, "\"basis\":\"" WORD "\"", sizeof("\"basis\":\"" WORD "\"") - 1 \
	}
	static const struct {
		const char *word, *text;
		size_t bytes;
	} ready[] = { READY("derived"), READY("recorded"), READY("inferred") };

	for (size_t i = 0; i < ARRAY_SIZE(ready); i++)
		if (*word == *ready[i].word && !strcmp(word, ready[i].word)) {
			json_ready(j, ready[i].text, ready[i].bytes);
			return true;
		}
	return false;
}

static void json_cell(struct json *j, const struct column *col, const struct cell *c)
{
	char buf[CELL_TEXT_BYTES];

	switch (c->kind) {
	case CELL_UINT:
	case CELL_INT:
		if (col->format == FORMAT_ORDERS)
			json_orders(j, col->name, c->u);
		else if (col->format == FORMAT_PERCENT || col->format == FORMAT_HUNDREDTHS)
			json_number(j, col->name, table_cell_text(col, c, buf));
		else if (c->kind == CELL_INT)
			json_int(j, col->name, c->i);
		else
			json_uint(j, col->name, c->u);
		return;
	case CELL_HEX:
		json_hex(j, col->name, c->u);
		return;
	case CELL_BOOL:
		json_bool(j, col->name, c->u);
		return;
	case CELL_TEXT:
		if (col != &column_catalogue[COLUMN_basis] || !json_basis(j, c->text))
			json_text(j, col->name, c->text);
		return;
	case CELL_RANKED:
	case CELL_NAMED:
	case CELL_LIST:
		json_text(j, col->name, cell_words(c));
		return;
	case CELL_STACK:
		json_stack(j, col->name, c->stack);
		return;
	case CELL_STEPS:
		json_steps(j, col->name, c->steps);
		return;
	case CELL_FIELDS:
		json_fields(j, col->name, c->fields);
		return;
	default:
		json_null(j, col->name);
	}
}

void table_json_row(const struct table *t, struct sink *sink, const struct cell *row)
{
	table_json_record(t, sink, "row", row);
}

void table_json_record(const struct table *t, struct sink *sink, const char *record,
		       const struct cell *row)
{
	struct json j;

	json_open_line(&j, sink, record);
	for (size_t i = 0; i < t->nselected; i++) {
		const struct column *col = table_column(t, t->selected[i]);

		json_ready_key(&j, col->key, col->key_bytes);
		json_cell(&j, col, &row[t->selected[i]]);
	}
	json_close_line(&j);
}
