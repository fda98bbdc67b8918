// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_futexes.h"

#include "collect/stuck_search.h"
#include "files/sysv_sem.h"
#include "util/units.h"

/* kernel/futex/waitwake.c; futex_wait_queue_me() up to 5.15, futex_do_wait() since 6.14. */
static const char *const waits[] = { "futex_wait_queue", "futex_wait_queue_me", "futex_do_wait",
				     "__futex_wait", "futex_wait" };

bool stuck_is_futex_wait(const char *function)
{
	return FUNCTION_FIND(waits, function);
}

static void open_all(struct stuck_futexes *x, struct dump *d)
{
	enum status st = futexes_open(d, &x->futexes);

	x->is_open = true;
	x->has_futexes = st == ST_OK;
	x->why = st == ST_OK || st == ST_ABSENT ? NULL : dump_why(d);
	x->last = &x->first;
	hash_u64_init(&x->by_place, d->arena, sizeof(struct stuck_futex *));
}

/* Addresses are below 2^57, and an mm_struct is aligned to more than the other bits. */
static uint64_t spot_of(uint64_t mm, uint64_t address)
{
	return mm * 0x9e3779b97f4a7c15ULL ^ address;
}

/* spot: that of its mm and address, or of what processes share. */
static struct stuck_futex *futex_at(struct stuck_futexes *x, struct dump *d, uint64_t spot,
				    const struct stuck_futex *of)
{
	bool is_new;
	struct stuck_futex **first = hash_u64_get(&x->by_place, spot, &is_new);
	struct stuck_futex *f = *first;

	if (!is_new && f->inode == of->inode && f->place == of->place &&
	    (f->inode || (f->mm == of->mm && f->address == of->address)))
		return f;
	f = dump_alloc(d, sizeof(*f));
	*f = *of;
	*first = f;
	*x->last = f;
	x->last = &f->next;
	return f;
}

/* The name of a file that is deleted, or never had one, may be that of others. */
static const char *name_shared(struct dump *d, const struct shared_futex *shared, int32_t tgid)
{
	const char *name = shared->name;

	return name && *name == '/' && !strstr(name, " (deleted)")
		       ? name
		       : dump_text(d, "shared memory %#lx of %d", shared->address, tgid);
}

static enum status find_shared(struct stuck_futexes *x, struct dump *d, const struct task_stack *s,
			       const struct futex_key *key, int32_t tgid, struct stuck_futex *f)
{
	struct shared_futex shared;
	enum status st;

	if (!x->of_files) {
		x->of_files = dump_alloc(d, sizeof(*x->of_files));
		x->has_files = shared_futexes_open(d, x->of_files) == ST_OK;
		x->why_shared = x->has_files ? NULL : dump_why(d);
	}
	if (!x->has_files)
		return dump_fail(d, ST_UNKNOWN, "%s", x->why_shared);
	st = shared_futex_find(x->of_files, f->mm, key, s, &shared);
	if (st != ST_OK) {
		x->why_shared = x->why_shared ?: dump_why(d);
		return st;
	}
	f->address = shared.address;
	f->inode = shared.inode;
	f->place = key->page * dump_page_size(d) + key->offset;
	f->of = name_shared(d, &shared, tgid);
	return ST_OK;
}

void stuck_futex_note(struct stuck_futexes *x, struct dump *d, const struct user_calls *calls,
		      struct task_frames *at, struct stuck_task *s)
{
	struct stuck_futex *f, of = { .mm = s->task.mm };
	struct futex_key key;
	uint64_t spot;
	enum status st;

	if (!x->is_open)
		open_all(x, d);
	if (!x->has_futexes || !s->task.mm)
		return;
	st = futex_find(&x->futexes, s->task.address, s->task.mm, &at->stack, &of.address, &key);
	spot = spot_of(of.mm, of.address);
	if (st == ST_UNKNOWN) {
		st = find_shared(x, d, &at->stack, &key, s->task.tgid, &of);
		x->shared += st != ST_OK;
		spot = spot_of(of.inode, of.place);
	}
	if (st != ST_OK)
		return;
	f = futex_at(x, d, spot, &of);
	if (!s->has_lock)
		s->lock.lock = of.address;
	f->is_pi |= s->is_on_pi_futex;
	f->waiting++;
	f->locking += user_call_locks(calls, &at->stack);
	s->futex = f;
}

/* With fewer threads a lock that some wait for is as any other. */
#define LEAST_THREADS 8
#define WHOLE 4 /* one of four threads may do something else */

bool stuck_is_crowd(size_t waiting, size_t threads)
{
	return waiting >= LEAST_THREADS && waiting >= threads - threads / WHOLE;
}

static bool rests(struct task_frames *at, const struct stuck_task *s)
{
	if (task_frames_read(at, s->task.address) != ST_OK)
		return false;
	return ANY_OF(i, at->frames.n, wait_is_for_work(task_frames_name(at, i)));
}

/* Of all threads, each in its own PID namespace. */
static void read_tids(struct stuck_futexes *x, struct dump *d, struct stuck_task *all)
{
	int32_t tid;

	x->has_tids = true;
	hash_u64_init(&x->tids, d->arena, sizeof(struct stuck_task *));
	for (struct stuck_task *s = all; s; s = s->next)
		if (s->task.mm && futex_tid(&x->futexes, s->task.address, &tid) == ST_OK)
			*(struct stuck_task **)hash_u64_get(
				&x->tids, spot_of(s->task.mm, (uint64_t)tid), NULL) = s;
}

static struct stuck_task *find_thread(struct stuck_futexes *x, struct dump *d,
				      struct stuck_task *all, uint64_t mm, int32_t tid)
{
	struct stuck_task *const *found;

	if (!x->has_tids)
		read_tids(x, d, all);
	found = hash_u64_find(&x->tids, spot_of(mm, (uint64_t)tid));
	return found && (*found)->task.mm == mm ? *found : NULL;
}

/*
 * Of what processes share it may be of any that maps it. Two that have one ID, each in its namespace: neither is known.
 * *complete: no other one is.
 */
static struct stuck_task *find_sharer(struct stuck_futexes *x, struct stuck_task *all,
				      const struct stuck_futex *f, bool *complete)
{
	struct stuck_task *found = NULL;
	int32_t tid;
	bool maps;

	*complete = true;
	for (struct stuck_task *s = all; s; s = s->next) {
		if (!s->task.mm || s->task.state == 'Z' ||
		    futex_tid(&x->futexes, s->task.address, &tid) != ST_OK || tid != f->tid)
			continue;
		*complete &= shared_futex_is_mapped(x->of_files, f->inode, s->task.mm, &maps) ==
			     ST_OK;
		if (!maps)
			continue;
		if (found)
			return NULL;
		found = s;
	}
	return found;
}

static size_t threads_of(const struct hash_u64 *users, uint64_t mm)
{
	const struct stuck_mm_user *user = hash_u64_find(users, mm);

	return user ? user->threads : SIZE_MAX;
}

static void find_owner(struct stuck_futexes *x, struct dump *d, struct task_frames *at,
		       struct stuck_task *all, const struct hash_u64 *users, struct stuck_futex *f)
{
	uint32_t word[FUTEX_WORDS], has;
	struct stuck_task *owner = NULL;
	bool complete = false;

	if (futex_words(&x->futexes, f->mm, f->address, word, &has) != ST_OK) {
		if (f->locking == f->waiting) {
			f->form = FUTEX_MUTEX;
			x->ownerless += f->waiting;
			x->why_unread = x->why_unread ?: dump_why(d);
			return;
		}
		f->is_unread = true;
		f->is_of_crowd = stuck_is_crowd(f->waiting, threads_of(users, f->mm));
		*(f->is_of_crowd ? &x->unread : &x->unread_few) += f->waiting;
		x->why_unread = x->why_unread ?: dump_why(d);
		return;
	}
	f->form = futex_owner(word, has, &f->tid);
	if (f->form && f->inode)
		owner = find_sharer(x, all, f, &complete);
	else if (f->form)
		owner = find_thread(x, d, all, f->mm, f->tid);
	f->is_lost = !owner && complete && (f->form == FUTEX_OWNED || futex_is_pshared(word));
	x->lost += f->is_lost ? f->waiting : 0;
	if (owner && !rests(at, owner))
		f->owner = owner;
}

static const char *const names[FUTEX_FORMS] = {
	[FUTEX_OWNED] = "user lock", [FUTEX_MUTEX] = "mutex", [FUTEX_RWLOCK] = "rwlock"
};

static void set_lock(struct dump *d, struct stuck_task *s)
{
	const struct stuck_futex *f = s->futex;

	s->is_on_lock = s->has_lock = true;
	s->lock = (struct lock_wait){ .kind = LOCK_FUTEX, .lock = s->lock.lock };
	if (f->inode)
		s->lock_name = *f->of == '/' ? dump_text(d, "%s %#lx of %s", names[f->form],
							 f->place, f->of)
					     : dump_text(d, "%s in %s", names[f->form], f->of);
	else
		s->lock_name = dump_text(d, "%s %#lx of %d", names[f->form], f->address,
					 s->task.tgid);
	s->waits_for = "futex";
	if (!s->where)
		s->where = PLACE_LOCK;
	if (!f->owner)
		return;
	s->holder = f->owner;
	s->holds = HOLDS_FUTEX;
	f->owner->is_holder = true;
}

#define UNREAD_NAMED 4u /* processes: of more there is only how many threads they have */

static const char *name_unread(const struct stuck_futexes *x, struct dump *d,
			       const struct stuck_task *all, bool of_crowd)
{
	struct {
		int32_t tgid;
		const char *comm;
		size_t n;
	} of[UNREAD_NAMED];
	struct strbuf b = STRBUF_OF(512);
	size_t n = 0, more = 0;

	for (const struct stuck_task *s = all; s; s = s->next) {
		size_t i = 0;

		if (!s->futex || !s->futex->is_unread || s->futex->is_of_crowd != of_crowd)
			continue;
		while (i < n && of[i].tgid != s->task.tgid)
			i++;
		if (i == UNREAD_NAMED) {
			more++;
			continue;
		}
		if (i == n) {
			of[n].tgid = s->task.tgid;
			of[n].comm = s->task.comm;
			of[n++].n = 0;
		}
		of[i].n++;
	}
	/* The name of a process is that of its first thread. */
	for (const struct stuck_task *s = all; s; s = s->next)
		for (size_t i = 0; i < n; i++)
			if (s->task.pid == of[i].tgid)
				of[i].comm = s->task.comm;
	for (size_t i = 0; i < n; i++)
		strbuf_add(&b, "%s%zu of %s (%d)", i ? ", " : "", of[i].n, of[i].comm, of[i].tgid);
	if (more)
		strbuf_add(&b, ", %zu more", more);
	return n ? dump_text(d, "%s (%s)", x->why_unread, b.buf) : x->why_unread;
}

void stuck_futexes_name_unread(struct stuck_futexes *x, struct dump *d,
			       const struct stuck_task *all)
{
	x->unread_of = name_unread(x, d, all, true);
	x->unread_few_of = name_unread(x, d, all, false);
}

static bool is_ownerless(const struct stuck_futex *f)
{
	return f && !f->is_pi && !f->is_unread && !f->is_lost && !f->owner && f->locking;
}

/* What processes share has its waiters from all of them; else those of a process are told together. */
static uint64_t locks_key(const struct stuck_futex *f)
{
	return f->inode ? spot_of(f->inode, f->place) : f->mm;
}

static void add_waiter(struct stuck_user_locks *l, const struct stuck_task *s)
{
	if (l->is_shared && l->tgid != s->task.tgid) {
		l->processes++;
		l->is_mixed |= l->comm && strcmp(l->comm, s->task.comm) != 0;
		l->comm = s->task.comm;
		l->tgid = s->task.tgid;
	}
	if (!s->has_since)
		return;
	if (!l->has_age || s->since_ns < l->since_ns)
		l->since_ns = s->since_ns;
	if (!l->has_age || s->since_ns > l->last_ns)
		l->last_ns = s->since_ns;
	l->has_age = true;
}

/* Of each process, by those of its threads that wait so. */
static void add_locks(struct stuck_futexes *x, struct dump *d, const struct hash_u64 *users,
		      struct stuck_task *all)
{
	struct hash_u64 by_key;

	hash_u64_init(&by_key, d->arena, sizeof(struct stuck_user_locks *));
	for (struct stuck_futex *f = x->first; f; f = f->next) {
		struct stuck_user_locks **at;

		if (!is_ownerless(f) || f->locking != f->waiting)
			continue;
		at = hash_u64_get(&by_key, locks_key(f), NULL);
		if (!*at) {
			*at = dump_alloc(d, sizeof(**at));
			**at = (struct stuck_user_locks){ .next = x->locks,
							  .is_shared = f->inode != 0,
							  .threads = threads_of(users, f->mm) };
			x->locks = *at;
		}
		(*at)->locks++;
		(*at)->waiting += f->waiting;
	}
	for (struct stuck_task *s = all; s; s = s->next) {
		struct stuck_user_locks *const *own = s->task.mm
							      ? hash_u64_find(&by_key, s->task.mm)
							      : NULL;
		struct stuck_user_locks *const *at =
			is_ownerless(s->futex) ? hash_u64_find(&by_key, locks_key(s->futex)) : NULL;

		if (own && !(*own)->is_shared) {
			(*own)->tgid = s->task.tgid;
			if (s->task.pid == s->task.tgid || !(*own)->comm)
				(*own)->comm = s->task.comm;
		}
		if (at)
			add_waiter(*at, s);
	}
}

/* "16 of 17 threads of orderd (159)", "14 processes apache2" */
static void add_waiters(const struct stuck_user_locks *l, struct strbuf *b)
{
	if (!l->is_shared)
		strbuf_add(b, "%zu of %s of %s (%d)", l->waiting, COUNT_OF(l->threads, "thread"),
			   l->comm ?: "a process", l->tgid);
	else if (l->processes == 1)
		strbuf_add(b, "%s of %s (%d)", COUNT_OF(l->waiting, "thread"),
			   l->comm ?: "a process", l->tgid);
	else
		strbuf_add(b, "%zu processes%s%s", l->processes, l->is_mixed ? "" : " ",
			   l->is_mixed ? "" : l->comm);
}

bool stuck_user_lock_words(const struct stuck_user_locks *l, const struct dump_info *info,
			   uint64_t least_ns, struct strbuf *b)
{
	uint64_t first, last;

	if (!l->has_age || !age_at_panic(info, l->last_ns, &last) || last < least_ns ||
	    !age_at_panic(info, l->since_ns, &first))
		return false;
	strbuf_add(b, "%s", strbuf_between(b, "; "));
	add_waiters(l, b);
	strbuf_add(b, " %s for %s in %s memory%s, by %s system call%s, %s%s; who has %s is unknown",
		   l->waiting == 1 ? "waits" : "wait", COUNT_OF(l->locks, "lock"),
		   l->is_shared ? "shared" : "user",
		   l->is_shared && l->processes > 1 ? ", which one that is gone may have" : "",
		   l->waiting == 1 ? "its" : "their", l->waiting == 1 ? "" : "s",
		   l->waiting == 1 ? "for " : "the last one for ", TIME_TEXT(last),
		   l->locks == 1 ? "it" : "them");
	return true;
}

void stuck_futexes_find(struct stuck_futexes *x, struct dump *d, struct task_frames *at,
			struct stuck_task *all, const struct hash_u64 *users)
{
	for (struct stuck_futex *f = x->first; f && !dump_stopped(d); f = f->next)
		if (!f->is_pi)
			find_owner(x, d, at, all, users, f);
	for (struct stuck_task *s = all; s; s = s->next)
		if (s->futex && (s->futex->owner || s->futex->is_lost) && !s->is_on_lock)
			set_lock(d, s);
	stuck_futexes_name_unread(x, d, all);
	add_locks(x, d, users, all);
}

/* ipc/sem.c, inline in one another or not; it may sleep in a function that poll() has, too. */
static const char *const semops[] = { "do_semtimedop", "__do_semtimedop",
				      "schedule_hrtimeout_range",
				      "schedule_hrtimeout_range_clock" };

static bool may_be_in_semop(const struct stuck_task *s)
{
	return s->task.mm && s->state[0] == 'S' && s->function && s->function->symbol &&
	       FUNCTION_FIND(semops, s->function->symbol);
}

struct sems {
	struct stuck_futexes *of;
	struct dump *dump;
	struct task_frames *at;
	struct stuck_task *all;
	const struct hash_u64 *tasks;
	struct sysv_sems sems;
};

/* Processes share a list by CLONE_SYSVSEM: then it is known of none. */
static struct stuck_task *taker_of(struct sems *x, const struct sysv_sem_wait *w)
{
	struct stuck_task *found = NULL;
	uint64_t list;

	if (w->takers != 1 || !w->complete)
		return NULL;
	for (struct stuck_task *s = x->all; s; s = s->next) {
		if (!s->task.mm || sem_undo_list_of(&x->sems, s->task.address, &list) != ST_OK ||
		    list != w->list)
			continue;
		if (found && found->task.tgid != s->task.tgid)
			return NULL;
		found = found && found->task.pid == found->task.tgid ? found : s;
	}
	return found;
}

static void add_sem(void *arg, const struct sysv_sem_wait *w)
{
	struct sems *x = arg;
	struct stuck_task *const *found = hash_u64_find(x->tasks, w->task), *s, *taker;

	if (!found || !may_be_in_semop(*found))
		return;
	s = *found;
	taker = taker_of(x, w);
	if (!taker || taker == s || rests(x->at, taker))
		return;
	s->is_on_lock = s->has_lock = true;
	s->lock = (struct lock_wait){ .kind = LOCK_FUTEX, .lock = w->sem };
	s->lock_name = dump_text(x->dump, "semaphore %u of set %d (key %#x)", w->number, w->id,
				 w->key);
	s->waits_for = "sysv_sem";
	if (!s->where)
		s->where = PLACE_LOCK;
	s->holder = taker;
	s->holds = HOLDS_UNDO;
	taker->is_holder = true;
}

void stuck_find_semaphores(struct stuck_futexes *x, struct dump *d, struct task_frames *at,
			   struct stuck_task *all, const struct hash_u64 *tasks)
{
	struct sems sems = { .of = x, .dump = d, .at = at, .all = all, .tasks = tasks };
	enum status st;

	if (!ANY_NEXT(s, all, may_be_in_semop(s)))
		return;
	st = sysv_sems_open(d, &sems.sems) ?: sysv_sem_waits_walk(&sems.sems, add_sem, &sems);
	x->why_no_sems = st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(d);
}

bool stuck_is_of_machine(const struct stuck_task *s)
{
	return s->lock.kind != LOCK_FUTEX || s->service || s->is_deadlocked;
}

bool stuck_same_lock(const struct stuck_task *a, const struct stuck_task *b)
{
	if (a->has_lock && b->has_lock && a->futex && a->futex->inode)
		return a->futex == b->futex;
	/* One of System V is at an address of the kernel. */
	return a->has_lock && b->has_lock && a->lock.lock == b->lock.lock &&
	       (a->lock.kind != LOCK_FUTEX || a->task.mm == b->task.mm || a->lock.lock >> 63);
}

uint64_t stuck_lock_key(const struct stuck_task *s)
{
	if (s->futex && s->futex->inode)
		return (uintptr_t)s->futex;
	return s->lock.kind == LOCK_FUTEX && !(s->lock.lock >> 63)
		       ? spot_of(s->task.mm, s->lock.lock)
		       : s->lock.lock;
}

struct crowd {
	size_t n;
	uint64_t since_ns; /* the first of those that are known, 0: none */
	struct stuck_service *service;
};

static uint64_t crowd_of(const struct stuck_task *s)
{
	return spot_of(s->task.mm, s->lock.lock);
}

static bool is_of_crowd(const struct stuck_task *s)
{
	return s->holder && s->has_lock && s->task.mm && !s->file_lock;
}

static uint64_t bytes_of(const struct dump *d, int64_t pages)
{
	return pages > 0 ? (uint64_t)pages << d->page_shift : 0;
}

static struct stuck_service *make_service(struct dump *d, const struct crowd *c, size_t threads,
					  const struct stuck_task *of, struct stuck_task *all)
{
	struct stuck_service *ret = dump_alloc(d, sizeof(*ret));
	struct dump_info info;

	*ret = (struct stuck_service){
		.tgid = of->task.tgid, .waiting = c->n, .threads = threads, .told_by = of
	};
	for (const struct stuck_task *s = all; s; s = s->next) {
		if (s->task.tgid != ret->tgid)
			continue;
		if (s->task.pid == ret->tgid || !ret->comm)
			ret->comm = s->task.comm;
		if (s->task.has_memory && s->task.has_mm) {
			ret->has_memory = true;
			ret->rss_bytes = bytes_of(d, s->task.rss);
			ret->swap_bytes = bytes_of(d, s->task.swap);
		}
	}
	dump_info_read(d, false, &info);
	ret->has_age = c->since_ns && age_at_panic(&info, c->since_ns, &ret->age_ns);
	return ret;
}

void stuck_find_services(struct dump *d, const struct hash_u64 *users, struct stuck_task *all)
{
	struct hash_u64 crowds;

	hash_u64_init(&crowds, d->arena, sizeof(struct crowd));
	for (const struct stuck_task *s = all; s; s = s->next) {
		struct crowd *c = is_of_crowd(s) ? hash_u64_get(&crowds, crowd_of(s), NULL) : NULL;

		if (!c)
			continue;
		c->n++;
		if (s->has_since && (!c->since_ns || s->since_ns < c->since_ns))
			c->since_ns = s->since_ns;
	}
	for (struct stuck_task *s = all; s; s = s->next) {
		struct crowd *c = is_of_crowd(s) ? hash_u64_get(&crowds, crowd_of(s), NULL) : NULL;
		const struct stuck_mm_user *user = c ? hash_u64_find(users, s->task.mm) : NULL;

		if (!user || !stuck_is_crowd(c->n, user->threads))
			continue;
		if (!c->service)
			c->service = make_service(d, c, user->threads, s, all);
		s->service = c->service;
	}
}
