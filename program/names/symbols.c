// SPDX-License-Identifier: GPL-2.0-or-later
#include "names/symbols.h"

#include <stdlib.h>

#include "names/table.h"
#include "util/hash_u64.h"

#define BUCKET 16 /* names in a bucket: a line of cache */

/* Some names are those of thousands of static variables. */
#define MOST_OF_BUCKET 65536

#define LOST (1u << 31) /* places are below the bytes of all names */

struct entry {
	uint64_t address;
	uint32_t place; /* of the name, with LOST: the address is one that it is not below */
	uint32_t hash;	/* of it; 0: it is not known */
};

/* A slot is the number of an entry from 1 on, and above it bits of the hash. */
#define NUMBER_BITS 23
#define NUMBER ((1u << NUMBER_BITS) - 1)

struct symbols {
	struct dump *dump;
	struct entry *entries; /* rising by address once complete, of equals as they were added */
	size_t n, room, unnamed, lost;
	bool sorted;
	const char *(*text)(const void *of, uint32_t place, char *buf);
	const void *of;
	struct hash_u64 kept; /* names of entries that were asked for by address */
	/* Slots in buckets by the lower bits of hashes, each in the order of entries; starts: where each begins, and the end. */
	uint32_t *slots, *starts, nbuckets;
};

struct symbols *symbols_new(struct dump *d, size_t n,
			    const char *(*text)(const void *of, uint32_t place, char *buf),
			    const void *of)
{
	struct symbols *s = dump_alloc(d, sizeof(*s));

	if (n > NUMBER)
		arena_fail(n);
	*s = (struct symbols){ .dump = d, .room = n, .sorted = true, .text = text, .of = of };
	s->entries = dump_alloc(d, n * sizeof(*s->entries));
	hash_u64_init(&s->kept, d->arena, sizeof(const char *));
	return s;
}

enum status symbols_add(struct symbols *s, uint64_t addr, uint32_t place, uint32_t hash)
{
	struct entry *e = &s->entries[s->n];

	if (s->n == s->room)
		return dump_fail(s->dump, ST_CORRUPT, "more than %zu symbols", s->room);
	*e = (struct entry){ addr, place, hash };
	s->unnamed += !hash;
	if (s->n && addr < e[-1].address)
		s->sorted = false;
	s->n++;
	return ST_OK;
}

enum status symbols_add_lost(struct symbols *s, uint64_t addr, uint32_t place, uint32_t hash)
{
	enum status st = symbols_add(s, addr, place | LOST, hash);

	s->lost += st == ST_OK && hash;
	return st;
}

void symbols_move(struct symbols *s, uint64_t slide)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->entries[i].address >> 32)
			s->entries[i].address += slide;
}

ORDER_BY(by_address, struct entry, COMPARE(x->address, y->address) ?: COMPARE(x->place, y->place))

static uint32_t bucket_of(const struct symbols *s, uint32_t hash)
{
	return hash & (s->nbuckets - 1);
}

/* From sums of how many each has to where it begins. */
static enum status place_buckets(struct symbols *s)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i <= s->nbuckets; i++) {
		uint32_t n = s->starts[i];

		if (n > MOST_OF_BUCKET)
			return dump_fail(s->dump, ST_CORRUPT,
					 "names of symbols that no kernel has");
		s->starts[i] = sum;
		sum += n;
	}
	return ST_OK;
}

/* Entries are written into their buckets in order: one table of all, in the order of hashes, is all misses of caches. */
enum status symbols_complete(struct symbols *s)
{
	uint32_t *next;

	if (!s->sorted)
		qsort(s->entries, s->n, sizeof(*s->entries), by_address);
	s->sorted = true;
	for (s->nbuckets = 1; s->nbuckets * BUCKET < s->n;)
		s->nbuckets *= 2;
	s->starts = dump_alloc(s->dump, (s->nbuckets + 1) * sizeof(*s->starts));
	next = dump_alloc(s->dump, s->nbuckets * sizeof(*next));
	s->slots = dump_alloc(s->dump, s->n * sizeof(*s->slots));
	for (size_t i = 0; i < s->n; i++)
		s->starts[bucket_of(s, s->entries[i].hash)] += !!s->entries[i].hash;
	if (place_buckets(s) != ST_OK)
		return ST_CORRUPT;
	memcpy(next, s->starts, s->nbuckets * sizeof(*next));
	for (size_t i = 0; i < s->n; i++) {
		uint32_t hash = s->entries[i].hash;

		if (hash)
			s->slots[next[bucket_of(s, hash)]++] = (i + 1) | (hash & ~NUMBER);
	}
	return ST_OK;
}

/* Of several of one name the lowest address is the first. ST_UNREADABLE: it has one, which is lost. */
static enum status find_exactly(const struct symbols *s, const char *name, uint64_t *ret)
{
	uint32_t hash = kallsyms_hash_text(name), bucket = bucket_of(s, hash);
	char buf[SYMBOL_NAME];

	for (uint32_t i = s->starts[bucket]; i < s->starts[bucket + 1]; i++) {
		const struct entry *e = &s->entries[(s->slots[i] & NUMBER) - 1];

		if ((s->slots[i] ^ hash) >> NUMBER_BITS || e->hash != hash ||
		    strcmp(s->text(s->of, e->place & ~LOST, buf), name))
			continue;
		if (e->place & LOST)
			return ST_UNREADABLE;
		*ret = e->address;
		return ST_OK;
	}
	return ST_ABSENT;
}

/* It stays where it is for as long as there are symbols. */
static const char *keep_name(struct symbols *s, size_t i)
{
	char buf[SYMBOL_NAME];
	bool is_new;
	const char **kept = hash_u64_get(&s->kept, i, &is_new);

	if (is_new)
		*kept = arena_strdup(s->dump->arena, s->text(s->of, s->entries[i].place, buf));
	return *kept;
}

enum status symbols_find(const struct symbols *s, const char *name, uint64_t *ret)
{
	/* What gcc adds where it changed the arguments of a function, or took a part out of it. */
	static const char *const suffixes[] = { ".isra.0", ".part.0", ".isra.0.part.0",
						".part.0.isra.0" };
	char full[256];
	enum status st = find_exactly(s, name, ret);

	for (size_t i = 0; st == ST_ABSENT && i < ARRAY_SIZE(suffixes); i++)
		if ((size_t)snprintf(full, sizeof(full), "%s%s", name, suffixes[i]) < sizeof(full))
			st = find_exactly(s, full, ret);
	return st == ST_ABSENT && s->unnamed ? ST_UNREADABLE : st;
}

/* How many symbols are at or below an address. */
static size_t count_below(const struct symbols *s, uint64_t addr)
{
	return COUNT_FRONT(i, s->n, s->entries[i].address <= addr);
}

/* Where the entry begins that is behind above others; 0: none, or unknown. */
static uint64_t next_above(const struct symbols *s, size_t above)
{
	return above < s->n && !(above && s->entries[above - 1].place & LOST)
		       ? s->entries[above].address
		       : 0;
}

enum status symbols_closest(struct symbols *s, uint64_t addr, struct symbol *ret)
{
	size_t above = count_below(s, addr), i = above;
	uint64_t start, end;

	if (!above)
		return ST_ABSENT;
	start = s->entries[above - 1].address;
	end = next_above(s, above);
	/* Of what is behind it one that is lost may be the nearest. */
	if (s->entries[above - 1].place & LOST && addr > start)
		return ST_UNREADABLE;
	while (i && s->entries[i - 1].address == start)
		i--;
	if (!s->entries[i].hash || s->entries[i].place & LOST)
		return ST_UNREADABLE;
	*ret = (struct symbol){ keep_name(s, i), start, end ? end - start : 0 };
	return ST_OK;
}

uint64_t symbols_above(const struct symbols *s, uint64_t addr)
{
	return next_above(s, count_below(s, addr));
}

size_t symbols_count(const struct symbols *s)
{
	return s->n;
}

size_t symbols_unnamed(const struct symbols *s)
{
	return s->unnamed;
}

size_t symbols_lost(const struct symbols *s)
{
	return s->lost;
}
