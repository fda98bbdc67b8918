/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of threads in the kernel (kernel/fork.c).  With CONFIG_VMAP_STACK each is an area of
 * vmalloc: of a task, of the idle task of a CPU, or kept for the next task by its CPU.
 * Stacks of tasks that are on no list any more are known by who made their area
 * and by its size, which are those of the others.  Without, a stack is
 * memory of the direct map.
 */
#pragma once

#include "vm/vmalloc.h"

struct kstacks {
	struct hash_u64 areas;	      /* addresses of vm_struct */
	struct hash_u64 callers;      /* how many pages its areas have, by caller */
	uint64_t stacks;	      /* that were found through a task or a CPU */
	uint64_t stack_pages;	      /* that an area of them has; 0: none was found */
	struct hash_u64 cached;	      /* areas that CPUs keep for the next task */
	struct first_problem problem; /* the first task that was missing */
};

/* Fills *ret and adds the pages of stacks in the direct map; ST_STOPPED. */
enum status kstacks_open(const struct vm_layout *l, struct pfnset *pages, struct kstacks *ret);

bool kstacks_have(const struct kstacks *k, const struct vm_area *area);

/* Whether an area of these is of no task that is known: kept by a CPU, or of a task that exits. */
enum kstack_use { KSTACK_TASK, KSTACK_CACHED, KSTACK_UNLISTED };
enum kstack_use kstacks_use(const struct kstacks *k, const struct vm_area *area);

/*
 * Whether an area could be one for all that is known: tasks are missing, and it has the size of a
 * stack.  Callers differ by who called copy_process(): kernel_clone(), fork_idle() and others.
 */
bool kstacks_may_have(const struct kstacks *k, const struct vm_area *area);
