/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct vm_fault: what a page fault in progress is about.  It is a local of
 * __handle_mm_fault() and hugetlb_fault() (mm/memory.c, mm/hugetlb.c), so it is found in their
 * frames by what must agree: its VMA has its address, and its offset in the file follows
 * from both.
 */
#pragma once

#include "vm/vma.h"

/* Bits of vm_fault.flags, the same since 3.17 or the release that is named (include/linux/mm_types.h). */
#define VM_FAULT_WRITE 0x1ULL
#define VM_FAULT_MKWRITE 0x2ULL /* with it alone but for WRITE: the others are not kept */
#define VM_FAULT_ALLOW_RETRY 0x4ULL
#define VM_FAULT_RETRY_NOWAIT 0x8ULL
#define VM_FAULT_TRIED 0x20ULL
#define VM_FAULT_USER 0x40ULL
#define VM_FAULT_REMOTE 0x80ULL /* of another task's memory */
#define VM_FAULT_INSTRUCTION 0x100ULL
#define VM_FAULT_VMA_LOCK 0x1000ULL /* 6.4 */

struct vm_faults {
	struct dump *dump;
	const struct vmas *vmas;
	struct structure fault;
};

struct vm_fault {
	struct vma vma;
	uint64_t address; /* of the fault; with is_page its page */
	bool is_page;	  /* this kernel keeps no more (up to 5.16) */
	uint64_t flags;
};

enum status vm_faults_open(struct dump *d, const struct vmas *vmas, struct vm_faults *ret);

/*
 * The vm_fault in n bytes of a stack, of the memory of mm or, marked so in its flags, of
 * another's.  ST_ABSENT: none agrees with its VMA, or two that differ do.
 */
enum status vm_fault_find(const struct vm_faults *v, uint64_t mm, const uint8_t *bytes, size_t n,
			  struct vm_fault *ret);
