/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the machine did not recover: tasks in memory management or asleep on a lock, those that have these
 * locks, victims of the OOM killer, and the kernel threads that free memory.
 */
#pragma once

#include "collect/places.h"
#include "collect/stuck_disks.h"
#include "collect/stuck_drains.h"
#include "collect/stuck_futexes.h"
#include "collect/waits.h"
#include "dump/gap.h"
#include "files/file_waits.h"
#include "files/frozen.h"
#include "files/fuse.h"
#include "files/userfault.h"
#include "tasks/last_ran.h"
#include "tasks/tracer.h"
#include "tasks/work_waits.h"

/* How a thread is known to have what another one waits for. */
enum stuck_holds {
	HOLDS_LOCK, /* the lock names it */
	HOLDS_ITSELF, /* the lock names the one that waits: it took it before, or got a task_struct used before */
	HOLDS_READER, /* its stack shows it, inferred */
	HOLDS_NOTED,  /* the lock names it as the reader that came last: it may have gone */
	HOLDS_AGAIN,  /* the same of one that waits to read it again */
	HOLDS_SERVER, /* its process alone, beside that of the one that waits, has the other end open */
	HOLDS_PROCESS, /* the lock is of its process, which has more threads */
	HOLDS_SHARED, /* the lock is of a struct file or a table of descriptors that others have, too, or may have */
	HOLDS_LAST,    /* it took the semaphore last: whether it has it now is not known */
	HOLDS_KSWAPD,  /* it frees the pages that are waited for, and waits itself */
	HOLDS_READS,   /* it alone, or what stands for all that do, reads the pipe that is full */
	HOLDS_WRITES,  /* the same of an empty one, which it writes to */
	HOLDS_CHILD,   /* it is the child whose end is waited for */
	HOLDS_FUTEX,   /* words of user memory name it, inferred */
	HOLDS_UNDO,    /* its end gives back what it took of the semaphore (SEM_UNDO) */
	HOLDS_WORK,    /* it runs the work that is waited for */
	HOLDS_JOURNAL, /* it commits the transaction that is waited for */
	HOLDS_QUEUED,  /* it waits first, to write what readers have: no other reader comes by */
	HOLDS_BEGINS,  /* it is a worker that would begin the work, and could run */
	HOLDS_CPU,     /* it ran at the end on the CPU that is waited for */
	HOLDS_STOPPED, /* it is the thread of the kernel whose end is waited for */
	HOLDS_STARTS,  /* it is kthreadd, which is to start a thread, and does not get on itself */
	HOLDS_KINDS
};

/* Why it is not known who has a lock. */
enum stuck_unheld {
	UNHELD_NOT,	  /* somebody is, or its kind has others who say it */
	UNHELD_LOST,	  /* what it names is no task */
	UNHELD_REUSED,	  /* the task_struct that it names is of a later task */
	UNHELD_GONE,	  /* what it names has exited, and so may have one before it */
	UNHELD_NOT_KEPT,  /* a semaphore of this kernel names none */
	UNHELD_SELF_LAST, /* the one that waits has the task_struct of who took the semaphore last */
	UNHELD_UNTOLD,	  /* it names none, or a reader that may have gone */
	UNHELD_KINDS
};

/* A lock of a file that threads wait for. */
struct stuck_file_lock {
	struct stuck_file_lock *next;
	const struct file_lock *lock;
	const char *name; /* "flock of /run/lock/x" */
	const char *path; /* NULL: unknown */
	bool has_inode;
	struct inode inode;
	struct stuck_task *holder; /* NULL: unknown, as the following are */
	uint64_t processes;	   /* that have its struct file, or its table of descriptors */
	uint64_t threads;	   /* of the process of the holder */
	bool complete;		   /* others have it not */
};

/* Who is asked by an event of fanotify or a notification of seccomp: who has the file of that group, of that filter. */
struct stuck_asked {
	struct stuck_asked *next;
	uint64_t object; /* address of the fsnotify_group, or the seccomp_filter */
	enum wait_kind kind;
	struct file_users users;
};

/* The other end of a connection of FUSE, of a userfaultfd or of these: each of these threads may answer. */
struct stuck_server {
	const struct file_users *users;
	struct stuck_task **threads; /* that have not exited, of all processes that have it open */
	size_t n;
	bool complete; /* there are no others */
};

/* The work that a worker runs, and those that are queued behind it. */
struct stuck_work {
	uint64_t address;     /* of its function; 0: unknown */
	const char *function; /* "evt_work [evt_bridge]"; NULL: unknown */
	const char *running;  /* ", running work evt_work [evt_bridge],"; NULL: unknown */
	bool is_of_module, has_queue;
	bool is_gone; /* its function is in no module that is loaded, of which all are known */
	struct work_queue queue;
};

struct stuck_task {
	struct stuck_task *next;
	struct task task;
	char state[2];	 /* as a text; empty: unknown */
	bool has_frames; /* the following are true; else its stack could not be read */
	bool is_whole;	 /* these frames go to the end of its stack */
	bool on_cpu;	 /* what frames it has follow from its stack, its registers are not known */
	enum place where;
	enum thread_kind thread;
	const char *waits_for;	      /* one of stuck_waits; NULL: unknown */
	const struct frame *function; /* that gave up the CPU; NULL: unknown */
	const struct frame *runs;     /* of a thread on a CPU; NULL: unknown */
	bool spins;		      /* the same: on a lock, by its frames */
	bool panics;		      /* the same: it called panic() */
	const struct frame *caller;   /* the first one that is no wait of the kernel's own */
	bool is_on_completion;	      /* between these a function that waits for a completion is */
	const char *call; /* "waits in poll() for its files"; NULL: in nothing like it */
	bool polls;	  /* of call: it looks again and again, asleep for less than it waits */
	/* Of one on a lock in reclaim: where it waits, and for whose allocation; NULL: in none, or a page fault. */
	const struct frame *reclaims_in, *reclaims_for;
	const struct stack *stack; /* NULL: not asked for */
	bool has_since;
	uint64_t since_ns; /* when it last ran */
	enum last_ran_field since_source;
	const struct in_fault *fault; /* NULL: it is in none, or that is unknown */
	bool lacks_inner;	      /* there may be inner frames */
	bool is_on_lock;	      /* it sleeps in a function for locks */
	bool has_lock;		      /* and on this one */
	bool is_on_mmap_lock;
	struct lock_wait lock;
	bool owner_is_younger; /* the one that the lock names was born after a waiter of it stopped */
	bool has_no_trail;     /* nothing that the holder has leads to the lock */
	bool holder_is_of_crowd; /* of all threads many wait with the holder: chance may name one of these */
	bool trail_is_behind; /* nothing but text behind the place where it sleeps does */
	/* Or nothing but this function of a module, in which both wait, and where the holder need not have come past it; NULL. */
	const struct frame *shared_in;
	bool shares_outer; /* one of the two waits in a function that this one called */
	const struct stuck_futex *futex; /* of its own memory, that it sleeps on; NULL */
	bool is_on_pi_futex; /* the rt_mutex of one: who has it keeps it beyond system calls */
	const struct stuck_service *service; /* its process, if nearly all waits for this lock */
	const char *lock_name; /* "oom_lock", "mmap_lock of 89"; NULL: only its address is known */
	const struct file_wait *file_wait; /* NULL: for no lock of a file, or unknown */
	const struct stuck_file_lock *file_lock;
	const struct frozen_super *frozen; /* that it waits to write to; NULL: none, or unknown */
	bool is_on_server; /* it waits for a server of FUSE or NFS, a userfaultfd, or one that is asked */
	struct fuse_wait fuse;		   /* conn is NULL: of none, or unknown */
	struct userfault *userfault;	   /* NULL: of none, or unknown */
	struct stuck_asked *asked;	   /* NULL: it asks none, or unknown */
	const struct stuck_server *server; /* of either; NULL: none is known */
	const struct stuck_drain *drain;   /* the file that it removes, and waits for users; NULL */
	const struct stuck_disk *disk;	   /* that it waits for; NULL: none is known */
	enum disk_wait_source disk_source;
	bool disk_is_inferred;
	/* Whose answer it waits for, where others wait for its process, or as it does; NULL: of none, or unknown. */
	const struct file_user *peer;
	uint64_t unread;      /* that it sent, and the peer has not read: TCP bytes, else packets */
	const char *peer_by;  /* "unix socket", "TCP connection"; NULL: on none that is known */
	const char *remote;   /* address of the TCP end, which no process here has; NULL */
	bool peer_is_own;     /* it has the other end open itself, and no other process has */
	const char *datagram; /* "of 10.0.0.53:53", that it waits for; NULL: none */
	bool is_connecting;   /* to that, which has not answered */
	bool peer_is_stopped; /* all of its threads */
	bool peer_is_frozen;  /* all of its threads */
	bool is_server_end;   /* of a TCP connection: its own end is that of who listens */
	bool is_not_accepted; /* the peer listens, and has not accepted the connection */
	bool is_sender; /* it sends to a unix socket whose queue is full: that of the peer, of all who do */
	struct fault_lock held; /* that it has for reading, by its page fault */
	uint64_t readers;	/* of the first of those that have it so: how many they are */
	const struct stuck_task *holder; /* NULL: unknown */
	enum stuck_holds holds;		 /* how the holder is known */
	enum stuck_unheld unheld;	 /* what its lock said, where others may know who has it */
	bool is_on_work;    /* it waits for a work of a workqueue that no worker has begun */
	bool is_on_pipe;    /* it waits for a pipe or a child, which does not end by itself */
	bool is_holder;	    /* of a lock that another one waits for */
	bool is_deadlocked; /* it waits for one that waits for it, over however many */
	bool is_traced;	    /* it stands in a ptrace stop, of: */
	const struct stuck_task *tracer;  /* NULL: it is unknown */
	const char *stopped_by;		  /* " by SIGSTOP, which a (5) sent": if it is stopped */
	const struct stuck_task *stopper; /* who sent it, and has not exited; NULL */
	const struct frame *module_frame; /* asleep: of a module, out of tree first; NULL */
	const struct frame *runs_in;	  /* on a CPU: of a module out of tree; NULL */
	const struct stuck_work *work;	  /* of a worker, that it runs; NULL: none, or unknown */
	bool is_at_rest; /* asleep so that it may have nothing to do: for work, for time, to read */
	const char *system_call; /* that it is in: "openat"; NULL: none that is known */
	bool is_root;		 /* it waits for no other one, and does not go on by itself */
	const struct stuck_task *waiter; /* the first thread that waits for it; NULL: unknown */
	size_t direct, behind;		 /* of a root: threads that wait for it, and behind those */
	bool is_victim; /* the OOM killer chose its process, and it still has the memory in: */
	bool has_victim_mm;
	bool stands_for_victim;			/* it alone of the threads of its process */
	const struct stuck_task *victim_leader; /* then: the first thread; NULL: it was not found */
	struct mm_struct victim_mm;
	uint64_t victim_tasks; /* threads that use it */
};

struct stuck {
	struct stuck_task *first;    /* in the order of the task list */
	struct stuck_task *others;   /* that were looked at and are none of these */
	const struct fuse *fuse;     /* whose servers threads wait for; NULL: none do, or unknown */
	const struct frozen *frozen; /* NULL: no thread needed them, or unknown */
	const struct stuck_disk *disks; /* that threads wait for, or that something keeps */
	bool has_requests;		/* of disks, all of them */
	bool lacks_disks;		/* more threads may wait for one of these, or for others */
	const struct stuck_file_lock *file_locks;  /* that threads wait for */
	bool has_file_locks;			   /* all of these are known */
	const struct stuck_user_locks *user_locks; /* of which nothing says who has them */
	size_t looked_at, unreadable, running, frameless;
	struct cut_stacks cut;
	bool ends_early;	      /* some tasks may be missing */
	const char *why_no_pipes;     /* why a thread on a pipe may be missing; NULL: none is */
	const char *why_no_peers;     /* why the peer of one may be missing; NULL: none is */
	struct gaps gaps, place_gaps; /* place_gaps: those of these on where threads are */
};

/* Those of both lists; break ends one of them. */
#define stuck_for_each(s, x)                       \
	for (unsigned int in_ = 0; in_ < 2; in_++) \
		for (const struct stuck_task *s = in_ ? (x)->others : (x)->first; s; s = s->next)

/* What is counted of threads is a lower bound: stacks of some could not be read, or these are not known. */
static inline bool stuck_is_part(const struct stuck *x)
{
	return x->cut.n || x->unreadable || x->ends_early;
}

/* That gave up the CPU, or runs on one; NULL: unknown. */
static inline const char *stuck_function(const struct stuck_task *s)
{
	return s->function ? s->function->symbol : s->runs ? s->runs->symbol : NULL;
}

/* It is in a page fault, or in the allocator, and further inside by frames that are unknown: where, too. */
static inline bool stuck_place_is_unknown(const struct stuck_task *s)
{
	return (s->where == PLACE_PAGE_FAULT || (s->where == PLACE_ALLOCATOR && s->lacks_inner)) &&
	       !stuck_function(s);
}

/* Where it is: what is no wait of the kernel's own, else what gave up the CPU; NULL: unknown. */
static inline const char *stuck_place(const struct stuck_task *s)
{
	return s->caller && s->caller->symbol ? s->caller->symbol
	       : s->function		      ? s->function->symbol
					      : NULL;
}

/* Asleep since its cgroup, or the machine, is frozen. */
static inline bool stuck_is_frozen(const struct stuck_task *s)
{
	return s->caller && s->caller->symbol && !s->on_cpu && !s->is_traced &&
	       wait_is_freezer(s->caller->symbol, s->task.state);
}

/* Whether it waits for what a thread of the kernel does. */
static inline bool stuck_is_on_kthread(const struct stuck_task *s)
{
	return s->holds == HOLDS_KSWAPD || s->holds >= HOLDS_WORK || s->is_on_work;
}

/* Whether it waits for I/O, or for the journal of a file system whose thread does. */
static inline bool stuck_is_on_io(const struct stuck_task *s)
{
	if (s->holds == HOLDS_JOURNAL)
		s = s->holder;
	return s->waits_for && !strcmp(s->waits_for, "io");
}

/* Asleep in what no rule has a word for: its function says most. */
static inline bool stuck_is_on_other(const struct stuck_task *s)
{
	return s->waits_for && !strcmp(s->waits_for, "other");
}

/* Every text of waits_for, NULL behind them. */
extern const char *const stuck_waits[];
/* It is woken to send its request again: how long it has waited its last run does not tell (call_timeout() of sunrpc). */
bool stuck_waits_for_rpc(const struct stuck_task *s);

/* How the holder of one is known, of stuck_holder_modes; NULL: it has none, or that is unknown. */
const char *stuck_holder_mode(const struct stuck_task *s);

/* Every text of these, NULL behind them. */
extern const char *const stuck_holder_modes[];

struct stuck_wish {
	bool stacks;
	struct lines *lines;  /* of their frames; NULL: not asked for */
	const int32_t *tgids; /* processes whose peers on sockets are asked for anyway */
	unsigned int ntgids;
	bool peers; /* of all that sleep on sockets, of very many the first */
};

/* What was found before ST_STOPPED is in ret. */
enum status stuck_collect(struct dump *d, const struct stuck_wish *wish, struct stuck *ret);
