// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that may not get on though no watchdog said so: a task spins for a lock there, or all have interrupts off. */
#include "collect/stuck_roots.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "oom/cpus_allowed.h"

#define NAMED 3u /* threads */

/* "; line-01 (315) was in rtcomm_wait_mbox [rtcomm], with interrupts off" */
static void add_thread(const struct ready_thread *t, bool is_owner, struct strbuf *b)
{
	strbuf_add(b, "%s%s (%d) %s", strbuf_between(b, "; "), t->comm, t->pid,
		   t->spins ? "spun for a lock" : "was on a CPU");
	if (t->at)
		strbuf_add(b, "%s %s [%s]", t->spins ? ", called by" : ", in", t->at->symbol,
			   t->at->module);
	if (t->irqs_off)
		strbuf_add(b, ", with interrupts off");
	if (is_owner)
		strbuf_add(b, ", and likely has that lock");
}

/* Another thread on a CPU is in the same module: as the owner of a spin lock does not sleep, it may have it. */
static bool has_owner(const struct ready_thread *all, size_t n, const struct ready_thread *of)
{
	return of->spins && of->at && of->is_foreign &&
	       ANY_OF(i, n,
		      !all[i].spins && all[i].at && !strcmp(all[i].at->module, of->at->module));
}

/* For whoever spins in the same module. */
static bool is_owner(const struct ready_thread *all, size_t n, bool misses_some,
		     const struct ready_thread *of)
{
	struct spin_owner o = { .misses_some = misses_some };

	if (!of->at || !of->is_foreign)
		return false;
	o.module = of->at->module;
	for (size_t i = 0; i < n; i++)
		spin_owner_see(&o, all[i].at, all[i].spins, &all[i]);
	return spin_owner_of(&o) == of &&
	       ANY_OF(i, n, all[i].spins && all[i].at && !strcmp(all[i].at->module, o.module));
}

/* Whether the machine was dumped or ended as it stood: else the watchdog that ended it says where CPUs were. */
static bool is_as_it_stood(const struct summary *s)
{
	const struct statement *panic = s->first[SECTION_PANIC];

	return !s->has_lockup &&
	       (!s->has_panic || (panic && panic->name && !strncmp(panic->name, "sysrq ", 6)));
}

void summary_tell_spinning(struct summary *s, const struct ready_thread *all, size_t n,
			   bool misses_some)
{
	struct strbuf b = STRBUF_OF(512);
	unsigned int online = 0, off = 0, spin = 0, told = 0;
	bool has_suspect = false, has_foreign = false, is_deaf;

	if (!n || !is_as_it_stood(s))
		return;
	for (size_t i = 0; i < n; i++) {
		off += all[i].irqs_off;
		spin += all[i].spins;
		has_suspect |= has_owner(all, n, &all[i]);
		has_foreign |= all[i].is_foreign;
	}
	is_deaf = cpus_in(s->dump, CPUS_ONLINE, &online) == ST_OK && off == online;
	s->dump->error[0] = '\0';
	/* For a moment a task spins, or a CPU has interrupts off, on any machine. */
	if (!spin && !(is_deaf && has_foreign))
		return;
	s->starved.is_deaf = is_deaf;
	for (unsigned int spins = 2; spins--;)
		for (size_t i = 0; i < n && told < NAMED; i++)
			if (all[i].spins == spins && (spins || all[i].is_foreign || is_deaf)) {
				add_thread(&all[i], is_owner(all, n, misses_some, &all[i]), &b);
				told++;
			}
	if (is_deaf)
		strbuf_add(&b,
			   "; %s interrupt: nothing else can run there, and the time of the end is "
			   "that of the last tick",
			   online == 1 ? "the only CPU takes no" : "no CPU takes an");
	if (has_suspect || is_deaf)
		s->starved.spinning = dump_text(
			s->dump, "CPUs may stand still, which no watchdog told: %s", b.buf);
	else
		s->starved.beside = dump_text(s->dump, "; at the end %s", b.buf);
}
