/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a directory in /proc/sys, as the kernel's own tables have them. */
#pragma once

#include "dump/dump.h"

#define SYSCTL_TEXT 128

struct sysctl {
	const char *name;     /* "swappiness" */
	uint64_t data;	      /* address of the variable */
	uint32_t bytes;	      /* of it: of a vector all its numbers */
	const char *handler;  /* function that shows it; NULL: unknown */
	uint64_t least, most; /* addresses of its bounds; 0: none */
};

/*
 * Visits the files of a directory ("vm", "fs/inotify") that have a variable, in the order of their names, until visit
 * returns another status than ST_OK, which is returned then. What the kernel computes when the file is read has none.
 * ST_ABSENT: there is no such directory.
 */
enum status sysctl_walk(struct dump *d, const char *directory,
			enum status (*visit)(void *arg, const struct sysctl *s), void *arg);

/*
 * The value as the file shows it, of several numbers with a blank between them; tick_ns: of a jiffy,
 * 0: unknown. ST_UNKNOWN: it is no number, in a unit that is not known, or its page has nothing but zeros.
 */
enum status sysctl_value(struct dump *d, const struct sysctl *s, uint64_t tick_ns,
			 char text[SYSCTL_TEXT]);

/*
 * The file, by its name with dots, that is set to 0 when this one is written: dirty_ratio_handler() and its like in
 * mm/page-writeback.c (2.6.29). NULL: there is none.
 */
const char *sysctl_excluded(const char *name);
