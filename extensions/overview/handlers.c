// SPDX-License-Identifier: GPL-2.0-or-later
/* What an interrupt ran for a driver when the kernel died in it: its timer, its handler. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* Functions of the kernel that call one of a driver, or walk what drivers gave it, as they begin; 4.19 to 7.3. */
static const struct {
	const char *function, *kind;
	bool calls; /* the frame within it is the driver's */
} handlers[] = {
	{ "call_timer_fn", "timer", true },
	{ "expire_timers", "timer", true },
	{ "__run_timers", "timer", true },
	{ "run_timer_softirq", "timer", true },
	{ "detach_if_pending", "timer", false },
	{ "__mod_timer", "timer", false },
	{ "enqueue_timer", "timer", false },
	{ "__hrtimer_run_queues", "high-resolution timer", true },
	{ "hrtimer_", "high-resolution timer", false },
	{ "__hrtimer_", "high-resolution timer", false },
	{ "timerqueue_", "high-resolution timer", false },
	{ "tasklet_action_common", "tasklet", true },
	{ "tasklet_action", "tasklet", false },
	{ "__handle_irq_event_percpu", "interrupt handler", true },
	{ "handle_irq_event_percpu", "interrupt handler", true },
	{ "__napi_poll", "NAPI poll", true },
	{ "net_rx_action", "NAPI poll", true },
	{ "rcu_do_batch", "RCU callback", true },
	{ "irq_work_", "irq_work", true },
	{ "process_one_work", "work", false },
	{ "process_scheduled_works", "work", false },
	{ "worker_thread", "work", false },
	{ "__queue_work", "work", false },
	{ "delayed_work_timer_fn", "delayed work", false },
	{ "notifier_call_chain", "notifier", false },
	{ "shrink_slab", "shrinker", false },
	{ "do_shrink_slab", "shrinker", false },
	{ "nf_hook_slow", "netfilter hook", false },
};

static const char *kind_of(const char *frame, bool calls)
{
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		if ((!calls || handlers[i].calls) && log_after(frame, handlers[i].function))
			return handlers[i].kind;
	return NULL;
}

static const char *with_article(struct summary *s, const char *kind)
{
	return !kind ? NULL
		     : dump_text(s->dump, "%s %s",
				 strchr("aeiou", *kind) || log_after(kind, "RCU") ? "an" : "a",
				 kind);
}

const char *summary_walked(struct summary *s, const char *frame)
{
	return with_article(s, kind_of(frame, false));
}

const char *summary_handler(struct summary *s, const struct oops *o)
{
	for (unsigned int i = 0; o->in_irq && i < o->nframes; i++) {
		const char *kind = kind_of(o->frames[i], true);
		const char *function = i ? o->frames[i - 1] : o->ip;

		if (!kind)
			continue;
		if (!strchr(function, '['))
			return NULL;
		return i ? dump_text(s->dump, ", in the %s %s", kind, summary_frame(s, function))
			 : dump_text(s->dump, ", %s", with_article(s, kind));
	}
	return NULL;
}
