/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pipes and FIFOs (fs/pipe.c): a ring of buffers, each with the struct page of its data: one that write()
 * allocated, or one that splice() took from a file or a socket.
 */
#pragma once

#include "dump/memory_parts.h"
#include "dump/structure.h"

struct pipes {
	struct dump *dump;
	uint64_t operations; /* f_op of files of FIFOs, and of pipes: */
	uint64_t anonymous;  /* of those that have one of their own; 0: none */
	struct structure pipe, buffer;
	struct field file_pipe, spare;
	uint64_t buffer_bytes; /* of a struct pipe_buffer */
};

enum status pipes_find(struct dump *d, struct pipes *ret);

bool pipes_have(const struct pipes *p, uint64_t operations);

/* Of an open file with such an f_op. */
enum status pipe_of_file(const struct pipes *p, uint64_t file, uint64_t *ret);

/* Its array of buffers, which is of kmalloc(), and what it was asked for. */
enum status pipe_ring(const struct pipes *p, uint64_t pipe, uint64_t *ring, uint64_t *bytes);

/* One holder, without the ring, which is memory of slab caches; counted by the buffers in use and the pages that it keeps for later ones. */
enum status pipe_walk(const struct pipes *p, uint64_t pipe, const struct memory_parts *v);
