// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/pids.h"

/* PIDS_MAX, without a limit: one more than PID_MAX_LIMIT of 64 bits (include/linux/threads.h), of all releases. */
#define NO_LIMIT (4u * 1024 * 1024 + 1)
/* There are no more PIDs, and each thread has one: a counter beyond that, or below 0, is damaged. */
#define MOST_PIDS (NO_LIMIT - 1)

enum status pids_groups_open(struct dump *d, struct pids_groups *ret)
{
	static const char type[] = "struct pids_cgroup";

	ret->dump = d;
	if (dump_ask(d, enumerator, "pids_cgrp_id", &ret->id) != ST_OK)
		return ST_ABSENT;
	if (dump_ask(d, member, "struct cgroup", "subsys", &ret->states) != ST_OK || ret->id < 0 ||
	    (uint64_t)ret->id >= ret->states.size / 8 ||
	    dump_ask(d, member, type, "css", &ret->css) != ST_OK ||
	    dump_ask(d, member, type, "counter", &ret->counter) != ST_OK ||
	    ret->counter.size != 8 || dump_ask(d, member, type, "limit", &ret->limit) != ST_OK ||
	    ret->limit.size != 8)
		return dump_unknown(d, "struct pids_cgroup");
	return ST_OK;
}

enum status pids_group_read(const struct pids_groups *x, uint64_t cgroup, struct pids_group *ret)
{
	struct dump *d = x->dump;
	struct pids_group g = { 0 };
	enum status st = dump_u64(d, cgroup + x->states.offset + (uint64_t)x->id * 8, &g.address,
				  "cgroup.subsys");

	if (st == ST_OK && g.address) {
		g.address -= x->css.offset;
		st = dump_u64(d, g.address + x->limit.offset, &g.limit, "pids_cgroup")
			     ?: dump_u64(d, g.address + x->counter.offset, &g.used, "pids_cgroup");
		g.has_limit = g.limit < NO_LIMIT;
		if (st == ST_OK && g.used > MOST_PIDS)
			st = dump_corrupt(d, "pids_cgroup at %#lx counts %ld threads", g.address,
					  (int64_t)g.used);
	}
	if (st == ST_OK)
		*ret = g;
	return st;
}
