/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace state variables: the list gtp_var_list of struct gtp_var. KGTP defines those up to
 * 48 itself; the user's have numbers from 49 on.
 */
#pragma once

#include "kgtp/symbols.h"

/* Variables that say what a frame itself has no room for. */
enum kgtp_known_variable {
	KGTP_VAR_CPU,
	KGTP_VAR_CLOCK,	       /* cpu_clock() in ns */
	KGTP_VAR_COOKED_CLOCK, /* the same without the time in KGTP itself */
	KGTP_VAR_XTIME_SEC,
	KGTP_VAR_XTIME_NSEC,
	KGTP_VAR_PID,
	KGTP_VAR_STEP_ID,
	KGTP_KNOWN_VARIABLES
};

struct kgtp_variable {
	uint32_t number;
	const char *name; /* without $; NULL: the list has none */
	bool builtin;
	int64_t initial;
	const char *source; /* as GDB defined it, "1:HEX"; NULL: unknown */
};

struct kgtp_variables {
	struct kgtp_variable *v; /* in the order of the list */
	size_t n;
	const char *layout;  /* where the members of struct gtp_var are from, in words */
	const char *problem; /* why some are missing; NULL: none are */
	uint32_t known[KGTP_KNOWN_VARIABLES];
};

/* Never fails for what the dump lacks: then numbers have the names that KGTP gave them. */
enum status kgtp_variables_read(struct dump *d, const struct kgtp_symbols *s,
				struct kgtp_variables *ret);

/* Name of a variable, by the list or as KGTP numbers its own; NULL: unknown. */
const char *kgtp_variable_name(const struct kgtp_variables *v, uint32_t number);

/* Text as pairs of hexadecimal digits, as GDB sends names and sources. */

/* ret has room for half of hex and an end. False: not pairs of digits, or a byte of 0. */
bool hex_text_decode(const char *hex, char *ret);
