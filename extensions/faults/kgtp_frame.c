// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -k ID: all that a frame has. */
#include <ctype.h>

#include "kgtp.h"

#define LINE_BYTES 16	 /* of memory */
#define DEFAULT_LINES 16 /* of a range */
#define TEXT_BYTES 32	 /* of a member that is no number */

/* A part of a frame, with -j. */
struct part {
	uint64_t frame;
	const char *part, *name;
	struct maybe_u64 number, address, bytes, pieces;
	struct cell value;
	const char *data;
	bool unsure;
};

#define ROW struct part

CELL_FROM(value_cell, ROW, r->value)

static const char *const parts[] = { "register", "variable", "memory", "member", NULL };

static const struct view_column columns[] = {
	{ COLUMN_frame_id, IN_BOTH | KNOWN, UINT_OF(ROW, frame) },
	{ COLUMN_part, IN_BOTH | KNOWN, .choices = parts, TEXT_OF(ROW, part) },
	{ COLUMN_name, IN_BOTH, TEXT_OF(ROW, name) },
	{ COLUMN_number, IN_BOTH, "of a variable", UINT_MAYBE(ROW, number) },
	{ COLUMN_address, IN_BOTH, "of memory", HEX_MAYBE(ROW, address) },
	{ COLUMN_bytes, IN_BOTH, "of memory", UINT_MAYBE(ROW, bytes) },
	{ COLUMN_pieces, IN_BOTH, "of memory", UINT_MAYBE(ROW, pieces) },
	{ COLUMN_value, IN_BOTH, CELL_BY(value_cell) },
	{ COLUMN_data, IN_JSON, TEXT_OF(ROW, data) },
	{ COLUMN_half_written, IN_BOTH | KNOWN, BOOL_OF(ROW, unsure) },
	BASIS(recorded),
};

struct shown_frame {
	struct kgtp_view *k;
	const struct kgtp_frame *f;
	struct kgtp_content content;
	const struct kgtp_type *type; /* of -T; NULL: none */
	bool as_rows;		      /* with -j, and where rows are sorted or chosen */
	uint64_t lines;		      /* of a range; 0: all */
};

static char *hex_of(struct dump *d, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *text = dump_alloc(d, 2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	return text;
}

static void add_regs(struct shown_frame *s, struct table *t)
{
	const struct kgtp_registers *regs = &s->k->kgtp.regs;

	for (unsigned int i = 0; s->content.has_regs && i < regs->n; i++) {
		const struct part part = {
			.frame = s->f->id,
			.part = "register",
			.name = regs->r[i].name,
			.value = cell_hex(field_get(&regs->r[i].field, s->content.regs)),
			.unsure = s->content.regs_unsure,
		};

		row_add(t, &part, NULL);
	}
}

/*
 * A variable has no type. A kernel's address is canonical (bits 47 and up are set); numbers of
 * 32 bits with a sign are so too, and counts below zero are among these.
 */
static bool has_pointer(const struct kgtp_collected *c)
{
	return c->value < INT32_MIN && c->value >= -(INT64_C(1) << 47);
}

static void add_variables(struct shown_frame *s, struct table *t)
{
	for (size_t i = 0; i < s->content.nvariables; i++) {
		const struct kgtp_collected *c = &s->content.variables[i];
		const struct part part = {
			.frame = s->f->id,
			.part = "variable",
			.name = kgtp_variable_name(&s->k->kgtp.variables, c->number),
			.number = { c->number, true },
			.value = has_pointer(c) ? cell_hex((uint64_t)c->value) : cell_int(c->value),
			.unsure = c->unsure,
		};

		row_add(t, &part, NULL);
	}
}

/* Whether a member is among the bytes that were collected. */
static bool has_member(const struct kgtp_member *m, const uint8_t *bytes, size_t size)
{
	return bytes && m->field.offset + (uint64_t)m->field.size <= size;
}

static bool is_number(const struct field *f)
{
	return (f->kind == KIND_INT || f->kind == KIND_POINTER) && f->size && f->size <= 8;
}

static struct cell member_cell(struct dump *d, const struct kgtp_member *m, const uint8_t *bytes)
{
	const struct field *f = &m->field;

	if (!is_number(f))
		return cell_text(hex_of(d, bytes + f->offset, f->size));
	return f->kind == KIND_POINTER ? cell_hex(field_get(f, bytes))
				       : cell_uint(field_get(f, bytes));
}

/* The elements that a range has of the type of -T, the last one perhaps in part. */
static size_t elements(const struct shown_frame *s, const struct kgtp_memory *m)
{
	return s->type ? (m->size + s->type->size - 1) / s->type->size : 0;
}

static void add_members(struct shown_frame *s, const struct kgtp_memory *m, struct table *t)
{
	for (size_t e = 0; e < elements(s, m); e++) {
		uint64_t at = e * s->type->size;

		for (size_t i = 0; i < s->type->n; i++) {
			const struct kgtp_member *member = &s->type->members[i];
			struct part part = {
				.frame = s->f->id,
				.part = "member",
				.name = member->name,
				.address = { m->address + at + member->field.offset, true },
				.bytes = { member->field.size, true },
				.unsure = m->unsure,
			};

			if (has_member(member, m->bytes + at, m->size - at))
				part.value = member_cell(t->dump, member, m->bytes + at);
			row_add(t, &part, NULL);
		}
	}
}

static void add_memory(struct shown_frame *s, struct table *t)
{
	for (size_t i = 0; i < s->content.nmemory; i++) {
		const struct kgtp_memory *m = &s->content.memory[i];
		const struct part part = {
			.frame = s->f->id,
			.part = "memory",
			.address = { m->address, true },
			.bytes = { m->size, true },
			.pieces = { m->pieces, true },
			.data = hex_of(t->dump, m->bytes, m->size),
			.unsure = m->unsure,
		};

		row_add(t, &part, NULL);
		add_members(s, m, t);
	}
}

static void put_head(struct shown_frame *s)
{
	struct sink *out = s->k->view->out;
	const struct kgtp_frame *f = s->f;
	const struct kgtp_tracepoint *t = kgtp_tracepoint_of(&s->k->kgtp, f);
	const struct kgtp_spot spot = kgtp_view_spot(s->k, f);
	const struct cell symbol = kgtp_symbol_cell(s->k, spot);
	const struct cell is_fault = kgtp_page_fault_cell(s->k, spot);

	sink_printf(out, "frame %lu of cpu %u", f->id, f->ring->cpu);
	if (!(f->defects & KGTP_HEAD_LOST))
		sink_printf(out, ", tracepoint %lu", f->number);
	if (kgtp_view_probe(s->k, f))
		sink_printf(out, " (%s)", kgtp_view_probe(s->k, f));
	if (spot.known)
		sink_printf(out, " at 0x%lx", spot.address);
	if (symbol.kind != CELL_NULL)
		sink_printf(out, " %s", cell_words(&symbol));
	if (is_fault.kind != CELL_NULL && is_fault.u)
		sink_text(out, ", handles page faults");
	sink_text(out, "\n");
	for (unsigned int i = 0; i < KGTP_DEFECTS; i++)
		if (f->defects >> i & 1)
			sink_printf(out, "  %s: %s\n", kgtp_defect_name(1 << i),
				    kgtp_defect_meaning(1 << i));
	if (s->content.unwritten)
		sink_printf(out, "  %s allocated for the frame and not written\n",
			    PLURAL_TEXT(s->content.unwritten, "byte was", "bytes were"));
	if (t && t->user_regs && s->content.has_regs)
		sink_text(out, "  $current: registers of user space, where KGTP took 1 off the "
			       "address of the instruction\n");
}

static void put_regs(struct shown_frame *s)
{
	const struct kgtp_registers *regs = &s->k->kgtp.regs;
	struct sink *out = s->k->view->out;

	if (!s->content.has_regs)
		return;
	sink_printf(out, "  registers%s\n", s->content.regs_unsure ? " (may be half written)" : "");
	for (unsigned int i = 0; i < regs->n; i++)
		sink_printf(out, "%s%8s %016lx%s", i % 3 ? " " : "  ", regs->r[i].name,
			    field_get(&regs->r[i].field, s->content.regs),
			    i % 3 == 2 || i == regs->n - 1 ? "\n" : "");
}

static void put_variables(struct shown_frame *s)
{
	struct sink *out = s->k->view->out;

	if (s->content.nvariables)
		sink_text(out, "  variables\n");
	for (size_t i = 0; i < s->content.nvariables; i++) {
		const struct kgtp_collected *c = &s->content.variables[i];
		const char *name = kgtp_variable_name(&s->k->kgtp.variables, c->number);

		sink_printf(out, "    $%s (%u) = ", name ?: "?", c->number);
		sink_printf(out, has_pointer(c) ? "0x%lx" : "%ld", c->value);
		sink_text(out, c->unsure ? " (may be half written)\n" : "\n");
	}
}

static void put_line(struct sink *out, const struct kgtp_memory *m, size_t at)
{
	size_t n = m->size - at < LINE_BYTES ? m->size - at : LINE_BYTES;

	sink_printf(out, "    %016lx: ", m->address + at);
	for (size_t i = 0; i < LINE_BYTES; i++)
		if (i < n)
			sink_printf(out, "%02x%s", m->bytes[at + i], i == 7 ? "  " : " ");
		else
			sink_text(out, i == 7 ? "    " : "   ");
	sink_text(out, "|");
	for (size_t i = 0; i < n; i++) {
		char c = m->bytes[at + i];

		sink_write(out, c >= ' ' && c <= '~' ? &c : ".", 1);
	}
	sink_text(out, "|\n");
}

static void put_member(struct shown_frame *s, const struct kgtp_member *m, const uint8_t *bytes,
		       size_t size)
{
	struct sink *out = s->k->view->out;
	const struct field *f = &m->field;
	size_t n = f->size < TEXT_BYTES ? f->size : TEXT_BYTES;

	sink_printf(out, "      %s = ", m->name);
	if (!has_member(m, bytes, size)) {
		sink_text(out, "not collected\n");
		return;
	}
	if (is_number(f)) {
		sink_printf(out, f->kind == KIND_POINTER ? "0x%lx\n" : "%lu\n",
			    field_get(f, bytes));
		return;
	}
	for (size_t i = 0; i < n; i++)
		sink_printf(out, "%02x", bytes[f->offset + i]);
	sink_text(out, n < f->size ? "...\n" : "\n");
}

static void put_elements(struct shown_frame *s, const struct kgtp_memory *m)
{
	struct sink *out = s->k->view->out;
	size_t n = elements(s, m), shown = s->lines && s->lines < n ? s->lines : n;

	for (size_t e = 0; e < shown && !dump_stopped(s->k->view->dump); e++) {
		uint64_t at = e * s->type->size;

		sink_printf(out, "    %s at 0x%lx%s\n", s->type->name, m->address + at,
			    m->size - at < s->type->size ? ", in part" : "");
		for (size_t i = 0; i < s->type->n; i++)
			put_member(s, &s->type->members[i], m->bytes + at, m->size - at);
	}
	if (shown < n)
		sink_printf(out, "    ... %zu more (-n 0 shows all)\n", n - shown);
}

static void put_memory(struct shown_frame *s)
{
	struct sink *out = s->k->view->out;

	for (size_t i = 0; i < s->content.nmemory; i++) {
		const struct kgtp_memory *m = &s->content.memory[i];
		size_t lines = (m->size + LINE_BYTES - 1) / LINE_BYTES;
		size_t shown = s->lines && s->lines < lines ? s->lines : lines;

		sink_printf(out, "  memory 0x%lx, %s in %s%s\n", m->address,
			    COUNT_OF(m->size, "byte"), COUNT_OF(m->pieces, "piece"),
			    m->unsure ? " (may be half written)" : "");
		if (s->type) {
			put_elements(s, m);
			continue;
		}
		for (size_t l = 0; l < shown; l++)
			put_line(out, m, l * LINE_BYTES);
		if (shown < lines)
			sink_printf(out, "    ... %s (-n 0 shows all)\n",
				    COUNT_OF(m->size - shown * LINE_BYTES, "more byte"));
	}
}

static enum status show_one(struct shown_frame *s)
{
	enum status st = kgtp_frame_content(&s->k->kgtp.reader, s->f, &s->content);

	if (st != ST_OK)
		return st;
	if (s->as_rows) {
		add_regs(s, &s->k->view->in->table);
		add_variables(s, &s->k->view->in->table);
		add_memory(s, &s->k->view->in->table);
		return ST_OK;
	}
	put_head(s);
	put_regs(s);
	put_variables(s);
	put_memory(s);
	return ST_OK;
}

/* Every frame with that id: two of one id are shown both, marked. */
static enum status show_id(struct shown_frame *s, uint64_t id, bool *found)
{
	const struct kgtp_frames *all = &s->k->kgtp.frames;
	enum status st = ST_OK;

	*found = false;
	for (size_t i = 0; st == ST_OK && i < all->n; i++) {
		if (all->f[i].id != id)
			continue;
		*found = true;
		s->f = &all->f[i];
		st = show_one(s);
	}
	return st;
}

static enum status check_ids(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	uint64_t id;

	for (unsigned int i = 0; i < o->nargs; i++)
		if (!units_parse(o->args[i], &id) || !id)
			return dump_usage(v->dump, "'%s' is no id of a frame", o->args[i]);
	return ST_OK;
}

static enum status open_frames(struct fault_view *v)
{
	const char *type = v->in->opts.type;
	enum status st = kgtp_view_open(v);
	struct kgtp_view *k = v->data;

	if (st == ST_OK && type)
		st = kgtp_type_open(v->dump, type, &k->type);
	return st;
}

static enum status show_frame(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	struct shown_frame s = { .k = v->data };
	enum status st = ST_OK;
	bool all_found = true;

	s.type = o->type ? &s.k->type : NULL;
	s.as_rows = o->json || o->sort || o->reverse || o->columns;
	s.lines = o->has_rows ? o->rows : DEFAULT_LINES;
	for (unsigned int i = 0; st == ST_OK && i < o->nargs; i++) {
		uint64_t id = 0;
		bool found;

		units_parse(o->args[i], &id);
		st = show_id(&s, id, &found);
		if (st == ST_OK && !found)
			report_warn(&v->report, "no ring has a frame %lu", id);
		all_found &= found;
	}
	if (st != ST_OK)
		return st;
	if (o->sort || o->reverse)
		table_sort(&v->in->table, o->sort ?: "frame_id", o->reverse);
	if (s.as_rows)
		report_rows(&v->report, &v->in->table, o, 0);
	return kgtp_view_end(s.k, all_found);
}

const struct fault_view_ops kgtp_frame_view = {
	.view = { "frame", "-k ID", COLUMNS_OF(columns), .takes_arguments = true },
	.check = check_ids,
	.open = open_frames,
	.show = show_frame,
};
