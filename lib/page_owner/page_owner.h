/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page_owner of every page of System RAM (mm/page_owner.c).
 *
 * "Allocated" means what the kernel's own page_owner file means by it: free blocks of the page
 * allocator are not, whatever is recorded of their pages.  Since 5.4 each page of an allocation carries the record and two bits: OWNER (was
 * ever recorded) and OWNER_ALLOCATED (is now).  Before, OWNER alone stands on
 * the first page of an allocation and is cleared when it is freed.
 */
#pragma once

#include "buddy/free_pages.h"
#include "dump/gap.h"
#include "dump/scan_stats.h"
#include "page_owner/page_ext.h"

#define TASK_COMM_LEN 16

enum owner_field {
	OWNER_ORDER,
	OWNER_REASON,
	OWNER_GFP,
	OWNER_HANDLE,
	OWNER_FREE_HANDLE,
	OWNER_TS,
	OWNER_FREE_TS,
	OWNER_COMM,
	OWNER_PID,
	OWNER_TGID,
	OWNER_FREE_PID,
	OWNER_FREE_TGID,
	OWNER_FIELDS
};

struct owner_free;

struct page_owner {
	struct dump *dump;
	struct ram ram;
	struct page_ext ext;
	struct field f[OWNER_FIELDS];
	uint64_t offset;     /* of struct page_owner in an entry */
	size_t record_bytes; /* how much of it is read */
	struct field flags;  /* of struct page_ext */
	struct {
		struct quick_field flags;	      /* in the entry */
		struct quick_field order, handle, ts; /* in the record */
	} quick;
	uint64_t recorded_bit; /* masks of it */
	uint64_t allocated_bit;
	bool every_page;	  /* tails carry the record as well (5.4 and later) */
	int never_migrated;	  /* value of last_migrate_reason that means "never" */
	struct owner_free *free;  /* NULL: not known */
	const char *free_problem; /* why that is not known; NULL: it is */
	bool told_free_problem;
};

/* What ranking needs of the entry of one page. */
struct owner_page {
	uint64_t pfn;
	bool allocated;
	bool unknown; /* its entry is not in this dump, or corrupt: nothing else is set */
	bool head;    /* first page of the allocation: the kernel lists it */
	unsigned int order;
	uint32_t handle;
	uint64_t ts_ns;	    /* of local_clock(); 0 if this kernel does not record it */
	const uint8_t *raw; /* its struct page_owner, valid until visit returns; NULL: none */
};

/* The rest.  A member that this kernel lacks is 0; see page_owner.f. */
struct owner_record {
	struct owner_page page;
	uint32_t gfp_mask;
	uint32_t free_handle;
	int32_t pid, tgid, free_pid, free_tgid;
	uint64_t free_ts_ns;
	int last_migrate_reason;
	char comm[TASK_COMM_LEN + 1];
	char raw_comm[TASK_COMM_LEN + 1]; /* with the control characters that comm has as ? */
};

void page_owner_decode(const struct page_owner *po, const struct owner_page *page,
		       struct owner_record *ret);

/* comm alone, as there; buf has TASK_COMM_LEN + 1 bytes. */
void page_owner_comm(const struct page_owner *po, const struct owner_page *page, char *buf);

/*
 * Finds everything that a scan needs.  Unless the status is ST_OK, *why says
 * which of the reasons it is and dump->error has the message.
 */
enum status page_owner_open(struct dump *d, struct page_owner *ret, enum availability *why);

enum owner_scope {
	SCAN_LIVE,     /* pages that are allocated */
	SCAN_RECORDED, /* and those that were, and are free */
	SCAN_ALL,      /* and the rest of System RAM: pfn alone is known of it */
};

/*
 * Calls visit for each page of that scope, in pfn order.  visit ends the scan by any
 * status but ST_OK, which is returned.  ST_STOPPED: interrupted; the
 * coverage then holds what was seen.
 */
enum status page_owner_scan(struct page_owner *po, enum owner_scope scope, struct scan_stats *cov,
			    enum status (*visit)(void *arg, const struct owner_page *page),
			    void *arg);

/* Pages one behind the other, whose records say the same but for the time. */
struct owner_run {
	uint64_t pages;
	uint64_t ts_min, ts_max; /* as ts_ns of struct owner_page */
	struct owner_page first; /* records of the others lie stride bytes apart behind its raw */
	size_t stride;
};

struct owner_visitor {
	enum status (*page)(void *arg, const struct owner_page *page);
	/*
	 * The pages behind the one that was visited last, if it and they are allocations of order 0 by
	 * one stack: 91 of 100 in 6.12-kdump.  Of page_owner it asks nothing: the records would
	 * be overwritten.  NULL: each is visited.
	 */
	void (*alike)(void *arg, const struct owner_run *run);
	/* After a run, a handle of the runs behind the next one, to fetch ahead what is asked of it; may be NULL. */
	void (*soon)(void *arg, uint32_t handle);
	void *arg;
};

/* The same, where nothing is asked of a page but what a run has. */
enum status page_owner_scan_runs(struct page_owner *po, enum owner_scope scope,
				 struct scan_stats *cov, const struct owner_visitor *visitor);

/*
 * The record of one page, allocated or free.  ST_ABSENT: no System RAM, no
 * entry, or never recorded; ST_UNREADABLE; ST_CORRUPT.  The message says which.
 */
enum status page_owner_look_up(struct page_owner *po, uint64_t pfn, struct owner_record *ret);

/*
 * Pages with a record that says "allocated" and that are free: those that were on the lists of CPUs when
 * page_owner started are taken for allocated (init_pages_in_zone() in mm/page_owner.c), and a free of one page of an
 * allocation leaves the records of others.  The kernel's own file leaves out each free block of the page
 * allocator, without a look at the records in it (read_page_owner(), all releases).
 */

struct owner_free;

/* end: first pfn behind System RAM. */
enum status owner_free_open(struct dump *d, const struct memmap *memmap, uint64_t end,
			    struct owner_free **ret);

/*
 * For a scan: the lists of free blocks are read, once.  Where one has a defect, pages are asked by their
 * struct page.  ST_STOPPED
 */
enum status owner_free_list(struct owner_free *f);

/* f: or NULL.  Meant for rising pfns. */
bool owner_free_has(struct owner_free *f, uint64_t pfn);

/* The first pfn from one on that may be free: nothing more is known below.  f: or NULL. */
uint64_t owner_free_next(struct owner_free *f, uint64_t pfn);
