// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_report.h"

#include "util/units.h"

const char *oom_report_kind_name(enum oom_report_kind kind)
{
	static const char *const names[OOM_REPORT_KINDS] = {
		[OOM_REPORT_OOM] = "oom",
		[OOM_REPORT_ALLOCATION] = "allocation",
		[OOM_REPORT_MEM_INFO] = "mem_info",
	};

	return names[kind];
}

const char *oom_outcome_name(enum oom_outcome outcome)
{
	static const char *const names[OOM_OUTCOMES] = {
		[OOM_KILLED] = "killed",
		[OOM_EXITING] = "exiting",
		[OOM_NO_VICTIM] = "no_victim",
		[OOM_PANICKED] = "panicked",
	};

	return names[outcome];
}

/* Up to 4.5 the number alone is in a log, and names that a line was cut in are unknown. */
const char *oom_report_gfp(struct arena *a, const struct oom_report *r)
{
	if (*r->gfp)
		return r->gfp;
	return r->gfp_mask.known ? arena_text(a, "0x%lx", r->gfp_mask.value) : NULL;
}

const char *oom_report_others(struct arena *a, const struct oom_report *r)
{
	if (r->more_victims)
		return arena_text(a, "%s and %u more", r->others, r->more_victims);
	return *r->others ? r->others : NULL;
}

bool oom_report_hardly_freed(const struct oom_report *r, uint64_t *kib)
{
	const struct log_number anon = r->victim.anon_rss_kib, left = r->left_kib;

	if (!anon.known || !left.known || left.value > anon.value || left.value <= anon.value / 2)
		return false;
	*kib = anon.value - left.value;
	return true;
}

const char *oom_report_remark(struct arena *a, const struct oom_report *r)
{
	const char *others = oom_report_others(a, r);
	uint64_t freed;

	if (r->not_reaped)
		return "its memory was not freed: oom_reaper gave up";
	if (oom_report_hardly_freed(r, &freed))
		return arena_text(a, "oom_reaper freed %s%s of %s of its anonymous memory",
				  freed ? "only " : "nothing", freed ? SIZE_TEXT(freed << 10) : "",
				  SIZE_TEXT(r->victim.anon_rss_kib.value << 10));
	if (r->by_reaper)
		return "the line that tells its victim is not in the log: oom_reaper freed the memory of this one";
	if (!r->is_group)
		return r->has_head	? NULL
		       : r->may_be_rest ? "it may be the rest of the report before it: ts_ns is of "
					  "a later line, at the latest"
		       : r->is_within_log
			       ? "its first line is not in the log, or was not read: ts_ns is of a "
				 "later one, at the latest"
			       : "its first line is not in the log: ts_ns is of a later one, "
				 "at the latest";
	return others ? arena_text(a, "its whole cgroup is killed: memory.oom.group: %s, too",
				   others)
		      : "its whole cgroup is killed: memory.oom.group";
}
