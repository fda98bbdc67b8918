// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task.h"

#include <string.h>

#include "dump/field.h"
#include "tasks/kthread.h"
#include "util/endian.h"
#include "dump/layout.h"
#include "util/hash_u64.h"
#include "util/printable.h"

#define MAX_TASKS 8000000

static const struct layout_row rows[TASK_FIELDS] = {
	[TASK_TASKS] = { "struct task_struct", { "tasks" }, REQUIRED, "all" },
	[TASK_NODE] = { "struct task_struct", { "thread_node" }, REQUIRED, "3.14" },
	[TASK_PID] = { "struct task_struct", { "pid" }, REQUIRED, "all" },
	[TASK_TGID] = { "struct task_struct", { "tgid" }, REQUIRED, "all" },
	[TASK_COMM] = { "struct task_struct", { "comm" }, REQUIRED, "all" },
	[TASK_PARENT] = { "struct task_struct", { "real_parent" }, REQUIRED, "all" },
	[TASK_SIGNAL] = { "struct task_struct", { "signal" }, REQUIRED, "all" },
	[TASK_MM] = { "struct task_struct", { "mm" }, REQUIRED, "all" },
	[TASK_MAJ] = { "struct task_struct", { "maj_flt" }, REQUIRED, "all" },
	[TASK_MIN] = { "struct task_struct", { "min_flt" }, REQUIRED, "all" },
	[TASK_STATE] = { "struct task_struct", { "__state", "state" }, OPTIONAL, "5.14, all" },
	[TASK_EXIT_STATE] = { "struct task_struct", { "exit_state" }, OPTIONAL, "all" },
	[TASK_FLAGS] = { "struct task_struct", { "flags" }, REQUIRED, "all" },
	[TASK_START] = { "struct task_struct", { "start_time" }, OPTIONAL, "ns since 3.17" },
	[TASK_KTHREAD] = { "struct task_struct",
			   { "worker_private", "set_child_tid" },
			   OPTIONAL,
			   "5.17, all" },
	[TASK_CGROUPS] = { "struct task_struct", { "cgroups" }, OPTIONAL, "CONFIG_CGROUPS" },
	[TASK_STACK] = { "struct task_struct", { "stack" }, OPTIONAL, "all" },
	[SIGNAL_HEAD] = { "struct signal_struct", { "thread_head" }, REQUIRED, "3.14" },
	[SIGNAL_CMAJ] = { "struct signal_struct", { "cmaj_flt" }, REQUIRED, "all" },
	[SIGNAL_CMIN] = { "struct signal_struct", { "cmin_flt" }, REQUIRED, "all" },
	[SIGNAL_MAJ] = { "struct signal_struct", { "maj_flt" }, REQUIRED, "all" },
	[SIGNAL_MIN] = { "struct signal_struct", { "min_flt" }, REQUIRED, "all" },
	[MM_TOTAL_VM] = { "struct mm_struct", { "total_vm" }, REQUIRED, "all" },
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
	enum status st = layout_resolve(d, rows, TASK_FIELDS, t.f);

	if (st == ST_OK && t.f[TASK_COMM].size > TASKS_COMM)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: task_struct.comm");
	if (st == ST_OK)
		st = mm_counters_open(d, &t.counters);
	if (st == ST_OK)
		open_cached(&t);
	t.has_count = st == ST_OK && dump_value(d, "nr_threads", &t.count) == ST_OK;
	if (st == ST_OK)
		*ret = t;
	return st;
}

struct walk {
	struct tasks *t;
	struct hash_u64 seen;	    /* task_structs */
	struct hash_u64 leaders;    /* those that were reached through the list of processes */
	struct hash_u64 cached;	    /* by mm_struct: what its threads have not added yet */
	bool caching;		    /* this round only fills that */
	struct cached *cached_last; /* of the process that is walked; NULL: it has no mm_struct */
	struct layout_buffer task, mm; /* copies of what is read of a task_struct, an mm_struct */
	enum status (*visit)(void *arg, const struct task *task);
	void *arg;
	const char *problem; /* what was missing first */
};

struct cached {
	int64_t pages[MM_COUNTERS]; /* by MM_FILEPAGES and so on */
	bool cut;		    /* a thread of its process is not in this dump */
};

/*
 * Adds the counters of the thread in w->task.raw that are not yet in its mm_struct
 * (SPLIT_RSS_COUNTING).
 */
static enum status add_cached(struct walk *w)
{
	const struct field *f = &w->t->cached;
	uint64_t mm = field_get(&w->t->f[TASK_MM], w->task.raw);
	struct cached *c;
	bool is_new;

	if (!mm)
		return ST_OK;
	c = hash_u64_get(&w->cached, mm, &is_new);
	if (!c)
		return dump_no_memory(w->t->dump);
	w->cached_last = c;
	for (unsigned int i = 0; i < MM_COUNTERS && (i + 1) * 4 <= f->size; i++)
		c->pages[i] += (int32_t)le32(w->task.raw + f->offset + i * 4);
	return ST_OK;
}

static void read_mm(struct walk *w, uint64_t mm, struct task *task)
{
	struct tasks *t = w->t;
	const struct cached *cached;
	struct mm_counts n;

	task->mm = mm;
	if (!mm)
		return;
	task->mm_unreadable = layout_read(t->dump, mm, &w->mm, "mm_struct") != ST_OK;
	if (task->mm_unreadable)
		return;
	task->total_vm = field_get(&t->f[MM_TOTAL_VM], w->mm.raw);
	cached = hash_u64_find(&w->cached, mm);
	task->mm_unreadable = mm_counters_read(&t->counters, w->mm.raw,
					       cached ? cached->pages : NULL, &n,
					       &task->read) != ST_OK ||
			      (cached && cached->cut);
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

char task_state_letter(uint64_t state, uint64_t exit_state)
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

/* What is per process: counters of signal_struct. */
struct shared {
	uint64_t cmaj, cmin, maj, min;
};

static enum status read_shared(struct walk *w, uint64_t signal, struct shared *ret)
{
	const struct field *f = w->t->f;
	struct dump *d = w->t->dump;
	enum status st = dump_u64(d, signal + f[SIGNAL_CMAJ].offset, &ret->cmaj, "signal_struct");

	if (st == ST_OK)
		st = dump_u64(d, signal + f[SIGNAL_CMIN].offset, &ret->cmin, "signal_struct");
	if (st == ST_OK)
		st = dump_u64(d, signal + f[SIGNAL_MAJ].offset, &ret->maj, "signal_struct");
	if (st == ST_OK)
		st = dump_u64(d, signal + f[SIGNAL_MIN].offset, &ret->min, "signal_struct");
	return st;
}

/* Fills a task from w->task.raw, which holds its task_struct. */
static void decode(struct walk *w, uint64_t addr, const struct shared *shared, struct task *task)
{
	struct tasks *t = w->t;
	uint64_t parent = field_get(&t->f[TASK_PARENT], w->task.raw);
	uint32_t ppid;

	memset(task, 0, sizeof(*task));
	task->address = addr;
	task->pid = field_get(&t->f[TASK_PID], w->task.raw);
	task->tgid = field_get(&t->f[TASK_TGID], w->task.raw);
	memcpy(task->comm, w->task.raw + t->f[TASK_COMM].offset, t->f[TASK_COMM].size);
	printable(task->comm);
	task->maj_flt = field_get(&t->f[TASK_MAJ], w->task.raw);
	task->min_flt = field_get(&t->f[TASK_MIN], w->task.raw);
	task->cmaj_flt = shared->cmaj;
	task->cmin_flt = shared->cmin;
	task->exited_maj_flt = shared->maj;
	task->exited_min_flt = shared->min;
	task->flags = field_get(&t->f[TASK_FLAGS], w->task.raw);
	task->is_kthread = task->flags & PF_KTHREAD;
	task->start_ns = field_get(&t->f[TASK_START], w->task.raw);
	if (t->f[TASK_STATE].present && t->f[TASK_EXIT_STATE].present)
		task->state = task_state_letter(field_get(&t->f[TASK_STATE], w->task.raw),
						field_get(&t->f[TASK_EXIT_STATE], w->task.raw));
	/* set_child_tid of other tasks is an address of user space. */
	if (task->is_kthread)
		task->kthread = field_get(&t->f[TASK_KTHREAD], w->task.raw);
	task->signal = field_get(&t->f[TASK_SIGNAL], w->task.raw);
	task->css_set = field_get(&t->f[TASK_CGROUPS], w->task.raw);
	task->stack = field_get(&t->f[TASK_STACK], w->task.raw);
	if (t->identity_only)
		return;
	if (parent &&
	    dump_u32(t->dump, parent + t->f[TASK_TGID].offset, &ppid, "task_struct") == ST_OK) {
		task->has_ppid = true;
		task->ppid = ppid;
	}
	read_mm(w, field_get(&t->f[TASK_MM], w->task.raw), task);
}

static enum status read_task(struct walk *w, uint64_t addr)
{
	struct dump *d = w->t->dump;
	bool is_new;

	if (!hash_u64_get(&w->seen, addr, &is_new))
		return dump_no_memory(d);
	if (!is_new || w->seen.n > MAX_TASKS)
		return dump_fail(d, ST_CORRUPT, "the task list loops at %#llx",
				 (unsigned long long)addr);
	return layout_read(d, addr, &w->task, "task_struct");
}

static enum status walk_threads(struct walk *w, uint64_t signal)
{
	const struct field *f = w->t->f;
	struct dump *d = w->t->dump;
	uint64_t head = signal + f[SIGNAL_HEAD].offset, next;
	enum status st = dump_u64(d, head, &next, "signal_struct");
	struct shared shared;

	if (st == ST_OK)
		st = read_shared(w, signal, &shared);
	w->cached_last = NULL;
	while (st == ST_OK && next != head) {
		uint64_t addr = next - f[TASK_NODE].offset;
		struct task task;

		st = read_task(w, addr);
		if (st != ST_OK)
			break;
		next = le64(w->task.raw + f[TASK_NODE].offset);
		if (w->caching) {
			st = add_cached(w);
			continue;
		}
		w->t->visited++;
		decode(w, addr, &shared, &task);
		st = w->visit(w->arg, &task);
	}
	if (w->caching && st == ST_UNREADABLE && w->cached_last)
		w->cached_last->cut = true;
	return st;
}

/* A thread that is missing costs the rest of its process, not the others. */
static enum status keep_going(struct walk *w, enum status st)
{
	if (st != ST_UNREADABLE)
		return st;
	if (!w->problem)
		w->problem = arena_strdup(w->t->dump->arena, w->t->dump->error);
	return ST_OK;
}

/* The list of processes, forward or, with link 8, backward: up to a hole or a known one. */
static enum status walk_processes(struct walk *w, uint64_t head, unsigned int link)
{
	const struct field *f = w->t->f;
	struct dump *d = w->t->dump;
	uint64_t next, signal;
	enum status st = dump_u64(d, head + link, &next, "init_task");

	while (st == ST_OK && next != head && !dump_stopped(d)) {
		uint64_t leader = next - f[TASK_TASKS].offset;
		bool is_new;

		if (!hash_u64_get(&w->leaders, leader, &is_new))
			return dump_no_memory(d);
		if (!is_new && link)
			break;
		if (!is_new)
			return dump_fail(d, ST_CORRUPT, "the task list loops at %#llx",
					 (unsigned long long)leader);
		st = dump_u64(d, leader + f[TASK_SIGNAL].offset, &signal, "task_struct");
		if (st == ST_OK)
			st = dump_u64(d, next + link, &next, "task_struct");
		if (st == ST_OK)
			st = keep_going(w, walk_threads(w, signal));
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

static size_t longer(size_t a, size_t b)
{
	return a > b ? a : b;
}

enum status tasks_walk(struct tasks *t, enum status (*visit)(void *arg, const struct task *task),
		       void *arg)
{
	struct dump *d = t->dump;
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t head;
	enum status st;

	if (!w)
		return ST_NOMEM;
	w->t = t;
	t->visited = 0;
	w->visit = visit;
	w->arg = arg;
	hash_u64_init(&w->cached, d->arena, sizeof(struct cached));
	st = layout_buffer(d, "struct task_struct",
			   longer(layout_span(t->f, SIGNAL_HEAD), layout_span(&t->cached, 1)),
			   &w->task);
	if (st == ST_OK)
		st = layout_buffer(d, "struct mm_struct",
				   longer(layout_span(&t->f[MM_TOTAL_VM], 1),
					  layout_span(&t->counters.rss, 1)),
				   &w->mm);
	if (st == ST_OK)
		st = dump_symbol(d, "init_task", &head);
	if (st != ST_OK)
		return st;
	/* The idle tasks are not on the list, as they are not in /proc. */
	head += t->f[TASK_TASKS].offset;
	if (t->cached.present && !t->identity_only) {
		w->caching = true;
		/* The second walk finds the problems of the lists again. */
		walk_round(w, head);
		w->caching = false;
		w->problem = NULL;
	}
	st = walk_round(w, head);
	if (st == ST_OK && w->problem)
		return dump_fail(d, ST_UNREADABLE, "%s", w->problem);
	return st;
}

struct search {
	int32_t pid;
	bool found;
	struct task *ret;
};

static enum status match(void *arg, const struct task *task)
{
	struct search *s = arg;

	if (!s->found && task->pid == s->pid) {
		s->found = true;
		*s->ret = *task;
	}
	return ST_OK;
}

enum status tasks_find(struct tasks *t, int32_t pid, struct task *ret)
{
	struct search search = { .pid = pid, .ret = ret };
	enum status st = tasks_walk(t, match, &search);

	if (search.found)
		return ST_OK;
	if (st != ST_OK)
		return st;
	return dump_fail(t->dump, ST_ABSENT, "no task has pid %d", pid);
}
