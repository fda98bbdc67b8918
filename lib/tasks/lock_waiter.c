// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/lock_waiter.h"

#include "modules/module_sections.h"
#include "util/utf8.h"

/* Bits of mutex.owner, and bit 0 of rt_mutex_base.owner: a task_struct is aligned to more. */
#define OWNER_FLAGS 7ULL
#define TIMED_OUT 110	  /* ETIMEDOUT, include/uapi/asm-generic/errno.h */
#define MUTEX_PICKUP 4ULL /* MUTEX_FLAG_PICKUP, 4.10 */

/* The waiter that a task is blocked on, whose it is, and its lock. */
struct rt_wait {
	uint64_t waiter, task, lock;
};

#define NO_OWNER "it is no rt_mutex, and a spinlock does not say who has it"
#define NOT_RT "all but CONFIG_PREEMPT_RT"

static const struct layout_row rows[] = {
	FINDS(struct lock_waiters, mutex_owner, "struct mutex", OPTIONAL, NOT_RT, "owner"),
	FINDS(struct lock_waiters, form[LOCK_MUTEX].list, "struct mutex", OPTIONAL, "up to 7.0",
	      "wait_list"),
	FINDS(struct lock_waiters, form[LOCK_MUTEX].first, "struct mutex", OPTIONAL, "7.1",
	      "first_waiter"),
	FINDS(struct lock_waiters, form[LOCK_MUTEX].waiter_list, "struct mutex_waiter", OPTIONAL,
	      NOT_RT, "list"),
	FINDS(struct lock_waiters, form[LOCK_MUTEX].waiter_task, "struct mutex_waiter", OPTIONAL,
	      NOT_RT, "task"),
	FINDS(struct lock_waiters, form[LOCK_RWSEM].list, "struct rw_semaphore", OPTIONAL,
	      "up to 7.0", "wait_list"),
	FINDS(struct lock_waiters, form[LOCK_RWSEM].first, "struct rw_semaphore", OPTIONAL, "7.1",
	      "first_waiter"),
	FINDS(struct lock_waiters, form[LOCK_RWSEM].waiter_list, "struct rwsem_waiter", OPTIONAL,
	      NOT_RT, "list"),
	FINDS(struct lock_waiters, form[LOCK_RWSEM].waiter_task, "struct rwsem_waiter", OPTIONAL,
	      NOT_RT, "task"),
	FINDS(struct lock_waiters, rwsem_type, "struct rwsem_waiter", OPTIONAL, NOT_RT, "type"),
	FINDS(struct lock_waiters, form[LOCK_SEMAPHORE].list, "struct semaphore", OPTIONAL,
	      "up to 7.0", "wait_list"),
	FINDS(struct lock_waiters, form[LOCK_SEMAPHORE].first, "struct semaphore", OPTIONAL, "7.1",
	      "first_waiter"),
	FINDS(struct lock_waiters, form[LOCK_SEMAPHORE].waiter_list, "struct semaphore_waiter",
	      OPTIONAL, "all", "list"),
	FINDS(struct lock_waiters, form[LOCK_SEMAPHORE].waiter_task, "struct semaphore_waiter",
	      OPTIONAL, "all", "task"),
	FINDS(struct lock_waiters, last_holder, "struct semaphore", OPTIONAL,
	      "6.16, CONFIG_DETECT_HUNG_TASK_BLOCKER", "last_holder"),
	/* The part of it that has the owner, since 830e6acc8a1c "locking/rtmutex: Split out the inner parts of 'struct rtmutex'". */
	FINDS(struct lock_waiters, rt_owner, "struct rt_mutex_base", OPTIONAL,
	      "5.15, CONFIG_RT_MUTEXES", "owner"),
	FINDS(struct lock_waiters, old_rt_owner, "struct rt_mutex", OPTIONAL, "up to 5.14",
	      "owner"),
	STRUCTURE(struct lock_waiters, task, "struct task_struct"),
	POINTS(struct rt_wait, waiter, OPTIONAL, "CONFIG_RT_MUTEXES", "pi_blocked_on"),
	STRUCTURE(struct lock_waiters, rt_waiter, "struct rt_mutex_waiter"),
	POINTS(struct rt_wait, task, OPTIONAL, "CONFIG_RT_MUTEXES", "task"),
	POINTS(struct rt_wait, lock, OPTIONAL, "CONFIG_RT_MUTEXES", "lock"),
};

/* A lock whose list was walked: that of each of its waiters. */
struct found_lock {
	enum lock_kind kind;
	uint64_t lock, waiters;
};

/* What a waiter of a semaphore that wants to write it is; false: unknown. */
static bool find_writers(struct dump *d, struct lock_waiters *w)
{
	int64_t writes;

	if (!w->rwsem_type.present || w->rwsem_type.size != 4 ||
	    dump_ask(d, enumerator, "RWSEM_WAITING_FOR_WRITE", &writes) != ST_OK)
		return false;
	w->writes = (uint32_t)writes;
	return true;
}

enum status lock_waiters_open(struct dump *d, const struct hash_u64 *stacks,
			      struct lock_waiters *ret)
{
	struct lock_waiters w = { .dump = d, .stacks = stacks, .stack_size = thread_size(d) };
	enum status st = STRUCTS_OPEN(d, rows, &w);

	if (st == ST_OK && !w.stack_size)
		st = dump_unknown(d, "no size of union thread_union");
	if (st != ST_OK)
		return st;
	if (!w.rt_owner.present)
		w.rt_owner = w.old_rt_owner;
	w.has_rwsems = rwsems_open(d, &w.rwsems) == ST_OK;
	w.has_rwlocks = w.has_rwsems && rwlocks_find(&w.rwsems, &w.rwlocks) == ST_OK;
	w.has_types = find_writers(d, &w);
	hash_u64_init(&w.found, d->arena, sizeof(struct found_lock));
	*ret = w;
	return ST_OK;
}

/* A walk along the list of a waiter. */
struct ring {
	struct lock_waiters *w;
	const struct lock_form *form;
	uint64_t start; /* list_head of the waiter */
	uint64_t head;	/* the list_head that is of no waiter; 0: there is none */
	uint64_t waiters;
	uint64_t node, word; /* which to look for: */
	bool has_node;	     /* node is in the list */
	bool has_word;	     /* word is on the stack of one of the waiters */
};

static bool is_within(const struct lock_waiters *w, uint64_t base, uint64_t addr)
{
	return base && addr >= base && addr - base < w->stack_size;
}

/* Lowest address of the stack of a live task; 0: it is none. */
static uint64_t stack_of(const struct lock_waiters *w, uint64_t task)
{
	const uint64_t *base = hash_u64_find(w->stacks, task);

	return base ? *base : 0;
}

/*
 * The stack that a list_head is on, in a waiter of its live task; 0: it is in none. Behind a lock there may be
 * no more memory.
 */
static enum status stack_of_node(const struct ring *r, uint64_t node, uint64_t *ret)
{
	uint64_t waiter = node - r->form->waiter_list.offset, task, base;
	enum status st = dump_u64(r->w->dump, waiter + r->form->waiter_task.offset, &task,
				  "waiter of a lock");

	*ret = 0;
	if (st == ST_UNREADABLE)
		return ST_OK;
	base = st == ST_OK ? stack_of(r->w, task) : 0;
	if (is_within(r->w, base, waiter))
		*ret = base;
	return st;
}

static enum status add_node(struct ring *r, uint64_t node)
{
	uint64_t base;
	enum status st = stack_of_node(r, node, &base);

	if (st != ST_OK)
		return st;
	r->has_node |= node == r->node;
	r->has_word |= is_within(r->w, base, r->word);
	if (base) {
		r->waiters++;
		return ST_OK;
	}
	if (r->head)
		return dump_corrupt(r->w->dump, "the waiters of a lock: two heads");
	r->head = node;
	return ST_OK;
}

/* Every waiter is of another task, so the list has no more than that many, and its head. */
static enum status walk(struct ring *r)
{
	struct dump *d = r->w->dump;
	uint64_t node = r->start, next, back;

	for (size_t i = 0; i <= r->w->stacks->n + 1; i++) {
		enum status st = dump_stopped(d) ? ST_STOPPED : add_node(r, node);

		st = st ?: dump_u64(d, node, &next, "waiters of a lock");
		if (st == ST_OK && (!next || next & 7))
			st = dump_corrupt(d, "the waiters of a lock: a link is %#lx", next);
		st = st ?: dump_u64(d, next + 8, &back, "waiters of a lock");
		if (st == ST_OK && back != node)
			st = dump_corrupt(d, "the waiters of a lock: a link back leads elsewhere");
		if (st != ST_OK || next == r->start)
			return st;
		node = next;
	}
	return dump_corrupt(d, "a lock has more waiters than there are tasks");
}

/* Whether a word points to a lock, not to a stack, whose first waiter is in the list. */
static bool is_lock_of(const struct ring *r, uint64_t word)
{
	struct lock_waiters *w = r->w;
	struct ring again = { .w = w, .form = r->form, .start = r->start, .word = word };
	uint64_t waiter, base;
	uint8_t raw[8];

	if (!word || word & 7 || dump_try(w->dump, word + r->form->first.offset, raw, 8) != ST_OK)
		return false;
	waiter = le64(raw);
	again.node = waiter + r->form->waiter_list.offset;
	return waiter && !(waiter & 7) && stack_of_node(r, again.node, &base) == ST_OK && base &&
	       walk(&again) == ST_OK && again.has_node && !again.has_word;
}

static enum status find_lock(struct ring *r, const struct task_stack *s, uint64_t low,
			     uint64_t *lock)
{
	uint64_t found = 0, word;

	for (uint64_t at = low; at < s->base + s->size; at += 8) {
		if (!task_stack_word(s, at, &word) || word == found || !is_lock_of(r, word))
			continue;
		if (found)
			return dump_corrupt(r->w->dump, "a waiter has two locks");
		found = word;
	}
	if (!found)
		return dump_absent(r->w->dump, "no lock of the waiter was found");
	*lock = found;
	return ST_OK;
}

static void set_owner(const struct lock_waiters *w, enum lock_owner by, uint64_t task,
		      struct lock_wait *ret)
{
	if (task && hash_u64_has(w->stacks, task)) {
		ret->by = by;
		ret->owner = task;
	} else if (task && by == LOCK_OWNER_HAS_IT) {
		ret->by = LOCK_OWNER_LOST;
	}
}

/* down() notes its task, up() forgets it if it is the same one (kernel/locking/semaphore.c). */
static enum status read_last_holder(const struct lock_waiters *w, struct lock_wait *ret)
{
	uint64_t task;
	enum status st;

	if (!w->last_holder.present || w->last_holder.size != 8) {
		ret->by = LOCK_OWNER_NOT_KEPT;
		return ST_OK;
	}
	st = dump_u64(w->dump, ret->lock + w->last_holder.offset, &task, "semaphore");
	if (st == ST_OK)
		set_owner(w, LOCK_OWNER_LAST, task, ret);
	return st;
}

static enum status read_owner(const struct lock_waiters *w, struct lock_wait *ret)
{
	enum rwsem_state state;
	uint64_t owner;
	enum status st;

	if (ret->kind == LOCK_SEMAPHORE)
		return read_last_holder(w, ret);
	if (ret->kind == LOCK_RWSEM) {
		if (!w->has_rwsems || w->rwsems.is_rt)
			return ST_OK;
		st = rwsem_read(&w->rwsems, ret->lock, "rw_semaphore", &state, &owner);
		if (st == ST_OK && state != RWSEM_FREE)
			set_owner(w, state == RWSEM_WRITER ? LOCK_OWNER_HAS_IT : LOCK_OWNER_READ,
				  owner, ret);
		return st;
	}
	if (!w->mutex_owner.present || w->mutex_owner.size != 8)
		return ST_OK;
	st = dump_u64(w->dump, ret->lock + w->mutex_owner.offset, &owner, "mutex");
	if (st == ST_OK) {
		set_owner(w, LOCK_OWNER_HAS_IT, owner & ~OWNER_FLAGS, ret);
		ret->is_handed = owner & MUTEX_PICKUP;
	}
	return st;
}

static bool is_writer(const struct ring *r, uint64_t node, bool *ret)
{
	uint32_t type;
	enum status st = dump_u32(r->w->dump,
				  node - r->form->waiter_list.offset + r->w->rwsem_type.offset,
				  &type, "waiter of a lock");

	*ret = st == ST_OK && type == r->w->writes;
	return st == ST_OK;
}

/* A writer that waits first lets no reader by, though readers have it (rwsem_down_read_slowpath()): it is why a reader waits. */
static void find_writer(const struct ring *r, struct lock_wait *ret)
{
	const struct lock_form *form = r->form;
	const struct field *to = form->list.present ? &form->list : &form->first;
	struct dump *d = r->w->dump;
	uint64_t node, task;
	bool writes;

	if (!r->w->has_types || !is_writer(r, r->start, &writes) || writes)
		return;
	ret->reads = true;
	if (dump_u64(d, ret->lock + to->offset, &node, "lock") != ST_OK)
		return;
	node += form->list.present ? 0 : form->waiter_list.offset;
	if (node == r->start || !is_writer(r, node, &writes) || !writes ||
	    dump_u64(d, node - form->waiter_list.offset + form->waiter_task.offset, &task,
		     "waiter of a lock") != ST_OK)
		return;
	ret->writer = stack_of(r->w, task) ? task : 0;
}

/* Of a list that was walked; its head is no waiter, and is not asked for. */
static void note_all(const struct ring *r, const struct found_lock *found)
{
	uint64_t node = r->start;

	for (uint64_t i = 0; i <= found->waiters; i++) {
		*(struct found_lock *)hash_u64_get(&r->w->found, node, NULL) = *found;
		if (dump_u64(r->w->dump, node, &node, "waiters of a lock") != ST_OK)
			return;
	}
}

/* Every waiter of a lock leads to it: its list is walked for the first one. */
static enum status find_ring(struct ring *r, enum lock_kind kind, const struct task_stack *s,
			     uint64_t low, struct found_lock *ret)
{
	struct lock_waiters *w = r->w;
	const struct found_lock *known = hash_u64_find(&w->found, r->start);
	bool has_head = r->form->list.present;
	struct found_lock found = { .kind = kind };
	enum status st;

	if (known && known->kind == kind) {
		*ret = *known;
		return ST_OK;
	}
	st = walk(r);
	if (st == ST_OK && has_head != (r->head != 0))
		st = dump_corrupt(w->dump, "the waiters of a lock: %s",
				  has_head ? "no head" : "one that is none");
	if (st == ST_OK && has_head)
		found.lock = r->head - r->form->list.offset;
	else if (st == ST_OK)
		st = find_lock(r, s, low, &found.lock);
	if (st != ST_OK)
		return st;
	found.waiters = r->waiters;
	note_all(r, &found);
	*ret = found;
	return ST_OK;
}

static enum status lock_of(struct ring *r, enum lock_kind kind, const struct task_stack *s,
			   uint64_t low, struct lock_wait *ret)
{
	struct lock_wait found = { .kind = kind };
	struct found_lock lock;
	enum status st = find_ring(r, kind, s, low, &lock);

	if (st != ST_OK)
		return st;
	found.lock = lock.lock;
	found.waiters = lock.waiters;
	st = read_owner(r->w, &found);
	if (st == ST_OK && kind == LOCK_RWSEM && found.by != LOCK_OWNER_HAS_IT &&
	    found.by != LOCK_OWNER_LOST)
		find_writer(r, &found);
	return RESULT(st, ret, found);
}

enum status lock_wait_find(struct lock_waiters *w, uint64_t task, const struct task_stack *s,
			   enum lock_kind kind, uint64_t from, uint64_t to, uint64_t low,
			   struct lock_wait *ret)
{
	const struct lock_form *form = &w->form[kind];
	enum status st = ST_ABSENT;
	uint64_t word, waiter;

	if ((kind != LOCK_MUTEX && kind != LOCK_RWSEM && kind != LOCK_SEMAPHORE) ||
	    form->list.present == form->first.present || !form->waiter_list.present ||
	    !form->waiter_task.present)
		return dump_unknown(w->dump, "the waiters of a lock");
	dump_absent(w->dump, "no waiter on the stack of a task that waits for a lock");
	for (uint64_t at = from & ~7ULL; at < to; at += 8) {
		struct ring r = { .w = w, .form = form };
		enum status one;

		waiter = at - form->waiter_task.offset;
		if (!task_stack_word(s, at, &word) || word != task || waiter < from)
			continue;
		r.start = waiter + form->waiter_list.offset;
		one = lock_of(&r, kind, s, low, ret);
		if (one == ST_OK || one == ST_STOPPED)
			return one;
		st = one;
	}
	return st;
}

/* What waits for the owner of the rt_mutex in a semaphore, or for the readers for which that one waits. */
static enum status read_rw(const struct lock_waiters *w, const struct rwsems *s, enum rt_user user,
			   uint64_t owner, struct lock_wait *found)
{
	bool is_reader = user == RT_READS_RWSEM || user == RT_READS_RWLOCK;
	enum rwsem_state state;
	uint64_t writer;
	enum status st = rwsem_read(s, found->lock, "rwbase_rt", &state, &writer);

	if (st != ST_OK)
		return st;
	if (state != RWSEM_READER) {
		set_owner(w, LOCK_OWNER_HAS_IT, owner, found);
	} else if (is_reader && rwsem_is_barred(s, found->lock)) {
		found->reads = true;
		found->writer = stack_of(w, owner) ? owner : 0;
	}
	return ST_OK;
}

/* A word that is the semaphore, or the rt_mutex in it, which the task has while it waits for readers. */
static bool is_barred_by(const struct rwsems *s, uint64_t task, uint64_t lock)
{
	uint8_t raw[8];

	return !(lock & 7) && rwsem_is_barred(s, lock) &&
	       dump_try(s->dump, lock + s->owner.offset, raw, 8) == ST_OK &&
	       (le64(raw) & ~OWNER_FLAGS) == task;
}

static enum status find_barred(const struct lock_waiters *w, const struct rwsems *locks,
			       uint64_t task, const struct task_stack *s, uint64_t low,
			       uint64_t end, struct lock_wait *ret)
{
	const uint64_t within[] = { 0, locks->owner.offset - w->rt_owner.offset };
	uint64_t word;

	for (uint64_t at = low; at < end; at += 8)
		for (unsigned int i = 0; i < ARRAY_SIZE(within); i++) {
			if (!task_stack_word(s, at, &word) || word - within[i] == ret->lock ||
			    !is_barred_by(locks, task, word - within[i]))
				continue;
			if (ret->lock)
				return dump_corrupt(w->dump, "a waiter has two locks");
			ret->lock = word - within[i];
		}
	return ret->lock ? ST_OK : dump_absent(w->dump, "no lock of the waiter was found");
}

static enum status find_blocked(const struct lock_waiters *w, uint64_t task, struct rt_wait *rt,
				uint64_t *owner)
{
	struct dump *d = w->dump;
	enum status st = ST_OK;

	if (!is_within(w, stack_of(w, task), rt->waiter))
		st = dump_corrupt(d, "pi_blocked_on is not on the stack of its task");
	st = st ?: struct_read(&w->rt_waiter, rt->waiter, rt);
	if (st == ST_OK && rt->task != task)
		st = dump_corrupt(d, "pi_blocked_on is of another task");
	st = st ?: dump_u64(d, rt->lock + w->rt_owner.offset, owner, "rt_mutex");
	*owner &= ~OWNER_FLAGS;
	return st;
}

enum status lock_wait_rt(const struct lock_waiters *w, uint64_t task, enum rt_user user,
			 const struct task_stack *s, uint64_t low, uint64_t end,
			 struct lock_wait *ret)
{
	struct dump *d = w->dump;
	struct lock_wait found = { .kind = user == RT_READS_RWSEM || user == RT_WRITES_RWSEM
						   ? LOCK_RWSEM
						   : LOCK_RT_MUTEX };
	bool is_rwlock = user == RT_READS_RWLOCK || user == RT_WRITES_RWLOCK;
	const struct rwsems *locks = is_rwlock ? &w->rwlocks : &w->rwsems;
	struct rt_wait rt = { 0 };
	uint64_t owner = 0;
	enum status st;

	if (!struct_has_all(&w->task) || !struct_has_all(&w->rt_waiter) || !w->rt_owner.present)
		return dump_absent(d, NO_OWNER);
	if (user != RT_ITSELF && (is_rwlock ? !w->has_rwlocks : !w->has_rwsems || !locks->is_rt))
		return dump_unknown(d, "%s", is_rwlock ? "rwlock_t" : "struct rw_semaphore");
	st = struct_read(&w->task, task, &rt);
	if (st == ST_OK && !rt.waiter && user != RT_ITSELF)
		st = find_barred(w, locks, task, s, low, end, &found);
	else if (st == ST_OK && !rt.waiter)
		st = dump_absent(d, NO_OWNER);
	else if (st == ST_OK)
		st = find_blocked(w, task, &rt, &owner);
	if (st != ST_OK)
		return st;
	if (user == RT_ITSELF)
		set_owner(w, LOCK_OWNER_HAS_IT, owner, &found);
	if (rt.waiter)
		found.lock = rt.lock;
	if (rt.waiter && user != RT_ITSELF) {
		found.lock -= locks->owner.offset - w->rt_owner.offset;
		st = read_rw(w, locks, user, owner, &found);
	}
	return RESULT(st, ret, found);
}

struct client {
	uint64_t transport, program, server, name;
};

static const struct layout_row rpc_wait_rows[] = {
	FINDS(struct rpc_waits, flags, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "key.flags"),
	FINDS(struct rpc_waits, private, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "wq_entry.private"),
	FINDS(struct rpc_waits, entry, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "wq_entry.entry"),
	FINDS(struct rpc_waits, state, "struct rpc_task", REQUIRED, "all", "tk_runstate"),
	FINDS(struct rpc_waits, task_client, "struct rpc_task", REQUIRED, "all", "tk_client"),
	FINDS(struct rpc_waits, status, "struct rpc_task", REQUIRED, "all", "tk_status"),
	STRUCTURE(struct rpc_waits, client, "struct rpc_clnt"),
	POINTS(struct client, transport, REQUIRED, "all", "cl_xprt"),
	POINTS(struct client, program, REQUIRED, "all", "cl_program"),
	STRUCTURE(struct rpc_waits, transport, "struct rpc_xprt"),
	POINTS(struct client, server, REQUIRED, "all", "servername"),
	STRUCTURE(struct rpc_waits, program, "struct rpc_program"),
	POINTS(struct client, name, REQUIRED, "all", "name"),
};

enum status rpc_waits_open(struct dump *d, struct rpc_waits *ret)
{
	enum status st = module_object_type(d, "sunrpc", "struct rpc_task");

	*ret = (struct rpc_waits){ .dump = d };
	return st ?: STRUCTS_OPEN(d, rpc_wait_rows, ret);
}

/* A word that is the task is a wait_queue_entry where its list comes back to it. */
static bool is_in_queue(const struct rpc_waits *w, uint64_t node)
{
	uint8_t links[16], raw[8];

	return dump_try(w->dump, node, links, sizeof(links)) == ST_OK && !(le64(links) & 7) &&
	       dump_try(w->dump, le64(links) + 8, raw, 8) == ST_OK && le64(raw) == node &&
	       dump_try(w->dump, le64(links + 8), raw, 8) == ST_OK && le64(raw) == node;
}

static enum status read_client(const struct rpc_waits *w, uint64_t task, struct rpc_wait *ret)
{
	struct dump *d = w->dump;
	struct client c = { 0 };
	uint32_t status = 0;
	enum status st = dump_u64(d, task + w->task_client.offset, &ret->client, "rpc_task") ?:
		dump_u32(d, task + w->status.offset, &status, "rpc_task") ?:
		struct_read(&w->client, ret->client, &c) ?:
		struct_read(&w->transport, c.transport, &c) ?:
		struct_read(&w->program, c.program, &c) ?:
		dump_string(d, c.server, ret->server, RPC_NAME, "name of an RPC server") ?:
		dump_string(d, c.name, ret->program, RPC_NAME, "name of an RPC program");

	if (st == ST_OK) {
		printable(ret->server);
		printable(ret->program);
		ret->has_timed_out = (int32_t)status == -TIMED_OUT;
	}
	return st;
}

enum status rpc_wait_find(const struct rpc_waits *w, uint64_t task, const struct task_stack *s,
			  uint64_t from, uint64_t to, struct rpc_wait *ret)
{
	enum status st = dump_absent(w->dump, "no wait for an RPC on the stack");
	struct rpc_wait found;
	uint64_t word, state;

	for (uint64_t at = from & ~7ULL; at < to; at += 8) {
		uint64_t entry = at - w->private.offset;

		if (!task_stack_word(s, at, &word) || word != task ||
		    !task_stack_word(s, entry + w->flags.offset, &state) || state & 7 ||
		    !is_in_queue(w, entry + w->entry.offset))
			continue;
		st = read_client(w, state - w->state.offset, &found);
		if (st == ST_OK) {
			*ret = found;
			return ST_OK;
		}
	}
	return st;
}
