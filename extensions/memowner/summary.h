/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary: what its parts found, and a row for each statement.  The rows are the answer:
 * JSON prints them as they are, the screen is made of them.
 */
#ifndef MEMOWNER_MEMOWNER_SUMMARY_H
#define MEMOWNER_MEMOWNER_SUMMARY_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "dump/scan_stats.h"
#include "mm/page_class.h"

/* What a row is about, in the order of the screen. */
enum section {
	SECTION_PANIC,
	SECTION_EXCEPTION,
	SECTION_OOM,
	SECTION_RAM,
	SECTION_CLASS,
	SECTION_OWNER,
	SECTION_HOLDER, /* of the kernel's own lists: callers of vmalloc, zram, page pools, DMA-BUF, balloons */
	SECTION_SITE,
	SECTION_CACHE,
	SECTION_FILE,
	SECTION_PROCESS,
	SECTION_FAULTS, /* the thread with the highest rate */
	SECTION_IN_FAULT,
	SECTION_MISSING, /* what this dump cannot tell, and what would have */
	SECTION_NEXT,
	SECTIONS
};

enum {
	COL_SECTION,
	COL_BY,
	COL_NAME,
	COL_PAGES,
	COL_BYTES,
	COL_ALLOCS,
	COL_OLDEST,
	COL_YOUNGEST,
	COL_GROWTH,
	COL_SPAN_PAGES,
	COL_SPAN_START,
	COL_SPAN_END,
	COL_OWNER,
	COL_PID,
	COL_COMM,
	COL_RSS,
	COL_ANON,
	COL_RSS_FILE,
	COL_SHMEM,
	COL_LOCKED,
	COL_SWAP,
	COL_SWAPPED,
	COL_USED_BY,
	COL_RATE,
	COL_WAITS_FOR,
	COL_TS,
	COL_ORDER,
	COL_GFP_MASK,
	COL_GFP,
	COL_CONSTRAINT,
	COL_MEMS_ALLOWED,
	COL_MEMCG,
	COL_OUTCOME,
	COL_VICTIM_PID,
	COL_VICTIM_COMM,
	COL_ADDRESS,
	COL_IP_SYMBOL,
	COL_REMARK,
	COL_COMMAND,
	SUMMARY_COLUMNS
};

extern const char *const section_names[];
extern const struct view summary_view;

struct summary {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report *report;
	struct table *table; /* of in */
	/* System RAM; 0: unknown. */
	uint64_t ram_pages;
	bool is_derived; /* that is the spans of the zones, with their holes */
	struct scan_stats cov;
	bool has_cov, complete;
	/* What the commands to type depend on. */
	bool has_classes, has_caches, has_files, has_owner, has_sites, has_tasks;
	bool pages_missing;	 /* the use of some pages is unknown */
	bool tasks_missing;	 /* some threads, or their mm_struct, are not in the dump */
	bool has_comm, has_ages; /* of the records of page_owner */
	const char *next_caller; /* as a filter takes it; NULL: none is known */
	const char *next_tgid;
	const char *next_holder;   /* a command; NULL: no row of its section */
	const char *next_function; /* of a call site */
	const char *next_module;   /* of this site; NULL: vmlinux, or not known */
	size_t in_fault;
	size_t waiting; /* of these, those that do more than to invoke the OOM killer */
	bool is_oops;
	bool has_report; /* the log has a report of memory that ran out */
	unsigned int
		failed_order; /* of that report, if memory in one piece is what ran out; else 0 */
	enum page_class main_class; /* the largest one in use; CLASS_UNKNOWN: not known */
	bool has_zones, has_nodes;  /* more than one node */
};

/* A row of a section; NULL: no memory. */
struct cell *summary_add(struct summary *s, enum section section);

/* A row that says what is not known, and why: a format for the remark. */
__attribute__((format(printf, 3, 4))) enum status summary_missing(struct summary *s,
								  const char *name, const char *fmt,
								  ...);

/*
 * Each part adds its rows.  What this dump lacks is a row of SECTION_MISSING or a warning;
 * ST_NOMEM and ST_STOPPED end the summary.
 */
enum status summary_log(struct summary *s);
struct owner_view;
enum status summary_pages(struct summary *s, struct owner_view *v);
/* classes: pages by enum page_class. */
enum status summary_holders(struct summary *s, struct owner_view *v, const uint64_t *classes);

/* A row of its section, if it has enough pages; command: the one that has it in full; remark may be NULL. */
enum status summary_holder(struct summary *s, const char *by, const char *name, uint64_t pages,
			   const char *command, const char *remark);

/* Buffers of DMA-BUF, areas of CMA and balloons: rows of the same section. */
enum status summary_devices(struct summary *s, struct owner_view *v, const uint64_t *classes);
struct slab_caches;
/* The largest caches; NULL: they cannot be read. */
enum status summary_caches(struct summary *s, const struct slab_caches *caches);
/* Memory cgroups at their limit. */
enum status summary_cgroups(struct summary *s);
enum status summary_sites(struct summary *s);
enum status summary_tasks(struct summary *s);
/* " (anon 28.1M)": the largest part of what is resident, of a row of SECTION_PROCESS. */
void summary_part(const struct cell *row, char *buf, size_t size);
enum status summary_next(struct summary *s);

/* "hungry (181)" */
const char *summary_task_text(const struct cell *pid, const struct cell *comm, char *buf,
			      size_t size);
/* A row of SECTION_OOM in words; true: the OOM killer was invoked, else an allocation failed. */
bool summary_oom_text(const struct cell *row, char *buf, size_t size);
/* A row of SECTION_FILE in words: "/spool/trace.log (deleted) 194.6M 76.2%, used by 76(spoold)". */
void summary_files_text(const struct summary *s, const struct cell *row, char *buf, size_t size);

/* Rows in the order of sections. */
void summary_sort(struct summary *s);

/* The screen. */
void summary_print(const struct summary *s);

#endif
