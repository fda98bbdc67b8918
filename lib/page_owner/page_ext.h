/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_ext: an entry per page frame, in a table per section, or per node with FLATMEM.
 *
 * An entry is the shared member flags (only if a client asks for it, 6.3 and
 * later) followed by the data of each client at the offset that its struct
 * page_ext_operations holds.  The pointer in struct mem_section is biased: the
 * entry of a pfn is pointer + entry size * pfn, in wrapping arithmetic
 * (mm/page_ext.c).
 */
#pragma once

#include "pages/memmap.h"
#include "dump/read_window.h"

struct page_ext {
	struct dump *dump;
	struct memmap memmap;
	uint64_t entry_size;
	struct read_window window;
	/* The table that was asked for last. */
	uint64_t start, end; /* pfns that it is for */
	enum status status;
	uint64_t base; /* biased */
	bool offline;  /* it has entries, but its memory is being taken away */
};

/* ST_ABSENT: built without PAGE_EXTENSION. */
enum status page_ext_open(struct dump *d, struct page_ext *ret);

/* Where a client keeps its data in an entry; ops names its page_ext_operations. */
enum status page_ext_offset(struct dump *d, const char *ops, uint64_t *ret);

/*
 * The entry of a pfn, valid until the next call.  Meant for rising pfns: the
 * table is read in bulk, once.  ST_ABSENT: no entry for this pfn (no memory,
 * or going offline); ST_UNREADABLE: it is not in this dump.  No message.
 */
enum status page_ext_at(struct page_ext *x, uint64_t pfn, const uint8_t **ret);

/*
 * The same, and how many entries of pfns below end lie side by side from there on: at least this one.  All
 * are valid while window.base stays as it is.
 */
enum status page_ext_run(struct page_ext *x, uint64_t pfn, uint64_t end, const uint8_t **ret,
			 uint64_t *n);
