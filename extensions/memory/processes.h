/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes by the memory that they use: one for each mm_struct. */
#pragma once

#include "tasks/rlimits.h"
#include "collect/held.h"
#include "collect/open_counts.h"
#include "vm/mm_holders.h"
#include "oom/oom_score.h"
#include "oom/oom_tasks.h"
#include "slab/cache_objects.h"
#include "oom/oom_total.h"
#include "vm/pss.h"
#include "pageowner/view.h"

/* One mm_struct, with the task that stands for it. */
struct process {
	uint64_t mm;
	bool has_task;		 /* task is filled: the leader where it still has its memory */
	struct task task;	 /* of an exited leader another thread, by the leader's name */
	const char *thread_comm; /* the name of that thread; NULL: task is the leader */
	unsigned int threads;	 /* that use the mm; threads of the kernel do not count */
	bool has_threads;	 /* false: there may be more, also of those that are blocked */
	unsigned int groups;	 /* processes among them: more than 1 after vfork() or CLONE_VM */
	unsigned int kthreads;	 /* of the kernel that use it */
	unsigned int blocked;	 /* threads in uninterruptible sleep */
	uint64_t last_tgid;	 /* of the thread that was counted last */
	bool has_mm;		 /* info is filled */
	struct mm_struct info;
	bool has_exact;		/* exact is filled */
	struct mm_counts exact; /* with what CPUs and threads have not added yet */
	bool has_pss;		/* pss_bytes and the pages that it alone maps are filled */
	uint64_t pss_bytes, pss_anon_bytes, alone, anon_alone, thp_bytes;
	bool has_files;	      /* held_files is filled */
	uint64_t held_files;  /* pages of files without a name that it alone keeps */
	uint64_t group_files; /* the same, that its group of -g alone keeps and it is told of */
	bool is_kept;	      /* by the filters of -g */
	const struct held_process *other; /* what else it alone holds; NULL: nothing is known */
	bool has_open;			  /* open is filled */
	struct maybe_u64 descriptors, limits[TASK_LIMITS], policy, rt_priority;
	const struct open_count *open;	   /* its open files; NULL: it has none */
	bool has_signals;		   /* signals is filled */
	const struct signal_user *signals; /* that wait for it; NULL: none */
	bool has_oom;			   /* oom is filled */
	struct oom_process oom;
	const struct oom_task *logged; /* its row in the log; NULL: none */
	struct maybe_u64 uid;
	struct css_set_paths paths;
	const char *parent;	 /* name of its parent; NULL: it has ended, or is unknown */
	const char *executable;	 /* path; NULL: not known, or it has none */
	const char *kernel_name; /* variable of the kernel that has it, without a task; or NULL */
};

/* How the OOM killer of this kernel reads counters. */
enum counter_reads {
	READS_UNKNOWN,
	READS_SHARED, /* get_mm_counter(): without what CPUs have not added */
	READS_SUM,    /* the exact sum */
};

struct processes {
	struct owner_view *v;
	struct tasks tasks;
	struct mm_structs mms;
	struct oom_scores scores;
	bool has_scores;
	struct cgroups cgroups;
	bool has_cgroups;
	struct task_users users;
	bool has_users;
	struct hash_u64 by_mm;	 /* of struct process * */
	struct hash_u64 by_tgid; /* the same */
	struct hash_u64 names;	 /* of const char *, names of all processes by tgid */
	struct task leader;	 /* the first thread that was visited last */
	struct process **all;	 /* in order of the task list */
	size_t n;
	const char *tasks_problem;    /* NULL, or why processes may be missing */
	enum availability tasks_lack; /* with a tasks_problem */
	/* With -a: mm_structs that no task uses. */
	const char *exited_problem; /* NULL, or why they are unknown */
	struct cache_objects objects;
	uint64_t without_task;
	bool has_holders; /* holders is filled */
	struct mm_holders holders;
	const char *holders_problem; /* NULL, or why holders may be missing */
	/* Processes with memory of which PSS is unknown. */
	uint64_t no_pss, no_pss_tables;	 /* of these, because tables or pages are missing */
	const char *pss_problem;	 /* of one of these, NULL: none */
	struct files_view *files;	 /* by processes_find_files(); NULL: none */
	const char *files_problem;	 /* NULL, or why files that processes keep are unknown */
	const char *executable_problem;	 /* NULL, or why no executable is known */
	uint64_t no_executable;		 /* of these it is not known */
	const char *limits_problem;	 /* NULL, or why resource limits or a policy are unknown */
	const char *descriptors_problem; /* the same of descriptors */
	const char *open_problem;	 /* NULL, or why open files are unknown or may be more */
	struct open_counts open;
	const char *signals_problem; /* NULL, or why signals are unknown or may be more */
	struct signal_users signals;
	struct held held;   /* has other of each, with why there may be more */
	enum status walked; /* ST_STOPPED: interrupted */
	/* The log. */
	const struct oom_report *report; /* newest of the OOM killer; NULL: none known */
	const char *log_problem;	 /* NULL, or why a newer one may be missing */
	bool has_one_node;		 /* false: more, or unknown */
	bool has_table;			 /* table is that of the report */
	struct oom_tasks table;
	enum counter_reads reads;
	bool has_total;
	struct oom_total total;
	bool has_log_total;
	struct oom_total log_total; /* of the report, which may be of a cgroup */
	const char *total_problem;
};

/* Columns of one process, which have the keys. */
#define PROCESS_COLUMNS 61
extern const struct view_column process_columns[PROCESS_COLUMNS];
#define PROCESS_KEYS 13
extern const struct key process_keys[PROCESS_KEYS];

/* Bytes that are free when the process is gone; false: unknown. */
bool process_held(const struct processes *p, const struct process *q, int64_t *bytes);

/* Hooks of the view. */
enum status processes_open(void *arg, enum availability *why);
enum status processes_show(void *arg);

/* Fills p->all from the list of tasks.  ST_STOPPED with what was found. */
enum status processes_collect(struct processes *p);

/* Adds the mm_structs that no task uses, behind processes_collect(); as there. */
enum status processes_add_exited(struct processes *p);

/* With -a: what holds references to mm_structs.  ST_STOPPED. */
enum status processes_find_holders(struct processes *p);

/* References that are neither of a thread nor of a holder that was found; false: unknown. */
bool process_unknown_users(const struct process *q, uint64_t *ret);
bool process_unknown_references(const struct processes *p, const struct process *q, uint64_t *ret);

/* In text, below the rows: what holds each mm_struct that no task uses. */
void processes_put_holders(struct processes *p);

/* Fills pss_bytes of each.  ST_STOPPED. */
enum status processes_find_pss(struct processes *p);

/* Fills held_files of each; v has classes of pages.  ST_STOPPED. */
enum status processes_find_files(struct processes *p);

/* Fills group_files of those that is_kept says, by them. */
void processes_add_group_files(struct processes *p);

/* The same of other. */
enum status processes_find_other(struct processes *p);

/* The same of open. */
enum status processes_find_open(struct processes *p);

/* The same of signals. */
enum status processes_find_signals(struct processes *p);
/* What each may have of descriptors and memory, and how it is scheduled. */
enum status processes_find_limits(struct processes *p);
/* "nofile 1024, as none, memlock 64.0K; SCHED_FIFO 50"; NULL: one of them is unknown. */
const char *process_limits_text(const struct processes *p, const struct process *q);

/* Fills executable of each. */
void processes_find_executables(struct processes *p);

/* Reads the log: the report, its table, which row is whose, and how the kernel reads counters. */
void processes_log(struct processes *p);

/* What became of the process of a row of the log that is no row's logged. */
enum row_fate {
	ROW_EXITED,
	ROW_OTHER_NAME,	   /* it has the pid, and another name */
	ROW_SHARED_MEMORY, /* it is there, and its memory is told of another process */
};
enum row_fate process_row_fate(const struct processes *p, const struct oom_task *row);

/* Its row in the log; NULL: none. */
const struct oom_task *process_row(const struct processes *p, const struct process *q);

/* Whether the OOM killer of the newest report looks at a process, and what it makes of it. */
enum oom_standing process_standing(const struct processes *p, const struct process *q);

/* Pages; false: unknown, or the process is not among those that may be chosen. */
bool process_badness(const struct processes *p, const struct process *q, int64_t *ret);
/* The same of the row in the log. */
bool process_log_badness(const struct processes *p, const struct oom_task *row, int64_t *ret);

/*
 * Where HELD is shown, below the rows or as warnings: what it does not have, of SWAP in RAM, of what processes of a
 * group share, of the kernel's objects for what they have open.
 */
void processes_put_unheld(struct processes *p);

/* In text, below the rows: what the log has of them. */
void processes_put_log(struct processes *p);
