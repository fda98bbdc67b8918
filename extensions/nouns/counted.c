// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner counted",
	"direct pages that the kernel lists or counts",
	"",
	"  Buffers of ftrace and perf, rings of packet sockets and of BPF, DMA pools,",
	"  pipes, packets of sockets; what is counted and in no list: items of",
	"  /proc/vmstat, large kmalloc. Each page has its class, and is of one row.",
	"  Below stands what of the class direct is in no row.",
	"EXAMPLES",
	"  All of them; those of one kind:",
	"    memowner counted",
	"    memowner counted -f kind=ftrace",
	NULL
};

static const struct view *const views[] = { &owner_counted_view };

static const struct command_option options[] = { RANKED_ROWS("kind=ftrace", "pages", "+address"),
						 LAST_OPTIONS };

OWNER_NOUN(counted)
