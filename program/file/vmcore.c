// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/vmcore.h"

#include "file/block_cache.h"
#include "file/elf_memory.h"
#include "file/kdump.h"
#include "file/other_formats.h"

/* ELF has no blocks: what is kept of it is of this size. */
#define ELF_SHIFT 12

struct vmcore {
	struct vmcore_facts facts;
	struct elf_memory *elf; /* one of these two */
	struct kdump *kdump;
	struct block_cache cache;
};

static bool starts(const struct input *in, const char *magic, size_t n)
{
	char first[8];

	return input_read_table(in, 0, first, n) && !memcmp(first, magic, n);
}

static enum status open_files(struct dump *d, struct vmcore *v, const struct input *files, size_t n)
{
	size_t kdumps = 0;

	for (size_t i = 0; i < n; i++) {
		if (starts(&files[i], KDUMP_SIGNATURE, 8))
			kdumps++;
		else if (!starts(&files[i], "\177ELF", 4))
			return other_format(d, &files[i]);
	}
	if (kdumps == n)
		return kdump_open(d, files, n, &v->facts, &v->kdump);
	if (n > 1)
		return dump_fail(d, ST_USAGE,
				 "%s: only files of makedumpfile --split are several of one dump",
				 files[0].path);
	return elf_memory_open(d, files, &v->facts, &v->elf);
}

enum status vmcore_open(struct dump *d, const char *const *paths, size_t n, struct vmcore **ret)
{
	struct vmcore *v = dump_alloc(d, sizeof(*v));
	struct input *files = dump_alloc(d, n * sizeof(*files));
	enum status st = ST_OK;

	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = input_open(d, paths[i], &files[i]);
	if (st != ST_OK)
		return st;
	v->facts.release = "";
	st = open_files(d, v, files, n);
	if (st != ST_OK)
		return st;
	if (files[0].is_cut && !v->facts.incomplete)
		v->facts.incomplete = input_cut(&files[0]);
	block_cache_open(d, v->kdump ? __builtin_ctz(v->facts.block_bytes) : ELF_SHIFT, &v->cache);
	*ret = v;
	return st;
}

const struct vmcore_facts *vmcore_facts(const struct vmcore *v)
{
	return &v->facts;
}

static enum status read_block(struct vmcore *v, uint64_t block, void *buf)
{
	enum status st = v->kdump
				 ? kdump_block(v->kdump, block, buf)
				 : elf_memory_read(v->elf, block << ELF_SHIFT, buf, 1 << ELF_SHIFT);

	v->facts.is_damaged |= st == ST_CORRUPT;
	return st;
}

/* Of one block; scans: of many, a read displaces nothing. */
static enum status read_part(struct vmcore *v, uint64_t phys, void *buf, size_t len, bool scans)
{
	size_t bytes = (size_t)1 << v->cache.shift;
	uint64_t block = phys >> v->cache.shift;
	const uint8_t *from = block_cache_find(&v->cache, block);
	enum status st;
	uint8_t *room;

	if (from) {
		memcpy(buf, from + (phys & (bytes - 1)), len);
		return ST_OK;
	}
	if (len == bytes && scans)
		return read_block(v, block, buf);
	room = block_cache_take(&v->cache, block);
	st = read_block(v, block, room);
	/* A segment may begin or end within these bytes. */
	if (st != ST_OK)
		return v->elf ? elf_memory_read(v->elf, phys, buf, len) : st;
	block_cache_keep(&v->cache, block);
	memcpy(buf, room + (phys & (bytes - 1)), len);
	return ST_OK;
}

enum status vmcore_read(struct vmcore *v, uint64_t phys, void *buf, size_t len)
{
	size_t bytes = (size_t)1 << v->cache.shift;
	bool scans = len > bytes;
	enum status st = len && phys > UINT64_MAX - (len - 1) ? ST_UNREADABLE : ST_OK;

	/* The cache has nothing that the file has not. */
	if (v->elf && len >= ELF_DIRECT_BYTES && st == ST_OK)
		return elf_memory_read(v->elf, phys, buf, len);
	while (len && st == ST_OK) {
		size_t room = bytes - (phys & (bytes - 1)), part = len < room ? len : room;

		st = read_part(v, phys, buf, part, scans);
		phys += part;
		buf = (char *)buf + part;
		len -= part;
	}
	return st;
}

enum status vmcore_peek(struct vmcore *v, uint64_t phys, void *buf, size_t len, size_t *stored)
{
	*stored = v->kdump ? kdump_stored(v->kdump, phys >> v->cache.shift) : 0;
	if (!buf || (v->kdump && !(phys & ((1ULL << v->cache.shift) - 1)) &&
		     kdump_start(v->kdump, phys >> v->cache.shift, buf, len)))
		return ST_OK;
	return v->kdump ? vmcore_read(v, phys, buf, len) : elf_memory_read(v->elf, phys, buf, len);
}

bool vmcore_next(const struct vmcore *v, uint64_t *phys, uint64_t *end)
{
	unsigned int shift = v->cache.shift;
	uint64_t block = *phys >> shift, last;

	if (v->elf)
		return elf_memory_next(v->elf, phys, end);
	if (!kdump_next(v->kdump, &block, &last))
		return false;
	if (block << shift > *phys)
		*phys = block << shift;
	*end = last << shift;
	return true;
}
