// SPDX-License-Identifier: GPL-2.0-or-later
/* Who was inside the same module: as one thread died of an exception there, or spun for a lock of it. */
#include "collect/stuck_words.h"
#include "log/stall.h"
#include "memory/stuck_chains.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TOLD 2 /* threads */

bool summary_is_out_of_tree(const struct summary *s, const char *module)
{
	for (const struct tainting_module *m = s->of_case ? s->of_case->modules.first : NULL; m;
	     m = m->next)
		if (tainting_module_is_foreign(m) && !strcmp(m->name, module))
			return true;
	return false;
}

/* "emtr" of "emtr_scale+0xb/0x30 [emtr]"; NULL: of the kernel, or unknown. */
static const char *module_in(struct dump *d, const char *symbol)
{
	const char *at = symbol ? strrchr(symbol, '[') : NULL;

	return at ? dump_text(d, "%.*s", (int)strcspn(at + 1, "]"), at + 1) : NULL;
}

const char *summary_died_in(const struct summary *s)
{
	const struct statement *row = s->first[SECTION_EXCEPTION];
	const char *module = NULL;

	if (row && !s->dump->log_file)
		module = module_in(s->dump, row->ip_symbol) ?: module_in(s->dump, row->caller);
	return module && summary_is_out_of_tree(s, module) ? module : NULL;
}

/* Whether it was there at the moment: what a thread of a driver always sleeps in says nothing. */
static bool was_there(const struct summary *s, const struct stuck_task *t)
{
	uint64_t age;

	return t->task.state == 'D' || t->on_cpu ||
	       (t->has_since && age_at_panic(&s->report->info, t->since_ns, &age) &&
		age < limit(LIMIT_STUCK) * 1000000);
}

static void add_thread(const struct summary *s, const struct stuck_task *t, struct strbuf *b)
{
	uint64_t age;

	strbuf_add(b, "%s%s (%d) was in %s [%s] of the same module", strbuf_between(b, "; "),
		   t->task.comm, t->task.pid, t->module_frame->symbol ?: "a function",
		   t->module_frame->module);
	if (t->on_cpu)
		return;
	strbuf_add(b, ", asleep");
	if (t->function && t->function->symbol && !strstr(t->function->symbol, "schedule"))
		strbuf_add(b, " in %s", t->function->symbol);
	if (t->has_since && age_at_panic(&s->report->info, t->since_ns, &age))
		strbuf_add(b, " for %s", TIME_TEXT(age));
}

void summary_tell_same_module(struct summary *s, const struct stuck *all)
{
	struct statement *row = s->first[SECTION_EXCEPTION];
	const char *module = summary_died_in(s);
	struct strbuf b = STRBUF_OF(512);
	unsigned int n = 0;

	if (!module)
		return;
	stuck_for_each(t, all)
		if (t->module_frame && !strcmp(t->module_frame->module, module) &&
		    (!row->pid.known || row->pid.n != (uint64_t)t->task.pid) && was_there(s, t) &&
		    n++ < TOLD)
			add_thread(s, t, &b);
	if (b.len)
		row->brief = dump_text(s->dump, "%s%s%s", row->brief ?: "", row->brief ? "; " : "",
				       b.buf);
}

const struct frame *summary_module_frame(const struct stuck_task *t, bool *spins)
{
	*spins = false;
	for (unsigned int i = 0; t->stack && i < t->stack->n; i++) {
		const struct frame *f = t->stack->frames[i];

		*spins |= f->symbol && stall_spins_in(f->symbol);
		if (f->module && f->symbol)
			return f;
	}
	return NULL;
}

/* The owner of a spin lock does not sleep: where one other CPU alone ran something, and that in the same driver, it likely has it. */
bool summary_tell_lock_owner(struct summary *s, const struct stuck *all)
{
	const struct statement *panic = s->first[SECTION_PANIC];
	const struct stuck_task *has = s->beside[0] ? stuck_thread(all, 0, s->beside[0]) : NULL;
	const struct stuck_task *wants = panic && panic->pid.known
						 ? stuck_thread(all, 0, (int32_t)panic->pid.n)
						 : NULL;
	const struct frame *in, *for_it;
	bool runs, spins;

	if (!has || !wants || s->beside[1] || !s->is_stalled)
		return false;
	in = summary_module_frame(has, &runs);
	for_it = summary_module_frame(wants, &spins);
	if (!in || !for_it || runs || !spins || strcmp(in->module, for_it->module) != 0 ||
	    !summary_is_out_of_tree(s, in->module))
		return false;
	s->panic_cause = dump_text(
		s->dump,
		"%s (%d) likely has the lock that CPU %lu spun for, both in module %s: it was in %s, "
		"%s (%d) in %s; CPU %lu stalled",
		has->task.comm, has->task.pid, panic->cpu.n, in->module, in->symbol,
		wants->task.comm, wants->task.pid, for_it->symbol, panic->cpu.n);
	return true;
}
