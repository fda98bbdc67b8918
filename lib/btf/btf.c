// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/btf.h"

#include "btf/btf_gap.h"

#define MAGIC 0xeb9f
#define HEADER 24    /* of version 1; hdr_len may be longer */
#define LEAST 12     /* bytes of a type */
#define MAX_LINKS 64 /* const, volatile and typedefs around one type, dimensions of an array */

static uint32_t word(const struct btf *b, const uint8_t *p)
{
	uint32_t v = le32(p);

	return b->big_endian ? __builtin_bswap32(v) : v;
}

static const char *string(const struct btf *b, uint32_t at)
{
	if (b->base && at < b->first_string)
		b = b->base;
	at -= b->first_string;
	return at < b->string_bytes ? b->strings + at : "";
}

static enum status index_types(struct dump *d, struct btf *b)
{
	uint32_t n = 0, len, bad;

	/* Pages of it that no type needs are not touched. */
	b->at = dump_alloc(d, (b->type_bytes / LEAST + 1) * sizeof(*b->at));
	for (uint32_t at = 0; at < b->type_bytes; at += len, n++) {
		len = btf_length(b, at);
		bad = b->first + n;
		if (!len && (!btf_bridge(d, b, &n, &at) || !(len = btf_length(b, at))))
			return dump_corrupt(d, "BTF: type %u does not fit", bad);
		b->at[n] = at;
	}
	b->n = b->first + n;
	return ST_OK;
}

enum status btf_open_split(struct dump *d, const void *bytes, size_t size, const struct btf *base,
			   struct btf *ret)
{
	const uint8_t *p = bytes;
	struct btf b = { .base = base, .first = 1 };
	uint32_t header, types, strings;

	if (size < HEADER || (le_bytes(p, 2) != MAGIC && le_bytes(p, 2) != 0x9feb) || p[2] != 1)
		return dump_corrupt(d, "BTF: no header of version 1");
	b.big_endian = le_bytes(p, 2) != MAGIC;
	header = word(&b, p + 4);
	types = word(&b, p + 8);
	b.type_bytes = word(&b, p + 12);
	strings = word(&b, p + 16);
	b.string_bytes = word(&b, p + 20);
	if (header < HEADER || header > size || types > size - header ||
	    b.type_bytes > size - header - types || strings > size - header ||
	    b.string_bytes > size - header - strings || (!b.string_bytes && !base) ||
	    (b.string_bytes && p[header + strings + b.string_bytes - 1]))
		return dump_corrupt(d, "BTF: its sections do not fit %zu bytes", size);
	if (base) {
		b.first = base->n;
		b.first_string = base->first_string + base->string_bytes;
	}
	b.types = p + header + types;
	b.strings = (const char *)p + header + strings;
	return RESULT(index_types(d, &b), ret, b);
}

size_t btf_search(const void *bytes, size_t size, size_t from)
{
	static const uint8_t little[] = { 0x9f, 0xeb, 1, 0, HEADER, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t big[] = { 0xeb, 0x9f, 1, 0, 0, 0, 0, HEADER, 0, 0, 0, 0 };
	const uint8_t *p = bytes;
	const uint8_t *a, *b;

	if (from >= size)
		return size;
	a = memmem(p + from, size - from, little, sizeof(little));
	b = memmem(p + from, a ? (size_t)(a - p) - from : size - from, big, sizeof(big));
	return b ? (size_t)(b - p) : a ? (size_t)(a - p) : size;
}

unsigned int btf_kind(const struct btf *b, uint32_t id)
{
	return id < b->first || id >= b->n || b->at[id - b->first] == BTF_LOST
		       ? 0
		       : word(b, b->types + b->at[id - b->first] + 4) >> 24 & 0x1f;
}

bool btf_type(const struct btf *b, uint32_t id, struct btf_type *ret)
{
	struct btf_type t = { .name = "" };
	const uint8_t *p;
	uint32_t info, last;

	if (!id) {
		*ret = t;
		return true;
	}
	if (id < b->first && b->base)
		b = b->base;
	if (id >= b->n || id < b->first || b->at[id - b->first] == BTF_LOST)
		return false;
	p = b->types + b->at[id - b->first];
	info = word(b, p + 4);
	last = word(b, p + 8);
	t.kind = info >> 24 & 0x1f;
	t.name = string(b, word(b, p));
	t.n = info & 0xffff;
	t.tail = p + LEAST;
	switch (t.kind) {
	case BTF_ARRAY:
		t.type = word(b, t.tail);
		t.n = word(b, t.tail + 8);
		break;
	case BTF_INT:
	case BTF_FLOAT:
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_ENUM:
	case BTF_ENUM64:
	case BTF_DATASEC:
		t.size = last;
		break;
	default:
		t.type = last;
	}
	t.has_bits = (t.kind == BTF_STRUCT || t.kind == BTF_UNION) && info >> 31;
	t.is_signed = info >> 31;
	*ret = t;
	return true;
}

/* Before the high byte of offsets had it (5.0), the number itself had the size of a bit field. */
static uint32_t bits_of_number(const struct btf *b, uint32_t id)
{
	struct btf_type t;
	uint32_t bits;

	if (!btf_type(b, btf_strip(b, id), &t) || t.kind != BTF_INT)
		return 0;
	bits = word(b, t.tail) & 0xff;
	return bits < t.size * 8 ? bits : 0;
}

bool btf_member(const struct btf *b, const struct btf_type *t, uint32_t i, struct btf_member *ret)
{
	const uint8_t *p = t->tail + (size_t)i * 12;
	uint32_t place;

	if ((t->kind != BTF_STRUCT && t->kind != BTF_UNION) || i >= t->n)
		return false;
	place = word(b, p + 8);
	*ret = (struct btf_member){
		.name = string(b, word(b, p)),
		.type = word(b, p + 4),
		.bit_offset = t->has_bits ? place & 0xffffff : place,
		.bit_size = t->has_bits ? place >> 24 : bits_of_number(b, word(b, p + 4)),
	};
	return true;
}

bool btf_parameter(const struct btf *b, const struct btf_type *t, uint32_t i,
		   struct btf_member *ret)
{
	const uint8_t *p = t->tail + (size_t)i * 8;

	if (t->kind != BTF_FUNC_PROTO || i >= t->n)
		return false;
	*ret = (struct btf_member){ .name = string(b, word(b, p)), .type = word(b, p + 4) };
	return true;
}

bool btf_enumerator(const struct btf *b, const struct btf_type *t, uint32_t i, const char **name,
		    int64_t *value)
{
	const uint8_t *p = t->tail + (size_t)i * (t->kind == BTF_ENUM64 ? 12 : 8);

	if ((t->kind != BTF_ENUM && t->kind != BTF_ENUM64) || i >= t->n)
		return false;
	*name = string(b, word(b, p));
	*value = t->kind == BTF_ENUM64 ? (int64_t)(word(b, p + 4) | (uint64_t)word(b, p + 8) << 32)
				       : (int32_t)word(b, p + 4);
	return true;
}

uint32_t btf_strip(const struct btf *b, uint32_t id)
{
	struct btf_type t;

	for (unsigned int i = 0; i < MAX_LINKS && btf_type(b, id, &t); i++) {
		if (t.kind != BTF_TYPEDEF && t.kind != BTF_CONST && t.kind != BTF_VOLATILE &&
		    t.kind != BTF_RESTRICT && t.kind != BTF_TYPE_TAG)
			break;
		id = t.type;
	}
	return id;
}
