// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task.h"
#include "tasks/task_rows.h"

#define MAX_TASKS 8000000 /* PID_MAX_LIMIT is 4 million */

/* A task_struct, with what its signal_struct has of its process. */
struct thread {
	struct task task;
	uint64_t next; /* thread_node of the next thread */
	uint64_t parent, state, exit_state;
	bool has_state, has_exit_state;
	uint64_t members; /* threads of the process, by its own count */
	bool has_members;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct tasks, task, "struct task_struct"),
	FINDS(struct tasks, tasks, "struct task_struct", REQUIRED, "all", "tasks"),
	LINKS(struct thread, next, REQUIRED, "3.14", "thread_node"),
	READS(struct thread, task.pid, REQUIRED, "all", "pid"),
	READS(struct thread, task.tgid, REQUIRED, "all", "tgid"),
	READS(struct thread, task.comm, REQUIRED, "all", "comm"),
	READS(struct thread, parent, REQUIRED, "all", "real_parent"),
	READS(struct thread, task.signal, REQUIRED, "all", "signal"),
	READS(struct thread, task.mm, REQUIRED, "all", "mm"),
	READS(struct thread, task.maj_flt, REQUIRED, "all", "maj_flt"),
	READS(struct thread, task.min_flt, REQUIRED, "all", "min_flt"),
	READS_IF(struct thread, state, has_state, OPTIONAL, "5.14, all", "__state", "state"),
	READS_IF(struct thread, exit_state, has_exit_state, OPTIONAL, "all", "exit_state"),
	READS(struct thread, task.flags, REQUIRED, "all", "flags"),
	READS(struct thread, task.start_ns, OPTIONAL, "ns since 3.17", "start_time"),
	READS(struct thread, task.kthread, OPTIONAL, "5.17, all", "worker_private",
	      "set_child_tid"),
	READS(struct thread, task.css_set, OPTIONAL, "CONFIG_CGROUPS", "cgroups"),
	READS(struct thread, task.stack, OPTIONAL, "all", "stack"),
	STRUCTURE(struct tasks, signal_struct, "struct signal_struct"),
	FINDS(struct tasks, thread_head, "struct signal_struct", REQUIRED, "3.14", "thread_head"),
	READS_IF(struct thread, members, has_members, OPTIONAL, "all", "nr_threads"),
	READS(struct thread, task.cmaj_flt, REQUIRED, "all", "cmaj_flt"),
	READS(struct thread, task.cmin_flt, REQUIRED, "all", "cmin_flt"),
	READS(struct thread, task.exited_maj_flt, REQUIRED, "all", "maj_flt"),
	READS(struct thread, task.exited_min_flt, REQUIRED, "all", "min_flt"),
	STRUCTURE(struct tasks, mm, "struct mm_struct"),
	READS(struct task, total_vm, REQUIRED, "all", "total_vm"),
};

/* What a thread has not added to the counters of its mm_struct (SPLIT_RSS_COUNTING, to 6.1). */
static void open_cached(struct tasks *t)
{
	static const struct layout_row row = {
		"struct task_struct", { "rss_stat.count" }, OPTIONAL, "to 6.1, SPLIT_RSS_COUNTING"
	};

	if (t->counters.is_percpu || layout_resolve(t->dump, &row, 1, &t->cached) != ST_OK)
		memset(&t->cached, 0, sizeof(t->cached));
}

enum status tasks_open(struct dump *d, struct tasks *ret)
{
	struct tasks t = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &t) ?: mm_counters_open(d, &t.counters) ?:
		struct_keep(&t.mm, &t.counters.rss);

	if (st == ST_OK)
		open_cached(&t);
	if (st == ST_OK && t.cached.present)
		st = struct_keep(&t.task, &t.cached);
	most_pages_read(d, &t.most);
	t.has_count = st == ST_OK && dump_value(d, "nr_threads", &t.count) == ST_OK;
	return RESULT(st, ret, t);
}

struct walk {
	struct tasks *t;
	struct hash_u64 seen;	    /* task_structs */
	struct hash_u64 leaders;    /* those that were reached through the list of processes */
	struct hash_u64 cached;	    /* by mm_struct: what its threads have not added yet */
	bool caching;		    /* this round only fills that */
	struct cached *cached_last; /* of the process that is walked; NULL: it has no mm_struct */
	enum status (*visit)(void *arg, const struct task *task);
	void *arg;
	struct task_rows rows;
	struct first_problem problem;
};

struct cached {
	int64_t pages[MM_COUNTERS]; /* by MM_FILEPAGES and so on */
	bool cut;		    /* a thread of its process is not in this dump */
};

/*
 * Adds the counters of the thread that was read last that are not yet in its mm_struct
 * (SPLIT_RSS_COUNTING).
 */
static void add_cached(struct walk *w, uint64_t mm)
{
	const struct field *f = &w->t->cached;
	struct cached *c;

	if (!mm)
		return;
	c = hash_u64_get(&w->cached, mm, NULL);
	w->cached_last = c;
	for (unsigned int i = 0; i < MM_COUNTERS && (i + 1) * 4 <= f->size; i++)
		c->pages[i] += (int32_t)le32(w->t->task.raw + f->offset + i * 4);
}

static void read_mm(struct walk *w, struct task *task)
{
	struct tasks *t = w->t;
	const struct cached *cached;
	struct mm_counts n;

	if (!task->mm)
		return;
	task->mm_unreadable = struct_read(&t->mm, task->mm, task) != ST_OK;
	if (task->mm_unreadable)
		return;
	cached = hash_u64_find(&w->cached, task->mm);
	task->mm_unreadable = mm_counters_read(&t->counters, t->mm.raw,
					       cached ? cached->pages : NULL, &n,
					       &task->read) != ST_OK ||
			      (cached && cached->cut);
	task->mm_corrupt = !task->mm_unreadable &&
			   mm_counts_lack(t->dump, task->mm, &n, task->total_vm, &t->most);
	task->mm_unreadable |= task->mm_corrupt;
	task->has_mm = !task->mm_unreadable;
	if (!task->has_mm)
		return;
	task->rss_file = n.file;
	task->rss_anon = n.anon;
	task->rss_shmem = n.shmem;
	task->rss = mm_counts_rss(&n);
	task->swap = n.swap;
}

const char *const task_state_letters[] = { "R", "S", "D", "T", "t", "X", "Z", "P", "I", NULL };

/*
 * 'R', 'S', 'D' and so on, as /proc/PID/stat has it: task_state_index() in
 * include/linux/sched.h, with bits as they are since 4.14.
 */
static char task_state_letter(uint64_t state, uint64_t exit_state)
{
	enum {
		REPORT = 0x7f,
		UNINTERRUPTIBLE = 2,
		NOLOAD = 0x400,
		RTLOCK_WAIT = 0x1000,
		FROZEN = 0x8000
	};
	static const char letters[] = "RSDTtXZP";
	uint64_t reported = (state | exit_state) & REPORT;
	unsigned int index = 0;

	if (state & (RTLOCK_WAIT | FROZEN))
		return 'D';
	if ((state & (UNINTERRUPTIBLE | NOLOAD)) == (UNINTERRUPTIBLE | NOLOAD))
		return 'I';
	for (; reported; reported >>= 1)
		index++;
	return letters[index];
}

/* What the members of a task_struct mean, and what they point to. */
static void decode(struct walk *w, struct thread *thread)
{
	struct tasks *t = w->t;
	struct task *task = &thread->task;
	uint32_t ppid;

	task->is_kthread = task->flags & PF_KTHREAD;
	if (thread->has_state && thread->has_exit_state)
		task->state = task_state_letter(thread->state, thread->exit_state);
	/* set_child_tid of other tasks is an address of user space. */
	if (!task->is_kthread)
		task->kthread = 0;
	if (t->identity_only) {
		task->mm = 0;
		return;
	}
	if (thread->parent &&
	    dump_u32(t->dump,
		     thread->parent + STRUCT_FIELD(&t->task, struct thread, task.tgid)->offset,
		     &ppid, "task_struct") == ST_OK) {
		task->has_ppid = true;
		task->ppid = ppid;
	}
	read_mm(w, task);
}

static enum status read_task(struct walk *w, struct thread *thread)
{
	uint64_t addr = thread->task.address;

	if (!hash_u64_add(&w->seen, addr) || w->seen.n > MAX_TASKS)
		return dump_corrupt(w->t->dump, "the task list loops at %#lx", addr);
	return struct_read(&w->t->task, addr, thread);
}

/* A thread that was read; *is_told: one before it stands for the memory of the process. */
static enum status visit_thread(struct walk *w, struct thread *thread, bool *is_told)
{
	enum status st;

	if (w->caching) {
		add_cached(w, thread->task.mm);
		return ST_OK;
	}
	w->t->visited++;
	decode(w, thread);
	/* A leader that has exited has none, and other threads go on. */
	thread->task.has_memory = thread->task.mm && !*is_told;
	*is_told |= thread->task.has_memory;
	st = w->visit(w->arg, &thread->task);
	task_rows_add(&w->rows, &thread->task, st);
	return st;
}

/*
 * What the list of a process, found of them, should have by others: its first thread, which leaves it last (release_task()),
 * and as many as signal_struct.nr_threads says, which changes with the list under one lock.
 */
static enum status check_threads(struct walk *w, uint64_t leader, const struct thread *process,
				 uint64_t found, bool *is_told)
{
	struct thread thread = *process;
	enum status st;

	if (hash_u64_find(&w->seen, leader))
		return process->has_members && found < process->members
			       ? dump_corrupt(w->t->dump,
					      "%lu of the %lu threads of a process are on its list",
					      found, process->members)
			       : ST_OK;
	thread.task.address = leader;
	st = read_task(w, &thread) ?: visit_thread(w, &thread, is_told);
	return st
		       ?: dump_corrupt(
				  w->t->dump,
				  "the threads of process %d are not on its list, its first neither",
				  thread.task.tgid);
}

static enum status walk_threads(struct walk *w, uint64_t leader, uint64_t signal)
{
	struct tasks *t = w->t;
	uint64_t head = signal + t->thread_head.offset, next;
	enum status st = dump_u64(t->dump, head, &next, "signal_struct");
	struct thread process = { 0 };
	bool is_told = false;
	uint64_t found = 0;

	st = st ?: struct_read(&t->signal_struct, signal, &process);
	w->cached_last = NULL;
	while (st == ST_OK && next != head) {
		struct thread thread = process;

		thread.task.address = STRUCT_WITH(&t->task, struct thread, next, next);
		st = read_task(w, &thread);
		if (st != ST_OK)
			break;
		next = thread.next;
		found++;
		st = visit_thread(w, &thread, &is_told);
	}
	st = st ?: check_threads(w, leader, &process, found, &is_told);
	if (!w->caching && st != ST_OK)
		hash_u64_get(&t->cut, signal, NULL);
	if (w->caching && st == ST_UNREADABLE && w->cached_last)
		w->cached_last->cut = true;
	return st;
}

/* A thread that is missing costs the rest of its process, not the others. */
static enum status keep_going(struct walk *w, enum status st)
{
	return st == ST_UNREADABLE || st == ST_CORRUPT
		       ? first_problem_keep(w->t->dump, &w->problem, st)
		       : st;
}

/* The list of processes, forward or, with link 8, backward: up to a hole or a known one. */
static enum status walk_processes(struct walk *w, uint64_t head, unsigned int link)
{
	struct tasks *t = w->t;
	struct dump *d = t->dump;
	uint64_t next, signal;
	enum status st = dump_u64(d, head + link, &next, "init_task");

	while (st == ST_OK && next != head && !dump_stopped(d)) {
		uint64_t leader = next - t->tasks.offset;
		bool is_new;

		hash_u64_get(&w->leaders, leader, &is_new);
		if (!is_new && link)
			break;
		if (!is_new)
			return dump_corrupt(d, "the task list loops at %#lx", leader);
		st = dump_u64(d,
			      leader + STRUCT_FIELD(&t->task, struct thread, task.signal)->offset,
			      &signal, "task_struct") ?:
					dump_u64(d, next + link, &next, "task_struct") ?:
					keep_going(w, walk_threads(w, leader, signal));
	}
	return st;
}

static enum status walk_round(struct walk *w, uint64_t head)
{
	struct dump *d = w->t->dump;
	enum status st;

	hash_u64_init(&w->seen, d->arena, 0);
	hash_u64_init(&w->leaders, d->arena, 0);
	st = walk_processes(w, head, 0);
	if (st == ST_UNREADABLE) {
		/* Tasks behind an unreadable one are reached from the other end of the list. */
		keep_going(w, st);
		st = keep_going(w, walk_processes(w, head, 8));
	}
	return st;
}

/* nr_threads changes with the lists under one lock. */
static enum status check_count(const struct tasks *t)
{
	return t->has_count && t->visited < t->count
		       ? dump_corrupt(t->dump,
				      "%lu threads are on the lists of tasks, nr_threads is %lu",
				      t->visited, t->count)
		       : ST_OK;
}

enum status tasks_walk(struct tasks *t, enum status (*visit)(void *arg, const struct task *task),
		       void *arg)
{
	struct dump *d = t->dump;
	const struct task_rows *kept = task_rows_find(d, t->identity_only);
	struct walk *w;
	uint64_t head;
	enum status st;

	if (kept)
		return task_rows_walk(kept, t, visit, arg);
	w = dump_alloc(d, sizeof(*w));
	w->t = t;
	t->visited = 0;
	hash_u64_init(&t->cut, d->arena, 0);
	w->visit = visit;
	w->arg = arg;
	task_rows_start(d, t->identity_only, &w->rows);
	hash_u64_init(&w->cached, d->arena, sizeof(struct cached));
	st = dump_symbol(d, "init_task", &head);
	if (st != ST_OK)
		return st;
	/* The idle tasks are not on the list, as they are not in /proc. */
	head += t->tasks.offset;
	if (t->cached.present && !t->identity_only) {
		w->caching = true;
		/* The second walk finds the problems of the lists again. */
		walk_round(w, head);
		w->caching = false;
		w->problem = (struct first_problem){ 0 };
	}
	st = walk_round(w, head);
	st = st ?: first_problem_end(d, &w->problem) ?: check_count(t);
	task_rows_end(&w->rows, t, st);
	return st;
}

struct search {
	int32_t pid;
	bool found;
	struct task *ret;
};

/* The first one ends the walk: of thousands of zombies each is read anew. */
static enum status match(void *arg, const struct task *task)
{
	struct search *s = arg;

	if (task->pid != s->pid)
		return ST_OK;
	s->found = true;
	*s->ret = *task;
	return ST_STOPPED;
}

enum status tasks_find(struct tasks *t, int32_t pid, struct task *ret)
{
	struct search search = { .pid = pid, .ret = ret };
	enum status st = tasks_walk(t, match, &search);

	if (search.found)
		return ST_OK;
	return st ?: dump_absent(t->dump, "no task has pid %d", pid);
}

#define DESC_BYTES 64	     /* WORKER_DESC_LEN is 24 to 32 */
#define RESCUER "kworker/R-" /* 6.8: names of rescuers; before, that of the workqueue alone */

struct kthread {
	uint64_t data, full_name;
};

struct worker {
	uint64_t pool, work, rescues;
	char desc[DESC_BYTES];
};

static const struct layout_row kthread_rows[] = {
	STRUCTURE(struct kthread_names, kthread, "struct kthread"),
	POINTS(struct kthread, data, OPTIONAL, "all", "data"),
	POINTS(struct kthread, full_name, OPTIONAL, "5.17", "full_name"),
	STRUCTURE(struct kthread_names, worker, "struct worker"),
	POINTS(struct worker, pool, OPTIONAL, "all", "pool"),
	POINTS(struct worker, work, OPTIONAL, "all", "current_work"),
	READS(struct worker, desc, OPTIONAL, "all", "desc"),
	POINTS(struct worker, rescues, OPTIONAL, "all", "rescue_wq"),
	FINDS(struct kthread_names, wq_name, "struct workqueue_struct", OPTIONAL, "all", "name"),
};

void kthread_names_open(struct dump *d, struct kthread_names *ret)
{
	*ret = (struct kthread_names){ .dump = d };
	if (STRUCTS_OPEN(d, kthread_rows, ret) != ST_OK)
		ret->kthread.n = ret->worker.n = 0;
}

/* Leaves the record as it is where there is none, or it cannot be read. */
static void read_part(struct kthread_names *k, const struct structure *s, uint64_t at, void *ret)
{
	if (at && s->end && struct_read(s, at, ret) != ST_OK)
		k->unreadable = true;
}

bool kthread_workqueue(struct kthread_names *k, uint64_t workqueue, char buf[KTHREAD_NAME])
{
	uint64_t at = workqueue + k->wq_name.offset;

	if (!k->wq_name.present)
		return false;
	if ((k->wq_name.kind == KIND_POINTER && dump_u64(k->dump, at, &at, "name") != ST_OK) ||
	    dump_string(k->dump, at, buf, KTHREAD_NAME, "name") != ST_OK) {
		k->unreadable = true;
		return false;
	}
	return *buf;
}

/* wq_worker_comm() in kernel/workqueue.c. */
static void worker_name(struct kthread_names *k, uint64_t at, const char *comm,
			char buf[KTHREAD_NAME])
{
	struct worker w = { 0 };
	char name[KTHREAD_NAME];
	size_t len;

	read_part(k, &k->worker, at, &w);
	snprintf(buf, KTHREAD_NAME, "%s", comm);
	if (w.rescues && !strncmp(comm, RESCUER, strlen(RESCUER)) &&
	    kthread_workqueue(k, w.rescues, name))
		snprintf(buf, KTHREAD_NAME, RESCUER "%.*s",
			 (int)(KTHREAD_NAME - strlen(RESCUER) - 1), name);
	len = strlen(buf);
	if (w.pool && w.desc[0])
		snprintf(buf + len, KTHREAD_NAME - len, "%c%s", w.work ? '+' : '-', w.desc);
}

/* Every kernel has these members; the full name of a thread came later. */
static bool lacks_types(const struct kthread_names *k, uint64_t flags)
{
	return (flags & (PF_WQ_WORKER | PF_KTHREAD) &&
		!STRUCT_HAS(&k->kthread, struct kthread, data)) ||
	       (flags & PF_WQ_WORKER &&
		!(STRUCT_HAS(&k->worker, struct worker, pool) && k->wq_name.present));
}

const char *kthread_name(struct kthread_names *k, uint64_t flags, uint64_t address,
			 const char *comm, char buf[KTHREAD_NAME])
{
	struct kthread thread = { 0 };

	k->unreadable = false;
	if (lacks_types(k, flags))
		dump_lacks(k->dump, "full names of kernel threads", ST_UNKNOWN,
			   "unknown layout: struct kthread, worker or workqueue_struct");
	if (flags & (PF_WQ_WORKER | PF_KTHREAD))
		read_part(k, &k->kthread, address, &thread);
	if (flags & PF_WQ_WORKER) {
		worker_name(k, thread.data, comm, buf);
	} else if (!(flags & PF_KTHREAD) || !thread.full_name ||
		   dump_string(k->dump, thread.full_name, buf, KTHREAD_NAME,
			       "name of a kernel thread") != ST_OK) {
		k->unreadable |= flags & PF_KTHREAD && thread.full_name;
		snprintf(buf, KTHREAD_NAME, "%s", comm);
	}
	k->partial += k->unreadable;
	return buf;
}

static const struct layout_row task_user_rows[] = {
	{ "struct task_struct", { "real_cred" }, REQUIRED, "all" },
	{ "struct cred", { "uid.val" }, REQUIRED, "3.14" },
};

enum status task_users_open(struct dump *d, struct task_users *ret)
{
	struct field f[2];
	enum status st = layout_resolve(d, task_user_rows, 2, f);

	if (st == ST_OK && (f[0].size != 8 || f[1].size != 4))
		st = dump_unknown(d, "struct cred");
	return RESULT(st, ret, (struct task_users){ d, f[0], f[1] });
}

enum status task_user(const struct task_users *u, uint64_t task, uint32_t *ret)
{
	uint64_t cred;

	return dump_u64(u->dump, task + u->cred.offset, &cred, "task_struct")
		       ?: dump_u32(u->dump, cred + u->uid.offset, ret, "cred");
}
