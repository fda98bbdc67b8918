// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the OOM killer ran and no limit, nor the page allocator, asked for it. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* All limits of a cgroup are in one report: memory and swap, or memory+swap and kmem of cgroup v1. */
static bool has_no_limit(const struct oom_report *r)
{
	const char *name;

	return !oom_report_limit(r, &name) && r->memory.limit_kib.known &&
	       r->memory.usage_kib.known && !oom_limit_is_set(&r->memory) &&
	       !oom_limit_is_set(&r->memsw) && !oom_limit_is_set(&r->kmem) &&
	       (r->swap.limit_kib.known || (r->memsw.limit_kib.known && r->kmem.limit_kib.known));
}

bool verdict_add_other_asker(const struct oom_report *r, struct strbuf *b)
{
	static const char *const known[] = { "", "CONSTRAINT_NONE", "CONSTRAINT_MEMCG",
					     "CONSTRAINT_CPUSET", "CONSTRAINT_MEMORY_POLICY" };

	if (ANY_OF(i, ARRAY_SIZE(known), !strcmp(r->constraint, known[i])))
		return false;
	strbuf_add(b,
		   "the OOM killer was asked for a victim%s by %s, which is no constraint of the "
		   "kernel: a program of BPF may have",
		   r->scope == OOM_SCOPE_MEMCG ? " in it" : "", r->constraint);
	return true;
}

bool verdict_add_no_limit(const struct oom_report *r, struct strbuf *b)
{
	struct strbuf asker = STRBUF_OF(256);
	const bool is_by_other = verdict_add_other_asker(r, &asker);

	if (!has_no_limit(r) && !is_by_other)
		return false;
	if (r->memory.usage_kib.known)
		strbuf_add(b, "had %s charged", SIZE_TEXT(r->memory.usage_kib.value << 10));
	else
		strbuf_add(b, "had memory charged, how much is not in this log");
	if (oom_limit_is_set(&r->memory))
		strbuf_add(b, " of a limit of %s", SIZE_TEXT(r->memory.limit_kib.value << 10));
	strbuf_add(b, "%s at the report; %s", has_no_limit(r) ? " and no limit set" : "",
		   is_by_other ? asker.buf
			       : "why the OOM killer was asked for a victim in it is unknown");
	return true;
}
