// SPDX-License-Identifier: GPL-2.0-or-later
/* An exception where a module was: which one that may have been, and what it left behind. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "symbols/symbolize.h"

/* Functions of the kernel that call or walk what drivers gave it, by how their names begin. */
static const struct {
	const char *function, *left;
} left_behind[] = {
	{ "__run_timers", "a timer" },
	{ "run_timer_softirq", "a timer" },
	{ "call_timer_fn", "a timer" },
	{ "expire_timers", "a timer" },
	{ "detach_if_pending", "a timer" },
	{ "__mod_timer", "a timer" },
	{ "enqueue_timer", "a timer" },
	{ "hrtimer_", "a high-resolution timer" },
	{ "__hrtimer_", "a high-resolution timer" },
	{ "timerqueue_", "a high-resolution timer" },
	{ "process_one_work", "a work" },
	{ "process_scheduled_works", "a work" },
	{ "worker_thread", "a work" },
	{ "__queue_work", "a work" },
	{ "delayed_work_timer_fn", "a delayed work" },
	{ "rcu_do_batch", "an RCU callback" },
	{ "notifier_call_chain", "a notifier" },
	{ "__handle_irq_event_percpu", "an interrupt handler" },
	{ "tasklet_action", "a tasklet" },
	{ "shrink_slab", "a shrinker" },
	{ "do_shrink_slab", "a shrinker" },
	{ "nf_hook_slow", "a netfilter hook" },
};

/* Whether the address lies where modules are loaded to, and in none that is. */
static bool is_of_none(struct summary *s, uint64_t address)
{
	struct symbolizer symbols;

	symbolizer_open(s->dump, &symbols);
	s->dump->error[0] = '\0';
	return symbolize(&symbols, address)->label == LABEL_GONE;
}

const char *summary_unloaded(struct summary *s, const struct oops *o, const struct statement *row)
{
	const bool jumped = log_after(o->ip, "0x");
	const char *at = !jumped ? o->ip : o->nframes ? o->frames[0] : "";

	if (!*o->unloaded || !(jumped || (o->kind == OOPS_PAGE_FAULT && row->address.known &&
					  !s->dump->log_file && is_of_none(s, row->address.n))))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(left_behind); i++)
		if (log_after(at, left_behind[i].function))
			return dump_text(s->dump, "%s, which likely left %s behind", o->unloaded,
					 left_behind[i].left);
	return o->unloaded;
}
