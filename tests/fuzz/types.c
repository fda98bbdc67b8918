// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF that is whole as a form and of any content: types that are made of themselves, or of nothing. */
#include <string.h>

#include "fuzz.h"
#include "types/btf_graph.h"

#define INPUT 1024
#define HEADER 24
#define STRINGS 64
#define KINDS 19

static const char names[] =
	"\0a\0b\0page\0a.b\0ENUM_A\0ENUM_B\0of_these\0counter\0x\0flags\0l\0m\0n";

struct maker {
	const uint8_t *in;
	size_t left;
	uint8_t types[8 * INPUT];
	size_t bytes;
	uint32_t first; /* number of its first type */
};

static uint32_t byte(struct maker *m)
{
	if (!m->left)
		return 0;
	m->left--;
	return *m->in++;
}

static void put(struct maker *m, uint32_t v)
{
	for (unsigned int i = 0; i < 4; i++)
		m->types[m->bytes++] = v >> 8 * i;
}

/* Most numbers of types are of some that are there. */
static uint32_t number(struct maker *m)
{
	uint32_t v = byte(m);

	return v == 255 ? UINT32_MAX : v % 48;
}

static void make_type(struct maker *m)
{
	/* Words of each element and of the type itself. */
	static const uint8_t each[KINDS + 1] = {
		[4] = 3, [5] = 3, [6] = 2, [13] = 2, [15] = 3, [19] = 3
	};
	static const uint8_t fixed[KINDS + 1] = { [1] = 1, [3] = 3, [14] = 1, [17] = 1 };
	uint32_t kind = 1 + byte(m) % KINDS, n = each[kind] ? byte(m) % 8 : 0;

	put(m, byte(m) % STRINGS);
	put(m, kind << 24 | n | (byte(m) & 1) << 31);
	put(m, number(m));
	for (uint32_t i = 0; i < fixed[kind]; i++)
		put(m, number(m));
	for (uint32_t i = 0; i < n; i++) {
		put(m, byte(m) % STRINGS);
		put(m, number(m));
		if (each[kind] == 3)
			put(m, byte(m) << 24 | byte(m) << 6 | byte(m));
	}
}

static size_t make_blob(struct maker *m, uint8_t *blob)
{
	uint32_t head[HEADER / 4] = { 0x0001eb9f, HEADER, 0, 0, 0, STRINGS };

	while (m->left && m->bytes + 256 < sizeof(m->types))
		make_type(m);
	head[3] = head[4] = m->bytes;
	memcpy(blob, head, HEADER);
	memcpy(blob + HEADER, m->types, m->bytes);
	memcpy(blob + HEADER + m->bytes, names, sizeof(names) < STRINGS ? sizeof(names) : STRINGS);
	blob[HEADER + m->bytes + STRINGS - 1] = 0;
	return HEADER + m->bytes + STRINGS;
}

static void ask(const struct type_source *t, const char *type)
{
	static const char *const members[] = {
		"a", "b", "a.b", "flags", "x.x.x", "", ".", "nowhere"
	};
	char text[512];
	struct field f;
	uint64_t size;

	t->type_size(t->priv, type, &size);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (t->member(t->priv, type, members[i], &f) == ST_OK && !f.present)
			__builtin_trap();
		if (t->bits(t->priv, type, members[i], &f) == ST_OK &&
		    f.bit_offset >= 64 + 8 * f.size)
			__builtin_trap();
	}
	if (t->type_text(t->priv, type, text, sizeof(text)) == ST_OK &&
	    strnlen(text, sizeof(text)) == sizeof(text))
		__builtin_trap();
}

void fuzz_types(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static const char *const types[] = { "struct a",      "union b",
					     "enum of_these", "struct page",
					     "struct page.a", "struct a.b",
					     "struct .",      "x",
					     "counter",	      "" };
	static uint8_t blob[HEADER + 8 * INPUT + STRINGS], module[sizeof(blob)];
	static struct btf_graph b;
	static struct maker m;
	struct type_source t;
	uint8_t in[INPUT];
	int64_t value;
	struct field f;
	size_t size;

	if (d->ops->read(d->priv, seed & 0xfff, in, sizeof(in)) != ST_OK)
		return;
	m = (struct maker){ .in = in, .left = sizeof(in) / 2 };
	size = make_blob(&m, blob);
	/* One in four is no whole form. */
	if (!(seed & 3))
		blob[seed % size] ^= 1 + (seed >> 8 & 0x7f);
	if (btf_graph_open(d, blob, size, &b) != ST_OK)
		return;
	m = (struct maker){ .in = in + sizeof(in) / 2, .left = sizeof(in) / 2 };
	size = make_blob(&m, module);
	btf_graph_add(&b, module, size, NULL);
	type_graph_source(&b.graph, "a fuzzer", &t);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		ask(&t, types[i]);
	t.enumerator(t.priv, "ENUM_A", &value);
	t.enumerates(t.priv, "enum of_these", "ENUM_B");
	t.variable(t.priv, "page", &f);
	t.variable(t.priv, "a[0]", &f);
}
