// SPDX-License-Identifier: GPL-2.0-or-later
/* What a report that was read says beside its members, such as the limit of a cgroup. */
#include "oom/oom_report.h"

#include "oom/oom_line.h"

/* PAGE_COUNTER_MAX stands for no limit: LONG_MAX bytes, in whole pages of at most 64 KiB. */
#define NO_LIMIT_KIB ((uint64_t)INT64_MAX / 1024 - 64)

/* 4 PiB, of 52 bits of a physical address: no machine that is known has as much (riscv64 could address more). */
#define MOST_KIB (1ULL << (52 - 10))

bool oom_limit_can_be(const struct oom_limit *l)
{
	return l->limit_kib.value <= MOST_KIB || !oom_limit_is_set(l);
}

bool oom_limit_is_set(const struct oom_limit *l)
{
	return l->limit_kib.known && l->limit_kib.value < NO_LIMIT_KIB;
}

const struct oom_limit *oom_report_limit(const struct oom_report *r, const char **name)
{
	const struct {
		const char *name;
		const struct oom_limit *limit;
	} limits[] = {
		{ "memory", &r->memory },
		{ "memory+swap", &r->memsw },
		{ "kmem", &r->kmem },
	};
	const struct oom_limit *least = NULL;
	uint64_t least_room = 0;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const struct oom_limit *l = limits[i].limit;
		uint64_t usage = l->usage_kib.value, room;

		if (!l->usage_kib.known || !oom_limit_is_set(l))
			continue;
		room = l->limit_kib.value > usage ? l->limit_kib.value - usage : 0;
		if (least && room >= least_room)
			continue;
		least = l;
		least_room = room;
		*name = limits[i].name;
	}
	return least;
}

const struct oom_report *oom_reports_last(const struct oom_reports *all, enum oom_report_kind kind)
{
	for (unsigned int i = all->n; i--;)
		if (all->reports[i].kind == kind)
			return &all->reports[i];
	return NULL;
}

bool oom_report_is_of_cgroup(const struct oom_report *r)
{
	return *r->oom_memcg || (r->scope == OOM_SCOPE_MEMCG && r->memory.usage_kib.known) ||
	       !strcmp(r->constraint, "CONSTRAINT_MEMCG");
}

bool oom_report_lacks_scope(const struct oom_report *r)
{
	return r->kind == OOM_REPORT_OOM && r->scope == OOM_SCOPE_UNKNOWN && !*r->constraint &&
	       !r->has_mem_info;
}

bool oom_report_is_bare(const struct oom_report *r)
{
	return r->kind == OOM_REPORT_OOM && !r->has_head && !r->has_mem_info &&
	       !r->memory.usage_kib.known && !*r->oom_memcg &&
	       (!*r->constraint || r->constraint_derived) && r->victim.pid.known;
}

bool oom_report_is_by_kswapd(const struct oom_report *r)
{
	const char *node = r->kind == OOM_REPORT_OOM && r->has_head ? log_after(r->comm, "kswapd")
								    : NULL;

	return node && *node >= '0' && *node <= '9';
}

bool oom_report_is_by_sysrq(const struct oom_report *r)
{
	return r->kind == OOM_REPORT_OOM && r->has_order && r->order < 0;
}

const struct oom_report *oom_reports_last_mem_info(const struct oom_reports *all)
{
	for (unsigned int i = all->n; i--;)
		if (all->reports[i].has_mem_info)
			return &all->reports[i];
	return NULL;
}

void oom_leave_cut_path(struct oom_report *r)
{
	const size_t len = strlen(r->oom_memcg);
	const char end = strncmp(r->task_memcg, r->oom_memcg, len) ? 'x' : r->task_memcg[len];

	if (*r->task_memcg && end && (end != '/' || len == 1))
		r->oom_memcg[0] = '\0';
}
