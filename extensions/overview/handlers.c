// SPDX-License-Identifier: GPL-2.0-or-later
/* What an interrupt ran for a driver when the kernel died in it: its timer, its handler. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* Functions of the kernel that call one of a driver, as they begin; 4.19 to 7.3. */
static const struct {
	const char *caller, *kind;
} handlers[] = {
	{ "call_timer_fn", "timer" },
	{ "expire_timers", "timer" },
	{ "__run_timers", "timer" },
	{ "run_timer_softirq", "timer" },
	{ "__hrtimer_run_queues", "high-resolution timer" },
	{ "tasklet_action_common", "tasklet" },
	{ "__handle_irq_event_percpu", "interrupt handler" },
	{ "handle_irq_event_percpu", "interrupt handler" },
	{ "__napi_poll", "NAPI poll" },
	{ "net_rx_action", "NAPI poll" },
	{ "rcu_do_batch", "RCU callback" },
	{ "irq_work_", "irq_work" },
};

static const char *kind_of(const char *frame)
{
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		if (log_after(frame, handlers[i].caller))
			return handlers[i].kind;
	return NULL;
}

const char *summary_handler(struct summary *s, const struct oops *o)
{
	for (unsigned int i = 0; o->in_irq && i < o->nframes; i++) {
		const char *kind = kind_of(o->frames[i]);
		const char *function = i ? o->frames[i - 1] : o->ip;

		if (!kind)
			continue;
		if (!strchr(function, '['))
			return NULL;
		return i ? dump_text(s->dump, ", in the %s %s", kind, summary_frame(s, function))
			 : dump_text(s->dump, ", %s %s", strchr("aehiou", *kind) ? "an" : "a",
				     kind);
	}
	return NULL;
}
