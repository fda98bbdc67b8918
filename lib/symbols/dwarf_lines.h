/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an address to file, line and function, in the DWARF of one file.  Units are found
 * by their own ranges, so that .debug_aranges is not needed; functions and lines of a
 * unit are read when an address in it is asked for.
 */
#pragma once

#include <elfutils/libdw.h>

#include "dump/dump.h"
#include "util/hash_u64.h"
#include "symbols/src_loc.h"
#include "symbols/addr_ranges.h"

struct dwarf_lines {
	struct dump *dump;
	Dwarf *dwarf;
	/* Closes the dwarf and opens it anew, since libdw keeps the lines of every unit. */
	Dwarf *(*renew)(void *arg);
	void *arg;
	size_t kept;		   /* bytes of lines since the last time, about */
	struct hash_u64 decoded;   /* units whose lines are among them */
	struct addr_ranges units;  /* offsets of their DIEs */
	struct hash_u64 functions; /* struct addr_ranges of DIEs, by unit */
	struct hash_u64 files;	   /* const char *, by the address of libdw's name */
	const char *root;	   /* folder of the sources; NULL: unknown */
};

/*
 * The dwarf stays the caller's and is used as long as ret is.  The caller may set
 * ret->renew then; NULL: it stays open.  root: that of the
 * kernel, if it is known.  ST_ABSENT: it describes no code.
 */
enum status dwarf_lines_open(struct dump *d, Dwarf *dwarf, const char *root,
			     struct dwarf_lines *ret);

/* pc as the DWARF counts it.  ST_ABSENT: nothing is said of it. */
enum status dwarf_lines_find(struct dwarf_lines *l, uint64_t pc, struct src_lines *ret);
