// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers made of a graph of types, on a small BTF; that they are those of crash is tested on real dumps
 * (tests/types.bats).
 */
#include "names/symbols.h"
#include "test.h"
#include "types/btf_graph.h"
#include "types/globals.h"

#define HEADER 24

static struct blob {
	uint8_t bytes[4096], types[2048];
	char strings[1024];
	uint32_t type_bytes, string_bytes, first_string;
	size_t size;
} kernel, module;

static struct arena arena;
static struct dump d;
static struct btf_graph b;
static struct type_source t;

static uint32_t string(struct blob *m, const char *text)
{
	uint32_t at = m->string_bytes;

	strcpy(m->strings + at, text);
	m->string_bytes += strlen(text) + 1;
	return m->first_string + at;
}

static void word(struct blob *m, uint32_t v)
{
	memcpy(m->types + m->type_bytes, &v, 4);
	m->type_bytes += 4;
}

/* A type; n words of its parts follow. */
static void type(struct blob *m, const char *name, enum btf_kind kind, uint32_t n, uint32_t last)
{
	word(m, *name ? string(m, name) : 0);
	word(m, (uint32_t)kind << 24 | n);
	word(m, last);
}

static void member(struct blob *m, const char *name, uint32_t of, uint32_t bits, uint32_t at)
{
	word(m, *name ? string(m, name) : 0);
	word(m, of);
	word(m, bits << 24 | at);
}

static void finish(struct blob *m)
{
	uint32_t head[HEADER / 4] = { 0x0001eb9f,    HEADER,	    0,
				      m->type_bytes, m->type_bytes, m->string_bytes };

	memcpy(m->bytes, head, HEADER);
	memcpy(m->bytes + HEADER, m->types, m->type_bytes);
	memcpy(m->bytes + HEADER + m->type_bytes, m->strings, m->string_bytes);
	m->size = HEADER + m->type_bytes + m->string_bytes;
}

static void has_bits(struct blob *m, uint32_t parts)
{
	m->types[m->type_bytes - 12 * parts - 5] |= 0x80;
}

static void make_kernel(void)
{
	struct blob *m = &kernel;

	memset(m, 0, sizeof(*m));
	string(m, "");
	type(m, "int", BTF_INT, 0, 4), word(m, 32);		      /* 1 */
	type(m, "long unsigned int", BTF_INT, 0, 8), word(m, 64);     /* 2 */
	type(m, "", BTF_STRUCT, 1, 4), member(m, "counter", 1, 0, 0); /* 3 */
	type(m, "atomic_t", BTF_TYPEDEF, 0, 3);			      /* 4 */
	type(m, "", BTF_UNION, 2, 8);				      /* 5: of there */
	member(m, "deep", 2, 0, 0), member(m, "count", 4, 0, 0);
	type(m, "there", BTF_STRUCT, 5, 32); /* 6 */
	member(m, "a", 2, 0, 0), member(m, "", 5, 0, 64), member(m, "ref", 4, 0, 128);
	member(m, "low", 1, 3, 160 + 5), member(m, "cut", 1, 20, 192 + 20);
	has_bits(m, 5);
	type(m, "", BTF_PTR, 0, 6); /* 7 */
	type(m, "holder", BTF_STRUCT, 3, 72);
	member(m, "to", 7, 0, 0), member(m, "in", 6, 0, 64), member(m, "none", 9, 0, 576);
	type(m, "", BTF_ARRAY, 0, 0), word(m, 1), word(m, 1), word(m, 0); /* 9 */
	type(m, "of_these", BTF_ENUM, 2, 4);				  /* 10 */
	word(m, string(m, "FIRST")), word(m, 0), word(m, string(m, "SIXTH")), word(m, 5);
	type(m, "self", BTF_STRUCT, 1, 8), member(m, "", 11, 0, 0); /* 11: in itself */
	type(m, "round", BTF_TYPEDEF, 0, 13), type(m, "about", BTF_TYPEDEF, 0, 12); /* 12, 13 */
	type(m, "user", BTF_STRUCT, 1, 8), member(m, "x", 12, 0, 0);		    /* 14 */
	type(m, "per_cpu", BTF_VAR, 0, 1), word(m, 0);				    /* 15 */
	type(m, "", BTF_FUNC_PROTO, 2, 2);					    /* 16 */
	word(m, string(m, "p")), word(m, 7), word(m, 0), word(m, 0);
	type(m, "function", BTF_FUNC, 0, 16);				   /* 17 */
	type(m, "", BTF_CONST, 0, 7);					   /* 18 */
	type(m, "", BTF_ARRAY, 0, 0), word(m, 18), word(m, 1), word(m, 4); /* 19 */
	type(m, "", BTF_PTR, 0, 16);					   /* 20 */
	type(m, "pointers", BTF_STRUCT, 2, 40), member(m, "all", 19, 0, 0),
		member(m, "call", 20, 0, 256);
	type(m, "list_head", BTF_STRUCT, 2, 16), member(m, "next", 18, 0, 0),
		member(m, "prev", 18, 0, 64);				   /* 22 */
	type(m, "", BTF_ARRAY, 0, 0), word(m, 22), word(m, 1), word(m, 2); /* 23 */
	type(m, "lists", BTF_STRUCT, 3, 80), member(m, "heads", 23, 0, 0),
		member(m, "in", 6, 0, 256), member(m, "deeper", 19, 0, 512); /* 24 */
	type(m, "", BTF_ARRAY, 0, 0), word(m, 18), word(m, 1), word(m, 0);   /* 25 */
	type(m, "", BTF_ARRAY, 0, 0), word(m, 6), word(m, 1), word(m, 0);    /* 26 */
	type(m, "open", BTF_STRUCT, 2, 8), member(m, "n", 2, 0, 0),
		member(m, "all", 25, 0, 64); /* 27 */
	type(m, "rows", BTF_STRUCT, 2, 8), member(m, "n", 2, 0, 0),
		member(m, "row", 26, 0, 64); /* 28 */
	finish(m);
}

static void make_module(void)
{
	struct blob *m = &module;

	memset(m, 0, sizeof(*m));
	m->first_string = kernel.string_bytes;
	string(m, "");
	type(m, "late", BTF_STRUCT, 1, 40),
		member(m, "base", 6, 0, 64); /* 29: there of the kernel */
	type(m, "", BTF_PTR, 0, 29);	     /* 30 */
	type(m, "later", BTF_STRUCT, 1, 8), member(m, "late", 30, 0, 0);
	finish(m);
}

static void begin(void)
{
	static const struct dump_ops none;

	arena_reset(&arena);
	dump_init(&d, &none, NULL, &arena);
	make_kernel();
	make_module();
	CHECK(btf_graph_open(&d, kernel.bytes, kernel.size, &b) == ST_OK);
	type_graph_source(&b.graph, "test", &t);
}

static bool is(const char *of, const char *name, bool bits, const struct field *wanted)
{
	struct field f = { .present = false };
	enum status st = (bits ? t.bits : t.member)(t.priv, of, name, &f);

	return st == ST_OK && f.present && f.kind == wanted->kind && f.offset == wanted->offset &&
	       f.size == wanted->size && f.bit_offset == wanted->bit_offset &&
	       f.bit_size == wanted->bit_size;
}

#define IS(of, name, bits, ...) CHECK(is(of, name, bits, &(struct field){ true, __VA_ARGS__ }))

static void members(void)
{
	struct field f;
	uint64_t size;

	begin();
	IS("struct there", "a", false, KIND_INT, 0, 8, 0, 0);
	IS("struct there", "deep", false, KIND_INT, 8, 8, 0, 0);
	/* A typedef is a number, but not by an expression. */
	IS("struct there", "ref", false, KIND_INT, 16, 4, 0, 0);
	IS("struct there", "ref", true, KIND_STRUCT, 16, 4, 0, 0);
	IS("struct there", "ref.counter", false, KIND_INT, 16, 4, 0, 0);
	IS("struct holder", "in.count", false, KIND_INT, 16, 4, 0, 0);
	IS("struct holder", "to", false, KIND_POINTER, 0, 8, 0, 0);
	IS("struct holder", "none", false, KIND_ARRAY, 72, 0, 0, 0);
	IS("union there", "a", false, KIND_INT, 0, 8, 0, 0);
	CHECK(t.type_size(t.priv, "struct there", &size) == ST_OK && size == 32);
	CHECK(t.member(t.priv, "struct there", "b", &f) == ST_ABSENT);
	CHECK(t.member(t.priv, "struct holder", "to.a", &f) == ST_ABSENT);
	CHECK(t.member(t.priv, "struct holder", "in", &f) == ST_OK && f.kind == KIND_STRUCT);
	CHECK(t.type_size(t.priv, "struct nowhere", &size) == ST_ABSENT);
}

static void bit_fields(void)
{
	begin();
	IS("struct there", "low", false, KIND_INT, 20, 4, 0, 0);
	IS("struct there", "low", true, KIND_INT, 20, 4, 5, 3);
	/* Over the end of its number: from the byte that has its first bit. */
	IS("struct there", "cut", true, KIND_INT, 26, 4, 4, 20);
}

static void types_of_pointers(void)
{
	struct field f;
	uint64_t size;

	begin();
	CHECK(t.type_size(t.priv, "struct holder.to", &size) == ST_OK && size == 32);
	IS("struct holder.to", "ref", false, KIND_STRUCT, 16, 4, 0, 0);
	IS("struct holder.to", "low", false, KIND_INT, 20, 4, 5, 3);
	CHECK(t.member(t.priv, "struct holder.in", "ref", &f) == ST_ABSENT);
	CHECK(t.type_size(t.priv, "struct holder.", &size) == ST_ABSENT);
}

static void enumerators_and_variables(void)
{
	struct field f;
	int64_t value;

	begin();
	CHECK(t.enumerator(t.priv, "SIXTH", &value) == ST_OK && value == 5);
	CHECK(t.enumerator(t.priv, "SEVENTH", &value) == ST_ABSENT);
	CHECK(t.enumerates(t.priv, "enum of_these", "SIXTH"));
	CHECK(!t.enumerates(t.priv, "enum of_those", "SIXTH"));
	CHECK(t.variable(t.priv, "per_cpu", &f) == ST_OK && f.kind == KIND_INT && f.size == 4);
	CHECK(t.variable(t.priv, "per_cpu[0]", &f) == ST_ABSENT);
	CHECK(t.variable(t.priv, "other", &f) == ST_ABSENT);
}

static void texts(void)
{
	char text[512];

	begin();
	CHECK(t.type_text(t.priv, "struct there", text, sizeof(text)) == ST_OK);
	CHECK_TEXT(
		text,
		"type = struct there {\n    unsigned long a;\n    union {\n"
		"        unsigned long deep;\n        atomic_t count;\n    };\n    atomic_t ref;\n"
		"    int low : 3;\n    int cut : 20;\n}\n");
	CHECK(t.type_text(t.priv, "enum of_these", text, sizeof(text)) == ST_OK);
	CHECK_TEXT(text, "type = enum of_these {FIRST, SIXTH = 5}\n");
	CHECK(t.type_text(t.priv, "function", text, sizeof(text)) == ST_OK);
	CHECK_TEXT(text, "type = unsigned long (struct there *, ...)\n");
	CHECK(t.type_text(t.priv, "struct pointers", text, sizeof(text)) == ST_OK);
	CHECK_TEXT(text, "type = struct pointers {\n    struct there * const all[4];\n"
			 "    unsigned long (*call)(struct there *, ...);\n}\n");
	CHECK(t.type_text(t.priv, "struct holder", text, 20) == ST_OK && strlen(text) == 19);
	CHECK(t.type_text(t.priv, "struct nowhere", text, sizeof(text)) == ST_ABSENT);
}

static void types_without_an_end(void)
{
	char text[4096];
	struct field f;
	uint64_t size;

	begin();
	CHECK(t.member(t.priv, "struct self", "a", &f) == ST_ABSENT);
	CHECK(t.member(t.priv, "struct user", "x", &f) == ST_ABSENT);
	CHECK(t.member(t.priv, "struct user", "x.y", &f) == ST_ABSENT);
	CHECK(t.type_size(t.priv, "struct self", &size) == ST_OK && size == 8);
	CHECK(t.type_text(t.priv, "struct self", text, sizeof(text)) == ST_OK);
	CHECK(t.type_text(t.priv, "struct user", text, sizeof(text)) == ST_OK);
}

static void modules(void)
{
	struct field f;

	begin();
	CHECK(t.member(t.priv, "struct late", "base", &f) == ST_ABSENT);
	CHECK(btf_graph_add(&b, module.bytes, module.size, "module") == ST_OK);
	IS("struct late", "base.ref", false, KIND_INT, 24, 4, 0, 0);
	IS("struct later.late", "base.a", false, KIND_INT, 8, 8, 0, 0);
	IS("struct there", "a", false, KIND_INT, 0, 8, 0, 0);
}

/* An image of three pages with the BTF over the end of the first, and one of a test with less. */
#define IMAGE 0xffffffff81000000ULL
#define PAGE 4096

static uint8_t image[3 * PAGE];
static size_t image_bytes = sizeof(image); /* of it, in the dump */
static bool has_symbols;

static enum status image_read(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	if (addr < IMAGE || addr - IMAGE > image_bytes || len > image_bytes - (addr - IMAGE))
		return ST_UNREADABLE;
	memcpy(buf, image + (addr - IMAGE), len);
	return ST_OK;
}

static enum status image_symbol(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	*ret = IMAGE;
	if (!strcmp(name, "__start_BTF"))
		*ret += PAGE - 8;
	if (!strcmp(name, "__stop_BTF"))
		*ret += PAGE - 8 + kernel.size;
	if (!strcmp(name, "_end"))
		*ret += 5 * PAGE;
	return has_symbols || name[1] != '_' ? ST_OK : ST_ABSENT;
}

static void in_an_image(void)
{
	static const struct dump_ops ops = { .read = image_read, .symbol = image_symbol };
	struct type_source found;
	uint64_t size;

	begin();
	memset(image, 0, sizeof(image));
	memcpy(image + PAGE - 8, kernel.bytes, kernel.size);
	memcpy(image + 64, kernel.bytes, HEADER);
	image[64 + 12] = image[64 + 16] = 12;
	image[64 + 13] = image[64 + 17] = image[64 + 21] = 0;
	d.ops = &ops;
	for (unsigned int i = 0; i < 2; i++) {
		has_symbols = i;
		CHECK(types_from_btf(&d, NULL, &found) == ST_OK &&
		      found.type_size(found.priv, "struct there", &size) == ST_OK && size == 32);
	}
	image_bytes = PAGE;
	CHECK(types_from_btf(&d, NULL, &found) == ST_UNREADABLE);
	CHECK(strstr(d.error, "parts of the kernel's BTF are not in this dump"));
	image_bytes = sizeof(image);
	/* Neither where symbols say that it is, nor anywhere else. */
	memset(image + PAGE - 8, 0, 8);
	CHECK(types_from_btf(&d, NULL, &found) == ST_CORRUPT);
	memset(image, 0, sizeof(image));
	has_symbols = false;
	CHECK(types_from_btf(&d, NULL, &found) == ST_ABSENT);
}

/* Each byte changed, each length: an answer or none, and no read outside. */
static void damaged(void)
{
	char text[1024];
	struct field f;
	uint64_t size;

	begin();
	for (size_t at = 0; at < 2 * kernel.size; at++) {
		size_t len = at < kernel.size ? kernel.size : at - kernel.size;
		uint8_t *copy;

		arena_reset(&arena);
		copy = arena_alloc(&arena, len + 1);
		memcpy(copy, kernel.bytes, len);
		if (at < len)
			copy[at] ^= 0x15 << at % 3;
		if (btf_graph_open(&d, copy, len, &b) != ST_OK)
			continue;
		type_graph_source(&b.graph, "test", &t);
		t.member(t.priv, "struct there", "count", &f);
		t.bits(t.priv, "struct there", "cut", &f);
		t.member(t.priv, "struct holder.to", "ref.counter", &f);
		t.type_size(t.priv, "struct self", &size);
		t.type_text(t.priv, "struct holder", text, sizeof(text));
		t.type_text(t.priv, "function", text, sizeof(text));
	}
}

static void indexes_of_files(void)
{
	struct name_index x;

	begin();
	/* The first question makes the slots. */
	CHECK(!name_index_sound(&b.graph.names));
	CHECK(name_index_find(&b.graph.names, NAME_STRUCT, "there", NULL));
	x = b.graph.names;
	CHECK(name_index_sound(&x));
	for (uint32_t i = 0; i < x.n; i++) {
		struct name_row kept = x.rows[i];

		x.rows[i].next = i + 1;
		CHECK(!name_index_sound(&x));
		x.rows[i].next = x.n + 1;
		CHECK(!name_index_sound(&x));
		x.rows[i] = kept;
		x.rows[i].name = x.string_bytes;
		CHECK(!name_index_sound(&x));
		x.rows[i] = kept;
	}
	CHECK(name_index_sound(&x));
	x.nslots--;
	CHECK(!name_index_sound(&x));
}

static enum status size_of(void *priv NOT_USED, const char *type, uint64_t *ret)
{
	*ret = strcmp(type, "struct kfence_metadata") ? 20 : 1088;
	return *ret == 20 && strcmp(type, "struct page_flags_fields") ? ST_ABSENT : ST_OK;
}

static enum status fifty_one(void *priv NOT_USED, const char *name, int64_t *ret)
{
	*ret = 51;
	return strcmp(name, "MEMCG_NR_STAT") ? ST_ABSENT : ST_OK;
}

static void globals(void)
{
	static const struct globals_kernel k = { size_of, fifty_one, NULL };
	static const struct {
		const char *name;
		uint64_t distance;
		enum kind kind; /* KIND_OTHER: absent */
		uint32_t size;
	} cases[] = {
		{ "nr_cpu_ids", 4, KIND_INT, 4 },
		{ "nr_cpu_ids", 0, KIND_INT, 4 },
		{ "nr_cpu_ids", 2, KIND_OTHER, 0 },
		{ "nr_cpu_ids[0]", 4, KIND_OTHER, 0 },
		{ "prb", 8, KIND_POINTER, 8 },
		{ "mem_section", 65536, KIND_OTHER, 0 },
		{ "stack_pools", 65536, KIND_ARRAY, 65536 },
		{ "stack_pools", 16, KIND_POINTER, 8 },
		{ "kfence_metadata", 8, KIND_POINTER, 8 },
		{ "kfence_metadata", 277504, KIND_ARRAY, 255 * 1088 },
		{ "kfence_metadata[0]", 277504, KIND_STRUCT, 1088 },
		{ "mem_cgroup_stats_index", 64, KIND_ARRAY, 51 },
		{ "mem_cgroup_stats_index[0]", 64, KIND_INT, 1 },
		{ "mem_cgroup_stats_index", 224, KIND_ARRAY, 204 },
		{ "mem_cgroup_stats_index[0]", 224, KIND_INT, 4 },
		{ "mem_cgroup_stats_index", 50, KIND_OTHER, 0 },
		{ "zswap_stored_pages", 4, KIND_STRUCT, 4 },
		{ "zswap_stored_pages", 8, KIND_STRUCT, 8 },
		{ "zswap_stored_pages", 2, KIND_OTHER, 0 },
		{ "pff", 168, KIND_ARRAY, 160 },
		{ "pff[0]", 168, KIND_STRUCT, 20 },
		{ "pff", 0, KIND_OTHER, 0 },
		{ "pff", UINT64_MAX, KIND_OTHER, 0 },
		{ "trace_clocks", 256, KIND_ARRAY, 240 },
		{ "unheard_of", 8, KIND_OTHER, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct field f = { .kind = KIND_OTHER };
		enum status st = global_find(&k, cases[i].name, cases[i].distance, &f);

		CHECK((st == ST_OK) == (cases[i].kind != KIND_OTHER));
		CHECK(f.kind == cases[i].kind && f.size == cases[i].size);
	}
}

/* NULL: none. */
static const char *member_at(const char *type, uint64_t at)
{
	struct type_query q = { .by = TYPE_BY_NAME, .name = type };
	struct typed typed;

	CHECK(t.typed(t.priv, &q, &typed) == ST_OK && typed.number);
	q = (struct type_query){
		.by = TYPE_BY_NUMBER, .number = typed.number, .has_at = true, .at = at
	};
	return t.typed(t.priv, &q, &typed) == ST_OK ? typed.member : NULL;
}

static bool covers(const char *type, uint64_t at, const char *wanted)
{
	const char *name = member_at(type, at);

	return wanted ? name && !strcmp(name, wanted) : !name;
}

static void members_by_place(void)
{
	begin();
	CHECK(covers("struct holder", 0, ".to"));
	CHECK(covers("struct holder", 8, ".in.a"));
	/* What of a union is meant is unknown. */
	CHECK(covers("struct there", 8, NULL));
	CHECK(covers("struct holder", 16, ".in"));
	CHECK(covers("struct pointers", 24, ".all[3]"));
	CHECK(covers("struct pointers", 32, ".call"));
	CHECK(covers("struct pointers", 40, NULL));
	/* Of links the whole of them. */
	CHECK(covers("struct lists", 24, ".heads[1]"));
	CHECK(covers("struct lists", 32, ".in.a"));
	CHECK(covers("struct list_head", 8, NULL));
	CHECK(covers("struct self", 0, NULL));
	CHECK(covers("struct user", 0, NULL));
	/* Bit fields. */
	CHECK(covers("struct there", 20, NULL));
	/* An array without a length goes on behind the structure. */
	CHECK(covers("struct open", 0, ".n"));
	CHECK(covers("struct open", 8, ".all[0]"));
	CHECK(covers("struct open", 8 + 8 * 41, ".all[41]"));
	CHECK(covers("struct rows", 8 + 32 * 2, ".row[2].a"));
	CHECK(covers("struct rows", 8 + 32 * 2 + 20, ".row[2]"));
}

/* Of an array without a length at the end the words of one element are told. */
static void open_ends(void)
{
	static const struct {
		const char *name;
		uint32_t at, element, words, inner;
		enum word_form last;
	} cases[] = {
		{ "struct open", 8, 8, 2, 0, WORD_TYPED },
		{ "struct rows", 8, 32, 3, 0, WORD_LONG },
		/* Of numbers that are no pointers. */
		{ "struct holder", 0, 0, 3, 1, WORD_LONG },
		{ "struct pointers", 0, 0, 5, 0, WORD_CODE },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct type_query q = { .by = TYPE_BY_NAME, .name = cases[i].name };
		struct typed typed;

		CHECK(t.typed(t.priv, &q, &typed) == ST_OK);
		CHECK(typed.open_at == cases[i].at && typed.open_element == cases[i].element);
		CHECK(typed.nwords == cases[i].words && typed.ninner == cases[i].inner);
		CHECK(typed.words[typed.nwords - 1].form == cases[i].last);
	}
}

static void last(void)
{
	begin();
	arena_reset(&arena);
}

TESTS({ "members, of unions without a name and by a path", members },
      { "bit fields: the bytes that gdb reads", bit_fields },
      { "a type as what a member points to", types_of_pointers },
      { "enumerators, per-CPU variables", enumerators_and_variables },
      { "texts as gdb's ptype", texts },
      { "types that are made of themselves", types_without_an_end },
      { "types of a module that go on behind the kernel's", modules },
      { "BTF in an image, with symbols and without", in_an_image }, { "damaged BTF", damaged },
      { "an index of a file that goes in a circle", indexes_of_files },
      { "members by the place that they cover", members_by_place },
      { "an array without a length at the end", open_ends },
      { "variables by table and distance", globals }, { "all memory is freed", last })
