// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner counted",
	"direct pages that the kernel lists or counts",
	"",
	"  Buffers of ftrace and perf, rings of packet sockets, of BPF and io_uring,",
	"  DMA pools, pipes, packets of sockets, buffers of XFS and ZFS, RAM disks, what",
	"  vmap() maps, by its caller; what is counted and in no list: items of",
	"  /proc/vmstat, pages of TTM and z3fold, page tables of KVM, large kmalloc.",
	"  Each page has its class, and is of one row. XFS frees the LRU list of its",
	"  shrinker. Of the ARC of ZFS COUNTED is its size, with what it has in slabs.",
	"  Below stands what of the class direct is in no row.",
	"  Of other classes are page pools of network drivers (memowner pools; before",
	"  5.14 they are in no row) and extent buffers of btrfs (memowner files); GEM",
	"  objects that TTM does not have, and packets of pktgen, are in no row.",
	"EXAMPLES",
	"  All of them; those of one kind:",
	"    memowner counted",
	"    memowner counted -f kind=ftrace",
	NULL
};

/* Map 12 of this boot is another of the next. */
static const struct baseline baseline = {
	.rest = { "rest" },
	.by = { { COLUMN_kind, COLUMN_name } },
	.amounts = { { COLUMN_bytes } },
	.strips_numbers = true,
};

static const struct view diff_view = { BASELINE_OF(baseline, "name", "names"), NO_KEYS };

static const struct view *const views[] = { &owner_counted_view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("kind=ftrace", "pages", "+address"),
						 DIFF, LAST_OPTIONS };

OWNER_NOUN(counted)
