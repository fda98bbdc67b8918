// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/vmcore.h"

#include <string.h>

#include "file/elf_memory.h"
#include "file/kdump.h"

/* Blocks that were uncompressed last and asked for in parts: 8 MiB, in sets of WAYS. */
#define CACHE_BYTES (8u << 20)
#define WAYS 4
#define NO_BLOCK UINT64_MAX

struct vmcore {
	struct vmcore_facts facts;
	struct input input;
	struct elf_memory *elf; /* one of these two */
	struct kdump *kdump;
	unsigned int block_shift;
	size_t sets;
	uint64_t *tags;	  /* block of each slot, or NO_BLOCK */
	uint8_t *victims; /* of each set: the slot that is taken next */
	uint8_t *cache;
};

static enum status open_cache(struct dump *d, struct vmcore *v)
{
	size_t slots = CACHE_BYTES / v->facts.block_bytes;

	v->block_shift = __builtin_ctz(v->facts.block_bytes);
	v->sets = slots / WAYS;
	v->tags = dump_alloc(d, slots * sizeof(*v->tags));
	v->victims = dump_alloc(d, v->sets);
	v->cache = dump_alloc(d, CACHE_BYTES);
	if (!v->tags || !v->victims || !v->cache)
		return ST_NOMEM;
	for (size_t i = 0; i < slots; i++)
		v->tags[i] = NO_BLOCK;
	return ST_OK;
}

enum status vmcore_open(struct dump *d, const char *const *paths, size_t n, struct vmcore **ret)
{
	struct vmcore *v = dump_alloc(d, sizeof(*v));
	enum status st = v ? ST_OK : ST_NOMEM;
	char magic[8] = "";

	if (n != 1)
		return dump_fail(d, ST_USAGE, "a dump of several files is not read yet");
	if (st == ST_OK)
		st = input_open(d, paths[0], &v->input);
	if (st != ST_OK)
		return st;
	v->facts.release = "";
	if (!input_read(&v->input, 0, magic, sizeof(magic)))
		return dump_fail(d, ST_UNKNOWN, "%s: it is too short for a dump", paths[0]);
	if (!memcmp(magic, KDUMP_SIGNATURE, sizeof(magic))) {
		st = kdump_open(d, &v->input, &v->facts, &v->kdump);
		if (st == ST_OK)
			st = open_cache(d, v);
	} else if (!memcmp(magic, "\177ELF", 4)) {
		st = elf_memory_open(d, &v->input, &v->facts, &v->elf);
	} else {
		st = dump_fail(d, ST_UNKNOWN, "%s: unknown format", paths[0]);
	}
	if (st == ST_OK)
		*ret = v;
	return st;
}

const struct vmcore_facts *vmcore_facts(const struct vmcore *v)
{
	return &v->facts;
}

/* Where the block is in the cache; NULL: it is not. */
static uint8_t *cached(struct vmcore *v, uint64_t block)
{
	size_t set = block % v->sets * WAYS;

	for (size_t i = set; i < set + WAYS; i++)
		if (v->tags[i] == block)
			return v->cache + (i << v->block_shift);
	return NULL;
}

/* In place of the oldest of its set. */
static enum status fetch(struct vmcore *v, uint64_t block, uint8_t **ret)
{
	size_t set = block % v->sets, slot = set * WAYS + v->victims[set];
	enum status st;

	v->tags[slot] = NO_BLOCK;
	*ret = v->cache + (slot << v->block_shift);
	st = kdump_block(v->kdump, block, *ret);
	if (st != ST_OK)
		return st;
	v->tags[slot] = block;
	v->victims[set] = (v->victims[set] + 1) % WAYS;
	return ST_OK;
}

static enum status read_blocks(struct vmcore *v, uint64_t phys, char *buf, size_t len)
{
	size_t bytes = v->facts.block_bytes;

	while (len) {
		uint64_t block = phys >> v->block_shift;
		size_t at = phys & (bytes - 1), part = len < bytes - at ? len : bytes - at;
		uint8_t *from = cached(v, block);
		enum status st = ST_OK;

		/* A scan of whole blocks goes by the cache. */
		if (!from && part == bytes)
			st = kdump_block(v->kdump, block, buf);
		else if (!from)
			st = fetch(v, block, &from);
		if (st != ST_OK)
			return st;
		if (from)
			memcpy(buf, from + at, part);
		phys += part;
		buf += part;
		len -= part;
	}
	return ST_OK;
}

enum status vmcore_read(struct vmcore *v, uint64_t phys, void *buf, size_t len)
{
	return v->elf ? elf_memory_read(v->elf, phys, buf, len) : read_blocks(v, phys, buf, len);
}

bool vmcore_next(const struct vmcore *v, uint64_t *phys, uint64_t *end)
{
	uint64_t block, last;

	if (v->elf)
		return elf_memory_next(v->elf, phys, end);
	block = *phys >> v->block_shift;
	if (!kdump_next(v->kdump, &block, &last))
		return false;
	if (block << v->block_shift > *phys)
		*phys = block << v->block_shift;
	*end = last << v->block_shift;
	return true;
}
