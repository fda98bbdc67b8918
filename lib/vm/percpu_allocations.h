/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations of the per-CPU allocator, by the maps of each chunk (struct pcpu_chunk, mm/percpu.c):
 * alloc_map has a bit for each 4 bytes that are in use, bound_map one where an allocation, or what
 * is free between two, begins.  4.14: percpu: replace area map allocator with bitmap.
 */
#pragma once

#include "dump/dump.h"

struct percpu_allocation {
	uint64_t address; /* per-CPU, as its users have it: the offset of a CPU is to be added */
	uint64_t bytes;	  /* in the copy of one CPU */
	uint64_t chunk;	  /* address of its struct pcpu_chunk */
	bool is_first;	  /* of a chunk of boot: its address may be a small number */
};

/*
 * Calls visit for each, in the order of addresses within a chunk; the chunk of the variables of modules has
 * these.  Static variables of vmlinux are none.  ST_UNREADABLE or ST_CORRUPT: some chunks are missing, the
 * others were visited.
 */
enum status percpu_allocations_walk(struct dump *d,
				    enum status (*visit)(void *arg,
							 const struct percpu_allocation *a),
				    void *arg);
