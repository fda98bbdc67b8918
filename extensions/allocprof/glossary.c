// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

const struct term site_terms[] = {
	{ "allocation site", "a line of source code that calls an allocator; also called call "
			     "site, or site" },
	{ "tag", "struct alloc_tag, the kernel's record of one allocation site with its counters" },
	{ "calls", "allocations of a site that are not freed" },
	{ "reference", "what the kernel stores for a page or an object to name its tag" },
	{ "stale", "a reference of memory that was freed after profiling was turned off" },
	{ "unsure", "profiling was turned off, and the reference may belong to memory that was "
		    "freed since" },
	{ "derived", "comm and tgid belong to the task that has the recorded pid at the panic" },
	{ "not tagged", "the kernel gives some allocations no tag on purpose (CODETAG_EMPTY)" },
	{ "tag none", "the reference of the memory is in this dump and is empty: the memory is "
		      "free, was allocated before profiling was turned on, or is one that the "
		      "kernel does not tag" },
	{ "tag unknown", "the reference is not in this dump, or the kernel keeps none for this "
			 "memory" },
	{ "unknown, -", "this kernel does not record the value, or the dump does not contain it" },
	{ NULL, NULL },
};
