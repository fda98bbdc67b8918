/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one pass over System RAM counts, for the parts of the summary that are made of it. */
#pragma once

#include "files.h"
#include "growth.h"
#include "page_owner/page_owner.h"
#include "slab/slab_caches.h"

/* Pages of one value of a key. */
struct sum {
	uint64_t pages, allocs;
	uint64_t ts_min, ts_max;
	struct growth growth;
	bool names_owner; /* of stacks and callers: page_owner did not register the stack for itself */
	uint64_t live, dead; /* of processes, as are their names */
	char comm[TASK_COMM_LEN + 1];
	uint64_t ahead; /* pages with this name beyond those of others, at least */
};

/* Pages one behind the other that count in the same sums. */
struct sum_run {
	uint64_t pages, allocs;
	uint64_t ts_min, ts_max;
	unsigned int step; /* of the growth; GROWTH_STEPS: none */
};

/* What the pages of a stack count in. */
struct stack_sums {
	struct sum *caller, *module;
	bool is_bad; /* it was not found */
};

struct pass {
	struct summary *s;
	struct owner_view *v;
	bool has_ts, has_growth;
	struct special_handles special;
	uint64_t classes[PAGE_CLASSES];
	uint64_t merged;	    /* that KSM merged, each once */
	uint64_t unplugged;	    /* of CLASS_OFFLINE, in memory that a driver added */
	uint64_t unreadable;	    /* without a struct page in this dump */
	uint64_t bad;		    /* live pages whose stack was not found */
	struct slab_caches *caches; /* NULL: not available */
	struct first_problem no_caches;
	struct summary_files files;
	struct hash_u64 stacks;		     /* of struct stack_sums by handle */
	struct hash_u64 processes, memcgs;   /* of struct sum */
	struct hash_u64 callers, modules;    /* the same, by the words of keys */
	struct hash_u64 of_frame, of_module; /* which of these, by a frame and by a module's name */
	/* Of the page before: neighbours often have the same. */
	uint32_t last_handle;
	const struct stack_sums *last_stack;
	uint32_t soon[2]; /* handles that runs have soon */
	int32_t last_tgid;
	uint8_t last_comm[TASK_COMM_LEN];
	bool last_has_name; /* that of its sum */
	struct sum *last_process;
	struct quick_field tgid; /* in the record */
	size_t comm_bytes;	 /* 0: this kernel does not record it */
	uint64_t last_memcg;
	struct sum *last_charge;
};

void pass_init_stacks(struct pass *p);

/* Caller and module of a stack, looked up at its first page. */
const struct stack_sums *pass_stack(struct pass *p, uint32_t handle);

/* What is to be said of memory that a driver, as virtio_mem, added and has not plugged. */
const char *summary_unplugged(const struct summary *s, const struct ram *ram);
