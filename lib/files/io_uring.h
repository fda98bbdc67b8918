/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings of io_uring (struct io_ring_ctx): the pages of the rings themselves, and those of registered buffers, which
 * they pin (io_uring/io_uring.c, rsrc.c).
 */
#pragma once

#include "dump/memory_parts.h"
#include "dump/structure.h"

struct io_rings {
	struct dump *dump;
	uint64_t operations; /* f_op of files of rings */
	struct structure ctx, node, buffer, vec;
	struct field file_ctx, vecs;
	uint64_t ring_bytes, cqe_bytes, sqe_bytes, vec_bytes,
		buffer_bytes; /* of types; 0: not known */
};

/* ST_ABSENT: built without CONFIG_IO_URING; ST_UNKNOWN. */
enum status io_rings_find(struct dump *d, struct io_rings *ret);

/* Of an open file with that f_op. */
enum status io_ring_of_file(const struct io_rings *r, uint64_t file, uint64_t *ret);

/* The memory of the rings, by the numbers of their entries. */
enum status io_ring_walk(const struct io_rings *r, uint64_t ctx, const struct memory_parts *v);

/* The pages of registered buffers, each once for each buffer that has it.  ST_UNKNOWN: of this kernel not known. */
enum status io_ring_buffers(const struct io_rings *r, uint64_t ctx, const struct memory_parts *v);
