// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.18 and 6.19: sheaves of free objects beside the slabs of CPUs, other marks of a vector that was
 * not allocated, or without a lock; per-CPU addresses like the kernel's; tags of modules in
 * an area of their own.
 */
#define RELEASE "6.18.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#include "common.h"
#define NEXT_SEQ
#include "tagtypes.h"
#define POOLS_BEHIND
#include "recorded.h"
#include "printk.h"

#define FLAGS_IN_F
#define CPU_SLABS
#define SHEAVES
#define FAILED_AT 1 /* OBJEXTS_ALLOC_FAIL: the mark of a vector without one */
/* OBJEXTS_NOSPIN_ALLOC is the first bit that memcg leaves. */
#ifdef CASE_nomemcg
#define NO_MEMCG
#define TRACED_MARK 1
#else
#define NEEDS_OBJCG
#define TRACED_MARK 5
#endif
#include "objects.h"
#define MODULE_AREA
#define KEEPS_COUNTERS
#define COMPRESSED 0
#include "sites.h"
#include "frames.h"
#include "sections.h"
