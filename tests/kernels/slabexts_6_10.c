// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects and pages with their call sites as of 6.10 to 6.12: references in page_ext, in a vector
 * for each slab, and beside per-CPU memory; zero-based per-CPU addresses. What a module
 * left that was unloaded is read where it stands.
 * CASE_nomemcg: the vector has nothing else, and another mark if there was no memory for it.
 * CASE_kfence: four pages are the pool of KFENCE; CASE_kfence_off: page_owner is off as well;
 * CASE_kfence_used: its object is in use.
 * CASE_tiny: CONFIG_SLUB_TINY, no CPU has a slab for itself (6.2).
 * CASE_top_byte: types of pages as of 6.12.
 */
#define RELEASE "6.10.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 16
#ifdef CASE_kfence_off
#define CASE_kfence
#define INITED 0
#endif
#ifdef CASE_kfence_used
#define CASE_kfence
#endif
#include "common.h"
#include "tagtypes.h"
#include "recorded.h"
#include "printk.h"

#ifndef CASE_top_byte
#define TYPE_BITS
#endif
#ifndef CASE_tiny
#define CPU_SLABS
#endif
#define PERCPU_ZERO
/* OBJEXTS_ALLOC_FAIL is the first bit that memcg leaves. */
#ifdef CASE_nomemcg
#define NO_MEMCG
#define FAILED_AT 1
#else
#define NEEDS_OBJCG
#define FAILED_AT 4
#endif
#include "objects.h"
#include "sites.h"
#ifdef CASE_kfence
#include "kfencepool.h"
#endif
#include "frames.h"
#include "sections.h"
