/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a task waits for, by the functions on its stack. */
#pragma once

#include "tasks/lock_waiter.h"
#include "tasks/user_call.h"

/* In order of precedence: of two on a stack, the later one is why the other is there. */
enum wait_kind {
	WAIT_NONE,
	WAIT_LOCK,
	WAIT_IO,
	WAIT_PAGE_LOCK,
	WAIT_FUSE,
	WAIT_RPC,
	WAIT_SWAP_IN,
	WAIT_MIGRATION, /* do_swap_page() waits for its end, too */
	WAIT_USERFAULTFD,
	WAIT_FANOTIFY,	  /* for the answer to a permission event */
	WAIT_SECCOMP,	  /* for that of the supervisor of a filter */
	WAIT_MEMORY_HIGH, /* its cgroup is over memory.high: it sleeps for that, and frees nothing */
	WAIT_RECLAIM,
	WAIT_OOM_KILLER,
	WAIT_KINDS
};

/* "swap_in"; NULL: WAIT_NONE */
const char *wait_name(enum wait_kind kind);

/* Whether it is for what a process answers, or another machine. */
static inline bool wait_is_for_answer(enum wait_kind kind)
{
	return kind == WAIT_FUSE || kind == WAIT_RPC || kind == WAIT_USERFAULTFD ||
	       kind == WAIT_FANOTIFY || kind == WAIT_SECCOMP;
}

/*
 * What a function of the kernel waits for, WAIT_NONE: it does not tell.  What follows a
 * "." in a name is the compiler's.
 */
enum wait_kind wait_of(const char *function);

/*
 * The same in a walk over frames from the innermost on, *takes_page is false at first: what the page
 * allocator does around a page that it is taking is no wait.
 */
enum wait_kind wait_of_frame(const char *function, bool *takes_page);

/* The same for the function that gave up the CPU itself. */
enum wait_kind wait_of_sleeper(const char *function);

/* The kind of lock that a function sleeps on, whose frame then has the waiter; LOCK_UNKNOWN: none. */
enum lock_kind wait_lock_kind(const char *function);

/*
 * With PREEMPT_RT: whose rt_mutex a function waits for, RT_ITSELF: it does not tell; is_rtlock: inside of it there is one
 * that wait_is_rtlock().
 */
enum rt_user wait_rt_user(const char *function, bool is_rtlock);
bool wait_is_rtlock(const char *function);

/* Whether a function only gives up the CPU, or ends the kernel, for the one that called it. */
bool wait_is_scheduler(const char *function);

/* Whether it waits until a page is written: inside of it the wait is that for any bit of a page, as for its lock. */
bool wait_is_writeback(const char *function);

/* Whether a function waits for an event that its caller knows. */
bool wait_is_completion(const char *function);

/* Whether a function waits for a packet, or a connection, in the queue of a socket, which its caller tells. */
bool wait_is_for_packet(const char *function);

/*
 * Whether a function brings memory in from swap: those of the table, and what each release has more, by words of the
 * name: "swapin", "swap_read", and of swapoff() "unuse" before what it walks.
 */
bool wait_is_swap_in(const char *function);

/* Whether two names are the same function, with or without a suffix of the compiler's. */
bool is_function(const char *name, const char *function);

/* The row of a table for a function; its rows are, or begin with, names of functions. NULL: none. */
const void *function_find(const void *rows, size_t n, size_t bytes, const char *function);
#define FUNCTION_FIND(rows, function)                                                        \
	((const typeof((rows)[0]) *)function_find(rows, ARRAY_SIZE(rows), sizeof((rows)[0]), \
						  function))

/* Whether a thread waits in a function for what it is to do next, in a system call of its own. */
bool wait_is_for_work(const char *function);

/* Whether one that sleeps in a function may have nothing to do; of one that reads that depends on what it reads. */
enum wait_rest { WAIT_RESTS_NOT, WAIT_MAY_READ, WAIT_RESTS };

enum wait_rest wait_rest_of(const char *function);

/*
 * Whether a thread of the kernel is at rest that gives up the CPU in a function called by caller: so that a signal ends it,
 * and in the function that it began with, or that the loop of a vhost task calls. That one sleeps there whenever it has
 * nothing to do (kernel/vhost_task.c, e297cd54b3f8 of 6.4, "vhost_task: Allow vhost layer to use copy_process"), all its
 * life as for KVM's recovery of huge pages (since 6.13), which sleeps by a timer in what it calls.
 */
bool wait_is_of_loop(const char *caller, char state);

/*
 * Whether it keeps no lock of the kernel while it waits in a function for what comes from outside, or returns to user
 * mode; state: of the task.
 */
bool wait_keeps_no_lock(const char *function, char state);

/* "waits in poll() for its files", of the functions of a system call that does nothing else; NULL: it is none. */
const char *wait_call(const char *function, enum user_files files);

/* Whether a function of the kernel's timers sleeps for the one that called it. */
bool wait_is_timeout(const char *function);

/* What a function waits for that gave up the CPU. */
/*
 * Whether a thread that is asleep in a function stands still with its cgroup, or with the machine: do_freezer_trap(), which may be
 * inline in get_signal(), where else it would be stopped or traced; __refrigerator() of cgroup v1 and of suspend.
 */
bool wait_is_freezer(const char *function, char state);

enum pipe_function { PIPE_NONE, PIPE_WRITES, PIPE_READS, PIPE_CHILD, PIPE_FUNCTIONS };
enum pipe_function pipe_function_of(const char *function);

/* Whether one may be a finding: n threads wait in each. */
static inline bool pipes_may_hang(const size_t n[PIPE_FUNCTIONS])
{
	return n[PIPE_WRITES] || (n[PIPE_READS] && n[PIPE_CHILD]);
}
