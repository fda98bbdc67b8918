/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary: what its parts found, and a row for each statement: JSON prints them as they are, the screen is made of them. */
#pragma once

#include "log/commit_refusal.h"
#include "log/fork_reject.h"
#include "log/limit_line.h"
#include "log/unit_restart.h"
#include "log/slab_failure.h"
#include "oom/oom_growth.h"
#include "claims.h"
#include "cli/rows.h"
#include "oom/cpus_allowed.h"
#include "collect/waits.h"
#include "pools/swap_areas.h"
#include "limits.h"
#include "log_table.h"
#include "util/largest.h"
#include "throttled.h"
#include "verdict.h"

/* What a row is about, in the order of the screen. */
enum section {
	SECTION_VERDICT,
	SECTION_MOST,	 /* who has most of what ran out, and who comes near that */
	SECTION_TRIGGER, /* who asked last */
	SECTION_LIMIT,	 /* who uses up a limit of other things than memory */
	SECTION_PANIC,
	SECTION_EXCEPTION,
	SECTION_STUCK,	 /* who waits for whom, of the lock that stops most threads */
	SECTION_RESTART, /* services that were started again and again */
	SECTION_OOM,
	SECTION_RAM,
	SECTION_CLASS,
	SECTION_OWNER,
	SECTION_HOLDER, /* of the kernel's own lists: callers of vmalloc, zram, page pools, DMA-BUF, balloons */
	SECTION_SITE,
	SECTION_CACHE,
	SECTION_FILE,
	SECTION_GROUP, /* processes of one name in one cgroup */
	SECTION_PROCESS,
	SECTION_FAULTS, /* the thread with the highest rate */
	SECTION_IN_FAULT,
	SECTION_RECLAIM,   /* why memory was not freed */
	SECTION_CANDIDATE, /* who may have what nothing recorded: inferred */
	SECTION_MISSING,   /* what this dump cannot tell, and what would have */
	SECTION_BOOT,	   /* what the next boot could record */
	SECTION_NEXT,
	SECTIONS
};

/* What a row says: of texts NULL is unknown. */
struct statement {
	struct statement *next; /* of the section */
	enum section section;
	const char *by, *name;
	struct maybe_u64 pages, bytes; /* as a number with a sign; of the pages if it is not set */
	struct maybe_u64 oldest, youngest; /* ages at the panic */
	const char *growth;		   /* with the span that has its pages */
	struct maybe_u64 span_pages, span_start, span_end;
	const char *peer_of; /* of a group: pid of who has the other ends of its sockets */
	struct maybe_u64 pid, user_pid; /* user_pid: of what is no process who uses it; not shown */
	const char *core_reader;	/* name of who reads core dumps of these processes; NULL */
	int32_t core_of;		/* whose core dump this process reads; 0: none */
	const char *owner, *comm, *cgroup, *executable;
	bool is_least, of_known; /* pages: at least; it has most, of what is known */
	bool has_mm, has_parts;	 /* rss and swap; rss_anon and what is behind it */
	int64_t rss, rss_anon, rss_file, rss_shmem, swap; /* pages */
	struct maybe_u64 locked, swapped, tables;	  /* bytes; pages; bytes of page tables */
	struct maybe_u64 kernel, percpu; /* of a cgroup: memory of the kernel; of that per-CPU */
	uint64_t sockets; /* the same: quota of its sockets, no memory; held: their packets */
	struct maybe_u64 kept_files, kept_other; /* that a process alone keeps beside, pages */
	struct maybe_u64 processes, allocs;
	struct maybe_u64 most_pid; /* of several processes the one that has most, and what it has */
	uint64_t most_pages, most_swapped, charged_pages; /* charged: of a file that is_mixed */
	struct maybe_u64 counted; /* as they count them, with what fork shares; unknown: few */
	uint64_t merged; /* of a process or a group: pages that KSM merged: others have them too */
	uint64_t shared; /* of a process, of its anon: others that it shares; 0: few, or unknown */
	struct maybe_u64 count; /* of what a limit counts */
	const char *beyond; /* of a file: "the kernel counts 14.6M", what is dirty; NULL: neither */
	const struct text_list *used_by;
	bool is_brief, is_used_up, is_idle; /* for a moment; none is free; the kernel can free it */
	enum availability lacks; /* of what is missing: why; AVAILABLE: no more is known */
	bool is_mixed, is_named; /* not all is charged to one; it is shown however little it has */
	/* Of kept_files; hardly in the zones that ran out; told by who locked it. */
	bool keeps_rings, is_elsewhere, is_locked;
	const char *within;  /* the row of the file system that has all its pages; NULL: none */
	uint64_t inode;	     /* address of a file's, of a file system's super_block; 0: unknown */
	const char *charged; /* the cgroup that most of its pages are charged to; not shown */
	struct maybe_u64 rate_milli, ts, order, gfp_mask;
	bool is_late, are_kthreads; /* ts: of a line whose first one is lost; most_pid: the first */
	const char *log_date;	    /* of a text of the log; NULL: none */
	bool constraint_derived;    /* no line of the log has it */
	const char *gfp, *constraint, *nodemask, *mems_allowed, *memcg, *caller, *outcome;
	const char *function, *system_call, *waits_for;
	const char *later;	      /* "then killed a (5), whose report is not in this log" */
	struct maybe_u64 victim_anon; /* bytes */
	struct maybe_u64 victim_pid, address;
	const char *ip_symbol, *pointer, *remark, *command, *victim_comm;
	/* Of a process that is dying and still has its memory, and why it has not exited; NULL: another, or unknown. */
	const char *fate, *fate_why;
	const char *protection; /* of a cgroup that reclaim leaves alone; NULL: none is known */
	const char *granted;	/* the same: settings of what it may have; NULL: none, or unknown */
	bool is_within_grant;	/* it has only that */
	struct maybe_u64 removed; /* cgroups below it that were removed: unknown: few */
	const char *brief;     /* of the remark what says how many; NULL: all of it is as short */
	struct maybe_u64 high; /* tenths of a percent of RAM from which on a class is called high */
	const char *children_of; /* of a group: "children of a (5)"; NULL: of several, or unknown */
	const char *sleeps;	 /* of it: "426 of them wait for a child"; NULL: few, or unknown */
	const char *unread;	 /* what it sent, and another does not read; NULL: none */
	const char *clients,
		*forked;     /* of its connections; what several share since fork; NULL: none */
	const char *wait;    /* of many processes: what one of them waits for; NULL: unknown */
	int32_t tgid;	     /* of a thread that is none of a process's first; 0: it is */
	const char *process; /* "queryvm (96)", of such a thread; NULL: unknown */
	const char *hold;    /* why it keeps what it has: "mlocked 8.0M"; NULL: unknown */
	bool is_removed, shares_swap; /* a cgroup that is gone; others count its swap, too */
	const char *empty;	      /* those below it without a task; NULL: few, or unknown */
	bool is_sum, is_rest; /* of what its command has each of; of all that have no row there */
	bool lacks_first;     /* of one process: its first thread has exited */
	const char *family;   /* of a few processes, whose parent one of them is; NULL: none is */
	const char *called;   /* a file without a path, an exception, a class; NULL: by its name */
	const struct text_list *alike; /* cgroups with the same names that it is of; NULL: none */
	bool is_interrupted; /* the task of an exception, by an interrupt in which that was */
	const char *context; /* of it, or of a jump: " in daq_write [daqcard]"; NULL */
	const struct statement *of; /* the row that a sentence on who has most is of */
	const struct statement *more[CLAIM_PARTS]; /* and others of the same process; NULL: none */
	const char *kept_by;			   /* who has the objects of a cache */
	const char *release;  /* what frees the memory; NULL: nothing that is worth to be told */
	const char *objects;  /* with the next, what they are: "6,630 zombies httpd" */
	const char *keeper;   /* the only process that has most of them: "a (7) of a.service" */
	const char *module;   /* that keeps it by a root; NULL: no module, or unknown */
	const char *unloaded; /* module, the last, of an exception where no symbol is */
	uint64_t pinned;      /* of the pages: memory of processes, whoever maps it */
	uint32_t memory;      /* classes of its pages as bits; 0: those of its kind (claims.c) */
	/* Seconds since 1970: the last change of a file's data; of files of a tmpfs the last and the first. */
	struct maybe_u64 written, first_written;
	const struct super_changes *changes; /* of a tmpfs whose inodes it has; NULL: unknown */
	struct maybe_u64 confidence;	     /* of what is inferred: tenths of a percent */
	/* Of a panic by a CPU that did not get on. */
	struct maybe_u64 cpu, stall_ns, rt_priority;
	const char *policy, *few; /* few: of a group, "6 of them have 97.1% of it"; NULL */
};

extern const struct view summary_view;

struct owner_view;
struct pass;
struct task_pass;
struct process_groups;
struct slab_use;

struct summary_case;
struct held;
struct rcu_waits;
struct oops;

#define SUMMARY_CACHES 5 /* the largest ones */

/* What a process alone keeps beside its own: pages of deleted files, and of the kernel. */
struct kept_pages {
	uint64_t files, other, rings; /* rings of io_setup() are files */
};

/* Threads that could run, and have waited for a CPU for long; of the longest wait the rest. */
struct starved {
	bool is_tried, is_deaf; /* is_deaf: no CPU took an interrupt, and so no clock went on */
	enum status status;	/* of waits, once it is tried */
	struct cpu_waits waits;
	struct cpu_bounds bounds;
	size_t n;
	struct task task, second; /* that waited longest, and the next */
	uint64_t cpu, age_ns, second_cpu, second_ns;
	const char *spinning, *beside; /* "a (5) spun for a lock": told first; behind; NULL */
};

struct summary {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report *report;
	struct statement *first[SECTIONS], *last[SECTIONS];
	struct owner_view *view;
	struct first_problem pages_problem; /* why not even System RAM and struct pages are known */
	enum availability
		why;	   /* of the part that fails, where it is no matter of its status alone */
	struct pass *pass; /* over the pages */
	struct task_pass *tasks;       /* over the threads */
	struct process_groups *groups; /* of the same pass; NULL: it has not begun */
	const uint64_t *classes;       /* pages by enum page_class */
	const char *no_zram;	       /* why no device of zram is known; NULL: one may be */
	uint64_t ram_pages;	       /* System RAM; 0: unknown */
	const char *ram_name;	       /* "System RAM", or what stands in for it */
	bool is_derived;	       /* something does, holes included */
	struct scan_stats cov;
	bool has_cov, complete;
	/* What the commands to type depend on. */
	bool has_sizes; /* each page is in its class */
	bool has_classes, has_caches, has_files, has_owner, has_sites, has_tasks, has_crowd;
	bool has_unused_files;	/* much memory of deleted files that no process has open or maps */
	bool has_removed;	/* many removed cgroups */
	uint64_t empty_cgroups; /* live, without a task, below one that has most; 0: few */
	bool has_lockers;	/* rows of processes that locked files */
	const char *huge_files; /* "60 files of /dev/hugepages have 120.0M"; NULL */
	const char *huge_mount; /* that path */
	uint64_t huge_unused;	/* pages of these files that no process has open or maps */
	bool has_namespaces;	/* too many network namespaces, of a cache of their name */
	bool has_namespace_users;		    /* processes have files of such open */
	uint64_t pages_missing;			    /* whose use is unknown */
	bool lacks_anon, lacks_tables, lacks_lists; /* columns of a table; lists of direct pages */
	uint64_t untold_each; /* pages that no group without a row exceeds; 0 */
	const char *
		untold_first; /* "2 nginx (112.5M together, of these nginx (202) 111.5M)": of a log's processes, by rss; NULL: each has its pages */
	bool tasks_missing;   /* some threads, or their mm_struct, are not in the dump */
	struct log_table table;
	bool has_comm, has_ages;     /* of the records of page_owner */
	enum availability sites_why; /* why there are no sites */
	const struct slab_use *largest_cache;
	struct {
		const struct slab_use *use; /* NULL: there are no more */
		struct statement *row;
	} caches[SUMMARY_CACHES];
	bool tells_objects;	   /* lists of the kernel say who has most objects of the largest */
	struct hash_u64 kept;	   /* of struct kept_pages by tgid: who has much */
	uint64_t slab_objects;	   /* of all caches */
	const char *pinned_inodes; /* "references to the inodes of ext4 /data", of no one; NULL */
	uint64_t socket_pages;	   /* of packets in the queues of all */
	uint64_t map_areas;	   /* of arrays of BPF whose users are known: pages of vmalloc */
	uint64_t counted_pages;	   /* of class direct that lists of the kernel, or sockets, have */
	const char *next_caller, *next_tgid; /* as a filter takes them; NULL: none is known */
	const char *victim_words; /* why a process that was killed has not exited; NULL: none */
	uint64_t kept_by_setting; /* pages that vm.min_free_kbytes keeps, if it is why; or 0 */
	/* What a command shows, in a few words; NULL: that is not known. */
	const char *(*brief_of)(struct dump *d, const char *command);
	const char *core_pattern; /* where a process reads a core dump; NULL: unknown */
	const char *next_holder;  /* a command for the largest; NULL: no row of its section */
	uint64_t next_holder_pages;
	const char *next_object;  /* a command: what the exception leads to; NULL */
	const char *next_graph;	  /* a command; NULL: owners are recorded, or are no question */
	const char *next_objects; /* the largest cache, if nothing recorded who has its objects */
	uint64_t inferred_pages;  /* of class direct, by roots */
	uint64_t lost_pages;	  /* to which no root leads; 0: few */
	uint64_t inferred_object_pages;	    /* of the largest cache, by roots */
	const char *inferred_module;	    /* that keeps most by a root; NULL: none */
	unsigned int inferred_kind;	    /* enum node_kind of most of that */
	uint64_t inferred_module_pages;	    /* of that root */
	unsigned int lost_kind, lost_order; /* of lost_pages: enum node_kind; 0: no blocks of one */
	const char *next_mount;		    /* a command for the largest tmpfs of many files */
	uint64_t next_mount_pages;
	const char *next_function; /* of a call site */
	const char *next_module;   /* of this site; NULL: vmlinux, or not known */
	const struct summary_case *of_case;
	enum verdict verdict;
	/* The newest report of the log that memory ran out, or else that an allocation failed; NULL: none. */
	const struct oom_report *last_report;
	const struct oom_report *ran_out; /* the newest that sysrq-f did not ask for */
	struct oom_reports reports;	  /* all of them */
	struct oom_growth growth;	  /* between the first and the last table of tasks */
	bool log_dropped; /* older records of the log are gone, of the time of processes, too */
	uint64_t log_start_ns;		    /* the first one that is there */
	unsigned int log_reports;	    /* of the OOM killer */
	bool log_whole;			    /* no record of the log is missing */
	bool log_cut;			    /* some are, others are read */
	struct commit_refusals refusals;    /* of the log */
	struct fork_rejects forks;	    /* of the log */
	struct limit_lines limits;	    /* the same */
	struct unit_restarts units;	    /* the same */
	struct slab_failures slab_failures; /* the same */
	const struct log_told *told;	    /* of single lines; NULL: the log was not read */
	const struct oops *oops;	    /* of the end; NULL: none, or a fault of user mode */
	const char *log_unread; /* what the log has of a report that is not read; NULL: nothing */
	bool has_panic;		/* the log has one */
	struct maybe_u64 free;	/* pages in the free lists */
	struct swap_sum swap;
	uint64_t
		swap_cached; /* pages of it that are in RAM, too (NR_SWAPCACHE); 0: none, or unknown */
	uint64_t merged_pages; /* that KSM merged, each once */
	/* Pages of anonymous memory that no process there is counts: of those that ended; 0: few, or unknown. */
	uint64_t orphan_anon, processes_anon; /* what they count */
	const char *orphans_by;		      /* who points to their mm_structs; NULL: unknown */
	uint64_t mms,
		mm_objects; /* that processes have; in use as slab objects, at most; 0: unknown */
	struct maybe_u64 anon_mapped;	/* pages of NR_ANON_MAPPED; unknown where there are few */
	uint64_t unmapped_anon, pinned; /* pages: no process maps; FOLL_PIN; 0: few, unknown */
	uint64_t data_pages;	  /* private writable mappings of the processes that have most */
	uint64_t rss_pages;	  /* of all processes: what they share counts in each */
	const char *data_of;	  /* "java (162)"; NULL: unknown */
	const char *no_swap;	  /* a cgroup that may have no more of what is free; NULL: none */
	const char *idle_pools;	  /* "280.0M of 300.0M in huge pages of 2.0M lie free" */
	struct statement *huge;	  /* the only pool with pages in use; NULL: none, or several */
	unsigned int huge_in_use; /* pools with pages in use */
	/* The cgroup at its limit that has most; full_limit 0: none. */
	const char *full_path;
	uint64_t full_usage, full_limit; /* pages */
	/* The cgroup whose limit ended the machine, and that limit in pages; NULL: none did. */
	const char *limit_path;
	uint64_t limit_pages;
	bool limit_is_over;	       /* it has room again */
	struct throttled throttled;    /* where no limit ended it */
	struct maybe_u64 limit_usage;  /* pages that it has at the end */
	struct maybe_u64 limit_swap;   /* of v2: pages of free swap that it may have */
	struct maybe_u64 limit_kernel; /* of them the kernel's own objects */
	struct limit_parts parts;      /* of a log: the others, by the counters of the cgroup */
	struct zone_sum short_zones;   /* of VERDICT_ZONE: those that ran out */
	/* The task that asked last, if it is there: pages that it has for itself, in swap too; shared memory beside. */
	struct maybe_u64 asker_pages;
	uint64_t asker_swap, asker_shmem; /* of these, those in swap; beside them */
	uint64_t asker_shared; /* of these, those that others have as well; 0: few, or unknown */
	int32_t asker_tgid;    /* known with it */
	const char *asker_process,
		*asker_cgroup;	    /* of a thread of another; NULL: none, or unknown */
	struct maybe_u64 asker_rss; /* of a log whose table has no column of its own memory */
	/* What it has of the kernel's memory beside; known: the lists of it were read. */
	struct maybe_u64 asker_held;
	const struct held *held;     /* NULL: not read yet */
	const struct rcu_waits *rcu; /* NULL: unknown, or little of slab is there */
	size_t in_fault, waiting; /* of these, those that do more than to invoke the OOM killer */
	const char *full_pool;	  /* line of the log: a pool of disks takes no more */
	size_t on_lock, on_root;  /* threads asleep for locks, servers, I/O; that may keep others */
	size_t on_socket;	  /* frames of threads that wait on sockets */
	size_t on_pipe[PIPE_FUNCTIONS]; /* threads that wait for a pipe, or for a child */
	bool on_futex,
		has_futex_crowd;  /* threads wait for words of user memory; nearly a process */
	bool waits_hidden;	  /* what some threads sleep in is unknown */
	bool is_stuck, has_dying; /* it did not recover; a victim of the OOM killer has memory */
	bool is_waited;	 /* threads have waited for a lock, a server or I/O for long, or may have */
	bool has_lockup; /* a watchdog of the log found a CPU or a task that did not get on */
	bool is_hung, is_stalled; /* khungtaskd panicked; RCU, or a watchdog, of a CPU */
	int32_t beside[3]; /* pids on CPUs beside one that spun, or of an exception; 0: no more */
	bool is_init_dead; /* the first process ended, without a fault that the log tells */
	bool has_unaccepted, has_full, has_full_swap, has_dirty, has_backlog, waits_for_cpu;
	bool is_told_working, has_other_cause; /* by the verdict: than lack of memory */
	size_t deadlocked, reclaiming; /* for long: threads that wait for each other; in reclaim */
	const char *stuck_cause;       /* "2 threads are in a deadlock: a (1), b (2)"; NULL: none */
	struct starved starved;
	const char *self_waiter, *faulting, *on_pages; /* pid; "9 of 13 threads are ..."; words */
	bool is_limited_cpu, knows_pins; /* by its cpu.max alone; all that may have pins was read */
	const char *limited_cgroup, *limited_words; /* by cpu.max or io.max; of cpu.max */
	const char *busy_cpu; /* "4 threads have waited for a CPU for up to 78s: ..."; NULL: none */
	const char *ready, *crowd, *leftover; /* "; at the end 9 a ran or could run"; "a" */
	const char *frozen, *oom_off; /* "cgroup /a is frozen: 1 thread"; of memory.oom_control */
	const char *panic_cause; /* "sysrq asked for the panic"; NULL: of another kind, or none */
	const struct log_warnings *warnings; /* of the log; NULL: it was not read */
	bool panics_of_any;	 /* panic_on_oom=2: the OOM of a cgroup or of nodes is a panic */
	bool is_oops, is_warned; /* is_warned: a warning is what the kernel panicked of */
	bool is_pressed, is_all_pressed; /* tasks waited for memory much of the end; of all */
	bool has_report;		 /* the log has a report of memory that ran out */
	bool ran_out_in_cgroup;		 /* of that report: the zones say nothing of it */
	struct maybe_u64 log_mlocked;	 /* of a log: pages that processes locked */
	bool has_cgroups;
	const struct memcg_counts *memcgs; /* all that are known; NULL: none */
	const char *memcgs_problem;	   /* NULL, or why some are not */
	unsigned int failed_order;  /* of that report, if one piece is what ran out; else 0 */
	enum page_class main_class; /* the largest one in use; CLASS_UNKNOWN: not known */
	bool has_zones, has_nodes;  /* more than one node */
};

/* In JSON: a record for each statement, by its section. */
void summary_put_records(struct summary *s);

/* A copy becomes the last of its section. */
void summary_add(struct summary *s, const struct statement *statement);
#define SUMMARY_ADD(s, ...) summary_add(s, &(struct statement){ __VA_ARGS__ })

extern const char *const verdict_words[];

/* A row of SECTION_OOM of any report of the log. */
struct statement summary_report(struct summary *s, const struct oom_report *r);

/* Whether memory that may have pointers is more than the first screen waits for; ret: its pages. (inferred.c) */
bool summary_has_many_pointers(const struct summary *s, uint64_t *ret);

/* The module whose memory begins as that which no root leads to; NULL: there is none. (next.c) */
const char *summary_alike_module(const struct summary *s);
/* The function of a module out of tree that asked for memory when it ran out, by the log; NULL: none did. */
const char *summary_asked_in(const struct summary *s);

/*
 * The parts (parts.def): each adds its rows, or ends with another status and the error of the dump.
 * ST_ABSENT: this kernel has no such thing, or not enough of it to be told.
 */
#define PART(where, name, function, ...) enum status function(struct summary *s);
#include "parts.def"
#undef PART
/* Who has the objects of large caches, by what processes hold. */
enum status summary_cache_owners(struct summary *s, const struct held *h);
/* Whether much memory is straight from the page allocator, and nothing recorded who asked for it. */
bool summary_lacks_owners(const struct summary *s);
/* Of class direct, those that no list of the kernel has. */
uint64_t summary_pages_of_nobody(const struct summary *s);
/* Whether pointers tell who keeps most objects of the largest cache (CLASS_SLAB), or most direct pages. */
bool summary_has_roots(const struct summary *s, enum page_class class);
/* What was found of a process so far; NULL: nothing. summary_keep() adds to it. */
const struct kept_pages *summary_kept_by(const struct summary *s, int32_t tgid);
struct kept_pages *summary_keep(struct summary *s, int32_t tgid, uint64_t files, uint64_t other);
/* Pages that a row of SECTION_PROCESS has in all. */
uint64_t summary_process_pages(const struct summary *s, const struct statement *row);
/* Whether that is more than what each process has. */
bool summary_is_worth(const struct summary *s, const struct statement *row);
/* Who uses up limits of other things than memory, of the case. */
void summary_limits(struct summary *s);
/* "fs.file-max is used by chatgw (174): 3,612 open files (2,408 sockets, 1,204 eventfds)" */
void summary_limit(const struct statement *row, struct strbuf *b);

#define MANY_PROCESSES \
	10u /* of one name: a list of the largest shows a few, of fewer the parent says little */

/* Characters that neither a shell nor a filter takes for more, of a name and of a path. */
#define PLAIN_COMM "._-+:@0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define PLAIN_PATH "/=%" PLAIN_COMM

/* Of the verdict: who has most of what ran out, who asked last. */
void summary_holds_most(struct summary *s);
void summary_trigger(struct summary *s);
/* Whether a task is the one that asked last; what it has for itself. */
struct task;
bool summary_is_asker(const struct summary *s, const struct task *t);
void summary_take_asker(struct summary *s, const struct task *t, const char *cgroup);
/* ", but module nvq keeps 140.2M, 43.9% of RAM": one owner of much where memory was not short. */
void summary_add_hoarder(const struct summary *s, struct strbuf *b);

/* A thread that is visited: what could run and does not is counted. */
void summary_add_starved(struct summary *s, const struct task *t);

/* "; its policy is SCHED_FIFO 60": nothing of the one that all have. policy NULL: unknown. */
void summary_policy(struct dump *d, const char *policy, uint64_t rt_priority, struct strbuf *b);

/* Whether threads wait for one that has a lock, or a victim of the OOM killer keeps its memory. */
void summary_recovery(struct summary *s);
/* Of the pass of summary_tasks(): processes that dump core. */
void summary_dying(struct summary *s);

/*
 * One of those that wait for the lock on which most threads wait, of those with a known holder; of_files: of locks of
 * files, else of others; NULL: none does.
 */
struct stuck;
const struct stuck_task *summary_most_waited(const struct summary *s, const struct stuck *all,
					     bool of_files, size_t *waiting);

/*
 * A part, or one of several reasons of it, that could not be read: a function of a part may tell some
 * before it ends.  As report_part() and report_unknown().
 */
enum status summary_failed(struct summary *s, const char *name, enum status st);
__attribute__((format(printf, 4, 5))) void summary_unknown(struct summary *s, const char *name,
							   enum availability why, const char *fmt,
							   ...);

/* What decoders went on without (dump_lacks()), behind all parts. */
void summary_gaps(struct summary *s);

/* The same section of what is known not to be there: text. */
void summary_none(struct summary *s, const char *name, const char *text);

/* A row of its section, NULL: it has too few pages; command: the one that has it in full; remark may be NULL. */
struct statement *summary_holder(struct summary *s, const char *by, const char *name,
				 uint64_t pages, const char *command, const char *remark);
/* "the end of a (5)", of what a process alone keeps. */
const char *summary_end_of(struct summary *s, const char *comm, int32_t tgid);
const char *summary_doubt(const struct statement *candidate); /* of a module without a size */
/* The command of the largest is one to type; NULL: it has none. */
void summary_propose(struct summary *s, const char *command, uint64_t pages);
/*
 * The same of what a process holds, that is of other classes than memory of the kernel, as bits; comm NULL: no process
 * does. NULL: it has no row.
 */
struct statement *summary_held_of(struct summary *s, uint32_t memory, const char *comm,
				  int32_t tgid, uint64_t pages, const char *command,
				  const char *remark);
/* The same of several processes of a name, none of which has half: most has most of it. */
struct statement *summary_held_of_name(struct summary *s, uint32_t memory, const char *comm,
				       uint64_t processes, int32_t most, uint64_t pages,
				       const char *command, const char *remark);
/* Of what it was put for so much is in RAM, and the rest in swap. */
void summary_set_swapped(struct summary *s, struct statement *row, uint64_t ram, uint64_t swap);
/* The same with all users of it; NULL: unknown. */
struct statement *summary_holder_users(struct summary *s, const char *by, const char *name,
				       const struct text_list *users, uint64_t pages,
				       const char *command, const char *remark);

/* Services that were started again and again. (overview/restarts.c) */
enum status summary_restarts(struct summary *s);

struct slab_caches;
enum status summary_put_caches(struct summary *s, struct slab_caches *caches);

/* Whether a class has enough pages for one of its users; holes may hide which pages are of it. */
bool summary_may_hold(const struct summary *s, uint64_t pages);

/* ST_UNREADABLE: what a part would have found is of pages whose use is unknown; they are said. */
enum status summary_fail_missing(struct summary *s);

void summary_next(struct summary *s);

struct strbuf;

/*
 * " of /usr/bin/python3 in /system.slice/report.service", as far as it is short, and more than its name says; of a
 * cgroup with a long name whether it is the one whose limit ended the machine, or inside it.
 */
void summary_place(const struct summary *s, const struct statement *row, struct strbuf *b);
#define SUMMARY_TASK_BYTES 64 /* "hungry (181)" */
const char *summary_task(struct maybe_u64 pid, const char *comm, char buf[SUMMARY_TASK_BYTES]);
#define SUMMARY_TASK(pid, comm) summary_task(pid, comm, (char[SUMMARY_TASK_BYTES]){ "" })
/* "checkout" of "/shop/checkout" */
const char *summary_last_of(const char *path);
/* "jobrund (119)", by its number; NULL: it has exited, or is unknown. */
const char *summary_process_name(const struct summary *s, int32_t tgid);
/* ", a thread of sshd (12),"; "": it is the process, or that is unknown. */
const char *summary_thread_of(const struct summary *s, int32_t pid, int32_t tgid);
const char *summary_size(const struct summary *s, uint64_t pages); /* "5.3M", or "1357 pages" */
/* Whether pages are as much of System RAM as a limit says, in tenths of a percent. */
bool summary_reaches(const struct summary *s, enum limit which, uint64_t pages);
/* Whether the verdict is on what is charged to one cgroup, by its limit or memory.high. */
static inline bool summary_is_of_limit(const struct summary *s)
{
	return s->verdict == VERDICT_CGROUP || s->verdict == VERDICT_HIGH;
}
/* Whether it is the one whose limit ended the machine, or below it; NULL: it is not. */
bool summary_is_limited(const struct summary *s, const char *cgroup);
/* As summary_reaches(); of what is charged to those cgroups the limit is the whole. */
bool summary_reaches_of(const struct summary *s, enum limit which, uint64_t pages,
			const char *cgroup);
/* For largest_add(): what is charged to them comes before all else. */
uint64_t summary_rank(const struct summary *s, uint64_t pages, const char *cgroup);
/* The newest report that says that memory ran out, where the machine ended with it; NULL: none, and how long before. */
struct oom_report;
const struct oom_report *summary_report_of_end(const struct summary *s, const char **older);
/* A row of SECTION_OOM in words; true: the OOM killer was invoked, else an allocation failed. */
bool summary_oom(const struct statement *row, const struct dump_info *info, struct strbuf *b);
/* The same without its time. */
bool summary_oom_words(const struct statement *row, struct strbuf *b);
/* A row of SECTION_EXCEPTION in words, into an empty text; one of SECTION_PANIC behind what is there. */
void summary_exception(const struct statement *row, struct strbuf *b);
void summary_panic(const struct statement *row, struct strbuf *b);
/* Of a log: a process of the table of the report that killed it. */
bool summary_was_killed(const struct summary *s, const struct statement *row);

/* "hungry (181)", "56 processes worker" */
void summary_group_name(const struct statement *row, struct strbuf *b);
/* What keeps reclaim away from a cgroup, in words; NULL: nothing, or it has no row. */
const char *summary_protection(const struct summary *s, const char *cgroup);
/* "job.service" of its path, where that says more than the name of the process; NULL: it does not. */
const char *summary_service(const char *cgroup, const char *comm);
/* A user of memory in words, without its size, and the word for what it is; is_most: the line of the holder says why it stays. */
void summary_user(const struct summary *s, const struct statement *row, bool is_most,
		  struct strbuf *b);
const char *summary_user_kind(const struct statement *row);
/* Users that have a tenth of RAM, or of the limit of the cgroup that reached it. */
unsigned int summary_large_users(const struct summary *s);

/* Those of all sections that have most, at most room of them: rows, by their pages. */
struct largest;
void summary_users_of_most(const struct summary *s, unsigned int room, struct largest *ret);
/* "90.1% of leaky_rx_refill was allocated within 1.2s that ended 7.1s before the panic", and when; false: mixed, or unknown. */
bool summary_growth(const struct summary *s, const struct statement *row, struct maybe_u64 *at,
		    struct strbuf *b);
/* Whether users of memory may have more, and older, than what their rows say. */
static inline bool summary_users_are_part(const struct summary *s)
{
	return s->pages_missing || s->cov.unreadable;
}
/*
 * Of rows of SECTION_MISSING: whether one before it has its reason; "RAM, classes": those from one on that
 * have it, and the reason.
 */
bool summary_is_joined(const struct summary *s, const struct statement *of);
void summary_missing_names(const struct statement *first, struct strbuf *b);
void summary_missing_reason(const struct statement *first, struct strbuf *b);
/* ", used by 1(init), 2(sh), 5(hog) and 8 more" */
#define USERS_TOLD 3
void summary_users(const struct statement *row, struct strbuf *b);
/* "init (1), sh (2) and 8 more" */
void summary_user_names(const struct text_list *l, struct strbuf *b);
/* Where objects are pinned that have the same users; of a list that is not known whole, as far as it is known. */
struct summary_pins {
	uint64_t n, pinned, paths; /* objects, those that are pinned, where */
	bool is_open;
	const struct text_list *first;
};
void summary_add_pins(struct summary_pins *p, const struct text_list *of);
/* ", each of 31 pinned: /sys/fs/bpf/flows_1 and 30 more" */
void summary_pins_text(const struct summary_pins *p, struct strbuf *b);
/* Whether the last part of a path, the service, says what the name of a process does; either may be NULL. */
bool summary_is_named_as(const char *cgroup, const char *comm);
/* Its name, else its command, its process; NULL: it has none. */
const char *summary_name(const struct summary *s, const struct statement *row);

/* "high, from 40% on: tmpfs and shared memory, for which there is no swap", of a row of SECTION_CLASS; "": nothing. */
const char *summary_class_remark(const struct summary *s, const struct statement *row);

/* The rows in the table, in the order of sections. */
void summary_fill(struct summary *s);

/* Whether a row says anything but what is unknown. */
bool summary_tells(const struct summary *s);

/* The screen. */
void summary_print(const struct summary *s);
