// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/kdump.h"

#include <stdlib.h>
#include <string.h>

#include "file/codec.h"
#include "file/notes.h"
#include "util/endian.h"

/* Offsets in the header, as 64-bit machines lay it out. */
enum {
	H_VERSION = 8,
	H_RELEASE = 12 + 2 * 65, /* of struct new_utsname */
	H_MACHINE = 12 + 4 * 65,
	H_NAME_BYTES = 65,
	H_STATUS = 424,
	H_BLOCK_BYTES = 428,
	H_SUB_BLOCKS = 432,
	H_BITMAP_BLOCKS = 436,
	H_BLOCKS = 440, /* of memory; 32 bits */
	H_BYTES = 464,
};

/* Offsets in the header behind it, a block further; the version says how many there are. */
enum {
	S_SPLIT = 12,
	S_START = 16,
	S_END = 24,
	S_VMCOREINFO = 32, /* version 3: offset in the file, bytes */
	S_NOTES = 48,	   /* version 4: the same */
	S_START_64 = 80,   /* version 6 */
	S_END_64 = 88,
	S_BLOCKS_64 = 96,
	S_BYTES = 104,
};

#define STATUS_INCOMPLETE 0x8

/* A descriptor: offset of the block in the file, bytes there, how it is compressed, flags of the page. */
enum { D_OFFSET = 0, D_BYTES = 8, D_FLAGS = 12, D_SIZE = 24 };

#define RANK_BITS 512 /* blocks between two counts */

/* A compressed block of zeros is this long at most: one that is longer is not looked at. */
#define ZERO_BYTES 128

struct kdump {
	const struct input *input;
	unsigned int block_bytes;
	uint64_t blocks;  /* of memory: bits of the bitmap */
	uint64_t descs;	  /* offset of the descriptors */
	uint64_t *bitmap; /* blocks that are in the file */
	uint64_t *ranks;  /* how many before each RANK_BITS */
	uint64_t zero;	  /* offset of a block that is all zero; 0: none was seen */
	struct codec *codec;
	struct window desc_window, block_window;
};

struct header {
	uint8_t bytes[H_BYTES];
	uint8_t sub[S_BYTES];
	unsigned int version, block_bytes;
	uint64_t sub_blocks, bitmap_blocks, blocks;
};

static enum status read_header(struct dump *d, const struct input *in, struct header *h)
{
	if (!input_read(in, 0, h->bytes, sizeof(h->bytes)))
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its header", in->path);
	h->version = le32(h->bytes + H_VERSION);
	h->block_bytes = le32(h->bytes + H_BLOCK_BYTES);
	h->sub_blocks = le32(h->bytes + H_SUB_BLOCKS);
	h->bitmap_blocks = le32(h->bytes + H_BITMAP_BLOCKS);
	h->blocks = le32(h->bytes + H_BLOCKS);
	if (h->block_bytes < 4096 || h->block_bytes > KDUMP_MOST_BLOCK ||
	    (h->block_bytes & (h->block_bytes - 1)))
		return dump_fail(d, ST_CORRUPT, "%s: blocks of %u bytes cannot be", in->path,
				 h->block_bytes);
	memset(h->sub, 0, sizeof(h->sub));
	if (h->sub_blocks && !input_read(in, h->block_bytes, h->sub, sizeof(h->sub)))
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its header", in->path);
	if (h->version >= 6 && le64(h->sub + S_BLOCKS_64))
		h->blocks = le64(h->sub + S_BLOCKS_64);
	return ST_OK;
}

/* Two bitmaps stand one behind the other, what exists and what was dumped; very old files have one. */
static enum status read_bitmap(struct dump *d, struct kdump *k, const struct header *h)
{
	uint64_t bytes = h->bitmap_blocks * k->block_bytes;
	uint64_t at = (1 + h->sub_blocks) * k->block_bytes, n = 0, words;
	bool two = bytes / 2 >= h->blocks / 8;

	if (two) {
		bytes /= 2;
		at += bytes;
	}
	if (!bytes || at > k->input->size || bytes > k->input->size - at)
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its bitmap of pages",
				 k->input->path);
	k->blocks = h->blocks < bytes * 8 ? h->blocks : bytes * 8;
	words = (k->blocks + 63) / 64;
	/* A count for each, and bits behind the end that are none. */
	k->bitmap = dump_alloc(d, (words + RANK_BITS / 64) * sizeof(*k->bitmap));
	k->ranks = dump_alloc(d, (k->blocks / RANK_BITS + 1) * sizeof(*k->ranks));
	if (!k->bitmap || !k->ranks)
		return ST_NOMEM;
	if (!input_read(k->input, at, k->bitmap, (k->blocks + 7) / 8))
		return dump_fail(d, ST_CORRUPT, "%s: its bitmap of pages cannot be read",
				 k->input->path);
	if (k->blocks % 64)
		k->bitmap[words - 1] &= (1ULL << k->blocks % 64) - 1;
	for (uint64_t i = 0; i < words; i++) {
		if (i % (RANK_BITS / 64) == 0)
			k->ranks[i / (RANK_BITS / 64)] = n;
		n += __builtin_popcountll(k->bitmap[i]);
	}
	k->descs = (1 + h->sub_blocks + h->bitmap_blocks) * k->block_bytes;
	return ST_OK;
}

static enum status read_note(struct dump *d, const struct kdump *k, const struct header *h,
			     struct vmcore_facts *facts)
{
	enum status st = ST_ABSENT;

	if (h->version >= 3)
		st = notes_text(d, k->input, le64(h->sub + S_VMCOREINFO),
				le64(h->sub + S_VMCOREINFO + 8), &facts->vmcoreinfo,
				&facts->vmcoreinfo_bytes);
	if (st != ST_OK && st != ST_NOMEM && h->version >= 4)
		st = notes_vmcoreinfo(d, k->input, le64(h->sub + S_NOTES),
				      le64(h->sub + S_NOTES + 8), &facts->vmcoreinfo,
				      &facts->vmcoreinfo_bytes);
	return st == ST_NOMEM ? st : ST_OK;
}

static char *name_in(struct dump *d, const struct header *h, size_t at)
{
	char name[H_NAME_BYTES + 1] = "";

	memcpy(name, h->bytes + at, H_NAME_BYTES);
	return arena_strdup(d->arena, name);
}

static enum status set_facts(struct dump *d, struct kdump *k, const struct header *h,
			     struct vmcore_facts *facts)
{
	facts->format = "kdump";
	facts->block_bytes = k->block_bytes;
	facts->machine = name_in(d, h, H_MACHINE);
	facts->release = name_in(d, h, H_RELEASE);
	if (!facts->machine || !facts->release)
		return dump_no_memory(d);
	if (!*facts->machine)
		facts->machine = NULL;
	if (le32(h->bytes + H_STATUS) & STATUS_INCOMPLETE)
		facts->incomplete = "makedumpfile had no room for the rest";
	return read_note(d, k, h, facts);
}

enum status kdump_open(struct dump *d, const struct input *in, struct vmcore_facts *facts,
		       struct kdump **ret)
{
	struct kdump *k = dump_alloc(d, sizeof(*k));
	enum status st = k ? ST_OK : ST_NOMEM;
	struct header h;

	if (st == ST_OK)
		st = read_header(d, in, &h);
	if (st != ST_OK)
		return st;
	k->input = in;
	k->block_bytes = h.block_bytes;
	st = read_bitmap(d, k, &h);
	if (st == ST_OK)
		st = set_facts(d, k, &h, facts);
	if (st == ST_OK)
		st = codec_open(d, &k->codec);
	if (st == ST_OK)
		st = window_open(d, in, 65536, &k->desc_window);
	if (st == ST_OK)
		st = window_open(d, in, 4 * KDUMP_MOST_BLOCK, &k->block_window);
	if (st == ST_OK)
		*ret = k;
	return st;
}

static bool is_in(const struct kdump *k, uint64_t block)
{
	return block < k->blocks && k->bitmap[block / 64] >> block % 64 & 1;
}

/* Descriptors of blocks stand in their order: how many come before this one. */
static uint64_t rank(const struct kdump *k, uint64_t block)
{
	uint64_t n = k->ranks[block / RANK_BITS], word = block / RANK_BITS * (RANK_BITS / 64);

	for (; word < block / 64; word++)
		n += __builtin_popcountll(k->bitmap[word]);
	return n + __builtin_popcountll(k->bitmap[word] & ((1ULL << block % 64) - 1));
}

static bool is_zero(const uint8_t *p, size_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

enum status kdump_block(struct kdump *k, uint64_t block, void *buf)
{
	const uint8_t *desc, *in;
	uint64_t at;
	uint32_t bytes, flags;
	enum status st;

	if (!is_in(k, block))
		return ST_UNREADABLE;
	desc = window_at(&k->desc_window, k->descs + rank(k, block) * D_SIZE, D_SIZE);
	if (!desc)
		return ST_UNREADABLE;
	at = le64(desc + D_OFFSET);
	bytes = le32(desc + D_BYTES);
	flags = le32(desc + D_FLAGS);
	/* All blocks of zeros share the bytes of one. */
	if (k->zero && at == k->zero) {
		memset(buf, 0, k->block_bytes);
		return ST_OK;
	}
	if (bytes > k->block_bytes)
		return ST_CORRUPT;
	in = window_at(&k->block_window, at, bytes);
	if (!in)
		return ST_UNREADABLE;
	if (flags & CODEC_FLAGS) {
		st = codec_block(k->codec, flags, in, bytes, buf, k->block_bytes);
		if (st != ST_OK)
			return ST_CORRUPT;
		if (bytes <= ZERO_BYTES && is_zero(buf, k->block_bytes))
			k->zero = at;
		return ST_OK;
	}
	if (bytes != k->block_bytes)
		return ST_CORRUPT;
	memcpy(buf, in, bytes);
	return ST_OK;
}

/* The first block at or above one whose bit is this, up to the end of memory. */
static uint64_t find_bit(const struct kdump *k, uint64_t block, bool set)
{
	while (block < k->blocks) {
		uint64_t word = (set ? k->bitmap[block / 64] : ~k->bitmap[block / 64]) >>
				block % 64;

		if (word) {
			block += __builtin_ctzll(word);
			return block < k->blocks ? block : k->blocks;
		}
		block = (block / 64 + 1) * 64;
	}
	return k->blocks;
}

bool kdump_next(const struct kdump *k, uint64_t *block, uint64_t *end)
{
	uint64_t first = find_bit(k, *block, true);

	if (first >= k->blocks)
		return false;
	*block = first;
	*end = find_bit(k, first, false);
	return true;
}
