/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an address to file, line and function, in the DWARF of one file.  Units are found
 * by their own ranges, so that .debug_aranges is not needed; functions and lines of a
 * unit are read when an address in it is asked for.
 */
#pragma once

#include <elfutils/libdw.h>

#include "dump/dump.h"
#include "symbols/frame.h"
#include "util/hash_u64.h"

/* Ranges of addresses, each with a number, to be found by an address. */

struct addr_range {
	uint64_t low, high; /* high is behind the last */
	uint64_t what;
};

struct addr_ranges {
	struct addr_range *spans;
	size_t n;
};

/* Empty ranges are left out.  ST_CORRUPT: more than anything has. */
enum status addr_ranges_add(struct dump *d, struct addr_ranges *s, uint64_t low, uint64_t high,
			    uint64_t what);

/* Once, behind the last addr_ranges_add(). */
void addr_ranges_sort(struct addr_ranges *s);

/* The span with the highest low that has the address; NULL: none. */
const struct addr_range *addr_ranges_find(const struct addr_ranges *s, uint64_t addr);

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

/* Names of source files as /proc/allocinfo has them, from those that a compiler recorded. */

#define SOURCE_PATH_BYTES 4096 /* PATH_MAX */

/*
 * dir/name without ".", ".." and doubled slashes, nothing of it looked up; name alone
 * if it is absolute or dir is NULL.  Control characters become '?'.  False: too long.
 */
bool source_path(const char *dir, const char *name, char buf[static SOURCE_PATH_BYTES]);

/* What is left of path below the folder dir; path itself if it is not below it. */
const char *source_below(const char *path, const char *dir);

/*
 * The folder that the kernel's sources lie in, if path is its init/main.c, which
 * every kernel has; then buf has it and the answer is true.
 */
bool source_root(const char *path, char buf[static SOURCE_PATH_BYTES]);
