/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct mm_struct: the memory of a process, with or without a task that uses it. */
#pragma once

#include "dump/structure.h"
#include "tasks/mm_counters.h"

/* Bits of mm.flags, the same in 5.10 (linux/sched/coredump.h) and 7.3 (linux/mm_types.h). */
#define MMF_OOM_SKIP (1ULL << 21)
#define MMF_UNSTABLE (1ULL << 22)

struct mm_structs {
	struct structure mm;
	struct mm_counters counters;
};

struct mm_struct {
	uint64_t address;
	uint32_t users; /* mm_users: tasks, and others that use its memory */
	uint32_t count; /* mm_count: references to the structure; all users together are one */
	bool has_pgtables;
	uint64_t pgtables_bytes;
	uint64_t total_vm;
	uint64_t locked_vm; /* pages of VMAs with VM_LOCKED, resident or not */
	bool has_data;
	uint64_t data_vm;   /* pages of writable VMAs that are neither shared nor a stack */
	uint64_t pinned_vm; /* pages that drivers count as pinned */
	bool has_hugetlb;
	uint64_t hugetlb; /* pages of PAGE_SIZE in huge pages of hugetlbfs that it maps */
	uint64_t pgd;	  /* address of the top page table */
	bool has_flags;
	uint64_t flags; /* MMF_OOM_SKIP and so on */
	uint64_t
		owner; /* task_struct that the kernel takes for its owner; 0: none, or not recorded */
	bool has_exact;		/* false: a counter of a CPU is not in this dump */
	struct mm_counts exact; /* without what threads have not added, see struct task */
	struct mm_counts read;
};

enum status mm_structs_open(struct dump *d, struct mm_structs *ret);

/* ST_UNREADABLE: it is not in this dump; ST_CORRUPT: its numbers are impossible. */
enum status mm_struct_read(const struct mm_structs *m, uint64_t addr, struct mm_struct *ret);
