/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bits the gfp flags of this kernel have: between 4.19 and 5.4 most of them moved, and since
 * 6.10 they depend on the configuration (include/linux/gfp.h, gfp_types.h). The kernel's own table
 * of names says it (mm/debug.c), and enumerators ___GFP_..._BIT of 6.10 and later.
 */
#pragma once

#include "kernel/flag_names.h"
#include "util/hash_u64.h"

enum gfp_flag {
	GFP_BIT_DMA,
	GFP_BIT_HIGHMEM,
	GFP_BIT_DMA32,
	GFP_BIT_MOVABLE,
	GFP_BIT_RECLAIMABLE,
	GFP_BIT_HIGH,
	GFP_BIT_IO,
	GFP_BIT_FS,
	GFP_BIT_DIRECT_RECLAIM,
	GFP_BIT_KSWAPD_RECLAIM,
	GFP_BIT_MEMALLOC,
	GFP_BIT_NOMEMALLOC,
	GFP_BIT_HARDWALL,
	GFP_BIT_THISNODE,
	GFP_BIT_ATOMIC, /* up to 6.2 */
	GFP_FLAGS
};

struct gfp_flags {
	uint32_t bit[GFP_FLAGS]; /* 0: the dump has no name of it */
	uint32_t named; /* each bit that is known as that of one flag, of these or another */
};

enum gfp_state { GFP_CLEAR, GFP_SET, GFP_UNKNOWN };

/* names may be empty. Never fails: a flag that has no name is unknown. */
void gfp_flags_open(struct dump *d, const struct flag_names *names, struct gfp_flags *ret);

/* A flag without a bit is clear where each bit of the mask is that of another. */
enum gfp_state gfp_state(const struct gfp_flags *g, uint32_t mask, enum gfp_flag flag);

/* "__GFP_THISNODE" */
const char *gfp_flag_name(enum gfp_flag flag);

/* GFP_KERNEL; 0: a flag of it is unknown. */
uint32_t gfp_kernel(const struct gfp_flags *g);

/* Names that the kernel keeps of its own numbers: gfp flags, migrate types and reasons. */

#define NAMES_TYPES 16

struct names {
	struct dump *dump;
	struct flag_names gfp;
	struct gfp_flags flags;
	struct hash_u64 gfp_texts;
	const char *migratetypes[NAMES_TYPES];
	unsigned int nmigratetypes;
	bool no_mobility; /* page_group_by_mobility_disabled: all are Unmovable */
	const char *migrate_reasons[NAMES_TYPES];
	unsigned int nmigrate_reasons;
};

/* Never fails: a table that is not there costs names only. */
void names_open(struct dump *d, struct names *ret);

/* "GFP_KERNEL|__GFP_ZERO" as %pGg has it; NULL without the kernel's table. */
const char *names_gfp(struct names *n, uint32_t mask);
/* The same as a word to show and to ask for: "0" where no flag is set. */
const char *names_gfp_word(struct names *n, uint32_t mask);

/* The migrate type that an allocation asked for, enum migratetype; false: its flags are unknown. */
bool names_gfp_type(const struct names *n, uint32_t mask, unsigned int *ret);
/* Its name; NULL: unknown. */
const char *names_gfp_migratetype(const struct names *n, uint32_t mask);

/* The name of a migrate type; NULL if the table has no such type. */
const char *names_migratetype(const struct names *n, unsigned int type);

/* Why a page was migrated last; NULL if the table has no such reason. */
const char *names_migrate_reason(const struct names *n, int reason);
