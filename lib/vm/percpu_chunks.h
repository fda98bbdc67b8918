/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of the per-CPU allocator, with what each has allocated (mm/percpu.c). */
#pragma once

#include "dump/dump.h"

struct percpu_chunk {
	bool is_first; /* made at boot: static variables of the kernel, those of modules, and the rest */
	uint64_t address; /* of struct pcpu_chunk */
	uint64_t base;	  /* where the pages of the first CPU begin */
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

/* Parts of the first chunk that setup_per_cpu_areas() made; bytes for one CPU. */
struct percpu_first {
	uint64_t units;	       /* CPUs, each with its copy */
	uint64_t static_bytes; /* variables of vmlinux: from __per_cpu_start to __per_cpu_end */
	bool has_reserved;     /* the rest is filled */
	uint64_t reserved_bytes, reserved_used; /* for variables of modules */
};

/* The message "percpu: Embedded" of the log has the same. */
enum status percpu_first_read(struct dump *d, struct percpu_first *ret);

/* Variables of a module that are in per-CPU memory. */
struct percpu_module {
	const char *name;
	uint64_t bytes; /* for one CPU: struct module.percpu_size */
};

/*
 * Calls visit for each module that has some.  ST_ABSENT: the kernel has no modules; ST_UNREADABLE,
 * ST_CORRUPT: modules are missing, others were visited.
 */
enum status percpu_modules_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct percpu_module *module),
				void *arg);
