// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 7.3: a reference is a pointer alone, one or two for each object, and bits of the slab say which.
 * CASE_vectors: not in the slab. CASE_uncharged: of caches that memcg does not charge.
 * CASE_nomemcg: memcg is not there. CASE_no_codetag: tags are not, decided at boot.
 */
#define RELEASE "7.3.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#include "common.h"
#define NEXT_SEQ
#include "tagtypes.h"
#define POOLS_BEHIND
#define NEVER_IS_10
#include "recorded.h"
#include "printk.h"

#define FLAGS_IN_F
#define SHEAVES
#define PACKED
#define FAILED_AT 1
#define COMPOUND_INFO
#define BARN_IN_CACHE
#ifndef CASE_vectors
#define IN_SLAB
#endif
#if defined(CASE_nomemcg)
#define NO_MEMCG
#elif !defined(CASE_uncharged)
#define NEEDS_OBJCG
#endif
#include "objects.h"
#define MODULE_AREA
#define KEEPS_COUNTERS
#define COMPRESSED 0
#define FULL_SIZE
#define NR_FIRST
#include "sites.h"
#include "frames.h"
#include "sections.h"

#ifdef CASE_no_codetag
#define HAS_CODETAG 0
#else
#define HAS_CODETAG 1
#endif
struct static_key_true slab_obj_ext_has_codetag_key = { { { HAS_CODETAG } } };
