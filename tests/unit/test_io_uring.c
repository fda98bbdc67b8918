// SPDX-License-Identifier: GPL-2.0-or-later
/* Rings of io_uring and their registered buffers, by tables of 6.12, of nodes since 6.13, and of 5.10. */
#include "files/io_uring.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define PAGE(i) (0xffffea0000000000ULL + (i)*64)

static struct {
	uint64_t rings, sqes, table;
	uint32_t flags, sq, cq, n;
} ctx;
static uint64_t table[3];
static struct {
	uint64_t type, buffer;
} node;
static struct {
	uint32_t n, unused;
	struct {
		uint64_t page;
		uint32_t bytes, offset;
	} vecs[2];
} buffer;
static struct {
	uint32_t n, unused;
	uint64_t vecs;
} olds[2];
static uint64_t file = AT(1);

static const struct stub_memory memory[] = {
	{ AT(0), &file, sizeof(file) },
	{ AT(1), &ctx, sizeof(ctx) },
	{ AT(2), table, sizeof(table) },
	{ AT(3), &node, sizeof(node) },
	{ AT(4), &buffer, sizeof(buffer) },
	{ AT(5), olds, sizeof(olds) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "io_uring_fops", AT(9), FIELD(0, 8) }, { 0 } };
#define COMMON                                                                   \
	{ "struct file", "private_data", KINDED(KIND_POINTER, 0, 8) },           \
		{ "struct io_ring_ctx", "rings", KINDED(KIND_POINTER, 0, 8) },   \
		{ "struct io_ring_ctx", "sq_sqes", KINDED(KIND_POINTER, 8, 8) }, \
		{ "struct io_ring_ctx", "flags", FIELD(24, 4) },                 \
		{ "struct io_ring_ctx", "sq_entries", FIELD(28, 4) },            \
		{ "struct io_ring_ctx", "cq_entries", FIELD(32, 4) },            \
		{ "struct bio_vec", "bv_page", KINDED(KIND_POINTER, 0, 8) },     \
		{ "struct bio_vec", "bv_len", FIELD(8, 4) },                     \
		{ "struct bio_vec", "bv_offset", FIELD(12, 4) },                 \
	{                                                                        \
		"struct io_mapped_ubuf", "nr_bvecs", FIELD(0, 4)                 \
	}
#define VECS(kind, bytes)                                               \
	{                                                               \
		"struct io_mapped_ubuf", "bvec", KINDED(kind, 8, bytes) \
	}
#define USER_BUFS                                                           \
	{ "struct io_ring_ctx", "user_bufs", KINDED(KIND_POINTER, 16, 8) }, \
	{                                                                   \
		"struct io_ring_ctx", "nr_user_bufs", FIELD(36, 4)          \
	}
static const struct stub_member of_6_12[] = { COMMON, USER_BUFS, VECS(KIND_ARRAY, 0), { 0 } };
static const struct stub_member of_5_10[] = { COMMON, USER_BUFS, VECS(KIND_POINTER, 8), { 0 } };
static const struct stub_member of_no_kernel[] = {
	COMMON, USER_BUFS, VECS(KIND_STRUCT, 16), { 0 }
};
static const struct stub_member of_6_13[] = {
	COMMON,
	{ "struct io_ring_ctx", "buf_table.nodes", KINDED(KIND_POINTER, 16, 8) },
	{ "struct io_ring_ctx", "buf_table.nr", FIELD(36, 4) },
	{ "struct io_rsrc_node", "buf", KINDED(KIND_POINTER, 8, 8) },
	VECS(KIND_ARRAY, 0),
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct io_ring_ctx", sizeof(ctx) },
	{ "struct io_rsrc_node", sizeof(node) },
	{ "struct io_mapped_ubuf", 16 },
	{ "struct bio_vec", 16 },
	{ "struct io_rings", 64 },
	{ "struct io_uring_cqe", 16 },
	{ "struct io_uring_sqe", 64 },
	{ "struct page", 64 },
	{ "struct file", 8 },
	{ 0 },
};

struct seen {
	unsigned int parts, pages, holders;
	uint64_t address[2], bytes[2], page[8];
};

static enum status part(void *arg, uint64_t address, uint64_t bytes)
{
	struct seen *s = arg;

	s->address[s->parts & 1] = address;
	s->bytes[s->parts++ & 1] = bytes;
	return ST_OK;
}

static enum status page(void *arg, uint64_t address)
{
	struct seen *s = arg;

	s->page[s->pages++ & 7] = address;
	return ST_OK;
}

static enum status holder(void *arg, const struct memory_holder *h)
{
	((struct seen *)arg)->holders += h->address == AT(1);
	return ST_OK;
}

static enum status walk(const struct stub_member *members, bool buffers, struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	const struct memory_parts parts = { part, page, holder, seen };
	struct io_rings r;
	uint64_t at;
	enum status st;

	memset(seen, 0, sizeof(*seen));
	st = io_rings_find(&s.dump, &r) ?: io_ring_of_file(&r, AT(0), &at);
	CHECK(st == ST_OK && at == AT(1));
	st = st ?: buffers ? io_ring_buffers(&r, at, &parts) : io_ring_walk(&r, at, &parts);
	return st;
}

static void fill(void)
{
	memset(&ctx, 0, sizeof(ctx));
	ctx.rings = AT(20);
	ctx.sqes = AT(40);
	ctx.table = AT(2);
	ctx.sq = 8;
	ctx.cq = 16;
	ctx.n = 2;
	table[0] = 0; /* a free place */
	table[1] = AT(4);
	node.buffer = AT(4);
	buffer.n = 2;
	buffer.vecs[0].page = PAGE(5);
	buffer.vecs[0].bytes = 100;
	buffer.vecs[0].offset = 4090;
	/* The second page of a folio and the one behind it. */
	buffer.vecs[1].page = PAGE(16);
	buffer.vecs[1].bytes = 0x2000;
	buffer.vecs[1].offset = 0x1000;
}

static void rings(void)
{
	struct seen seen;

	fill();
	CHECK(walk(of_6_12, false, &seen) == ST_OK && seen.parts == 2 && seen.holders == 1);
	CHECK(seen.address[0] == AT(20) && seen.bytes[0] == 64 + 16 * 16 + 4 * 8);
	CHECK(seen.address[1] == AT(40) && seen.bytes[1] == 64 * 8);
	/* Entries of twice the size, and no array of indices. */
	ctx.flags = 0x400 | 0x800 | 0x10000;
	CHECK(walk(of_6_12, false, &seen) == ST_OK && seen.bytes[0] == 64 + 32 * 16 &&
	      seen.bytes[1] == 128 * 8);
	ctx.cq = 0x40000000;
	CHECK(walk(of_6_12, false, &seen) == ST_CORRUPT && !seen.parts);
}

static void buffers(void)
{
	struct seen seen;

	fill();
	CHECK(walk(of_6_12, true, &seen) == ST_OK && seen.pages == 4 && seen.holders == 1);
	CHECK(seen.page[0] == PAGE(5) && seen.page[1] == PAGE(6) && seen.page[2] == PAGE(17) &&
	      seen.page[3] == PAGE(18));
	CHECK(walk(of_no_kernel, true, &seen) == ST_UNKNOWN && !seen.pages);
	/* Two of 5.10, the second with the parts of the first. */
	memset(&olds, 0, sizeof(olds));
	olds[1].n = 2;
	olds[1].vecs = AT(4) + 8;
	ctx.table = AT(5);
	CHECK(walk(of_5_10, true, &seen) == ST_OK && seen.pages == 4 && seen.page[2] == PAGE(17));
	ctx.table = AT(2);
	table[1] = AT(3);
	CHECK(walk(of_6_13, true, &seen) == ST_OK && seen.pages == 4 && seen.page[3] == PAGE(18));
	buffer.n = 0x7fffffff;
	CHECK(walk(of_6_13, true, &seen) == ST_CORRUPT && !seen.pages && !seen.holders);
	ctx.n = 0x7fffffff;
	CHECK(walk(of_6_13, true, &seen) == ST_CORRUPT);
	ctx.n = 0;
	CHECK(walk(of_5_10, true, &seen) == ST_OK && seen.holders == 1);
}

TESTS({ "memory of rings", rings }, { "pages of registered buffers", buffers })
