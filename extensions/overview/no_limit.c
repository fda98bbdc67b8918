// SPDX-License-Identifier: GPL-2.0-or-later
/* A cgroup in which the OOM killer ran though no limit of it was set. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* All limits of a cgroup are in one report: memory and swap, or memory+swap of cgroup v1. */
static bool has_no_limit(const struct oom_report *r)
{
	const char *name;

	return !oom_report_limit(r, &name) && r->memory.limit_kib.known &&
	       r->memory.usage_kib.known && !oom_limit_is_set(&r->memory) &&
	       !oom_limit_is_set(&r->memsw) && !oom_limit_is_set(&r->kmem) &&
	       (r->swap.limit_kib.known || r->memsw.limit_kib.known);
}

bool verdict_add_no_limit(const struct oom_report *r, struct strbuf *b)
{
	static const char *const known[] = { "", "CONSTRAINT_NONE", "CONSTRAINT_MEMCG",
					     "CONSTRAINT_CPUSET", "CONSTRAINT_MEMORY_POLICY" };

	if (!has_no_limit(r))
		return false;
	strbuf_add(b, "had %s charged and no limit set at the report; ",
		   SIZE_TEXT(r->memory.usage_kib.value << 10));
	if (ANY_OF(i, ARRAY_SIZE(known), !strcmp(r->constraint, known[i])))
		strbuf_add(b, "why the OOM killer was asked for a victim in it is unknown");
	else
		strbuf_add(
			b,
			"the OOM killer was asked for a victim in it by %s, which is no constraint "
			"of the kernel: a program of BPF may have",
			r->constraint);
	return true;
}
