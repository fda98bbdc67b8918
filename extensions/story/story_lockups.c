// SPDX-License-Identifier: GPL-2.0-or-later
/* What a CPU was at when a watchdog found that it did not get on: by the call trace behind that line. */
#include "log/oops.h"
#include "story.h"

#define TRACE_RECORDS 120 /* registers, code, and the trace: each frame has a record */

/* Functions that allocate a page where none is free at once, or free some for that: names since 2.6.12, 2.6.25. */
static const char *const allocating[] = { "__alloc_pages_slowpath", "try_to_free_pages",
					  "try_to_free_mem_cgroup_pages" };

/* "  __alloc_pages_slowpath.constprop.0+0x12e/0xe70"; "? NAME" may be left from before. */
static bool is_allocating(const char *text)
{
	text += strspn(text, " ");
	for (size_t i = 0; i < ARRAY_SIZE(allocating); i++) {
		const size_t n = strlen(allocating[i]);

		if (!strncmp(text, allocating[i], n) && (text[n] == '+' || text[n] == '.'))
			return true;
	}
	return false;
}

static bool ends_trace(const char *text)
{
	text += strspn(text, " ");
	/* What other CPUs are at stands behind it. */
	return !strncmp(text, "</TASK>", strlen("</TASK>")) || strstr(text, "NMI backtrace ") ||
	       strstr(text, "Sending NMI ") || strstr(text, "BUG: ") || strstr(text, "INFO: ");
}

bool story_lockup_allocates(const struct kernel_log *log, const struct standstill *of)
{
	const struct kernel_record *first = of->first, *end = log->records + log->n;

	/* Whose trace it is a line without a task does not tell. */
	if (of->kind == STALL_NONE || !of->pid.known || !*of->comm || first < log->records ||
	    first >= end)
		return false;
	for (const struct kernel_record *r = first + 1; r < end && r < first + TRACE_RECORDS; r++) {
		if (!r->text || (r->has_caller && first->has_caller && r->caller != first->caller))
			continue;
		if (ends_trace(r->text))
			return false;
		if (is_allocating(r->text))
			return true;
	}
	return false;
}
