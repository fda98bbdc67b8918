/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel log says of memory that ran out: the reports of mm/oom_kill.c, those of failed
 * allocations (warn_alloc() of mm/page_alloc.c) and the Mem-Info blocks, of 4.19 to 7.3.
 *
 * What a report does not say, or says in a record that is not in the dump, is unknown. The parts
 * of a report are records of one caller, in the order in which the kernel prints them; a part
 * behind a record that is missing belongs to a report of its own, without the first line. So a
 * member may be unknown, but is not that of another report.
 */
#pragma once

#include "log/kernel_log.h"
#include "oom/mem_info.h"

/* That are kept, the oldest, which began it, and the newest: a storm of kills has hundreds. */
#define OOM_REPORTS 512
#define OOM_REPORTS_LEFT 64 /* out at once where more come: the rest is moved */
#define OOM_COMM 16
#define OOM_TEXT 256
#define OOM_FUNCTION 128 /* with its module */
#define OOM_CALL 48
#define OOM_NODES 64
#define OOM_LINE 4096

enum oom_report_kind {
	OOM_REPORT_OOM,	       /* the OOM killer was invoked */
	OOM_REPORT_ALLOCATION, /* an allocation failed */
	OOM_REPORT_MEM_INFO,   /* a Mem-Info block alone, as of sysrq-m: why is unknown */
	OOM_REPORT_KINDS
};

enum oom_outcome {
	OOM_OUTCOME_UNKNOWN,
	OOM_KILLED,    /* a victim */
	OOM_EXITING,   /* the victim was already exiting */
	OOM_NO_VICTIM, /* "no killable processes" */
	OOM_PANICKED,
	OOM_OUTCOMES
};

/* Of whom memory ran out. */
enum oom_scope { OOM_SCOPE_UNKNOWN, OOM_SCOPE_GLOBAL, OOM_SCOPE_MEMCG };

struct oom_victim {
	bool has_comm;
	char comm[OOM_COMM + 1];
	struct log_number pid, uid;
	struct log_number total_vm_kib, anon_rss_kib, file_rss_kib, shmem_rss_kib, pgtables_kib;
};

/* A counter of a memory cgroup that the report prints. */
struct oom_limit {
	struct log_number usage_kib, limit_kib, failcnt;
	bool in_doubt; /* the limit stands there, and does not fit what is charged: it was lowered, or lost digits */
};

struct oom_report {
	enum oom_report_kind kind;
	bool has_head;	/* the line "... invoked oom-killer" or "... page allocation failure" */
	uint64_t ts_ns; /* of its first record that was found, local_clock() */
	bool has_comm;	/* the line names the task: up to 2.6.18 it does not */
	char comm[OOM_COMM + 1]; /* of the task that asked for memory */
	struct log_number
		pid; /* of that task, or of the one that wrote the block; unknown in an interrupt */
	struct log_number cpu; /* on which it wrote the report */
	struct log_number gfp_mask;
	char gfp[OOM_TEXT]; /* "GFP_KERNEL|__GFP_COMP"; "": unknown, as with all texts below */
	bool has_order;
	int order;			 /* -1: by sysrq-f */
	struct log_number vmalloc_bytes; /* that vmalloc() was asked for */
	const char *vmalloc_why;	 /* what was short by its words; NULL: they do not tell */
	char constraint[32];		 /* "CONSTRAINT_NONE" */
	bool constraint_derived; /* no line has it: it follows from the panic, or the kind of the report */
	char nodemask[OOM_NODES]; /* "(null)": every node; "0-1" */
	char mems_allowed[OOM_NODES];
	char cpuset[OOM_TEXT];
	enum oom_scope scope;
	char oom_memcg[OOM_TEXT];		    /* path of the cgroup that ran out of memory */
	char task_memcg[OOM_TEXT];		    /* path of the cgroup of the victim */
	struct oom_limit memory, swap, memsw, kmem; /* of oom_memcg */
	struct oom_victim victim;
	unsigned int kills;	   /* lines "Killed process": more than 1 for memory.oom.group */
	uint64_t kill_ns;	   /* of the last of these; 0: unknown */
	char others[OOM_TEXT];	   /* "b (12), c (13)": victims beside the first; "": none */
	unsigned int more_victims; /* that are not named there */
	enum oom_outcome outcome;
	char asked_in
		[OOM_FUNCTION]; /* "vgx_ioctl [vgx]": innermost function of a module in its call trace */
	char function[OOM_FUNCTION]; /* innermost one in it that is no allocator's */
	char system_call[OOM_CALL];  /* "setxattr": in which it asked */
	bool has_allocation;  /* the page allocator, or the charge to a cgroup, is in the trace */
	bool is_of_interrupt; /* what is below an interrupt in the trace did not ask */
	bool is_group;	      /* memory.oom.group: all processes of the cgroup are killed */
	bool not_reaped;      /* the memory of the victim stayed */
	struct log_number
		left_kib; /* of the victim's anonymous memory, behind the work of oom_reaper */
	bool by_reaper;	  /* the victim is known by whose memory was freed */
	bool has_mem_info;
	const char *
		global_by; /* "its list of zones": by which it is of the machine, where no line has the constraint; NULL */
	bool is_cgroup_by_trace; /* the OOM killer was called for a cgroup */
	bool is_cut; /* the log begins, or goes on behind what is missing, within its block */
	bool is_behind_gap; /* of these the second */
	/* Of a report of a text without its first line: others stand before it, which may be damaged. */
	bool is_within_log;
	bool may_be_rest; /* so the report before it, whose end is not there */
	struct mem_info mem;
	const struct kernel_record *first; /* its first record that was found */
	/* State of the parser. */
	bool is_behind_killer; /* the function before was out_of_memory() */
	bool is_open, has_caller;
	bool is_at_panic; /* it was open at the first line of a panic */
	bool has_damaged; /* a line of a limit could not be read as a whole */
	bool is_unsure; /* records were lost behind its last one: what follows may be of another */
	unsigned int lost; /* their number, up to a line of the block of memory */
	bool has_stats;	   /* of the cgroup, with the end of its path */
	uint32_t caller;
	unsigned int stage;
	bool follows_open;   /* that of the report before it was not at its end */
	bool follows_oom;    /* so of one of the OOM killer */
	bool is_mixed;	     /* with lines of another */
	bool is_old;	     /* up to 3.9, whose reports of cgroups have the block */
	bool is_same_task;   /* the task of that one has the same name */
	bool is_doubtful;    /* the block behind its first line may be of the report before it */
	bool is_past;	     /* of one that another stands in: its block comes no more */
	unsigned int blocks; /* lines "Mem-Info:" behind its first line, of whatever report */
	unsigned int seen;   /* lines that no report has twice */
	uint64_t newest_ns;  /* of the last record that may be one of it */
	char open_nodemask[OOM_NODES]; /* at the end of its line, which may have been cut */
};

/* Reports that the kernel did not print, as it limits their rate, by its lines that count them. */
struct oom_suppressed {
	uint64_t n; /* 0: no line tells of any */
	const struct kernel_record *last;
};

struct oom_reports {
	struct oom_report *reports; /* oldest first */
	unsigned int n;
	unsigned int dropped; /* behind the first that were found and not kept */
	unsigned int unread;  /* first lines in a form that is unknown */
	bool has_counters;    /* there are some in the log, of whatever report */
	bool has_zones;	      /* the same of zones */
	bool has_free; /* the line of that counter is among them, whether it could be read or not */
	bool has_damaged; /* a line of a limit, of a report that is unknown, could not be read as a whole */
	char reaped
		[OOM_TEXT]; /* "b (12), c (13)": whose memory was freed, and no line has that they were killed; "": none */
	unsigned int more_reaped; /* that are not named there */
	bool has_mixed; /* lines of two stand in one another: what may be of either is unknown */
	uint64_t dropped_ns;				       /* the time of the oldest of these */
	struct oom_suppressed suppressed, failures_suppressed; /* of the OOM killer, of failures */
	/* State of the parser: the last line whose end may follow, its report, and records since. */
	char line[OOM_LINE];
	bool has_line;
	unsigned int line_report, apart;
	const char *before; /* the record before, NULL: none, or not in the dump */
	uint64_t before_ns;
	bool is_soon;		/* a record comes soon behind the one before it */
	bool is_behind_gap;	/* many records are missing, and no report has begun since */
	uint64_t behind_gap_ns; /* of the first record behind; UINT64_MAX: it has not come yet */
	uint64_t sysrq_ns;	/* of a trace of sysrq-f */
	bool has_sysrq;		/* there was one, and no report is known that it is of */
	bool has_other_trace;	/* behind that gap one began that is no report's */
	unsigned int
		rest; /* 1 + the report that has the block which comes behind the end of another; 0: none */
};

/* Takes the memory of the reports from the arena. */
void oom_reports_open(struct dump *d, struct oom_reports *ret);

/* Takes the records of the log from the oldest to the newest; text NULL: not in the dump. */
void oom_reports_record(struct oom_reports *all, const struct kernel_record *rec);

/*
 * The nodes of the zones that a report has, if they are fewer than those that its task may use by its cpuset: then a
 * memory policy has them.
 */
void oom_report_take_nodes(struct oom_report *r, const char *allowed);

/* The first two, for a log that has been read. */
enum status oom_reports_read(struct dump *d, const struct kernel_log *log, struct oom_reports *ret);

/*
 * The records of the log up to the next report of the OOM killer that stands behind this one, which need not be the newer one:
 * a text may quote the newest first.
 */
static inline struct kernel_log oom_report_log(const struct oom_reports *all,
					       const struct oom_report *r,
					       const struct kernel_log *log)
{
	struct kernel_log ret = *log;

	for (const struct oom_report *x = all->reports; x < all->reports + all->n; x++)
		if (x->kind == OOM_REPORT_OOM && x->first > r->first &&
		    x->first < ret.records + ret.n)
			ret.n = (size_t)(x->first - ret.records);
	return ret;
}

/* The newest report of a kind; NULL: none was found, of which log->is_cut says what that means. */
const struct oom_report *oom_reports_last(const struct oom_reports *all, enum oom_report_kind kind);

/*
 * The counter of the cgroup of a report that has least room below a limit, and its name in the log; NULL: no limit
 * is set of those that are in the log.
 */
const struct oom_limit *oom_report_limit(const struct oom_report *r, const char **name);

/* Whether a machine can have as much as a limit that is known, or none is set: else its number lost digits. */
bool oom_limit_can_be(const struct oom_limit *l);

/* Whether a limit is known and one is set. */
bool oom_limit_is_set(const struct oom_limit *l);

/* Whether memory of a cgroup is what ran out. */
bool oom_report_is_of_cgroup(const struct oom_report *r);

/* Whether the report lacks what says of whom memory ran out: one of a cgroup has no Mem-Info block. */
bool oom_report_lacks_scope(const struct oom_report *r);

/* A line on a victim alone: the kernel limits the rate of its reports. */
bool oom_report_is_bare(const struct oom_report *r);

/* That somebody asked for a victim says nothing of memory. */
bool oom_report_is_by_sysrq(const struct oom_report *r);
/*
 * Whether kswapd asked: no request had failed, lru_gen's min_ttl_ms keeps the working set of that time (6.1, 1332a809d95a
 * "mm: multi-gen LRU: thrashing prevention").
 */
bool oom_report_is_by_kswapd(const struct oom_report *r);

/* The newest report that has a Mem-Info block, whatever its kind; NULL: none. */
const struct oom_report *oom_reports_last_mem_info(const struct oom_reports *all);

/* Words of JSON: "oom", "allocation", "mem_info"; "killed", ...; NULL: the outcome is unknown. */
const char *oom_report_kind_name(enum oom_report_kind kind);
const char *oom_outcome_name(enum oom_outcome outcome);

/* KiB that oom_reaper freed of the victim's anonymous memory, where that is less than half of it; false: it is more, or unknown. */
bool oom_report_hardly_freed(const struct oom_report *r, uint64_t *kib);

/* "b (12), c (13) and 4 more": who was killed with the victim; NULL: none, or unknown. */
const char *oom_report_others(struct arena *a, const struct oom_report *r);

/* What is worth a word of the victim; NULL: nothing. */
const char *oom_report_remark(struct arena *a, const struct oom_report *r);

/* "GFP_KERNEL|__GFP_COMP", the number where the log has no names, as 0xcc0; NULL: unknown. */
const char *oom_report_gfp(struct arena *a, const struct oom_report *r);
