// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What threads of a process do that has very many, whose kernel stacks are much of memory: most sleep alike, behind one
 * that waits for another process. What runs on other CPUs where one spun for a lock.
 */
#include "log/stall.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TEXT 640

/* A row of the kernel stacks of one process. */
static bool is_of_threads(const struct statement *row)
{
	return row->memory == 1U << CLASS_KSTACK && row->pid.known;
}

unsigned int summary_ask_threads(const struct summary *s, int32_t *ret, unsigned int room)
{
	const struct statement *panic = s->first[SECTION_PANIC];
	unsigned int n = 0;

	for (const struct statement *row = s->first[SECTION_HOLDER]; row && n < room;
	     row = row->next)
		if (is_of_threads(row) || row->are_kthreads)
			ret[n++] = (int32_t)(row->are_kthreads ? row->most_pid : row->pid).n;
	for (size_t i = 0; i < ARRAY_SIZE(s->beside) && s->beside[i] && n < room; i++)
		ret[n++] = s->beside[i];
	/* Of a driver in which the kernel died, or a CPU spun, what its own thread did. */
	if (n < room && panic && panic->pid.known && s->beside[0])
		ret[n++] = (int32_t)panic->pid.n;
	if (n < room && summary_died_in(s))
		ret[n++] = (int32_t)s->first[SECTION_EXCEPTION]->pid.n;
	return n;
}

struct sleepers {
	struct hash_bytes functions;	/* of uint64_t: threads that gave up the CPU in it */
	const struct stuck_task *waits; /* the first that waits for another process */
	uint64_t threads, most;
	const char *function; /* of most */
};

static void count(struct sleepers *x, const struct stuck_task *t)
{
	const char *name = t->function ? t->function->symbol : NULL;
	uint64_t *n;

	x->threads++;
	/* Who waits for another process is told by itself. */
	if (t->peer || t->remote) {
		x->waits = x->waits ?: t;
		return;
	}
	if (!name || t->task.state == 'R')
		return;
	n = (uint64_t *)hash_bytes_get(&x->functions, name, strlen(name) + 1, NULL)->value;
	if (++*n > x->most) {
		x->most = *n;
		x->function = name;
	}
}

/* "3,742 of its threads are asleep in futex_wait_queue; quoteapi (588) waits on a TCP connection for ratefeed (275)" */
static const char *words_of(struct summary *s, const struct stuck *all, int32_t tgid)
{
	struct strbuf b = STRBUF_OF(TEXT);
	struct sleepers x = { 0 };

	hash_bytes_init(&x.functions, s->dump->arena, sizeof(uint64_t));
	stuck_for_each(t, all)
		if (t->task.tgid == tgid)
			count(&x, t);
	if (x.most <= x.threads / 2)
		return NULL;
	strbuf_add(&b, "%s%s of its threads are asleep in %s",
		   stuck_is_part(all) ? "at least " : "", COUNT_TEXT(x.most), x.function);
	if (x.waits) {
		stuck_add_chain(all, x.waits, 0, &b);
	}
	return dump_strdup(s->dump, b.buf);
}

/*
 * "; linkstat (266) was in linkmux_show [linkmux], and spun for a lock too": the innermost function of a module. Who has
 * a spin lock is on a CPU: where one other CPU alone ran something, and that a driver out of tree, it likely has it.
 */
static void add_frame(struct summary *s, const struct stuck_task *t)
{
	const bool is_only = !s->beside[1];
	bool spins;
	const struct frame *f = summary_module_frame(t, &spins);

	if (f)
		s->panic_cause = dump_text(s->dump, "%s; %s (%d) was in %s [%s]%s", s->panic_cause,
					   t->task.comm, t->task.pid, f->symbol, f->module,
					   spins ? ", and spun for a lock too"
					   : is_only && summary_is_out_of_tree(s, f->module)
						   ? ", and likely has that lock"
						   : "");
}

/* Where code of an interrupt or a trap begins on a stack: arch/x86/include/asm/idtentry.h, entry-common.c of arm64. */
static bool is_entry(const char *function)
{
	static const char *const names[] = { "common_interrupt", "ret_from_intr",
					     "apic_timer_interrupt", "el1_irq", "el1h_64_irq" };

	return !strncmp(function, "asm_", strlen("asm_")) ||
	       ANY_OF(i, ARRAY_SIZE(names), !strcmp(function, names[i]));
}

/* " in daq_write [daqcard]": the innermost function of a module below the interrupt; NULL: there is none. */
static const char *below_interrupt(struct dump *d, const struct stuck_task *t)
{
	const struct frame *in = NULL;
	bool is_below = false;

	for (unsigned int i = 0; t->stack && i < t->stack->n; i++) {
		const struct frame *f = t->stack->frames[i];

		if (f->symbol && is_entry(f->symbol)) {
			is_below = true;
			in = NULL;
		} else if (is_below && !in && f->symbol && f->module) {
			in = f;
		}
	}
	return in ? arena_text(d->arena, " in %s [%s]", in->symbol, in->module) : NULL;
}

/* What an exception came into: of a jump the function of the work, where the worker's code is gone as well. */
static void tell_exception(struct summary *s, const struct stuck *all, struct statement *row)
{
	const struct stuck_task *t = s->beside[0] ? stuck_thread(all, 0, s->beside[0]) : NULL;

	if (t && row->is_interrupted)
		row->context = below_interrupt(s->dump, t);
	else if (t && t->work && t->work->address && t->work->is_gone)
		row->context = arena_text(
			s->dump->arena,
			"; the function of the work that it ran was at 0x%lx, in no module that is loaded",
			t->work->address);
}

static void tell_beside(struct summary *s, const struct stuck *all)
{
	if (summary_tell_lock_owner(s, all))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(s->beside) && s->beside[i]; i++) {
		const struct stuck_task *t = stuck_thread(all, 0, s->beside[i]);

		if (t)
			add_frame(s, t);
	}
}

/* "fbgw/1 (246) is asleep in fb_exchange [fbgw]": one of many kernel threads; the module is whose function it is. */
/* Whose function it is asleep in; NULL: the kernel's own. */
static const char *module_of(const struct stuck_task *t)
{
	return t->module_frame ? t->module_frame->module : t->caller ? t->caller->module : NULL;
}

/* The process that was starting one more of them, for the same module; NULL: none was. */
static const struct stuck_task *maker_of(const struct stuck *all, const char *module)
{
	stuck_for_each(t, all)
		if (module && t->module_frame && t->task.mm && t->caller && t->caller->symbol &&
		    strstr(t->caller->symbol, "kthread_create") &&
		    !strcmp(t->module_frame->module, module))
			return t;
	return NULL;
}

static void tell_kthreads(struct summary *s, const struct stuck *all, struct statement *row)
{
	const struct stuck_task *t = stuck_thread(all, 0, (int32_t)row->most_pid.n), *maker;
	struct strbuf b = STRBUF_OF(TEXT);

	if (!t)
		return;
	stuck_task_words(t, &b);
	maker = maker_of(all, module_of(t));
	if (maker)
		strbuf_add(&b, "; %s (%d) was starting one more by %s [%s]", maker->task.comm,
			   maker->task.pid, maker->module_frame->symbol ?: "a function",
			   maker->module_frame->module);
	row->wait = dump_strdup(s->dump, b.buf);
	if (module_of(t))
		row->command = dump_text(s->dump,
					 "memowner stuck -a -g function,waits_for -n 5 -f comm=%s",
					 row->comm);
}

void summary_tell_threads(struct summary *s, const struct stuck *all)
{
	if (s->first[SECTION_EXCEPTION]) {
		tell_exception(s, all, s->first[SECTION_EXCEPTION]);
		summary_tell_same_module(s, all);
	}
	if (!s->first[SECTION_EXCEPTION] && s->panic_cause)
		tell_beside(s, all);
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		const char *words = is_of_threads(row) ? words_of(s, all, (int32_t)row->pid.n)
						       : NULL;

		if (row->are_kthreads)
			tell_kthreads(s, all, row);
		if (!words)
			continue;
		row->wait = words;
		row->command = dump_text(s->dump, "memowner stuck -a -g comm,function -f tgid=%lu",
					 row->pid.n);
	}
}

/* Of the one process that has most, if another one asked last: "memowner stuck -a -o +does -f tgid=153"; NULL: there is none. */
const char *summary_does_command(const struct summary *s)
{
	const struct statement *most = s->first[SECTION_MOST];
	const struct statement *of = most && most->of ? most->of : NULL;
	const struct maybe_u64 *pid = !of || of->section != SECTION_GROUP ? NULL
				      : of->pid.known			  ? &of->pid
				      : most->pid.known			  ? &most->pid
									  : NULL;

	/* Of one that has memory of several kinds, or is in a deadlock, others say it. */
	return !pid || most->next || most->more[0] || s->is_stuck || !s->has_tasks ||
			       (s->asker_pages.known && pid->n == (uint64_t)s->asker_tgid)
		       ? NULL
		       : dump_text(s->dump, "memowner stuck -a -o +does -f tgid=%lu", pid->n);
}
