/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What processes have together: those of one name in one cgroup, threads of each, processes of each cgroup. */
#pragma once

#include "oom/oom_score.h"

#include "collect/anon_sum.h"
#include "util/hash_bytes.h"

struct summary;

#define FEW_PROCESSES 9u /* of which it is asked whether one is the parent of the others */

/* Processes of one name in one cgroup; pages. */
struct process_group {
	char comm[TASKS_COMM + 1];
	const char *cgroup;
	uint64_t processes, swap, tables, locked, data, mapped;
	struct anon_sum sum;
	uint64_t anon;	 /* what is there, or with a remark what surely is */
	uint64_t merged; /* beside it, that KSM merged, as they count it */
	const char *remark, *why;
	enum status status;	   /* of what fork shares, with a reason */
	bool lacks_tables;	   /* those of one are unknown */
	bool lacks_mm, lacks_data; /* locked, data of one are */
	int32_t tgid;		   /* of the first one */
	int32_t parent; /* of most, where of_parent is nearly all (Boyer and Moore's vote) */
	uint64_t of_parent;
	int32_t (*members)[2]; /* tgid of each, and that of the parent, 0: unknown */
	bool lacks_first;      /* the first thread of one has exited, another one has the memory */
	uint64_t threads, most_threads; /* of all, and of the one that has most of them */
	uint64_t scored;		/* of which oom_score_adj is known */
	int32_t most_adj;		/* the highest of them */
	struct task largest;		/* the one that counts most, swap included */
	uint64_t first_ns, last_ns;	/* when they started */
};

/* What first threads of its processes sleep in: the function that gave up the CPU. */
struct process_sleep {
	const struct process_group *of;
	const char *function;
	uint64_t n;
};

/* Those that are in it, and when the first of them started. */
struct cgroup_processes {
	uint64_t n, first_ns;
	uint64_t zombies; /* beside these */
};

/* How many names, those of first threads, have a stem. */
struct stem_names {
	uint64_t n;
};

/* Kernel threads of one stem. */
struct kthread_group {
	uint64_t n;
	int32_t first; /* its PID */
};

struct process_threads {
	char comm[TASKS_COMM + 1];
	uint64_t n;
};

struct process_groups {
	struct summary *s;
	uint64_t stack_pages;	    /* of a thread; 0: kernel stacks are no question */
	struct hash_u64 threads;    /* of struct process_threads, by tgid */
	struct hash_bytes kthreads; /* of struct kthread_group, by stem */
	struct hash_bytes numbered; /* of struct stem_names, by stem: names of processes */
	struct hash_u64 counted;    /* tgids of those that a cgroup has */
	struct hash_u64 mms;
	struct mm_structs structs;
	enum status structs_status;
	struct oom_scores scores;
	bool has_scores;
	struct hash_bytes groups;  /* of struct process_group, by name and cgroup */
	struct hash_bytes cgroups; /* of struct cgroup_processes by path */
	bool lacks_cgroups;	   /* those of some are unknown */
	struct hash_bytes lacking; /* names of those of which what they count is unknown */
	bool lacks_stacks;	   /* where some threads sleep is unknown */
	struct hash_bytes sleeps;  /* of struct process_sleep */
	struct hash_bytes units;   /* cgroups with the names below them (kept/alike_cgroups.c) */
};

void groups_open(struct summary *s, struct process_groups *ret);
/* cgroup NULL: unknown; the name of a process is that of its first thread. NULL: it was not added. */
struct process_group *groups_add(struct process_groups *p, const struct task *process,
				 const char *cgroup);
/* Threads, kernel threads among them, and those that exit. */
void groups_add_thread(struct process_groups *p, const struct task *t, const char *cgroup);

/* How many processes of a name are related, and what most of them sleep in; NULL: few are, or it is unknown. (kept/group_form.c) */
const char *summary_group_form(struct summary *s, const struct process_group *g);
/* "children of weblog-archive (246)", however few they are; NULL: of several, or unknown. (the same) */
const char *summary_group_parent(struct summary *s, const struct process_group *g);
/* "6 of them have 97.1% of it"; NULL: all have as much, or they are few. (overview/few_of.c) */
const char *summary_few_of(struct summary *s, const struct process_group *g);
const char *summary_group_sleep(struct summary *s, const struct process_group *g);
/*
 * "261.5M are private, up to 26.2M in one, and 20.6M they share since fork, so that their sizes sum up to 483.9M", of what the page
 * tables of each have; NULL: that does not go together.
 */
const char *summary_group_forked(struct summary *s, const struct process_group *g);
/* The function that gave up the CPU, of the first thread of one. */
void groups_add_sleep(struct process_groups *p, const struct process_group *g,
		      const char *function);

/* Since one of that start. (kept/group_form.c) */
struct maybe_u64 groups_age(const struct process_groups *p, uint64_t start_ns);
/* "mlocked 145.1M", "oom_score_adj -950": why nothing of it was taken; NULL: no reason is known. */
const char *groups_hold(struct summary *s, const struct process_group *g);

/* Processes of one name in several cgroups, where none of these has half of what they have. (overview/instances.c) */
void summary_put_instances(struct summary *s);
/* Cgroups of the same names, of what the groups have. (kept/alike_cgroups.c) */
void summary_alike_cgroups(struct summary *s);
/*
 * "inferred, as pod-b beside it, with processes of the same names, has 5.0M in otelcol, but 66.0M in orderapi, which has
 * 65.9M here": then otelcol alone leads.  NULL: there is no such cgroup, or it does not decide. (the same)
 */
struct claims;
struct claim;
const char *summary_twins_text(const struct claims *c, const struct claim *lead[], unsigned int *n);

struct sockets;
struct statement;
struct text_list;

/* The row is of several processes of that name. (holders.c) */
void summary_name_several(struct summary *s, struct statement *row, uint64_t processes);
/* "123(sh)" alone: its tgid; 0: there are several, or it is unknown. (summary.c) */
int32_t summary_only_user(const struct text_list *users);

/* As sockets_collect(). (kept/sockets_once.c) */
enum status summary_sockets_once(struct summary *s, const struct sockets **ret);
/* The cgroup of the only process of these; NULL: there are several, or it is unknown. (the same) */
const char *summary_cgroup_of_user(struct summary *s, const struct text_list *users);
struct hash_u64;
/*
 * peers: of uint64_t, bytes sent, by address of the struct text_list of who receives them.  "3 processes wallboard" that
 * nine tenths of all is sent to; NULL: it is to several names. (the same)
 */
const char *summary_receivers(struct summary *s, const struct hash_u64 *peers, uint64_t all);

/* Tells something of each group of processes that asks, by sockets; ST_OK too where none asks, or there are none. */
enum status groups_ask_sockets(struct summary *s,
			       bool (*asks)(const struct summary *s, const struct statement *row),
			       void (*tell)(struct summary *s, struct statement *row,
					    const struct sockets *x));

/*
 * "its client is psql (331) of crm-merge.service": who has the other ends of what it accepted; NULL: none that is
 * known. (kept/clients.c)
 */
const char *summary_clients_text(const struct summary *s, const struct sockets *x, int32_t tgid);

/* Cuts a path to what it has in common with another, up to a slash. (overview/instances.c) */
void summary_keep_common(char *path, const char *other);

/* Of files that are charged to a cgroup: whose packets wait in its sockets. (overview/senders.c) */
void summary_tell_sender(struct summary *s, struct statement *row, const struct sockets *x);

/* Whether processes are missing; where a cgroup is asked of, those of an unknown cgroup are. (summary.c) */
bool summary_lacks_processes(const struct summary *s);

/* NULL: unknown. (tasks.c) */
const char *summary_cgroup_of(struct summary *s, const struct task *t);

/*
 * " on /dev/cap1, for 56.2s, as a thread of streamd (308) of gate.service": what is known of one that others wait for, behind
 * what it waits for; waited_ns: how long the others have waited, 0: unknown. A wait much shorter than theirs is not why they
 * do: ", for 68ms only: since when it has had the lock is not recorded". (tasks.c)
 */
struct stuck_task;
struct strbuf;
void summary_add_whose(struct summary *s, const struct stuck_task *t, uint64_t waited_ns,
		       struct strbuf *b);
