/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scan in a file (pageowner -w), or the text of a live kernel (live_text.h), to be looked at
 * without its dump (-R) or to compare with (-d).  A scan is text, a record a line, fields apart
 * by tabs:
 *
 *	crash-memowner scan 1
 *	kernel RELEASE | page_size N | panic_ns N [SOURCE [lost]] | coverage NAME N
 *	derived NAME WHY			of struct ram, where it has them
 *	lacks PART WHY				what was unknown when it was written
 *	gfp MASK TEXT
 *	stack HANDLE CUT FRAME...		symbol+0x1f [module] <label>, innermost first
 *	pages HANDLE ORDER MASK TGID COMM PAGES ALLOCS TS_MIN TS_MAX
 *	end RECORDS				of pages; the last line
 *
 * "coverage capture" and "coverage offline" are pages of System RAM that shares are not of (ram_base()); scans up to
 * 2.0.0 have neither.
 * SOURCE is a word of end_sources[] where the time is that of no panic, "lost" where there may have been one in
 * a part of the log that could not be read.
 * TGID, COMM and times are "-" where the kernel did not record them.  Bytes of a text below
 * space, and backslashes, are written as \xNN.
 */
#pragma once

#include "dump/scan_stats.h"
#include "dump/dump.h"

struct owner_view;
struct page_facts;
struct frame;

/* What a file is; bits, for sets of them. */
enum saved_kind {
	SCAN_SAVED = 1,	      /* of -w */
	SCAN_PAGE_OWNER = 2,  /* a text of /sys/kernel/debug/page_owner */
	SCAN_SHOW_STACKS = 4, /* a text of page_owner_stacks/show_stacks */
};

struct saved_pages {
	struct saved_pages *next;
	uint32_t handle, gfp_mask;
	unsigned int order;
	bool has_tgid, has_comm, has_time;
	int32_t pid, tgid;
	char comm[17];
	const char *migratetype, *block_migratetype; /* of a text of page_owner */
	uint64_t pages, allocs, ts_min, ts_max;
};

#define TEXT_MARKS 32

/* A record of a text: the time of its allocation tells whether this dump is of the same boot. */
struct text_mark {
	uint64_t pfn, ts;
};

struct saved_scan {
	const char *path;
	enum saved_kind kind;
	const char *kernel; /* NULL: the file does not tell */
	uint64_t nrecords;  /* of a text: in the file */
	unsigned long
		cut_line; /* of a text: it ends inside of a record, which is left out; 0: not */
	bool has_pid, has_task, has_time; /* of a text: its records have them */
	/* Of a text of page_owner: where its records lie, and the newest one, of the first of them and of all. */
	bool rises;		     /* each above the one before */
	uint64_t first_pfn, end_pfn; /* end_pfn is the first one behind */
	uint64_t begin_ts, newest_ts;
	struct text_mark oldest[TEXT_MARKS]; /* most likely not freed since; ts is not 0 */
	unsigned int noldest;
	struct scan_stats cov;
	uint64_t capture, offline; /* pages, as of struct ram */
	bool has_capture;	   /* the scan tells them */
	const char *derived;	   /* as in struct ram */
	struct dump_gap *lacks;	   /* what was unknown when it was written */
	struct saved_pages *first, **last;
};

/*
 * Makes v a view of a file: stacks and names are those of the file. ST_USAGE: it
 * cannot be read, or is no such file; the message has the line.
 */
enum status owner_saved_open(struct owner_view *v, const char *path);

/* Whether shares of RAM are known: of a scan they are if it tells what they are not of. */
bool owner_saved_has_base(const struct owner_view *v);

/* Warns of a text that ends inside of a record: v shows it, or compares with it. */
void owner_saved_cut(struct owner_view *v, const struct saved_scan *text);

/* "the saved scan" and its like, for messages. */
const char *owner_saved_name(const struct owner_view *v);

/* Calls visit for each record, as of pages that are live. */
enum status owner_saved_scan(struct owner_view *v, struct scan_stats *cov,
			     enum status (*visit)(void *arg, struct page_facts *fact), void *arg);
