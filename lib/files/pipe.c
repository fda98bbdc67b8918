// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/pipe.h"

#define MAX_BUFFERS (1U << 20) /* fs.pipe-max-size bounds them: 2 GiB at most */
#define MAX_SPARE 64	       /* pages kept for later: 1, 2, 8 */

struct pipe {
	uint64_t buffers, spare;
	uint32_t size, head, tail;
	uint32_t used, first, nspare;
	bool has_head, has_nspare;
};

struct buffer {
	uint64_t page;
};

static const struct layout_row rows[] = {
	FINDS(struct pipes, file_pipe, "struct file", REQUIRED, "all", "private_data"),
	STRUCTURE(struct pipes, pipe, "struct pipe_inode_info"),
	POINTS(struct pipe, buffers, REQUIRED, "all", "bufs"),
	READS(struct pipe, size, REQUIRED, "5.5; to 5.4", "ring_size", "buffers"),
	READS_IF(struct pipe, head, has_head, OPTIONAL, "5.5", "head"),
	READS(struct pipe, tail, OPTIONAL, "5.5", "tail"),
	READS(struct pipe, used, OPTIONAL, "to 5.4", "nrbufs"),
	READS(struct pipe, first, OPTIONAL, "to 5.4", "curbuf"),
	/* An array; to 6.14 one pointer. */
	PLACES(struct pipe, spare, REQUIRED, "7.3; all", "prealloc.pages", "tmp_page"),
	FINDS(struct pipes, spare, "struct pipe_inode_info", REQUIRED, "7.3; all", "prealloc.pages",
	      "tmp_page"),
	READS_IF(struct pipe, nspare, has_nspare, OPTIONAL, "7.3", "prealloc.count"),
	STRUCTURE(struct pipes, buffer, "struct pipe_buffer"),
	POINTS(struct buffer, page, REQUIRED, "all", "page"),
};

enum status pipes_find(struct dump *d, struct pipes *ret)
{
	struct pipes p = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &p)
				 ?: dump_symbol(d, "pipefifo_fops", &p.operations);

	/* 6.15: "pipe: don't update {a,c,m}time for anonymous pipes" */
	if (st == ST_OK && dump_has_symbol(d, "anon_pipe_write"))
		st = dump_symbol(d, "pipeanon_fops", &p.anonymous);
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct pipe_buffer", &p.buffer_bytes) != ST_OK ||
	     !p.buffer_bytes || p.spare.size > MAX_SPARE * 8 ||
	     !(STRUCT_HAS(&p.pipe, struct pipe, head) || STRUCT_HAS(&p.pipe, struct pipe, used))))
		st = dump_unknown(d, "struct pipe_inode_info");
	return RESULT(st, ret, p);
}

bool pipes_have(const struct pipes *p, uint64_t operations)
{
	return operations && (operations == p->operations || operations == p->anonymous);
}

enum status pipe_of_file(const struct pipes *p, uint64_t file, uint64_t *ret)
{
	return dump_u64(p->dump, file + p->file_pipe.offset, ret, "file");
}

static enum status visit_spare(const struct pipes *p, const struct pipe *pipe, uint64_t *n,
			       const struct memory_parts *v)
{
	uint32_t all = p->spare.size / 8;
	enum status st = ST_OK;
	uint64_t page;

	if (pipe->has_nspare && pipe->nspare < all)
		all = pipe->nspare;
	for (uint32_t i = 0; st == ST_OK && i < all; i++) {
		st = dump_u64(p->dump, pipe->spare + i * 8ULL, &page, "pipe_inode_info");
		if (st == ST_OK && page) {
			++*n;
			st = v->page(v->arg, page);
		}
	}
	return st;
}

/* A buffer that is not in use keeps the address of a page that is no longer its own. */
static enum status visit_buffers(const struct pipes *p, const struct pipe *pipe,
				 const struct memory_parts *v)
{
	enum status st = ST_OK;

	for (uint32_t i = 0; st == ST_OK && i < pipe->used; i++) {
		uint32_t at = (pipe->first + i) & (pipe->size - 1);
		struct buffer b;

		st = struct_read(&p->buffer, pipe->buffers + at * p->buffer_bytes, &b)
			     ?: v->page(v->arg, b.page);
	}
	return st;
}

static enum status read_pipe(const struct pipes *p, uint64_t address, struct pipe *ret)
{
	struct pipe pipe = { 0 };
	enum status st = struct_read(&p->pipe, address, &pipe);

	if (st != ST_OK)
		return st;
	if (pipe.has_head) {
		pipe.used = pipe.head - pipe.tail;
		pipe.first = pipe.tail;
	}
	if (pipe.size > MAX_BUFFERS || pipe.size & (pipe.size - 1) || pipe.used > pipe.size)
		return dump_corrupt(p->dump, "pipe at %#lx has %u of %u buffers in use", address,
				    pipe.used, pipe.size);
	*ret = pipe;
	return ST_OK;
}

enum status pipe_ring(const struct pipes *p, uint64_t address, uint64_t *ring, uint64_t *bytes)
{
	struct pipe pipe;
	enum status st = read_pipe(p, address, &pipe);

	if (st != ST_OK)
		return st;
	*ring = pipe.buffers;
	*bytes = pipe.size * p->buffer_bytes;
	return ST_OK;
}

enum status pipe_walk(const struct pipes *p, uint64_t address, const struct memory_parts *v)
{
	struct dump *d = p->dump;
	struct first_problem problem = { 0 };
	struct memory_holder h = { .address = address,
				   .counted.known = true,
				   .counter = "pipe_inode_info.head - tail" };
	struct pipe pipe = { 0 };
	enum status st = read_pipe(p, address, &pipe);

	if (st != ST_OK)
		return st;
	h.counted.n = pipe.used;
	st = first_problem_keep(d, &problem, visit_buffers(p, &pipe, v))
		     ?: first_problem_keep(d, &problem, visit_spare(p, &pipe, &h.counted.n, v));
	h.counted.n <<= d->page_shift;
	return st ?: v->holder(v->arg, &h) ?: first_problem_end(d, &problem);
}
