/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary: what its parts found, and a row for each statement.  The rows are the answer:
 * JSON prints them as they are, the screen is made of them.
 */
#ifndef MEMOWNER_MEMOWNER_SUMMARY_H
#define MEMOWNER_MEMOWNER_SUMMARY_H

#include "cli/cmdline.h"
#include "cli/report.h"
#include "dump/first_problem.h"
#include "dump/scan_stats.h"
#include "classes/page_class.h"

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
	COL_CGROUP,
	COL_EXECUTABLE,
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

struct owner_view;
struct pass;
struct task_pass;

struct summary {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report *report;
	struct table *table; /* of in */
	struct owner_view *view;
	struct first_problem
		pages_problem; /* why not even System RAM and the memory map are known */
	enum availability
		why;	   /* of the part that fails, where it is no matter of its status alone */
	struct pass *pass; /* over the pages */
	struct task_pass *tasks; /* over the threads */
	const uint64_t *classes; /* pages by enum page_class */
	const char *no_zram;	 /* why no device of zram is known; NULL: one may be */
	/* System RAM; 0: unknown. */
	uint64_t ram_pages;
	const char *ram_name; /* "System RAM", or what stands in for it */
	bool is_derived;      /* something does, holes included */
	struct scan_stats cov;
	bool has_cov, complete;
	/* What the commands to type depend on. */
	bool has_classes, has_caches, has_files, has_owner, has_sites, has_tasks;
	uint64_t pages_missing;	 /* whose use is unknown */
	bool tasks_missing;	 /* some threads, or their mm_struct, are not in the dump */
	bool has_comm, has_ages; /* of the records of page_owner */
	const char *next_caller; /* as a filter takes it; NULL: none is known */
	const char *next_tgid;
	const char *next_holder; /* a command; NULL: no row of its section */
	const char *next_mount;	 /* a command for the largest tmpfs of many files */
	uint64_t next_mount_pages;
	const char *next_function; /* of a call site */
	const char *next_module;   /* of this site; NULL: vmlinux, or not known */
	size_t in_fault;
	size_t waiting; /* of these, those that do more than to invoke the OOM killer */
	bool is_oops;
	bool has_report;	/* the log has a report of memory that ran out */
	bool ran_out_in_cgroup; /* of that report: the zones say nothing of it */
	bool has_cgroups;
	unsigned int
		failed_order; /* of that report, if memory in one piece is what ran out; else 0 */
	enum page_class main_class; /* the largest one in use; CLASS_UNKNOWN: not known */
	bool has_zones, has_nodes;  /* more than one node */
};

/* A row of a section; NULL: no memory. */
struct cell *summary_add(struct summary *s, enum section section);

/*
 * The parts (parts.c): each adds its rows, or ends with another status and the error of the dump.
 * ST_ABSENT: this kernel has no such thing, or not enough of it to be told.
 */
enum status summary_log(struct summary *s);
/* Counts the pages for the parts that follow. */
enum status summary_pass(struct summary *s);
enum status summary_total(struct summary *s);
enum status summary_classes(struct summary *s);
enum status summary_zones(struct summary *s);
/* The largest caches. */
enum status summary_caches(struct summary *s);
enum status summary_files(struct summary *s);
/* Memory cgroups at their limit. */
enum status summary_cgroups(struct summary *s);
enum status summary_callers(struct summary *s);
enum status summary_zram(struct summary *s);
enum status summary_zswap(struct summary *s);
enum status summary_page_pools(struct summary *s);
enum status summary_sockets(struct summary *s);
enum status summary_buffers(struct summary *s);
enum status summary_cma(struct summary *s);
enum status summary_balloons(struct summary *s);
enum status summary_owners(struct summary *s);
enum status summary_charges(struct summary *s);
enum status summary_sites(struct summary *s);
enum status summary_tasks(struct summary *s);
/* Of the pass of summary_tasks(). */
enum status summary_in_fault(struct summary *s);

/*
 * A part, or one of several reasons of it, that could not be read: a function of a part may tell some
 * before it ends.  As report_part() and report_unknown().
 */
enum status summary_failed(struct summary *s, const char *name, enum status st);

/* What decoders went on without (dump_lacks()), behind all parts. */
enum status summary_gaps(struct summary *s);
__attribute__((format(printf, 4, 5))) enum status summary_unknown(struct summary *s,
								  const char *name,
								  enum availability why,
								  const char *fmt, ...);

/* The same section of what is known not to be there: text. */
enum status summary_none(struct summary *s, const char *name, const char *text);

/* A row of its section, if it has enough pages; command: the one that has it in full; remark may be NULL. */
enum status summary_holder(struct summary *s, const char *by, const char *name, uint64_t pages,
			   const char *command, const char *remark);

struct slab_caches;
enum status summary_put_caches(struct summary *s, const struct slab_caches *caches);

/* Whether a class has enough pages for one of its users; holes may hide which pages are of it. */
bool summary_may_hold(const struct summary *s, uint64_t pages);

/* ST_UNREADABLE: what a part would have found is of pages whose use is unknown; they are said. */
enum status summary_fail_missing(struct summary *s);

/* " (anon 28.1M)": the largest part of what is resident, of a row of SECTION_PROCESS. */
void summary_part(const struct cell *row, char *buf, size_t size);
/* " of /usr/bin/python3 in /system.slice/report.service", as far as it is short, and more than its name says. */
#define SUMMARY_PLACE 128
void summary_place(const struct cell *row, char *buf, size_t size);
enum status summary_next(struct summary *s);

/* "hungry (181)" */
const char *summary_task_text(const struct cell *pid, const struct cell *comm, char *buf,
			      size_t size);
/* A row of SECTION_OOM in words; true: the OOM killer was invoked, else an allocation failed. */
bool summary_oom_text(const struct cell *row, const struct dump_info *info, char *buf, size_t size);
/* A row of SECTION_FILE in words: "/spool/trace.log (deleted) 194.6M 76.2%, used by 76(spoold)". */
void summary_files_text(const struct summary *s, const struct cell *row, char *buf, size_t size);

/* A name for each row that has none: its process, its command. */
void summary_name_rows(struct summary *s);

/* Rows in the order of sections. */
void summary_sort(struct summary *s);

/* Whether a row says anything but what is unknown. */
bool summary_tells(const struct summary *s);

/* The screen. */
void summary_print(const struct summary *s);

#endif
