/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct mm_struct: the memory of a process, with or without a task that uses it. */
#pragma once

#include "dump/structure.h"
#include "kernel/most_pages.h"
#include "kernel/percpu.h"

/*
 * Counters of mm_struct.rss_stat: resident pages of a process by kind, and swap entries.
 *
 * To 6.1 atomic longs, beside which each thread keeps what it has not added yet
 * (SPLIT_RSS_COUNTING); since 6.2 percpu_counters (f1a7941243c1 "mm: convert mm's rss stats into
 * percpu_counter").
 */

#define MM_COUNTERS 16 /* more than any kernel has */

/* Pages. */
struct mm_counts {
	int64_t anon, file, shmem, swap;
};

struct mm_counters {
	struct dump *dump;
	struct field rss; /* in mm_struct */
	struct percpu cpus;
	bool is_percpu;
	struct field count, counters;	 /* members of percpu_counter */
	uint64_t stride;		 /* bytes from one counter to the next */
	int64_t file, anon, swap, shmem; /* MM_FILEPAGES and so on */
};

enum status mm_counters_open(struct dump *d, struct mm_counters *ret);

/*
 * mm: a copy of struct mm_struct up to the end of rss_stat.  cached: by MM_FILEPAGES and so on,
 * what the threads have not added; NULL: nothing.  *exact is the sum over CPUs and threads.  *read is
 * what get_mm_counter() returns: without what CPUs and threads have not added, and not below 0.
 * ST_UNREADABLE: a counter of a CPU is not in this dump; ST_CORRUPT: those of all CPUs are in pages of zeros; *read is
 * known then too.
 */
enum status mm_counters_read(const struct mm_counters *c, const void *mm, const int64_t *cached,
			     struct mm_counts *exact, struct mm_counts *read);

/*
 * Whether no process can have so much: more than the machine and than it maps, total_vm.  Either alone may be: pages that
 * KSM merged count in each process, and munmap() lowers total_vm before it frees pages.
 */
bool mm_counts_exceed(const struct mm_counts *n, uint64_t total_vm, const struct most_pages *most);
/* The same of the mm_struct at mm; dump_lacks() tells what it answers with true. */
bool mm_counts_lack(struct dump *d, uint64_t mm, const struct mm_counts *n, uint64_t total_vm,
		    const struct most_pages *most);

static inline int64_t mm_counts_rss(const struct mm_counts *n)
{
	return (uint64_t)n->anon + (uint64_t)n->file + (uint64_t)n->shmem;
}

/* Bits of mm.flags, the same in 5.10 (linux/sched/coredump.h) and 7.3 (linux/mm_types.h). */
#define MMF_OOM_SKIP (1ULL << 21)
#define MMF_UNSTABLE (1ULL << 22)

struct mm_structs {
	struct structure mm;
	struct mm_counters counters;
	struct most_pages most;
};

struct mm_struct {
	uint32_t users; /* mm_users: tasks, and others that use its memory */
	uint32_t count; /* mm_count: references to the structure; all users together are one */
	bool has_pgtables;
	uint64_t pgtables_bytes;
	uint64_t total_vm;
	uint64_t locked_vm; /* pages of VMAs with VM_LOCKED, resident or not */
	bool has_data;
	uint64_t data_vm; /* pages of writable VMAs that are neither shared nor a stack */
	bool has_maps;
	int32_t maps;	    /* VMAs */
	uint64_t pinned_vm; /* pages that drivers count as pinned */
	bool has_hugetlb;
	uint64_t hugetlb; /* pages of PAGE_SIZE in huge pages of hugetlbfs that it maps */
	uint64_t pgd;	  /* address of the top page table */
	bool has_flags;
	uint64_t flags; /* MMF_OOM_SKIP and so on */
	bool has_exact; /* false: a counter of a CPU is not in this dump, or all are damaged */
	struct mm_counts exact; /* without what threads have not added, see struct task */
	struct mm_counts read;
};

enum status mm_structs_open(struct dump *d, struct mm_structs *ret);

/* ST_UNREADABLE: it is not in this dump; ST_CORRUPT: its numbers are impossible. */
enum status mm_struct_read(const struct mm_structs *m, uint64_t addr, struct mm_struct *ret);
