/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of per-CPU memory (mm/percpu.c).  A chunk is mapped into areas that
 * pcpu_get_vm_areas() makes, page by page as it is needed: what the kernel's
 * page tables have there.  The first chunk is early memory, and not among them.  A kernel that was built
 * without SMP has no such areas: a chunk is a block of the direct map (mm/percpu-km.c).
 */
#pragma once

#include "pages/pgtable.h"
#include "vm/vmalloc.h"

struct percpu_pages {
	struct dump *dump;
	bool has_areas; /* false: the kernel was built without SMP */
	bool has_tables;
	struct page_tables tables;
	uint64_t left;	/* pages of areas that can still be looked at */
	uint64_t maker; /* address of pcpu_get_vm_areas(), the caller of its areas; 0: none */
};

void percpu_pages_open(struct dump *d, struct percpu_pages *ret);

static inline bool percpu_pages_have(const struct percpu_pages *p, const struct vm_area *area)
{
	return p->maker && area->caller == p->maker;
}

/* Adds the pages that are mapped there; ST_UNREADABLE: a page table is not in this dump. */
enum status percpu_pages_add(struct percpu_pages *p, const struct vm_area *area,
			     struct pfnset *ret);

/* The same for all chunks of a kernel without SMP; ST_ABSENT: this one was built with it. */
enum status percpu_pages_of_one_cpu(struct dump *d, struct pfnset *ret);
