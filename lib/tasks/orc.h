/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ORC: how to get from a function's stack pointer to its caller's, for each range of text
 * addresses of x86_64 (arch/x86/include/asm/orc_types.h, arch/x86/kernel/unwind_orc.c).
 * Two tables of the same order: 32-bit distances from each entry itself to the text, and
 * struct orc_entry.
 */
#pragma once

#include "modules/module.h"
#include "util/hash_u64.h"

enum orc_field {
	ORC_SP_OFFSET,
	ORC_BP_OFFSET,
	ORC_SP_REG,
	ORC_BP_REG,
	ORC_TYPE,
	ORC_END,
	ORC_MOD_NUM,
	ORC_MOD_IPS,
	ORC_MOD_ENTRIES,
	ORC_FIELDS
};

enum orc_base {
	ORC_BASE_NONE, /* undefined, or a register that this build does not follow */
	ORC_BASE_SP,
	ORC_BASE_BP,
	ORC_BASE_BP_INDIRECT, /* of sp: a word at an offset from bp, of a function that aligns its stack */
	ORC_BASE_PREV_SP,
	ORC_BASE_SAME, /* of bp: as in the callee */
};

enum orc_kind {
	ORC_KIND_UNDEFINED,
	ORC_KIND_END,
	ORC_KIND_CALL,	       /* the return address is right below the caller's stack pointer */
	ORC_KIND_REGS,	       /* a struct pt_regs is there */
	ORC_KIND_PARTIAL_REGS, /* only its end: ip, cs, flags, sp, ss */
};

struct orc_rule {
	enum orc_kind kind;
	enum orc_base sp, bp;
	int16_t sp_offset, bp_offset; /* bytes */
};

struct orc {
	struct dump *dump;
	const struct modules *modules;
	struct field f[ORC_FIELDS];
	uint64_t entry_size;
	uint64_t ips, entries, n; /* of vmlinux */
	uint64_t start, end;	  /* text of vmlinux */
	bool renumbered;	  /* the registers have the numbers of 7.3 */
	struct hash_u64 *rules;	  /* that were found, struct orc_rule by address */
};

/* ST_ABSENT: a kernel without CONFIG_UNWINDER_ORC. */
enum status orc_open(struct dump *d, const struct modules *modules, struct orc *ret);

/* The rule for a text address; ST_ABSENT: no table covers it. */
enum status orc_find(const struct orc *o, uint64_t ip, struct orc_rule *ret);
