/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in the kernel's memory management a task is, by the functions on its stack. */
#pragma once

#include <stdbool.h>

/* In order of precedence: of two on a stack, the later one says more. */
enum place {
	PLACE_NONE,
	PLACE_SERVER, /* waits for a server of FUSE or NFS, elsewhere: not in the table */
	PLACE_PIPE, /* waits for a pipe or a child, which does not end by itself: not in the table */
	PLACE_LOCK, /* asleep on a lock, elsewhere */
	PLACE_WRITEBACK,
	PLACE_PAGE_FAULT,
	PLACE_EXIT,	 /* frees the memory of a process, or is about to */
	PLACE_MMAP_LOCK, /* asleep on an mmap_lock: not in the table */
	PLACE_SWAP_IN,
	PLACE_ALLOCATOR,
	PLACE_RECLAIM,
	PLACE_COMPACTION,
	PLACE_CHARGE,
	PLACE_OOM_KILLER,
	PLACE_OOM_LOCK, /* asleep on oom_lock: not in the table */
	PLACE_IDLE,	/* not in the table: a kernel thread that has nothing to do */
	PLACES
};

/* Kernel threads of memory management, by the function that each of them runs. */
enum thread_kind { THREAD_OTHER, THREAD_KSWAPD, THREAD_KCOMPACTD, THREAD_OOM_REAPER, THREAD_KINDS };

/* "reclaim"; NULL: PLACE_NONE */
const char *place_name(enum place place);
/* All names, NULL behind them. */
extern const char *const place_names[];

/* PLACE_NONE: the function does not tell. */
enum place place_of(const char *function);

/* "kswapd"; NULL: THREAD_OTHER */
const char *thread_kind_name(enum thread_kind kind);
enum thread_kind thread_kind_of(const char *function);
/* Whether a function, as the one that gave up the CPU, waits for work of such a thread. */
bool thread_is_idle(const char *function);
