/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table that the kernel prints from, read out of the dump
 * (kernel/kallsyms.c, scripts/kallsyms.c).
 *
 * Addresses are a sorted array of 32-bit offsets from kallsyms_relative_base or,
 * in kernels without it (7.3), from where each offset itself stands.
 * Names are one stream of records: a length (two bytes if the high bit of the
 * first is set), then that many token numbers; a token stands for a piece of
 * text, and the first character of a name is its type.  A marker per 256 names
 * says where in the stream they start.  With the tokens 1 = "do_" and 2 = "exit",
 * the record 03 'T' 01 02 is the text symbol "do_exit".
 */
#ifndef MEMOWNER_KERNEL_KALLSYMS_H
#define MEMOWNER_KERNEL_KALLSYMS_H

#include "dump/dump.h"

#define KALLSYMS_TOKEN_BYTES 65536 /* token_index is 16 bits wide */

enum kallsyms_encoding {
	KALLSYMS_PLAIN,	   /* from the base */
	KALLSYMS_NEGATIVE, /* below the base but one; positive ones are per-CPU and absolute */
	KALLSYMS_SELF,	   /* from the entry */
};

struct kallsyms {
	struct dump *dump;
	uint32_t n;
	uint32_t *offsets;
	uint64_t base; /* kallsyms_relative_base, or the address of the offsets */
	enum kallsyms_encoding encoding;
	uint8_t *names; /* all of the stream */
	uint64_t name_bytes;
	uint64_t markers;
	unsigned int marker_bytes;
	char *tokens;
	size_t token_bytes; /* how much of the tokens could be read */
	uint16_t token_index[256];
	uint64_t first, last; /* addresses of the kernel image: _stext, _end */
};

/* ST_ABSENT: no CONFIG_KALLSYMS; ST_UNKNOWN: tables that contradict the symbols of vmlinux. */
enum status kallsyms_open(struct dump *d, struct kallsyms *ret);

/* What %pS prints for an address of the kernel image; ST_ABSENT outside of it. */
enum status kallsyms_lookup(struct kallsyms *k, uint64_t addr, struct symbol *ret);

#endif
