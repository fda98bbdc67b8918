// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_cache.h"

#include "util/arena.h"

/* Of pages that are kept: with what a scan and gdb's types take, below 64 MiB (page_cache.h). */
#define LIMIT_BYTES ((size_t)20 * 1024 * 1024)
#define MAX_SLOTS (LIMIT_BYTES / 4096) /* pages of the smallest size there is */

struct slot {
	bool kept;
	int type;
	uint64_t page;
	void *bytes;
};

/* Not that of the command: what it has ends with the command. */
static struct arena arena;
static struct slot *slots;
static unsigned long told;

/* Multiplied by 2^64 divided by the golden ratio, the numbers of consecutive pages are far from each other. */
static struct slot *slot_of(uint64_t page, int type, size_t page_size)
{
	uint64_t mixed = (page / page_size * 8 + type) * 0x9e3779b97f4a7c15;

	return slots + ((mixed >> 32) * (LIMIT_BYTES / page_size) >> 32);
}

const void *page_cache_find(uint64_t page, int type, size_t page_size)
{
	const struct slot *s = slots ? slot_of(page, type, page_size) : NULL;

	return s && s->kept && s->page == page && s->type == type ? s->bytes : NULL;
}

void *page_cache_room(uint64_t page, int type, size_t page_size)
{
	struct slot *s;

	if (!slots)
		slots = arena_alloc(&arena, MAX_SLOTS * sizeof(*slots));
	if (!slots)
		return NULL;
	s = slot_of(page, type, page_size);
	s->kept = false;
	if (!s->bytes)
		s->bytes = arena_alloc(&arena, page_size);
	return s->bytes;
}

void page_cache_keep(uint64_t page, int type, size_t page_size)
{
	struct slot *s = slot_of(page, type, page_size);

	s->kept = true;
	s->page = page;
	s->type = type;
}

void page_cache_check(unsigned long flags)
{
	if (flags != told)
		page_cache_close();
	told = flags;
}

void page_cache_close(void)
{
	arena_reset(&arena);
	slots = NULL;
}
