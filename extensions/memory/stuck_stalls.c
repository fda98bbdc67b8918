// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_stalls.h"

#include "log/standstill.h"

#define TOLD 2u /* those of which the log told last */

/* The newest of those that are not told yet; NULL: there is none. */
static const struct standstill *newest(const struct standstills *all, const bool *is_told)
{
	const struct standstill *most = NULL;

	for (unsigned int i = 0; i < all->n; i++)
		if (all->all[i].kind && !is_told[i] &&
		    (!most || all->all[i].last->ts_ns > most->last->ts_ns))
			most = &all->all[i];
	return most;
}

void stuck_put_stalls(const struct owner_view *v)
{
	struct kernel_log log;
	struct standstills all;
	const struct standstill *of;
	bool is_told[STANDSTILLS] = { 0 };
	char age[AGE_TEXT];
	unsigned int n = 0, more = 0;

	/* What the log says adds to the rows: none of them rests on it. */
	if (kernel_log_read(v->dump, &log) == ST_STOPPED || !log.n)
		return;
	standstills_read(&log, &all);
	for (; n < TOLD && (of = newest(&all, is_told)); n++) {
		struct strbuf b = STRBUF_OF(512);

		is_told[of - all.all] = true;
		standstill_text(of, &b);
		if (age_text(&v->report.info, of->last->ts_ns, age))
			strbuf_add(&b, ", %s", age);
		sink_printf(v->out, "by the log %s\n", b.buf);
	}
	for (unsigned int i = 0; i < all.n; i++)
		more += all.all[i].kind && !is_told[i];
	if (more)
		sink_printf(v->out, "%s of the log on a CPU: memowner log\n",
			    PLURAL_TEXT(more, "more line", "more lines"));
}

void stuck_put_resent(const struct owner_view *v, const struct stuck *x)
{
	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (stuck_waits_for_rpc(s)) {
			sink_text(v->out, "AGE is the time since the last run: who waits for a server of RPC "
					  "runs to send its request again, and may have waited for longer\n");
			return;
		}
}
