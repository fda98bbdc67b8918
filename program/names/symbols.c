// SPDX-License-Identifier: GPL-2.0-or-later
#include "names/symbols.h"

#include <stdlib.h>

#include "names/table.h"

#define TEXT_BLOCK (256 << 10) /* bytes of names that are allocated at once */

/* The table of names is at most two thirds full: by chance that many names in a row never happen. */
#define MOST_PROBES 4096

struct entry {
	uint64_t address;
	const char *name; /* NULL: it is not known */
	uint32_t order;	  /* that it was added in */
	uint32_t hash;	  /* of the name */
};

struct slot {
	uint32_t hash;
	uint32_t number; /* of the entry, from 1; 0: free */
};

struct symbols {
	struct dump *dump;
	struct entry *entries; /* rising by address once complete, of equals as they were added */
	size_t n, room, unnamed;
	bool sorted;
	char *text;
	size_t text_left;
	struct slot *slots;
	uint32_t mask; /* their number - 1 */
};

struct symbols *symbols_new(struct dump *d, size_t n)
{
	struct symbols *s = dump_alloc(d, sizeof(*s));

	if (n >= UINT32_MAX / 4)
		arena_fail(n);
	*s = (struct symbols){ .dump = d, .room = n, .sorted = true };
	s->entries = dump_alloc(d, n * sizeof(*s->entries));
	return s;
}

static const char *keep_text(struct symbols *s, const char *name, size_t len)
{
	char *ret;

	if (len + 1 > s->text_left) {
		s->text_left = len + 1 > TEXT_BLOCK ? len + 1 : TEXT_BLOCK;
		s->text = dump_alloc(s->dump, s->text_left);
	}
	ret = s->text;
	memcpy(ret, name, len);
	ret[len] = '\0';
	s->text += len + 1;
	s->text_left -= len + 1;
	return ret;
}

/* Eight bytes at a time: names are hashed by the hundred thousand. */
static uint32_t hash_of(const char *name, size_t len)
{
	uint64_t h = len, word;

	for (; len >= 8; name += 8, len -= 8) {
		memcpy(&word, name, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, name, len);
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h >> 32;
}

enum status symbols_add(struct symbols *s, uint64_t addr, const char *name, size_t len)
{
	struct entry *e = &s->entries[s->n];

	if (s->n == s->room)
		return dump_fail(s->dump, ST_CORRUPT, "more than %zu symbols", s->room);
	*e = (struct entry){ .address = addr, .order = s->n };
	if (name) {
		e->hash = hash_of(name, len);
		e->name = keep_text(s, name, len);
	} else {
		s->unnamed++;
	}
	if (s->n && addr < e[-1].address)
		s->sorted = false;
	s->n++;
	return ST_OK;
}

/* The slot that has a name, or the free one where it belongs; NULL: there are too many in a row. */
static struct slot *slot_of(const struct symbols *s, const char *name, uint32_t hash)
{
	for (uint32_t i = 0; i < MOST_PROBES; i++) {
		struct slot *slot = &s->slots[(hash + i) & s->mask];

		if (!slot->number)
			return slot;
		if (slot->hash == hash && !strcmp(s->entries[slot->number - 1].name, name))
			return slot;
	}
	return NULL;
}

void symbols_move(struct symbols *s, uint64_t slide)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->entries[i].address >> 32)
			s->entries[i].address += slide;
}

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

enum status symbols_complete(struct symbols *s)
{
	size_t nslots = 16;

	if (!s->sorted)
		qsort(s->entries, s->n, sizeof(*s->entries), by_address);
	s->sorted = true;
	while (nslots * 2 < 3 * s->n)
		nslots *= 2;
	s->slots = dump_alloc(s->dump, nslots * sizeof(*s->slots));
	s->mask = nslots - 1;
	for (size_t i = 0; i < s->n; i++) {
		const struct entry *e = &s->entries[i];
		struct slot *slot = e->name ? slot_of(s, e->name, e->hash) : NULL;

		if (e->name && !slot)
			return dump_fail(s->dump, ST_CORRUPT,
					 "names of symbols that no kernel has");
		/* Of several of one name the lowest address, which comes first, stays. */
		if (slot && !slot->number)
			*slot = (struct slot){ e->hash, i + 1 };
	}
	return ST_OK;
}

static bool find_exactly(const struct symbols *s, const char *name, uint64_t *ret)
{
	const struct slot *slot = slot_of(s, name, hash_of(name, strlen(name)));

	if (!slot || !slot->number)
		return false;
	*ret = s->entries[slot->number - 1].address;
	return true;
}

enum status symbols_find(const struct symbols *s, const char *name, uint64_t *ret)
{
	/* What gcc adds where it changed the arguments of a function, or took a part out of it. */
	static const char *const suffixes[] = { "", ".isra.0", ".part.0", ".isra.0.part.0",
						".part.0.isra.0" };
	char full[256];

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if ((size_t)snprintf(full, sizeof(full), "%s%s", name, suffixes[i]) <
			    sizeof(full) &&
		    find_exactly(s, full, ret))
			return ST_OK;
	return s->unnamed ? ST_UNREADABLE : ST_ABSENT;
}

/* How many symbols are at or below an address. */
static size_t count_below(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->entries[mid].address <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

enum status symbols_closest(const struct symbols *s, uint64_t addr, struct symbol *ret)
{
	size_t above = count_below(s, addr), i = above;
	uint64_t start, end;

	if (!above)
		return ST_ABSENT;
	start = s->entries[above - 1].address;
	end = above < s->n ? s->entries[above].address : 0;
	while (i && s->entries[i - 1].address == start)
		i--;
	if (!s->entries[i].name)
		return ST_UNREADABLE;
	*ret = (struct symbol){ s->entries[i].name, start, end ? end - start : 0 };
	return ST_OK;
}

uint64_t symbols_above(const struct symbols *s, uint64_t addr)
{
	size_t above = count_below(s, addr);

	return above < s->n ? s->entries[above].address : 0;
}

size_t symbols_count(const struct symbols *s)
{
	return s->n;
}

size_t symbols_unnamed(const struct symbols *s)
{
	return s->unnamed;
}
