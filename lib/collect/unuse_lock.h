/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mmap_lock that swapoff() has for reading, which names the reader that came last: unuse_mm() takes it, and what
 * it calls brings the pages of a process in and never gives it back (mm/swapfile.c).
 */
#pragma once

#include "collect/in_fault.h"
#include "collect/waits.h"

/* Whether a function is called with mmap_lock of the memory that swapoff() brings in: "unuse_pte_range". */
bool unuse_has_lock(const char *function);

/*
 * The only mm_struct of mms, by its own address or by that of its mmap_lock, that a stack has from..end; 0: none, or
 * several. mmap_lock: its offset.
 */
uint64_t unuse_find_mm(const struct task_stack *s, uint64_t from, uint64_t end,
		       const struct hash_u64 *mms, uint64_t mmap_lock);

/* The same of the frames of a task: from its saved registers to the function that took the lock; 0, too: in no swapoff(). */
uint64_t unuse_mm_of(struct task_frames *at, const struct hash_u64 *mms, uint64_t mmap_lock);
