// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 7.0: each slab says how far apart its references are: in its tail, in its objects, or, with
 * CASE_vectors, in a vector. No slabs of CPUs any more.
 * CASE_later: 7.1 and 7.2, with barns at the cache, other tails of compound pages, and
 * another order of members of pcpu_chunk.
 */
#define RELEASE "7.0.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#include "common.h"
#define NEXT_SEQ
#include "tagtypes.h"
#define POOLS_BEHIND
#include "recorded.h"
#include "printk.h"

#define FLAGS_IN_F
#define SHEAVES
#define STRIDE
#define FAILED_AT 1
#ifdef CASE_later
#define COMPOUND_INFO
#define BARN_IN_CACHE
#define NR_FIRST
#endif
#ifndef CASE_vectors
#define IN_SLAB
#endif
#ifdef CASE_nomemcg
#define NO_MEMCG
#else
#define NEEDS_OBJCG
#endif
#include "objects.h"
#define MODULE_AREA
#define KEEPS_COUNTERS
#define COMPRESSED 0
#define FULL_SIZE
#include "sites.h"
#include "frames.h"
#include "sections.h"
