// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_cgroup.h"

#define OOM_CGROUP_COUNTER(name) #name,
const char *const oom_cgroup_names[OOM_CGROUP_NCOUNTERS] = { OOM_CGROUP_COUNTERS(
	OOM_CGROUP_COUNTER) };
#undef OOM_CGROUP_COUNTER

/* "anon 530579456\nfile 0": the first value of a name stays. */
static void take_lines(const char *text, struct oom_cgroup *ret)
{
	while (text && *text) {
		size_t len;
		uint64_t value;
		const char *rest;

		text += strspn(text, " ");
		len = strcspn(text, " \n");
		rest = log_after(text + len, " ");

		rest = rest ? log_take_decimal(rest, &value) : NULL;
		for (size_t i = 0; rest && (!*rest || *rest == '\n') && i < OOM_CGROUP_NCOUNTERS;
		     i++)
			if (strlen(oom_cgroup_names[i]) == len &&
			    !strncmp(oom_cgroup_names[i], text, len) && !ret->bytes[i].known)
				ret->bytes[i] = (struct log_number){ true, value };
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
}

void oom_cgroup_read(const struct kernel_log *log, const struct kernel_record *from,
		     struct oom_cgroup *ret)
{
	bool is_open = false;

	*ret = (struct oom_cgroup){ 0 };
	for (size_t i = (size_t)(from - log->records); i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];

		if (from->has_caller && rec->has_caller && rec->caller != from->caller)
			continue;
		if (!rec->text)
			continue;
		if (log_after(rec->text, "Memory cgroup stats for "))
			is_open = true;
		else if (log_after(rec->text, "Tasks state") || log_after(rec->text, "oom-kill:") ||
			 (rec != from && strstr(rec->text, " invoked oom-killer: ")))
			return;
		else if (is_open)
			take_lines(rec->text, ret);
	}
}
