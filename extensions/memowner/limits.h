/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From where on the summary remarks something: every threshold, with its reason, in one table. */
#pragma once

#include "classes/page_class.h"
#include "util/maybe.h"

struct dump;

/* The time since boot is cut into that many equal steps. */
#define GROWTH_STEPS 64

enum limit {
	LIMIT_SPAN,	    /* tenths of a percent of the pages of an owner that a span has */
	LIMIT_BURST,	    /* steps that a burst spans at most */
	LIMIT_LEAK,	    /* steps that a leak spans at least */
	LIMIT_LEAK_END,	    /* last steps in which a leak still grew */
	LIMIT_LEAK_SHARE,   /* tenths of a percent of the mean that the thinnest part has */
	LIMIT_LEAK_BURST,   /* tenths of a percent of a leak that no burst inside it has */
	LIMIT_GROWTH_PAGES, /* pages of an owner from which on its growth is told */
	LIMIT_LIFE, /* milliseconds that a thread lived from which on its rate of faults is told */
	LIMIT_IN_FAULT, /* threads of a process that are in a page fault at the end */
	LIMIT_SITE,	/* tenths of a percent of System RAM from which on a site is proposed */
	LIMIT_FILE,	/* the same of a file, its pages in swap included */
	LIMIT_HOLDER,	/* the same of a caller of vmalloc, of zram, of a page pool */
	LIMIT_HOARD,	/* the same of an owner in the kernel where memory was not short */
	LIMIT_UNOWNED,	/* the same of a class of which no one owner is known */
	LIMIT_SPLITS,	/* the same of what cannot be moved, of an owner where a block is missing */
	LIMIT_MOST,	/* the same of any owner */
	LIMIT_CGROUP,	/* pages that a cgroup at its limit may charge at most */
	LIMIT_END,	/* seconds before the end in which a report tells how it ended */
	LIMIT_STUCK,	/* milliseconds for which a thread waits for a lock that another one has */
	LIMIT_ASLEEP,	/* milliseconds of a sleep that no rule knows */
	LIMIT_WORKS,	/* works of a workqueue that wait behind one that runs */
	LIMIT_PLENTY,	/* tenths of a percent of RAM that are free where memory has not run out */
	LIMIT_OTHER_FREE,
	LIMIT_AVAILABLE,
	LIMIT_SPREAD, /* tenths of a percent of System RAM in zones that the request may not use */
	LIMIT_PIECES, /* tenths of a percent of what is free: less in blocks of an order is hardly any */
	LIMIT_CPU, /* milliseconds for which a thread waits for a CPU */
	LIMIT_ZONE, /* tenths of a percent of the zones of a request that are free where they nearly ran out */
	LIMIT_ABOVE_MARKS, /* tenths of a percent of free memory that are above the marks of its zones */
	LIMIT_SHOWN,	   /* the same of a user of memory that fills the screen up */
	LIMIT_COVERED,	 /* tenths of a percent of a cgroup that those below it have */
	LIMIT_GRAPH,	 /* MiB of memory of the kernel that are read for owners by pointers */
	LIMIT_POINTERS,	 /* thousands of pointers to memory of the kernel that are followed there */
	LIMIT_IDLE_POOL, /* the same of huge pages of a pool that lie free */
	LIMIT_PRESSURE,	 /* hundredths of a percent of the time that all tasks waited for memory */
	LIMIT_PRESSURE_ALL, /* the same that some task waited for a CPU, or for I/O */
	LIMIT_PROTECTED,    /* tenths of a percent of System RAM that memory.min protects */
	LIMIT_NAMESPACES,   /* network namespaces in which no process lives */
	LIMIT_ZOMBIES,	    /* of a cgroup */
	LIMIT_REMOVED,	    /* removed cgroups below one */
	LIMIT_EMPTY,	    /* live cgroups below one in which no task is */
	LIMIT_COMMIT,	    /* tenths of a percent of the commit limit that are promised */
	LIMIT_USED, /* tenths of a percent of a limit of mappings, neighbours, threads that are used */
	LIMIT_FULL, /* tenths of a percent of a file system that are left to processes, with less of which it is full */
	LIMIT_KEPT_FOR_ROOT, /* the same that root alone may use */
	LIMIT_SWAP,	     /* tenths of a percent of swap that are used where it is full */
	LIMIT_FREE,	     /* tenths of a percent of System RAM that are free at most */
	LIMIT_CLASS,	     /* and the class: tenths of a percent from which on it is high */
	LIMITS = LIMIT_CLASS + PAGE_CLASSES
};

/* 0: there is none, of classes. */
uint64_t limit(enum limit which);

/* Why it is what it is; NULL: there is none. */
const char *limit_reason(enum limit which);

/* Every limit and its reason, for -D. */
void limits_trace(struct dump *d);

/* The remark on a class that has this many tenths of a percent of System RAM; NULL: none. */
const char *limit_of_class(enum page_class class, uint64_t tenths);

/* From which on it has one: then the class is called high. */
struct maybe_u64 limit_high(enum page_class class, uint64_t tenths);

/* The remark on pages in the free lists; NULL: none. */
const char *limit_of_free(uint64_t tenths);

/* Whether the rate of page faults of a thread is more than the noise of its start. */
bool limit_has_rate(uint64_t life_ns);

/* Whether nearly all that may be promised is. */
bool limit_ends_promises(uint64_t committed, uint64_t max);

/* Whether a memory cgroup with a limit of max pages is at it. */
bool limit_fills_cgroup(uint64_t usage, uint64_t max);

/* Whether those below a cgroup have nearly all that it has. */
bool limit_covers_cgroup(uint64_t below, uint64_t usage);
