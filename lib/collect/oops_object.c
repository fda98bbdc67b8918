// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/oops_object.h"

#include <ctype.h>

#define NEAR 4096   /* bytes: a member of what a register points to */
#define LOOKED 8192 /* bytes of an object */

struct search {
	const struct session *session;
	struct slabs *slabs;
	const struct oops *oops;
	uint8_t bytes[LOOKED];
	struct first_problem problem;
};

static bool is_near(uint64_t address, uint64_t value)
{
	return address - value < NEAR || value - address < NEAR;
}

/* Whatever a processor has of an address: the bits above are all as the highest one is. */
static bool is_canonical(uint64_t value)
{
	return value >> 56 == 0 || value >> 56 == 0xff;
}

/* Whether a value was taken for a pointer, and was none: the address that the log has is near to it, if it has one. */
static bool is_bad(const struct oops *o, uint64_t value)
{
	if (value < NEAR)
		return false;
	if (o->address.known)
		return is_near(o->address.value, value);
	return o->kind == OOPS_GENERAL_PROTECTION && !is_canonical(value);
}

/* Of the words with a value the one that is nearest to where the register points. */
static bool find_word(const uint8_t *bytes, size_t n, uint64_t value, uint64_t near, uint64_t *ret)
{
	uint64_t best = UINT64_MAX;

	for (size_t at = 0; at + sizeof(value) <= n; at += sizeof(value)) {
		const uint64_t far = at > near ? at - near : near - at;

		if (le64(bytes + at) != value || far >= best)
			continue;
		best = far;
		*ret = at;
	}
	return best != UINT64_MAX;
}

/* The last byte of what slub_debug=P poisoned is another. */
static bool is_filled(const uint8_t *bytes, size_t n)
{
	size_t at = 1;

	while (at < n && bytes[at] == bytes[0])
		at++;
	return n > sizeof(uint64_t) && at + 1 >= n;
}

void oops_object_look(const struct oops *o, const uint8_t *bytes, size_t n, struct oops_object *of)
{
	size_t begin = 0;

	for (unsigned int i = 0; i < o->registers.n && !*of->bad.name; i++) {
		const struct oops_register *r = &o->registers.all[i];

		if (is_bad(o, r->value) &&
		    find_word(bytes, n, r->value, of->offset, &of->word_offset))
			of->bad = *r;
	}
	/* Where the text begins that the word is in. */
	if (*of->bad.name)
		for (begin = of->word_offset; begin && isprint(bytes[begin - 1]);)
			begin--;
	of->nbegin = n - begin < OOPS_BEGIN ? n - begin : OOPS_BEGIN;
	memcpy(of->begin, bytes + begin, of->nbegin);
	of->is_filled = is_filled(bytes, n);
}

static enum oops_use use_of(struct search *x, const struct slab *slab, uint32_t i)
{
	uint64_t bits[SLAB_FREE_WORDS] = { 0 };
	enum status st = slab_free_objects(x->slabs, slab, bits);

	return bits[i / 64] >> i % 64 & 1 ? OOPS_FREE
	       : st == ST_OK		  ? OOPS_IN_USE
					  : OOPS_USE_UNKNOWN;
}

/* ST_ABSENT: it does not point into an object. */
static enum status object_at(struct search *x, const struct oops_register *r,
			     struct oops_object *ret)
{
	struct dump *d = x->session->dump;
	struct page_info info;
	struct slab slab;
	uint64_t phys;
	size_t n;
	uint32_t i;
	enum status st;

	if (r->value < NEAR || dump_phys(d, r->value, &phys) != ST_OK ||
	    !ram_has(x->session->ram, phys >> d->page_shift))
		return ST_ABSENT;
	st = page_type_at(x->session->types, phys >> d->page_shift, &info);
	if (st != ST_OK || info.state != PAGE_TYPE_SLAB)
		return st ?: ST_ABSENT;
	st = slab_at(x->slabs, info.head, &slab) ?: slab_index(&slab, r->value, &i);
	if (st != ST_OK)
		return st;
	*ret = (struct oops_object){ .at = *r,
				     .cache = slab.cache,
				     .address = slab_object(&slab, i),
				     .use = use_of(x, &slab, i) };
	ret->offset = r->value - ret->address;
	n = slab.cache->bytes < LOOKED ? slab.cache->bytes : LOOKED;
	if (dump_try(d, ret->address, x->bytes, n) == ST_OK)
		oops_object_look(x->oops, x->bytes, n, ret);
	return ST_OK;
}

enum status oops_object_find(const struct session *s, struct slabs *slabs, const struct oops *o,
			     struct oops_object *ret)
{
	struct search *x = dump_alloc(s->dump, sizeof(*x));
	struct oops_object of, freed = { 0 };
	enum status st;

	*x = (struct search){ .session = s, .slabs = slabs, .oops = o };
	for (unsigned int i = 0; i < o->registers.n; i++) {
		st = object_at(x, &o->registers.all[i], &of);
		if (st == ST_OK && *of.bad.name) {
			*ret = of;
			return ST_OK;
		}
		if (st == ST_OK && of.use == OOPS_FREE && !freed.cache)
			freed = of;
		st = st == ST_ABSENT ? ST_OK : first_problem_keep(s->dump, &x->problem, st);
		if (st != ST_OK)
			return st;
	}
	if (freed.cache) {
		*ret = freed;
		return ST_OK;
	}
	st = first_problem_end(s->dump, &x->problem);
	return st == ST_OK ? ST_ABSENT : st;
}

bool oops_is_double_free(const struct oops *o, const struct oops_object *of)
{
	return o->kind == OOPS_BUG && of->use == OOPS_FREE && !of->offset &&
	       log_find(o->headline, "mm/slub.c:") && strstr(o->ip, "free");
}

#define ADDRESS_DIGITS 16

bool oops_tells(const char *text, const struct oops_object *of)
{
	char digits[ADDRESS_DIGITS + 1];

	snprintf(digits, sizeof(digits), "%016lx", of->at.value);
	return text && *digits != '0' && strstr(text, digits);
}
