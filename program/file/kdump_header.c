// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/kdump_header.h"

#include "file/vmcore.h"

#define NAME_BYTES 65 /* of each name of struct new_utsname, which stands at 12 */

/* Offsets in the first header. */
enum {
	H_VERSION = 8,
	H_RELEASE = 12 + 2 * NAME_BYTES,
	H_MACHINE = 12 + 4 * NAME_BYTES,
	H_TIME = 408,
	H_STATUS = 424,
	H_BLOCK_BYTES = 428,
	H_SUB_BLOCKS = 432,    /* of the second one */
	H_BITMAP_BLOCKS = 436, /* of both bitmaps */
	H_BLOCKS = 440,	       /* of memory; 32 bits */
	H_BYTES = 464,
};

/* In the second one, a block further, and the version that has them first. */
enum {
	S_SPLIT = 12,	   /* 2 */
	S_START = 16,	   /* 2 */
	S_END = 24,	   /* 2 */
	S_VMCOREINFO = 32, /* 3: offset in the file, bytes */
	S_NOTES = 48,	   /* 4: the same */
	S_START_64 = 80,   /* 6 */
	S_END_64 = 88,	   /* 6 */
	S_BLOCKS_64 = 96,  /* 6; 0: it does not say */
	S_BYTES = 104,
};

static enum status set_blocks(struct dump *d, const struct input *in, const uint8_t *h,
			      const uint8_t *sub, struct kdump_header *r)
{
	uint64_t sub_blocks = le32(h + H_SUB_BLOCKS), bitmap_blocks = le32(h + H_BITMAP_BLOCKS);
	uint64_t bytes = bitmap_blocks * r->block_bytes, one;

	r->blocks = le32(h + H_BLOCKS);
	if (le32(h + H_VERSION) >= 6 && le64(sub + S_BLOCKS_64))
		r->blocks = le64(sub + S_BLOCKS_64);
	r->bitmap = (1 + sub_blocks) * r->block_bytes;
	r->descs = r->bitmap + bytes;
	/*
	 * Two bitmaps, what exists and what was dumped; files of the first versions have the second
	 * alone.
	 */
	one = r->blocks / 8 / r->block_bytes + (r->blocks % (8ULL * r->block_bytes) != 0);
	if (one && bitmap_blocks / 2 >= one) {
		bytes = bitmap_blocks / 2 * r->block_bytes;
		r->bitmap += bytes;
	}
	if (r->blocks > bytes * 8 || r->blocks > VMCORE_MOST_PHYS / r->block_bytes)
		return dump_fail(d, ST_CORRUPT, "%s: a bitmap of %lu bytes for %lu pages cannot be",
				 in->path, bytes, r->blocks);
	return ST_OK;
}

static enum status set_range(struct dump *d, const struct input *in, unsigned int version,
			     const uint8_t *sub, struct kdump_header *r)
{
	r->end = r->blocks;
	r->is_split = version >= 2 && le32(sub + S_SPLIT);
	if (!r->is_split)
		return ST_OK;
	r->start = le64(sub + (version >= 6 ? S_START_64 : S_START));
	r->end = le64(sub + (version >= 6 ? S_END_64 : S_END));
	if (r->end > r->blocks)
		r->end = r->blocks;
	if (r->start > r->end)
		return dump_fail(d, ST_CORRUPT, "%s: a part from page %lu to %lu cannot be",
				 in->path, r->start, r->end);
	return ST_OK;
}

static void set_notes(unsigned int version, const uint8_t *sub, struct kdump_header *r)
{
	if (version >= 3) {
		r->info_at = le64(sub + S_VMCOREINFO);
		r->info_bytes = le64(sub + S_VMCOREINFO + 8);
	}
	if (version >= 4) {
		r->notes_at = le64(sub + S_NOTES);
		r->notes_bytes = le64(sub + S_NOTES + 8);
	}
}

enum status kdump_header_read(struct dump *d, const struct input *in, struct kdump_header *ret)
{
	struct kdump_header r = { 0 };
	uint8_t h[H_BYTES], sub[S_BYTES] = { 0 };
	enum status st;

	if (!input_read_table(in, 0, h, sizeof(h)))
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its header", in->path);
	r.block_bytes = le32(h + H_BLOCK_BYTES);
	if (r.block_bytes < 4096 || r.block_bytes > KDUMP_MOST_BLOCK ||
	    (r.block_bytes & (r.block_bytes - 1)))
		return dump_fail(d, ST_CORRUPT,
				 "%s: pages of %u bytes cannot be; dumps of machines of 32 bits or "
				 "big-endian are read by crash",
				 in->path, r.block_bytes);
	if (le32(h + H_SUB_BLOCKS) && !input_read_table(in, r.block_bytes, sub, sizeof(sub)))
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its header", in->path);
	memcpy(r.machine, h + H_MACHINE, NAME_BYTES);
	memcpy(r.release, h + H_RELEASE, NAME_BYTES);
	r.status = le32(h + H_STATUS);
	r.time = le64(h + H_TIME);
	st = set_blocks(d, in, h, sub, &r) ?: set_range(d, in, le32(h + H_VERSION), sub, &r);
	if (st != ST_OK)
		return st;
	set_notes(le32(h + H_VERSION), sub, &r);
	*ret = r;
	return ST_OK;
}
