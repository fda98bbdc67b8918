// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/structure.h"

#include "util/utf8.h"

#define LINK_BYTES 8 /* a pointer */

static const char *what(const struct structure *s)
{
	const char *space = strchr(s->type, ' ');

	return space ? space + 1 : s->type;
}

static bool is_of_record(const struct layout_into *to)
{
	return to->form > FORM_FIELD;
}

/* Bytes that are read of it. */
static uint32_t bytes_read(const struct layout_into *to, const struct field *f)
{
	if (!f->present || !is_of_record(to) || to->form == FORM_PLACE)
		return 0;
	return to->form == FORM_LINK ? LINK_BYTES : f->size;
}

static bool fits(const struct layout_into *to, const struct field *f)
{
	switch (to->form) {
	case FORM_BOOL:
		return f->size && f->size <= 8;
	case FORM_NUMBER:
	case FORM_SIGNED:
		return f->size && (f->bit_size ? (f->bit_size + 7) / 8 : f->size) <= to->bytes &&
		       f->size <= 8;
	case FORM_POINTER:
		return f->size == 8;
	case FORM_CHARS:
		return f->size < to->bytes;
	case FORM_BYTES:
		return f->size == to->bytes;
	case FORM_INTS:
		return f->size % 4 == 0;
	case FORM_LONGS:
		return f->size % 8 == 0;
	default:
		return true;
	}
}

/* The most bytes that fit. */
static uint32_t room(const struct layout_into *to)
{
	return to->form == FORM_BOOL ? 8 : to->bytes - (to->form == FORM_CHARS);
}

/* Adds to what is read. */
static void widen(struct structure *s, uint32_t offset, uint32_t bytes)
{
	s->begin = offset < s->begin ? offset : s->begin;
	if (bytes > LAYOUT_MAX || offset > LAYOUT_MAX)
		s->end = UINT32_MAX;
	else if (offset + bytes > s->end)
		s->end = offset + bytes;
}

static enum status make_copy(struct structure *s)
{
	struct layout_buffer copy;
	enum status st = layout_buffer(s->dump, s->type, s->end, &copy);

	return RESULT(st, &s->raw, copy.raw);
}

enum status struct_keep(struct structure *s, const struct field *f)
{
	s->kept = *f;
	widen(s, f->offset, f->size);
	return make_copy(s);
}

static enum status check_width(const struct structure *s, const struct layout_row *row,
			       struct field *f)
{
	if (!f->present || fits(&row->into, f))
		return ST_OK;
	if (row->need == REQUIRED || row->need == REQUIRED_BITS)
		return dump_unknown(s->dump, "%s.%s has %u bytes, its record has room for %u",
				    s->type, row->names[0], f->size, room(&row->into));
	decoder_trace(s->dump, "decide %s.%s of %u bytes is unknown", s->type, row->names[0],
		      f->size);
	f->present = false;
	return ST_OK;
}

static enum status open_one(struct dump *d, const struct layout_row *rows, struct field *found,
			    size_t n, struct structure *s)
{
	*s = (struct structure){ d, rows->type, rows + 1, found + 1, n - 1, .begin = UINT32_MAX };
	for (size_t i = 0; i < s->n; i++) {
		enum status st = check_width(s, &s->rows[i], &s->f[i]);
		uint32_t bytes = bytes_read(&s->rows[i].into, &s->f[i]);

		if (st != ST_OK)
			return st;
		if (bytes)
			widen(s, s->f[i].offset, bytes);
	}
	/* Members that take no bytes are in no copy. */
	s->raw = dump_alloc(d, LINK_BYTES);
	return s->end ? make_copy(s) : ST_OK;
}

enum status structs_open(struct dump *d, const struct layout_row *rows, size_t n, void *ret)
{
	struct field *f = dump_alloc(d, n * sizeof(*f));
	enum status st = layout_resolve(d, rows, n, f);

	for (size_t i = 0; st == ST_OK && i < n; i++) {
		void *at = (char *)ret + rows[i].into.at;
		size_t end = i + 1;

		if (rows[i].into.form == FORM_FIELD)
			*(struct field *)at = f[i];
		if (rows[i].into.form != FORM_STRUCTURE)
			continue;
		while (end < n && rows[end].into.form != FORM_STRUCTURE)
			end++;
		st = open_one(d, &rows[i], &f[i], end - i, at);
	}
	return st;
}

static bool read_part(const struct structure *s, uint64_t addr, uint32_t offset, uint32_t bytes)
{
	return !bytes || dump_try(s->dump, addr + offset, s->raw + offset, bytes) == ST_OK;
}

/* Each member by itself: a page that has none of them may be missing. */
static bool read_members(const struct structure *s, uint64_t addr)
{
	bool all = read_part(s, addr, s->kept.offset, s->kept.size);

	for (size_t i = 0; all && i < s->n; i++)
		all = read_part(s, addr, s->f[i].offset, bytes_read(&s->rows[i].into, &s->f[i]));
	return all;
}

static void put_number(void *to, size_t bytes, uint64_t value)
{
	switch (bytes) {
	case 8:
		memcpy(to, &value, 8);
		break;
	case 4:
		memcpy(to, &(uint32_t){ (uint32_t)value }, 4);
		break;
	case 2:
		memcpy(to, &(uint16_t){ (uint16_t)value }, 2);
		break;
	default:
		*(uint8_t *)to = (uint8_t)value;
	}
}

static uint64_t number(enum layout_form form, const struct field *f, uint64_t addr,
		       const uint8_t *copy)
{
	switch (form) {
	case FORM_SIGNED:
		return field_get_signed(f, copy);
	case FORM_BOOL:
		return field_get(f, copy) != 0;
	case FORM_LINK:
		return f->present ? le64(copy + f->offset) : 0;
	case FORM_PLACE:
		return f->present ? addr + f->offset : 0;
	default:
		return field_get(f, copy);
	}
}

static void put_array(const struct layout_into *to, const struct field *f, const uint8_t *from,
		      uint8_t *record)
{
	uint32_t bytes = f->size < to->bytes ? f->size : to->bytes;
	uint32_t each = to->form == FORM_LONGS ? 8 : to->form == FORM_INTS ? 4 : 1;

	for (uint32_t i = 0; i < bytes; i += each)
		put_number(record + i, each, le_bytes(from + i, each));
}

static void put(const struct layout_into *to, const struct field *f, uint64_t addr,
		const uint8_t *copy, uint8_t *record)
{
	if (to->has)
		record[to->has - 1] = f->present;
	record += to->at;
	if (to->form < FORM_CHARS || to->form > FORM_LONGS) {
		put_number(record, to->bytes, number(to->form, f, addr, copy));
		return;
	}
	memset(record, 0, to->bytes);
	if (f->present)
		put_array(to, f, copy + f->offset, record);
	if (to->form == FORM_CHARS)
		printable((char *)record);
}

enum status struct_decode(const struct structure *s, uint64_t addr, const uint8_t *copy,
			  void *record)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct layout_row *row = &s->rows[i];
		uint64_t value = row->into.max ? field_get(&s->f[i], copy) : 0;

		if (value > row->into.max)
			return dump_corrupt(s->dump, "%s at %#lx: %s is %lu", what(s), addr,
					    row->names[0], value);
	}
	for (size_t i = 0; i < s->n; i++)
		if (is_of_record(&s->rows[i].into))
			put(&s->rows[i].into, &s->f[i], addr, copy, record);
	return ST_OK;
}

static bool is_array(const struct layout_into *to)
{
	return to->form == FORM_INTS || to->form == FORM_LONGS;
}

/* What lies in each page that has a member; an array may be zeros. */
static enum status check(const struct structure *s, uint64_t addr)
{
	uint64_t mask = dump_page_size(s->dump) - 1, checked = s->end;
	enum status st = ST_OK;

	for (size_t i = 0; i < s->n && st == ST_OK && !s->may_be_blank; i++) {
		uint64_t start = s->f[i].offset - ((addr + s->f[i].offset) & mask);
		uint64_t end = start + mask + 1;

		if (start == checked || is_array(&s->rows[i].into) ||
		    !bytes_read(&s->rows[i].into, &s->f[i]))
			continue;
		checked = start;
		start = (int64_t)start < s->begin ? s->begin : start;
		end = end < s->end ? end : s->end;
		st = dump_check(s->dump, addr + start, s->raw + start, end - start, what(s));
	}
	return st;
}

enum status struct_read(const struct structure *s, uint64_t addr, void *record)
{
	enum status st = ST_OK;

	if (s->end)
		st = dump_read(s->dump, addr + s->begin, s->raw + s->begin, s->end - s->begin,
			       what(s));
	if (st == ST_UNREADABLE && read_members(s, addr))
		st = ST_OK;
	if (st == ST_UNREADABLE)
		return dump_fail(s->dump, st, "%s at %#lx is not in this dump", what(s), addr);
	st = st ?: check(s, addr);
	return st ?: struct_decode(s, addr, s->raw, record);
}

const struct field *struct_field(const struct structure *s, size_t at)
{
	static const struct field none;

	for (size_t i = 0; i < s->n; i++)
		if (is_of_record(&s->rows[i].into) && s->rows[i].into.at == at)
			return &s->f[i];
	return &none;
}

/* Rows behind it may be of members of other types. */
static bool is_own(const struct structure *s, const struct layout_row *row)
{
	return row->into.form != FORM_FIELD || !row->type || !strcmp(row->type, s->type);
}

bool struct_has_all(const struct structure *s)
{
	return !ANY_OF(i, s->n, !s->f[i].present && is_own(s, &s->rows[i]));
}
