// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of the dump itself. */
#include <stdlib.h>

#include "names/kallsyms_search.h"
#include "names/table.h"

/* Of VMCOREINFO since 2.6.24: a function, and an object that only CONFIG_KALLSYMS_ALL keeps. */
#define TEXT_SYMBOL "_stext"
#define DATA_SYMBOL "init_uts_ns"

static const struct {
	const char *name;
	size_t place;
} places_of[] = {
	{ "kallsyms_num_syms", offsetof(struct kallsyms_places, num_syms) },
	{ "kallsyms_names", offsetof(struct kallsyms_places, names) },
	{ "kallsyms_markers", offsetof(struct kallsyms_places, markers) },
	{ "kallsyms_token_table", offsetof(struct kallsyms_places, token_table) },
	{ "kallsyms_token_index", offsetof(struct kallsyms_places, token_index) },
	{ "kallsyms_offsets", offsetof(struct kallsyms_places, offsets) },
	{ "kallsyms_relative_base", offsetof(struct kallsyms_places, relative_base) },
};

#define PLACES ARRAY_SIZE(places_of)

static uint64_t *place(struct kallsyms_places *p, size_t i)
{
	return (uint64_t *)((char *)p + places_of[i].place);
}

/* By VMCOREINFO, since 6.0: it never has the markers, and the base is gone in 7.x. */
static bool are_named(struct dump *d, struct kallsyms_places *ret)
{
	bool all = true;

	*ret = (struct kallsyms_places){ 0 };
	for (size_t i = 0; i < PLACES; i++)
		if (d->ops->symbol(d->priv, places_of[i].name, place(ret, i)) != ST_OK)
			all &= place(ret, i) == &ret->relative_base ||
			       place(ret, i) == &ret->markers;
	return all;
}

static enum status find_places(struct dump *d, uint64_t image, uint64_t end,
			       struct kallsyms_places *ret)
{
	uint64_t text;
	enum status st = ST_OK;

	if (are_named(d, ret)) {
		if (!ret->markers)
			st = kallsyms_find_markers(d, ret);
	} else {
		if (d->ops->symbol(d->priv, TEXT_SYMBOL, &text) != ST_OK || text < image ||
		    text >= end)
			text = image;
		st = kallsyms_search(d, text, end, ret);
	}
	return st;
}

/* The tables have no names of themselves, and decoders ask for them: added where they belong. */
struct own_name {
	uint32_t place; /* in places_of */
	uint64_t address;
};

struct filler {
	struct dump *dump;
	const struct kallsyms *kallsyms;
	struct symbols *symbols;
	uint64_t before;	     /* address of the symbol before */
	struct own_name own[PLACES]; /* rising by address */
	size_t n, next;
};

ORDER_BY(by_address, struct own_name, COMPARE(x->address, y->address))

static void find_own(struct filler *f, struct kallsyms_places *p)
{
	for (size_t i = 0; i < PLACES; i++)
		if (*place(p, i))
			f->own[f->n++] = (struct own_name){ i, *place(p, i) };
	qsort(f->own, f->n, sizeof(f->own[0]), by_address);
}

static enum status add_own(struct filler *f, uint64_t below)
{
	enum status st = ST_OK;

	for (; st == ST_OK && f->next < f->n && f->own[f->next].address < below; f->next++) {
		const struct own_name *own = &f->own[f->next];

		st = symbols_add(f->symbols, own->address, own->place,
				 kallsyms_hash_text(places_of[own->place].name));
	}
	return st;
}

/* Behind the places of the tables' own names are those of records. */
static const char *text_of(const void *kallsyms, uint32_t place, char *buf)
{
	return place < PLACES ? places_of[place].name
			      : kallsyms_name(kallsyms, place - PLACES, buf);
}

static enum status add(void *arg, uint32_t i, uint64_t at)
{
	struct filler *f = arg;
	uint64_t addr = kallsyms_address(f->kallsyms, i);
	enum status st = add_own(f, addr);

	/* The kernel itself looks them up by halves. */
	if (addr < f->before)
		return dump_fail(f->dump, ST_CORRUPT,
				 "kallsyms_offsets is corrupt: symbol %u is before symbol %u", i,
				 i - 1);
	f->before = addr;

	if (st == ST_OK && kallsyms_is_lost(f->kallsyms, i))
		return symbols_add_lost(f->symbols, addr, at + PLACES,
					kallsyms_hash(f->kallsyms, at));
	return st ?: symbols_add(f->symbols, addr, at + PLACES, kallsyms_hash(f->kallsyms, at));
}

/*
 * What an offset counts from is not said by the tables: VMCOREINFO says where one symbol is, and the
 * encoding that leads there is the right one.  Of the first of these the address may be lost.
 */
static enum status choose_encoding(struct dump *d, struct kallsyms *k)
{
	static const char *const known[] = { TEXT_SYMBOL, DATA_SYMBOL };
	enum kallsyms_encoding usual;
	uint64_t address;
	uint32_t number;
	size_t i = 0;

	for (; i < ARRAY_SIZE(known); i++) {
		if (d->ops->symbol(d->priv, known[i], &address) != ST_OK)
			return dump_fail(d, ST_UNKNOWN, "VMCOREINFO has no symbol %s", known[i]);
		if (!kallsyms_find(k, known[i], &number))
			return dump_fail(d, k->incomplete ? ST_UNREADABLE : ST_CORRUPT,
					 "kallsyms has no %s%s", known[i],
					 k->incomplete ? ": part of it is not in this dump" : "");
		if (!kallsyms_is_lost(k, number))
			break;
	}
	if (i == ARRAY_SIZE(known))
		return dump_fail(d, ST_UNREADABLE, "kallsyms_offsets at %#lx is not in this dump",
				 k->places.offsets + (uint64_t)number * sizeof(*k->offsets));
	if (kallsyms_address(k, number) == address)
		return ST_OK;
	usual = k->encoding;
	for (k->encoding = KALLSYMS_PLAIN; k->encoding <= KALLSYMS_SELF; k->encoding++)
		if (kallsyms_address(k, number) == address)
			return ST_OK;
	k->encoding = usual;
	return dump_fail(d, ST_CORRUPT, "kallsyms contradicts VMCOREINFO: %s", known[i]);
}

/* Only a symbol that has its own name is where VMCOREINFO has it: the lowest of that name may be another. */
static enum status check(struct dump *d, const struct symbols *s)
{
	static const char *const others[] = { "swapper_pg_dir", "init_top_pgt", "prb" };
	uint64_t known, found;
	enum status st = d->ops->symbol(d->priv, DATA_SYMBOL, &known);

	if (st != ST_OK)
		return ST_OK;
	st = symbols_find(s, DATA_SYMBOL, &found);
	if (st == ST_UNREADABLE)
		return ST_OK;
	if (st != ST_OK)
		return dump_fail(
			d, ST_UNKNOWN,
			"this kernel keeps no symbols of data (CONFIG_KALLSYMS_ALL is off): --vmlinux FILE gives them");
	if (found != known)
		return dump_fail(d, ST_CORRUPT, "kallsyms contradicts VMCOREINFO: " DATA_SYMBOL);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (d->ops->symbol(d->priv, others[i], &known) == ST_OK &&
		    symbols_find(s, others[i], &found) == ST_OK && found != known)
			return dump_fail(d, ST_CORRUPT, "kallsyms contradicts VMCOREINFO: %s",
					 others[i]);
	return ST_OK;
}

static enum status fill(struct dump *d, const struct kallsyms *k, struct kallsyms_places *places,
			struct symbols **ret)
{
	struct filler f = { .dump = d,
			    .kallsyms = k,
			    .symbols = symbols_new(d, (size_t)k->n + PLACES, text_of, k) };
	enum status st;

	find_own(&f, places);
	st = kallsyms_each(k, add, &f) ?: add_own(&f, UINT64_MAX) ?: symbols_complete(f.symbols);
	if (st == ST_OK)
		*ret = f.symbols;
	return st;
}

/* Whatever is wrong with the tables of the dump. */
static enum status add_help(struct dump *d, enum status st)
{
	char why[DUMP_ERROR];

	if (st == ST_OK || st == ST_STOPPED || strstr(d->error, "--vmlinux"))
		return st;
	strcpy(why, d->error);
	return dump_fail(d, st, "%.400s: --vmlinux FILE gives symbols", why);
}

/* Names of functions in stacks are of the tables: d->kallsyms. */
static enum status make_symbols(struct dump *d, struct kallsyms_places *places,
				struct symbols **ret)
{
	struct kallsyms *k = dump_alloc(d, sizeof(*k));
	enum status st = kallsyms_read(d, places, k);

	if (st != ST_OK)
		return st;
	d->kallsyms = k;
	return choose_encoding(d, k) ?: fill(d, k, places, ret);
}

/* What is looked through, for the tables and for other names, is in memory of its own, which is given back. */
enum status symbols_from_kallsyms(struct dump *d, uint64_t image, uint64_t end,
				  struct symbols **ret)
{
	struct kallsyms_places places;
	struct arena *arena = arena_within(d->arena);
	struct dump other;
	struct symbols *s = NULL;
	enum status st;

	dump_init(&other, d->ops, d->priv, arena);
	other.page_shift = d->page_shift;
	other.arch = d->arch;
	st = find_places(&other, image, end, &places);
	st = st == ST_OK ? make_symbols(d, &places, &s) : dump_fail(d, st, "%s", other.error);
	if (s) {
		st = symbols_check_exports(&other, s);
		st = st == ST_OK ? check(d, s) : dump_fail(d, st, "%s", other.error);
	}
	if (st == ST_OK)
		*ret = s;
	arena_reset(arena);
	return add_help(d, st);
}
