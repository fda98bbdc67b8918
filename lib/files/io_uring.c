// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/io_uring.h"

/* Flags of io_uring_setup() (include/uapi/linux/io_uring.h): those of the system call. */
#define SETUP_SQE128 0x400
#define SETUP_CQE32 0x800
#define SETUP_NO_SQARRAY 0x10000

#define INDEX 4 /* bytes of an element of the array of indices */
#define POINTER 8
#define MAX_ENTRIES (1 << 17)  /* IORING_MAX_CQ_ENTRIES is 65,536 */
#define MAX_BUFFERS (1 << 16)  /* IORING_MAX_REG_BUFFERS is 16,384 */
#define MAX_VECS (1 << 22)     /* of one buffer, which has at most a gigabyte */
#define MAX_PAGES (1ULL << 28) /* of all buffers of a ring: a terabyte */

struct ring {
	uint64_t rings, sqes, buffers, nodes;
	uint32_t flags, sq_entries, cq_entries, nbuffers, nnodes;
};

struct buffer {
	uint64_t at;
	uint32_t n;
};

struct vec {
	uint64_t page;
	uint32_t bytes, offset;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct io_rings, ctx, "struct io_ring_ctx"),
	READS(struct ring, rings, REQUIRED, "5.1", "rings"),
	READS(struct ring, sqes, REQUIRED, "5.1", "sq_sqes"),
	READS(struct ring, flags, REQUIRED, "5.1", "flags"),
	READS(struct ring, sq_entries, REQUIRED, "5.1", "sq_entries"),
	READS(struct ring, cq_entries, REQUIRED, "5.1", "cq_entries"),
	/* 6.13: io_uring/rsrc: get rid of per-ring io_rsrc_node list */
	READS(struct ring, nodes, OPTIONAL, "6.13", "buf_table.nodes"),
	READS(struct ring, nnodes, OPTIONAL, "6.13", "buf_table.nr"),
	READS(struct ring, buffers, OPTIONAL, "5.1 to 6.12", "user_bufs"),
	READS(struct ring, nbuffers, OPTIONAL, "5.1 to 6.12", "nr_user_bufs"),
	STRUCTURE(struct io_rings, node, "struct io_rsrc_node"),
	READS(struct buffer, at, OPTIONAL, "6.13", "buf"),
	STRUCTURE(struct io_rings, buffer, "struct io_mapped_ubuf"),
	READS(struct buffer, n, OPTIONAL, "5.1", "nr_bvecs"),
	FINDS(struct io_rings, vecs, "struct io_mapped_ubuf", OPTIONAL, "5.1", "bvec"),
	STRUCTURE(struct io_rings, vec, "struct bio_vec"),
	READS(struct vec, page, REQUIRED, "all", "bv_page"),
	READS(struct vec, bytes, REQUIRED, "all", "bv_len"),
	READS(struct vec, offset, REQUIRED, "all", "bv_offset"),
	FINDS(struct io_rings, file_ctx, "struct file", REQUIRED, "all", "private_data"),
};

enum status io_rings_find(struct dump *d, struct io_rings *ret)
{
	struct io_rings r = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_IO_URING", "io_uring_fops",
					 "struct io_mapped_ubuf");

	st = st ?: STRUCTS_OPEN(d, rows, &r) ?: dump_symbol(d, "io_uring_fops", &r.operations);
	if (st != ST_OK)
		return st;
	r.ring_bytes = dump_type_bytes(d, "struct io_rings");
	r.cqe_bytes = dump_type_bytes(d, "struct io_uring_cqe");
	r.sqe_bytes = dump_type_bytes(d, "struct io_uring_sqe");
	r.vec_bytes = dump_type_bytes(d, "struct bio_vec");
	r.buffer_bytes = dump_type_bytes(d, "struct io_mapped_ubuf");
	if (!r.ring_bytes || !r.cqe_bytes || !r.sqe_bytes)
		return dump_unknown(d, "struct io_rings");
	*ret = r;
	return ST_OK;
}

enum status io_ring_of_file(const struct io_rings *r, uint64_t file, uint64_t *ret)
{
	return dump_u64(r->dump, file + r->file_ctx.offset, ret, "struct file");
}

static enum status read_ring(const struct io_rings *r, uint64_t ctx, struct ring *ret)
{
	enum status st;

	memset(ret, 0, sizeof(*ret));
	st = struct_read(&r->ctx, ctx, ret);
	if (st == ST_OK && (ret->sq_entries > MAX_ENTRIES || ret->cq_entries > MAX_ENTRIES))
		st = dump_corrupt(r->dump, "the io_ring_ctx at %#lx has %u and %u entries", ctx,
				  ret->sq_entries, ret->cq_entries);
	return st;
}

enum status io_ring_walk(const struct io_rings *r, uint64_t ctx, const struct memory_parts *v)
{
	struct ring ring;
	enum status st = read_ring(r, ctx, &ring);
	uint64_t bytes;

	if (st != ST_OK)
		return st;
	bytes = r->ring_bytes + (r->cqe_bytes << !!(ring.flags & SETUP_CQE32)) * ring.cq_entries +
		(ring.flags & SETUP_NO_SQARRAY ? 0 : INDEX * (uint64_t)ring.sq_entries);
	if (ring.rings)
		st = v->part(v->arg, ring.rings, bytes);
	bytes = (r->sqe_bytes << !!(ring.flags & SETUP_SQE128)) * ring.sq_entries;
	if (st == ST_OK && ring.sqes)
		st = v->part(v->arg, ring.sqes, bytes);
	return st ?: v->holder(v->arg, &(struct memory_holder){ .address = ctx });
}

/* Neighbours in memory are one bio_vec. */
static enum status walk_vec(const struct io_rings *r, uint64_t at, uint64_t *left,
			    const struct memory_parts *v)
{
	const uint64_t page_bytes = dump_type_bytes(r->dump, "struct page");
	struct vec vec;
	enum status st = struct_read(&r->vec, at, &vec);
	uint64_t n;

	if (st != ST_OK)
		return st;
	n = ((uint64_t)vec.offset + vec.bytes + dump_page_size(r->dump) - 1) >> r->dump->page_shift;
	if (n > *left)
		return dump_corrupt(r->dump, "buffers of io_uring have too many pages");
	*left -= n;
	/* Struct pages of one bio_vec follow each other but across sections, which none of these does. */
	for (uint64_t i = vec.offset >> r->dump->page_shift; i < n && st == ST_OK; i++)
		st = dump_stopped(r->dump) ? ST_STOPPED
					   : v->page(v->arg, vec.page + i * page_bytes);
	return st;
}

static enum status walk_buffer(const struct io_rings *r, uint64_t at, uint64_t *left,
			       const struct memory_parts *v)
{
	struct buffer buffer = { 0 };
	enum status st = at ? struct_read(&r->buffer, at, &buffer) : ST_OK;

	if (st == ST_OK && buffer.n > MAX_VECS)
		st = dump_corrupt(r->dump, "the io_mapped_ubuf at %#lx has %u parts", at, buffer.n);
	at += r->vecs.offset;
	/* Up to 5.11 a pointer leads to them. */
	if (st == ST_OK && buffer.n && r->vecs.kind == KIND_POINTER)
		st = dump_u64(r->dump, at, &at, "io_mapped_ubuf");
	for (uint32_t i = 0; i < buffer.n && st == ST_OK; i++)
		st = walk_vec(r, at + i * r->vec_bytes, left, v);
	return st;
}

/* 6.13: a node of each; 5.12: pointers to each; before, an array of the structures themselves. */
static enum status find_buffer(const struct io_rings *r, uint64_t table, uint32_t i, uint64_t *ret)
{
	struct buffer buffer = { 0 };
	enum status st;

	if (r->vecs.kind == KIND_POINTER) {
		*ret = table + i * r->buffer_bytes;
		return ST_OK;
	}
	st = dump_u64(r->dump, table + i * (uint64_t)POINTER, &buffer.at, "buffers of io_uring");
	if (st == ST_OK && buffer.at && STRUCT_HAS(&r->ctx, struct ring, nodes))
		st = struct_read(&r->node, buffer.at, &buffer);
	return RESULT(st, ret, buffer.at);
}

enum status io_ring_buffers(const struct io_rings *r, uint64_t ctx, const struct memory_parts *v)
{
	const bool by_nodes = STRUCT_HAS(&r->ctx, struct ring, nodes);
	struct ring ring;
	enum status st = read_ring(r, ctx, &ring);
	uint32_t n = by_nodes ? ring.nnodes : ring.nbuffers;
	uint64_t table = by_nodes ? ring.nodes : ring.buffers, left = MAX_PAGES;

	if (st == ST_OK && n &&
	    ((r->vecs.kind != KIND_ARRAY && r->vecs.kind != KIND_POINTER) || !r->vec_bytes ||
	     (by_nodes && !STRUCT_HAS(&r->node, struct buffer, at))))
		st = dump_unknown(r->dump, "struct io_mapped_ubuf");
	if (st == ST_OK && n > MAX_BUFFERS)
		st = dump_corrupt(r->dump, "the io_ring_ctx at %#lx has %u buffers", ctx, n);
	for (uint32_t i = 0; i < n && st == ST_OK; i++) {
		uint64_t buffer = 0;

		st = find_buffer(r, table, i, &buffer) ?: walk_buffer(r, buffer, &left, v);
	}
	return st ?: v->holder(v->arg, &(struct memory_holder){ .address = ctx });
}
