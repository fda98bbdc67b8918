/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock that a task sleeps on, and who has it. struct mutex_waiter and struct rwsem_waiter lie on the
 * stack of the task that waits, which they name; their list leads to the lock (kernel/locking/mutex.c,
 * rwsem.c). Since 7.1 the list has waiters only, and the lock is a pointer on the stack of the waiter whose
 * first_waiter is in that list. With CONFIG_PREEMPT_RT, and of PI futexes, task_struct.pi_blocked_on has the
 * waiter, and that the lock.
 */
#pragma once

#include "tasks/rw_semaphore.h"
#include "tasks/task_stack.h"
#include "util/hash_u64.h"

enum lock_kind {
	LOCK_UNKNOWN,
	LOCK_MUTEX,
	LOCK_RWSEM,
	LOCK_RT_MUTEX,
	LOCK_SEMAPHORE,
	LOCK_PERCPU,
	LOCK_FILE,
	LOCK_REMOTE, /* of a file on a file system whose server, or other nodes, know who has it */
	LOCK_FUTEX,  /* of user memory, by words there (lib/vm/futex.h) */
	LOCK_KINDS
};

/* Members of a kind of lock, and of its waiters. */
struct lock_form {
	struct field list, first, waiter_list, waiter_task;
};

struct lock_waiters {
	struct dump *dump;
	struct lock_form form[LOCK_KINDS];
	struct field mutex_owner, last_holder, rwsem_type; /* rwsem_type: of a waiter */
	bool has_types;
	uint32_t writes; /* of rwsem_type: who waits to write */
	struct structure task, rt_waiter;
	/* The last two: of the rt_mutex_base, and of the rt_mutex before there was one. */
	struct field rt_owner, old_rt_owner;
	struct rwsems rwsems, rwlocks; /* those that are with CONFIG_PREEMPT_RT */
	bool has_rwsems, has_rwlocks;
	uint64_t stack_size;
	const struct hash_u64 *stacks;
	struct hash_u64 found; /* of struct found_lock, by the list_head of each waiter */
};

enum lock_owner {
	LOCK_OWNER_UNKNOWN, /* none is noted, or a reader that is no live task */
	LOCK_OWNER_LOST,    /* what is noted as the one that has it is no live task */
	LOCK_OWNER_REUSED,  /* that one has exited, its task_struct is of a later task */
	LOCK_OWNER_GONE, /* the task that it names has exited, or one before it that had its task_struct */
	LOCK_OWNER_HAS_IT,
	LOCK_OWNER_READ, /* of the readers it came last, and may have gone */
	LOCK_OWNER_LAST, /* it took a semaphore last, and has not given it back itself: another one may */
	LOCK_OWNER_NOT_KEPT, /* of a semaphore of this kernel */
};

struct lock_wait {
	enum lock_kind kind;
	uint64_t lock;	  /* address */
	uint64_t waiters; /* in its list, this task among them; 0: not counted */
	enum lock_owner by;
	uint64_t owner;	 /* task_struct, a live task; 0: unknown */
	bool is_handed;	 /* the owner has been given it, and has not taken it yet */
	bool reads;	 /* it waits to read a lock that is read */
	uint64_t writer; /* then: the writer that waits first, before all readers; 0: unknown */
};

/*
 * stacks: the lowest address of its stack (uint64_t) of every live task, by its task_struct; it is filled
 * when lock_wait_find() is called.
 */
enum status lock_waiters_open(struct dump *d, const struct hash_u64 *stacks,
			      struct lock_waiters *ret);

/*
 * The lock of a task that sleeps in a function for locks of a kind, whose frame is from..to of its stack s.
 * Its saved registers begin at low. ST_ABSENT: no waiter of the task is there; ST_CORRUPT: no list of
 * waiters leads from it to one lock; ST_UNREADABLE; ST_UNKNOWN.
 */
enum status lock_wait_find(struct lock_waiters *w, uint64_t task, const struct task_stack *s,
			   enum lock_kind kind, uint64_t from, uint64_t to, uint64_t low,
			   struct lock_wait *ret);

/*
 * What has the rt_mutex that a task waits for, with CONFIG_PREEMPT_RT: it is the lock itself, or a semaphore or a rwlock_t
 * begins with struct rwbase_rt, which has it (kernel/locking/rwbase_rt.c); up to 5.14 each has members of its own.
 */
enum rt_user { RT_ITSELF, RT_READS_RWSEM, RT_WRITES_RWSEM, RT_READS_RWLOCK, RT_WRITES_RWLOCK };

/*
 * The same of the rt_mutex that a task waits for; ST_ABSENT: for none. A writer that waits for readers to leave has it,
 * and waits for none: the lock is a word of its stack s, low..end.
 */
enum status lock_wait_rt(const struct lock_waiters *w, uint64_t task, enum rt_user user,
			 const struct task_stack *s, uint64_t low, uint64_t end,
			 struct lock_wait *ret);

/*
 * The server of the RPC that a task sleeps on in rpc_wait_bit_killable() (net/sunrpc/sched.c), as one of NFS: its
 * struct wait_bit_queue_entry on the stack has the address of a member of the rpc_task.
 */

#define RPC_NAME 256 /* bytes of a name with its end: of a host it has 253 (RFC 1035) */

struct rpc_waits {
	struct dump *dump;
	struct structure client, transport, program;
	struct field flags, private, entry, state, task_client, status;
};

struct rpc_wait {
	uint64_t client;	/* address of the rpc_clnt */
	char server[RPC_NAME];	/* as the mount has it */
	char program[RPC_NAME]; /* "nfs" */
	/*
	 * The server has not answered in time (tk_status -ETIMEDOUT, xprt_timer(), net/sunrpc/xprt.c): its timer has woken
	 * the task, to ask again or to give up.
	 */
	bool has_timed_out;
};

/* ST_UNKNOWN: a layout that this build does not know, or types of module sunrpc that are not loaded. */
enum status rpc_waits_open(struct dump *d, struct rpc_waits *ret);

/* By the stack of the task from..to. ST_ABSENT: no such entry is there. */
enum status rpc_wait_find(const struct rpc_waits *w, uint64_t task, const struct task_stack *s,
			  uint64_t from, uint64_t to, struct rpc_wait *ret);
