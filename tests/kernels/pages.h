/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Owners of the pages.  In section 0: two single pages, an order 2 allocation
 * with its tails and one page that was freed.  In section 1: a page of the second stack.
 */
#ifndef ALLOCATED
#define RECORDED 1UL
#define ALLOCATED 3UL
#endif

#ifndef EXTRA_PAGES
#define EXTRA_PAGES
#endif
#ifndef FREED
#define FREED(h, pid, at) .free_handle = h, .free_pid = pid, .free_tgid = pid, .free_ts_nsec = at
#endif

static struct entry first_entries[FIRST_PAGES] = {
	[0] = { { ALLOCATED },
		OWNER(0, HANDLE_FIRST, BY(7, 7, "leaker", 1000), .gfp_mask = 0xcc0) },
	[1] = { { ALLOCATED },
		OWNER(0, HANDLE_FIRST, BY(8, 7, "leaker-2", 2000), .gfp_mask = 0xcc0) },
	[4] = { { ALLOCATED },
		OWNER(2, HANDLE_FIRST, BY(7, 7, "leaker", 3000), .gfp_mask = 0x40cc0) },
#ifndef HEADS_ONLY
#ifndef TAILS
#define TAILS OWNER(2, HANDLE_FIRST, BY(7, 7, "leaker", 3000), .gfp_mask = 0x40cc0)
#endif
	[5 ... 7] = { { ALLOCATED }, TAILS },
	[8] = { { RECORDED },
		OWNER(0, HANDLE_FIRST, BY(9, 9, "gone", 4000), FREED(HANDLE_FREE, 9, 5000)) },
#endif
	EXTRA_PAGES
};
static struct entry second_entries[SECOND_PAGES] = {
	[3] = { { ALLOCATED },
		OWNER(0, HANDLE_SECOND, BY(1, 1, "init", 6000), .gfp_mask = 0x100cca,
		      .last_migrate_reason = 1, FREED(HANDLE_FREE, 2, 5500)) },
};
