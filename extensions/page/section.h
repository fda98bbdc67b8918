/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of the page: a command, and the room that its answer has. */
#pragma once

#include "dump/dump.h"

struct page_section {
	const char *name, *title, /* with "%s": of the process of the line, or the processes */
		*line; /* with "%d" of a process, "%l" of those, "%s" of the file system that the summary names, if they are known; "%c": cgroup, of v1 memcg */
	size_t bytes;
	const char *intro;
	unsigned int
		lines; /* of text, from which on it stands where it is without a table; 0: never */
	bool is_rare;  /* it is left out where it has no row */
	bool is_part;  /* of the rows of another section, which has the sums of all */
	bool is_open;  /* it does not stand behind its title */
	const char *
		group; /* sections behind each other that have one title above theirs; NULL: it has its own alone */
};
