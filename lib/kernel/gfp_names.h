/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that the kernel keeps of its own numbers: gfp flags, migrate types and reasons. */
#pragma once

#include "dump/dump.h"
#include "kernel/flag_names.h"
#include "kernel/gfp_flags.h"
#include "util/hash_u64.h"

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
