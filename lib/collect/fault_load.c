// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/fault_load.h"

bool faults_of_life(const struct dump_info *info, uint64_t faults, uint64_t start_ns, uint64_t *ret)
{
	uint64_t life;
	unsigned __int128 rate = (unsigned __int128)faults * 1000000000000ULL;

	/* A life that may have been longer gives a rate that may have been less. */
	if (!start_ns || !age_at_panic(info, start_ns, &life) || !life || end_is_assumed(info))
		return false;
	rate = (rate + life / 2) / life;
	if (rate > INT64_MAX)
		return false;
	*ret = (uint64_t)rate;
	return true;
}

void fault_load_add(struct fault_load *l, const struct task *t)
{
	struct fault_process *p = &l->now;

	if (p->tgid != t->tgid) {
		fault_load_end(l);
		*p = (struct fault_process){ .tgid = t->tgid,
					     .start_ns = t->start_ns,
					     .min = t->exited_min_flt,
					     .maj = t->exited_maj_flt };
		memcpy(p->comm, t->comm, sizeof(p->comm));
	}
	p->threads++;
	p->min += t->min_flt;
	p->maj += t->maj_flt;
	if (t->has_memory && t->has_mm) {
		p->rss = t->rss;
		p->has_rss = true;
	}
}

void fault_load_in_fault(struct fault_load *l)
{
	l->now.in_fault++;
}

void fault_load_end(struct fault_load *l)
{
	struct fault_process *p = &l->now;

	if (p->tgid && p->in_fault >= l->least &&
	    faults_of_life(l->info, p->min + p->maj, p->start_ns, &p->rate) &&
	    p->rate > l->most.rate)
		l->most = *p;
	p->tgid = 0;
}
