/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lines of a report of the log have together. */
#pragma once

#include "util/maybe.h"

struct statement;

/* All rows of its table of processes, and of its list of caches. */
struct log_table {
	uint64_t rows;
	uint64_t tables;	  /* page tables, pages */
	struct maybe_u64 no_swap; /* pages of swap that none has */
	struct maybe_u64 anon;	  /* pages; unknown: it has no column of it */
	struct maybe_u64 rss;	  /* the same, files among it; unknown: it has a column of anon */
	uint64_t slabs;		  /* of the caches, pages */
	uint32_t told;		  /* classes, as bits, whose counters are lost */
	bool differs;		  /* two of its figures do not agree */
	bool lacks_asker;	  /* who asked has none */
	bool lacks_victim;	  /* so who was killed: rows are lost */
	bool may_lack_rows;	  /* all together have little of the memory of processes */
	bool has_asker;		  /* its figures are of that table */
	uint64_t victim; /* tgid of who was killed, where its pid is a thread's; 0: it is none */
	const char *
		unsized; /* "java (5), 1,780,210 pages": first of a table, the size of a page is unknown */
	bool is_beside; /* a dump lacks processes: rows are those of a whole table */
	const struct statement *groups, *processes; /* and these those of the dump */
};

/* Pages that are charged to a cgroup, by its counters in a report of the log. */
struct limit_parts {
	struct maybe_u64 anon, shmem, file; /* file: of others */
	struct maybe_u64 sock; /* packets of sockets, which are no kernel memory here */
};

struct summary;
struct oom_reports;

/* Of failed allocations: how many there were, and since when; NULL: the only one. */
const char *summary_failures(const struct summary *s, const struct oom_reports *all);
