// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_roots.h"

#include "collect/stuck_reused.h"
#include "collect/stuck_words.h"
#include "modules/module_taint.h"
#include "tasks/stop_signal.h"

#define MODULE_FRAMES 24u /* of a stack: what a driver does is near its end */
#define STEPS 16u	  /* from one that waits to a root */

/* Names of modules that are not of the kernel's source, with NULL behind them. */
static const char *const *read_foreign(struct dump *d)
{
	struct taint_letters letters;
	struct tainting_modules m = { 0 };
	const char **names;
	unsigned int n = 0;

	if (taint_letters_read(d, &letters) != ST_OK ||
	    tainting_modules_read(d, &letters, &m) != ST_OK)
		m = (struct tainting_modules){ 0 };
	names = dump_alloc(d, (m.n + 1) * sizeof(*names));
	for (const struct tainting_module *t = m.first; t && n < m.n; t = t->next)
		if (tainting_module_is_foreign(t))
			names[n++] = t->name;
	names[n] = NULL;
	d->error[0] = '\0';
	return names;
}

static bool is_foreign(const char *const *names, const char *module)
{
	while (*names && strcmp(*names, module))
		names++;
	return *names != NULL;
}

const struct frame *stuck_module_frame(struct dump *d, struct task_frames *at,
				       const char *const **foreign)
{
	const struct frame *first = NULL;

	for (unsigned int i = 0; i < at->frames.n && i < MODULE_FRAMES; i++) {
		const struct frame *f = task_frames_at(at, i);

		if (!f || !f->module || !f->symbol)
			continue;
		first = first ?: f;
		if (!*foreign)
			*foreign = read_foreign(d);
		if (is_foreign(*foreign, f->module))
			return f;
	}
	return first;
}

bool stuck_is_foreign(const char *const *foreign, const struct frame *f)
{
	return f && foreign && is_foreign(foreign, f->module);
}

void spin_owner_see(struct spin_owner *o, const struct frame *at, bool spins, const void *thread)
{
	if (spins || !at || strcmp(at->module, o->module) != 0)
		return;
	o->n++;
	o->thread = thread;
}

const void *spin_owner_of(const struct spin_owner *o)
{
	return o->n == 1 && !o->misses_some ? o->thread : NULL;
}

/* What a disk, a server, a lock or a file system that is frozen keeps has words of its own. */
static bool is_asleep_in_module(const struct stuck_task *s)
{
	return s->task.state == 'D' && (s->module_frame || (s->work && s->work->is_of_module)) &&
	       !s->on_cpu && !s->holder && !s->is_on_lock && !s->is_on_server && !s->frozen &&
	       !s->disk && !s->where && !strcmp(s->waits_for ?: "", "other") &&
	       (s->task.mm || s->task.flags & PF_WQ_WORKER);
}

/* In a page fault a driver waits with the memory of the process locked. */
static bool is_in_driver_fault(const struct stuck_task *s)
{
	return s->task.state == 'D' && s->module_frame && s->fault && !s->holder &&
	       !s->is_on_lock && !s->is_on_server && !strcmp(s->waits_for ?: "", "other");
}

/* A driver that looks again and again for what its device does not do. */
static bool polls_in_driver(const struct stuck_task *s)
{
	return is_asleep_in_module(s) && s->task.mm && s->caller && s->caller->symbol &&
	       is_function(s->caller->symbol, "msleep");
}

static bool is_root(const struct stuck_task *s)
{
	return s->polls || (s->task.mm && (s->is_traced || s->task.state == 'T')) ||
	       is_asleep_in_module(s) || is_in_driver_fault(s);
}

struct works {
	struct dump *dump;
	struct work_waits of;
	struct symbolizer symbols;
};

/* What is queued behind it, too, of one that sleeps: of one that runs that changes. */
static void find_work(struct works *x, struct stuck_task *s)
{
	struct stuck_work *work = dump_alloc(x->dump, sizeof(*work));
	struct running_work running;
	const struct frame *f;
	char text[640];

	*work = (struct stuck_work){ 0 };
	if (work_running(&x->of, s->task.kthread, &running) != ST_OK) {
		x->dump->error[0] = '\0';
		return;
	}
	work->address = running.function;
	work->has_queue = s->task.state == 'D' &&
			  work_queue_read(&x->of, &running, &work->queue) == ST_OK;
	x->dump->error[0] = '\0';
	f = running.function ? symbolize(&x->symbols, running.function) : NULL;
	if (f && f->symbol) {
		work->function = dump_strdup(x->dump, function_text(f, text, sizeof(text)));
		work->running = dump_text(x->dump, ", running work %s,", work->function);
	}
	work->is_of_module = f && f->module;
	work->is_gone = f && f->label == LABEL_GONE;
	s->work = work;
}

struct stops {
	struct dump *dump;
	struct stuck_task *all;
	struct task_stacks stacks;
	struct stop_signals signals;
	enum status status; /* of opening them, ST_UNKNOWN before that */
	bool is_open;
};

static struct stop_signal stop_of(struct stops *x, const struct stuck_task *s)
{
	struct stop_signal stop = { 0 };
	struct task_stack stack;
	const bool has_stack = task_stack_read(&x->stacks, s->task.address, &stack) == ST_OK;

	if (stop_signal_of(&x->signals, s->task.address, has_stack ? &stack : NULL, &stop) != ST_OK)
		stop = (struct stop_signal){ 0 };
	x->dump->error[0] = '\0';
	return stop;
}

/* The first thread of a process that began before another one was stopped: a later one has a PID that was used before. */
static const struct stuck_task *sender_of(const struct stops *x, int32_t pid,
					  const struct stuck_task *stopped)
{
	for (const struct stuck_task *s = x->all; s; s = s->next)
		if (s->task.pid == pid)
			return !stopped->has_since || s == stopped ||
					       stop_signal_may_be_of(s->task.start_ns,
								     stopped->since_ns)
				       ? s
				       : NULL;
	return NULL;
}

/* One thread takes the signal, and stops those of its process. */
static struct stop_signal stop_of_process(struct stops *x, const struct stuck_task *s)
{
	struct stop_signal stop = stop_of(x, s), other;

	for (const struct stuck_task *of = x->all; of && stop.number && !stop.by; of = of->next) {
		if (of == s || of->task.tgid != s->task.tgid || of->task.state != 'T')
			continue;
		other = stop_of(x, of);
		if (other.number == stop.number)
			stop = other;
	}
	return stop;
}

static void find_stop(struct stops *x, struct stuck_task *s)
{
	struct arena *a = x->dump->arena;
	struct stop_signal stop = { 0 };
	const struct stuck_task *sender;
	const char *name;

	if (!x->is_open)
		x->status = task_stacks_open(x->dump, &x->stacks)
				    ?: stop_signals_open(x->dump, &x->signals);
	x->is_open = true;
	if (x->status == ST_OK)
		stop = stop_of_process(x, s);
	name = stop_signal_name(stop.number);
	if (!name) {
		s->stopped_by = ", by which signal is unknown";
		return;
	}
	sender = stop.by == STOP_SENDER_PROCESS ? sender_of(x, stop.sender, s) : NULL;
	s->stopper = sender == s ? NULL : sender;
	s->stopped_by = stop.by == STOP_SENDER_KERNEL
				? arena_text(a, " by %s of the kernel, as for its terminal", name)
			: !stop.by ? arena_text(a, " by %s, which process sent it is unknown", name)
			: sender == s ? arena_text(a, " by %s, which it sent itself", name)
			: sender      ? arena_text(a, " by %s, which %s (%d) sent", name,
						   sender->task.comm, sender->task.pid)
				 : arena_text(a, " by %s, which process %d sent, which has exited",
					      name, stop.sender);
}

void stuck_mark_roots(struct dump *d, struct stuck_task *all)
{
	struct works x = { .dump = d };
	struct stops stops = { .dump = d, .all = all };
	enum status st = ST_UNKNOWN;
	bool is_open = false;

	for (struct stuck_task *s = all; s && !dump_stopped(d); s = s->next) {
		if (s->task.flags & PF_WQ_WORKER && s->task.kthread && !is_open) {
			st = work_waits_open(d, &x.of);
			symbolizer_open(d, &x.symbols);
			is_open = true;
		}
		if (s->task.flags & PF_WQ_WORKER && s->task.kthread && st == ST_OK)
			find_work(&x, s);
		s->polls |= polls_in_driver(s);
		s->is_root = is_root(s);
		if (s->is_root && s->task.state == 'T')
			find_stop(&stops, s);
	}
}

bool stuck_has_root(const struct stuck_task *all)
{
	return ANY_NEXT(s, all, s->is_root);
}

/* The thread that stands for a process: its root, else its first thread. */
static void map_processes(struct hash_u64 *processes, struct stuck_task *all)
{
	for (struct stuck_task *s = all; s; s = s->next) {
		struct stuck_task **of;
		bool is_new;

		if (!s->task.mm)
			continue;
		of = hash_u64_get(processes, (uint64_t)s->task.tgid, &is_new);
		if (is_new || s->is_root || (!(*of)->is_root && s->task.pid == s->task.tgid))
			*of = s;
	}
}

static struct stuck_task *next_thread(const struct hash_u64 *processes, const struct stuck_task *s)
{
	struct stuck_task *const *of;

	if (s->holder)
		return s->holder == s || stuck_owner_doubt(s) ? NULL
							      : (struct stuck_task *)s->holder;
	of = s->peer ? hash_u64_find(processes, (uint64_t)s->peer->tgid) : NULL;
	return of && *of != s ? *of : NULL;
}

void stuck_count_roots(struct dump *d, struct stuck_task *all)
{
	struct hash_u64 processes;

	/* One that has a holder after all waits for that. */
	for (struct stuck_task *s = all; s; s = s->next)
		s->is_root = s->is_root && !s->holder;
	if (!stuck_has_root(all))
		return;
	hash_u64_init(&processes, d->arena, sizeof(struct stuck_task *));
	map_processes(&processes, all);
	for (struct stuck_task *s = all; s && !dump_stopped(d); s = s->next) {
		struct stuck_task *at = s;

		for (unsigned int i = 0; i < STEPS && at && !s->is_root; i++) {
			at = next_thread(&processes, at);
			if (!at || !at->is_root)
				continue;
			if (!i && !at->direct++)
				at->waiter = s;
			at->behind += i > 0;
			break;
		}
	}
}

/* "; shop-front (107) and 8 more threads wait for it, and 3 behind those" */
static void add_waiting(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	if (!s->direct)
		return;
	strbuf_add(b, "; %s (%d)", s->waiter->task.comm, s->waiter->task.pid);
	if (s->direct > 1)
		strbuf_add(b, " and %s%s wait for it", stuck_is_part(x) ? "at least " : "",
			   COUNT_OF(s->direct - 1, "more thread"));
	else
		strbuf_add(b, " waits for it");
	if (s->behind)
		strbuf_add(b, ", and %s%s behind %s", stuck_is_part(x) ? "at least " : "",
			   COUNT_TEXT(s->behind), s->direct == 1 ? "that" : "those");
}

static void add_work(const struct stuck_work *w, struct strbuf *b)
{
	strbuf_add(b, "; it runs %s%s", w->function ? "work " : "a work", w->function ?: "");
	if (!w->has_queue)
		return;
	strbuf_add(b, " of %s%s", *w->queue.name ? "workqueue " : "a workqueue", w->queue.name);
	if (w->queue.inactive)
		strbuf_add(b, ", behind which %s%s", w->queue.is_whole ? "" : "at least ",
			   PLURAL_TEXT(w->queue.inactive, "work waits", "works wait"));
}

bool stuck_root_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	char text[640];

	if (!s->is_root)
		return false;
	stuck_task_words(s, b);
	if (s->module_frame && s->module_frame != s->caller && !s->drain &&
	    (!s->caller || !s->caller->module ||
	     strcmp(s->caller->module, s->module_frame->module) != 0) &&
	    !s->is_traced && s->task.state != 'T')
		strbuf_add(b, ", called by %s", function_text(s->module_frame, text, sizeof(text)));
	if (s->work)
		add_work(s->work, b);
	add_waiting(x, s, b);
	if (s->stopper && (s->stopper->peer || s->stopper->remote || s->stopper->is_on_lock ||
			   s->stopper->is_on_server)) {
		strbuf_add(b, "; ");
		stuck_task_words(s->stopper, b);
	}
	return true;
}

bool stuck_root_keeps_others(const struct stuck_task *s)
{
	return s->direct || s->behind || (s->work && s->work->queue.inactive);
}

bool stuck_roots_alike(const struct stuck_task *a, const struct stuck_task *b)
{
	const char *of = stuck_function(a), *with = stuck_function(b);

	return !stuck_root_keeps_others(a) && !stuck_root_keeps_others(b) && !a->work && !b->work &&
	       a->task.state == b->task.state && of && with && !strcmp(of, with);
}

/* Which one of those that are alike tells it, whatever their order. */
static bool is_before(const struct stuck_task *a, const struct stuck_task *b)
{
	if (a->has_since != b->has_since || a->since_ns != b->since_ns)
		return a->has_since && (!b->has_since || a->since_ns < b->since_ns);
	return a->task.pid < b->task.pid;
}

size_t stuck_root_crowd(const struct stuck *x, const struct stuck_task *s)
{
	size_t n = s->is_root;

	for (const struct stuck_task *t = x->first; t && n; t = t->next) {
		if (t == s || !t->is_root || !stuck_roots_alike(s, t))
			continue;
		if (is_before(t, s))
			return 0;
		n++;
	}
	return n;
}

bool stuck_root_crowd_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	const size_t n = stuck_root_crowd(x, s);

	if (!n)
		return false;
	stuck_root_words(x, s, b);
	if (n > 1)
		strbuf_add(b, "; and %s%s like that", stuck_is_part(x) ? "at least " : "",
			   COUNT_OF(n - 1, "more thread"));
	return true;
}

void stuck_backlog_words(const struct stuck_task *s, struct strbuf *b)
{
	const struct stuck_work *w = s->work;

	strbuf_add(b, "%s%s of %s%s wait%s behind %s, which %s (%d) runs; it ",
		   w->queue.is_whole ? "" : "at least ", COUNT_OF(w->queue.inactive, "work"),
		   *w->queue.name ? "workqueue " : "a workqueue", w->queue.name,
		   w->queue.inactive == 1 ? "s" : "", w->function ?: "one", s->task.comm,
		   s->task.pid);
	stuck_add_wait(s, b);
}
