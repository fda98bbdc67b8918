// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * References of pages alone in page_ext: page_owner is off, no client wants the word of flags, and
 * so they start at byte 0 of entries of 8 bytes (6.10 and later).
 */
#define RELEASE "6.10.0-alone"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#include "common.h"
#include "tagtypes.h"
#include "printk.h"

struct page_ext {
	u64 flags;
};
struct entry {
	union codetag_ref ref;
};
#define ENTRY struct entry
#define REFS_ALONE
u64 page_ext_size = sizeof(struct entry);
struct page_ext_operations {
	u64 offset, size;
	void *need, *init;
	u8 need_shared_flags;
};
struct page_ext_operations page_alloc_tagging_ops = { .offset = 0, .size = 8 };

#define TYPE_BITS
#define CPU_SLABS
#define PERCPU_ZERO
#define NEEDS_OBJCG
#define FAILED_AT 4
#define HANDLE_FIRST 0
#define HANDLE_SECOND 0
#define HANDLE_FREE 0
#include "objects.h"
#include "sites.h"
#include "frames.h"
#include "sections.h"
