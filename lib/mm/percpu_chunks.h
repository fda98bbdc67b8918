/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of the per-CPU allocator, with what each has allocated (mm/percpu.c). */
#ifndef MEMOWNER_MM_PERCPU_CHUNKS_H
#define MEMOWNER_MM_PERCPU_CHUNKS_H

#include "dump/dump.h"

struct percpu_chunk {
	bool is_first; /* made at boot: static variables of the kernel, those of modules, and the rest */
	uint64_t address; /* of struct pcpu_chunk */
	uint64_t pages;	  /* of all CPUs */
	uint64_t used;	  /* bytes of all CPUs that are allocated, or static variables */
};

/*
 * Calls visit for each chunk, the first chunk first; all pages are meminfo's Percpu.  ST_UNREADABLE or
 * ST_CORRUPT: some chunks are missing, the others were visited.
 */
enum status percpu_chunks_walk(struct dump *d,
			       enum status (*visit)(void *arg, const struct percpu_chunk *chunk),
			       void *arg);

#endif
