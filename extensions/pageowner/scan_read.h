/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scan in a file (pageowner -w), to be looked at without its dump (-R) or to
 * compare with (-d).  Text, a record a line, fields apart by tabs:
 *
 *	crash-memowner scan 1
 *	kernel RELEASE | page_size N | panic_ns N | coverage NAME N
 *	gfp MASK TEXT
 *	stack HANDLE CUT FRAME...		symbol+0x1f [module] <label>, innermost first
 *	pages HANDLE ORDER MASK TGID COMM PAGES ALLOCS TS_MIN TS_MAX
 *	end RECORDS				of pages; the last line
 *
 * TGID, COMM and times are "-" where the kernel did not record them.  Bytes of a text below
 * space, and backslashes, are written as \xNN.
 */
#ifndef MEMOWNER_PAGEOWNER_SCAN_READ_H
#define MEMOWNER_PAGEOWNER_SCAN_READ_H

#include "dump/scan_stats.h"
#include "dump/dump.h"

struct owner_view;
struct page_facts;

struct saved_pages {
	struct saved_pages *next;
	uint32_t handle, gfp_mask;
	unsigned int order;
	bool has_tgid, has_comm, has_time;
	int32_t tgid;
	char comm[17];
	uint64_t pages, allocs, ts_min, ts_max;
};

struct saved_scan {
	const char *path;
	const char *kernel;
	struct scan_stats cov;
	struct saved_pages *first, **last;
};

/*
 * Makes v a view of a file: stacks and names are those of the file. ST_USAGE: it
 * cannot be read, or is no such file; the message has the line.
 */
enum status owner_saved_open(struct owner_view *v, const char *path);

/* Calls visit for each record, as of pages that are live. */
enum status owner_saved_scan(struct owner_view *v, struct scan_stats *cov,
			     enum status (*visit)(void *arg, struct page_facts *fact), void *arg);

#endif
