// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/kdump_part.h"

#include "file/codec.h"

/* A descriptor: offset of the block, bytes there, how it is compressed, flags of the page. */
enum { D_OFFSET = 0, D_BYTES = 8, D_FLAGS = 12, D_SIZE = 24 };

/* Bytes that are read ahead, of few files and of many. */
#define FEW_FILES 4
#define DESC_SLOTS 256
#define DATA_ROOM (256 * 1024)
#define SMALL_DESC_SLOTS 4
#define SMALL_DATA_ROOM KDUMP_MOST_BLOCK

/* Descriptors of a range that are looked at. */
#define LOOKED_AT 64

#define PIECE_DESCS \
	170 /* in 4 KiB: blocks that are asked for in any order have descriptors all over the table */
#define PIECE_BYTES (PIECE_DESCS * D_SIZE) /* one piece, whole descriptors */

static void open_descs(struct dump *d, unsigned int slots, struct desc_cache *ret)
{
	*ret = (struct desc_cache){
		.slots = slots,
		.pieces = dump_alloc(d, slots * sizeof(*ret->pieces)),
		.bytes = dump_alloc(d, (size_t)slots * PIECE_BYTES),
	};
}

/* The bytes of a descriptor; false: the file ends before them.  one: room for them where it ends behind. */
static const uint8_t *desc_at(struct kdump_part *p, uint64_t i, uint8_t *one)
{
	const uint64_t piece = i / PIECE_DESCS, at = p->header.descs + piece * PIECE_BYTES;
	const size_t from = i % PIECE_DESCS * D_SIZE;
	uint64_t *kept = &p->descs.pieces[piece % p->descs.slots];
	uint8_t *bytes = p->descs.bytes + piece % p->descs.slots * PIECE_BYTES;

	if (*kept == piece + 1)
		return bytes + from;
	*kept = 0;
	if (input_read_table(p->input, at, bytes, PIECE_BYTES)) {
		*kept = piece + 1;
		return bytes + from;
	}
	return input_read_table(p->input, at + from, one, D_SIZE) ? one : NULL;
}

static enum status read_desc(struct kdump_part *p, uint64_t i, struct kdump_desc *ret)
{
	uint8_t one[D_SIZE];
	const uint8_t *raw = desc_at(p, i, one);

	if (!raw)
		return ST_UNREADABLE;
	*ret = (struct kdump_desc){ le64(raw + D_OFFSET), le32(raw + D_BYTES),
				    le32(raw + D_FLAGS) };
	if (!ret->at)
		return ST_UNREADABLE;
	if (!ret->bytes || ret->bytes > p->header.block_bytes || ret->at < p->header.descs)
		return ST_CORRUPT;
	return ST_OK;
}

/* Whether there is what can be a descriptor, of a block that does not stand before the first; zeros are none. */
static enum status look_at_desc(struct kdump_part *p, uint64_t i, uint64_t first)
{
	struct kdump_desc desc;
	enum status st = read_desc(p, i, &desc);

	if (st == ST_OK &&
	    (desc.at < first || desc.at > p->input->size || desc.flags & ~CODEC_FLAGS))
		return ST_CORRUPT;
	return st;
}

/* The offset of one of the first blocks: if there are zeros, what they share stands there or before. */
static uint64_t first_at(struct kdump_part *p)
{
	uint64_t ret = UINT64_MAX;
	struct kdump_desc desc;

	for (uint64_t i = 0; i < LOOKED_AT && i < p->blocks.n; i++)
		if (read_desc(p, i, &desc) == ST_OK && desc.at < ret)
			ret = desc.at;
	return ret;
}

/*
 * The bitmap has a bit for each descriptor: otherwise each page behind the first wrong bit would be taken for another
 * one.  Blocks stand behind the last descriptor, if not at once, as where a part of a split dump has room for those
 * of all: a bit too many leads to what is none, and behind a bit too few is one more.
 */
static enum status check_bitmap(struct dump *d, struct kdump_part *p)
{
	uint64_t first, table = p->header.descs + p->blocks.n * D_SIZE;

	if (p->is_cut || p->header.status & KDUMP_INCOMPLETE)
		return ST_OK;
	first = first_at(p);
	if (first < table ? look_at_desc(p, p->blocks.n - 1, first) == ST_OK
			  : first < table + D_SIZE || look_at_desc(p, p->blocks.n, first) != ST_OK)
		return ST_OK;
	return dump_fail(d, ST_CORRUPT,
			 "%s: its bitmap has %lu pages, which its table of pages contradicts",
			 p->input->path, p->blocks.n);
}

/* No more blocks than descriptors, so that no loop over blocks is longer than the file. */
static void cut_blocks(struct kdump_part *p)
{
	const struct input *in = p->input;
	uint64_t bytes = p->header.descs < in->size ? in->size - p->header.descs : 0;
	uint64_t most = (bytes < in->file.size ? bytes : in->file.size) / D_SIZE;

	p->is_cut = in->is_cut || p->blocks.n > most;
	block_set_cut(&p->blocks, most);
}

enum status kdump_part_open(struct dump *d, const struct input *in, size_t files,
			    struct kdump_part *ret)
{
	bool few = files <= FEW_FILES;
	struct kdump_header *h = &ret->header;
	enum status st;

	*ret = (struct kdump_part){ .input = in };
	st = kdump_header_read(d, in, h);
	if (st != ST_OK)
		return st;
	st = block_set_read(d, in, h->bitmap, h->start, h->end, &ret->blocks);
	if (st == ST_UNREADABLE)
		return dump_fail(d, ST_CORRUPT, "%s: it ends within its bitmap of pages", in->path);
	if (st != ST_OK)
		return st;
	cut_blocks(ret);
	open_descs(d, few ? DESC_SLOTS : SMALL_DESC_SLOTS, &ret->descs);
	window_open(d, in, few ? DATA_ROOM : SMALL_DATA_ROOM, &ret->data);
	return check_bitmap(d, ret);
}

enum status kdump_part_desc(struct kdump_part *p, uint64_t block, struct kdump_desc *ret)
{
	return read_desc(p, block_set_rank(&p->blocks, block), ret);
}

const uint8_t *kdump_part_bytes(struct kdump_part *p, const struct kdump_desc *desc, size_t n)
{
	return window_at(&p->data, desc->at, n < desc->bytes ? n : desc->bytes);
}

/* Descriptors of a step towards the start of their table: within a step they are read in their order. */
#define STEP (64 * 1024 / D_SIZE)

/*
 * Whether the file ends before one of the blocks: they stand in the order of their descriptors but for those of zeros,
 * which share the first, so the last that are none are looked at, however many zeros follow. A block that is there
 * behind one that is not denies it: the descriptor of that one is damaged.
 */
static const char *ends_early(struct kdump_part *p)
{
	uint64_t size = p->input->size, first = first_at(p), start;
	bool ends = false, is_there = false;
	unsigned int seen = 0;
	struct kdump_desc desc;

	for (uint64_t end = p->blocks.n; end && seen < LOOKED_AT; end = start) {
		const bool was_there = is_there;
		bool is_gone = false;

		start = end > STEP ? end - STEP : 0;
		for (uint64_t i = start; i < end; i++) {
			bool is_out;

			if (read_desc(p, i, &desc) != ST_OK || desc.at <= first)
				continue;
			is_out = desc.at > size || desc.bytes > size - desc.at;
			if (is_out ? was_there : is_gone)
				return "some descriptors of its pages are damaged: they lead beyond its end";
			is_gone |= is_out;
			is_there |= !is_out;
			seen++;
		}
		ends |= is_gone;
	}
	return ends ? input_cut(p->input) : NULL;
}

/* The table is written in the order of its pages, and has zeros where its writer has not been. */
static const char *is_unwritten(struct kdump_part *p)
{
	static const uint8_t zeros[D_SIZE];
	uint8_t one[D_SIZE];
	const uint8_t *raw = p->blocks.n ? desc_at(p, p->blocks.n - 1, one) : NULL;

	if (!raw || memcmp(raw, zeros, D_SIZE) != 0)
		return NULL;
	return p->input->file.is_recent
		       ? "its last pages are not there: its writer ended before them, or is still at it, "
			 "as the file changed less than a minute ago"
		       : "its last pages are not there: its writer ended before them";
}

const char *kdump_part_incomplete(struct kdump_part *p)
{
	if (p->header.status & KDUMP_INCOMPLETE)
		return "makedumpfile had no room for all pages";
	if (p->is_cut)
		return input_cut(p->input);
	return is_unwritten(p) ?: ends_early(p);
}
