// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF of which a part is damaged: the types behind it keep their numbers, or none is told. */
#include "btf/btf_gap.h"
#include "stub.h"
#include "test.h"

#define FUNCTIONS 200
#define MOST (1 + 4 * FUNCTIONS)
#define HEADER 24

static uint32_t words[8 * 1024];
static uint32_t used; /* words */
static uint32_t at[MOST + 1];
static uint8_t kinds[MOST + 1];
static uint32_t ntypes;

static void put(uint32_t word)
{
	words[used++] = word;
}

static void begin_type(unsigned int kind, uint32_t parts, uint32_t of)
{
	at[++ntypes] = used;
	kinds[ntypes] = kind;
	put(1);
	put(kind << 24 | parts);
	put(of);
}

static void put_structure(void)
{
	begin_type(BTF_STRUCT, 2, 16);
	for (uint32_t i = 0; i < 2; i++) {
		put(1);
		put(1);
		put(64 * i);
	}
}

static void put_prototype(void)
{
	begin_type(BTF_FUNC_PROTO, 1, 0);
	put(1);
	put(1);
}

/* An int, structures and prototypes in no order or, is_apart, one behind the other, functions. */
static void make(bool is_apart)
{
	uint32_t prototypes[FUNCTIONS];

	memset(words, 0, sizeof(words));
	used = HEADER / 4;
	ntypes = 0;
	begin_type(BTF_INT, 0, 8);
	put(64);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		put_structure();
		if (i * 2654435761U >> 31)
			put_structure();
		if (is_apart)
			continue;
		put_prototype();
		prototypes[i] = ntypes;
	}
	for (uint32_t i = 0; is_apart && i < FUNCTIONS; i++) {
		put_prototype();
		prototypes[i] = ntypes;
	}
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		begin_type(BTF_FUNC, 0, prototypes[i]);
	words[0] = 0x0001eb9f;
	words[1] = HEADER;
	words[2] = 0;
	words[3] = words[4] = used * 4 - HEADER;
	words[5] = 4;
	/* "", "a" */
	words[used] = 'a' << 8;
}

static enum status opened(struct dump *d, struct btf *ret)
{
	return btf_open_split(d, words, used * 4 + 4, NULL, ret);
}

static bool is_known_from(const struct btf *b, uint32_t from)
{
	for (uint32_t i = from; i <= ntypes; i++)
		if (btf_kind(b, i) != kinds[i])
			return false;
	return b->n == ntypes + 1;
}

static void one_that_does_not_fit(void)
{
	STUB(s);
	struct btf b = { 0 };
	struct btf_type t;

	make(false);
	CHECK(opened(&s.dump, &b) == ST_OK && !b.lost && is_known_from(&b, 1));
	/* No kind; a length that leads into another type. */
	for (int i = 0; i < 2; i++) {
		make(false);
		words[at[100] + 1] = i ? BTF_STRUCT << 24 | 3 : 0;
		CHECK(opened(&s.dump, &b) == ST_OK && b.lost && b.lost < 60 &&
		      is_known_from(&b, 160));
		CHECK(!btf_kind(&b, 100) && !btf_type(&b, 100, &t));
		CHECK(btf_kind(&b, 90) == kinds[90]);
	}
}

static void a_page_of_zeros(void)
{
	STUB(s);
	struct btf b = { 0 };

	make(false);
	memset(&words[at[20]], 0, 4 * (at[100] - at[20]));
	CHECK(opened(&s.dump, &b) == ST_OK && b.lost > 79 && is_known_from(&b, 160));
}

/* Where more than one number of lost types fits none is told; what is between two damaged ones is lost. */
static void of_unknown_number(void)
{
	STUB(s);
	struct btf b = { .n = 7 };

	make(true);
	words[at[ntypes - FUNCTIONS - FUNCTIONS / 2] + 1] = 0;
	CHECK(opened(&s.dump, &b) == ST_CORRUPT && b.n == 7);
	make(false);
	words[at[100] + 1] = 0;
	words[at[300] + 1] = 0;
	CHECK(opened(&s.dump, &b) == ST_OK && b.lost > 200 && is_known_from(&b, 360));
}

TESTS({ "one that does not fit", one_that_does_not_fit }, { "a page of zeros", a_page_of_zeros },
      { "an unknown number of them", of_unknown_number })
