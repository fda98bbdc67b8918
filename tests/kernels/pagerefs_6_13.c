// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.13 and 6.14 with sysctl.vm.mem_profiling=1,compressed: references of pages are indexes in their
 * flags, and counters of an unloaded module were freed with it. CASE_beyond: one is beyond
 * all tags. CASE_mask: where they are makes no sense.
 */
#define RELEASE "6.13.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#include "common.h"
#include "tagtypes.h"
#include "recorded.h"
#include "printk.h"

#define CPU_SLABS
#define PERCPU_ZERO
#define NEEDS_OBJCG
#define FAILED_AT 4
#include "objects.h"
#define MODULE_AREA
#define COMPRESSED 1
#include "sites.h"

s32 alloc_tag_ref_offs = 40;
#ifdef CASE_mask
u64 alloc_tag_ref_mask = 0x1ffd; /* not a row of bits */
#else
u64 alloc_tag_ref_mask = 0x1fff;
#endif
struct alloc_tag_kernel_section kernel_tags = { DIRECT(vmlinux_sites), 4 };

/* 0: none, 1: empty, then the tags of vmlinux, then those of modules. */
#define INDEX(n) ((u64)(n) << 40)
#define FRAME(i) FRAME_##i
#define FRAME_0 INDEX(2 + 2)
#define FRAME_2 INDEX(2 + 2)
#define FRAME_3 INDEX(2 + 2)
#define FRAME_4 INDEX(2 + 1)
#define FRAME_5 INDEX(1)
#define FRAME_6 INDEX(2 + 1)
#define FRAME_9 INDEX(2 + 4)
#define FRAME_11 INDEX(2 + 4 + 1)
#ifdef CASE_beyond
#define FRAME_12 INDEX(2 + 4 + 2)
#else
#define FRAME_12 0
#endif
#define REF(tag)
#include "frames.h"
#include "sections.h"
