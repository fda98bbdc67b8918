// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_cgroup.h"

#define OOM_CGROUP_COUNTER(name) #name,
const char *const oom_cgroup_names[OOM_CGROUP_NCOUNTERS] = { OOM_CGROUP_COUNTERS(
	OOM_CGROUP_COUNTER) };
#undef OOM_CGROUP_COUNTER

/* What cgroup v1 calls them: of the cgroup alone, then of it with those below, which is what a limit counts. */
static const struct {
	const char *name;
	enum oom_cgroup_counter is;
	bool is_total;
} of_v1[] = {
	{ "rss", OOM_CGROUP_anon, false },	   { "cache", OOM_CGROUP_file, false },
	{ "total_rss", OOM_CGROUP_anon, true },	   { "total_cache", OOM_CGROUP_file, true },
	{ "total_shmem", OOM_CGROUP_shmem, true },
};

/* The first value of a name stays, but for a total. */
static void take_value(struct oom_cgroup *ret, const char *name, size_t len, uint64_t value)
{
	const struct log_number number = { true, value };

	for (size_t i = 0; i < OOM_CGROUP_NCOUNTERS; i++)
		if (strlen(oom_cgroup_names[i]) == len &&
		    !strncmp(oom_cgroup_names[i], name, len) && !ret->bytes[i].known)
			ret->bytes[i] = number;
	for (size_t i = 0; i < ARRAY_SIZE(of_v1); i++)
		if (strlen(of_v1[i].name) == len && !strncmp(of_v1[i].name, name, len) &&
		    (of_v1[i].is_total || !ret->bytes[of_v1[i].is].known))
			ret->bytes[of_v1[i].is] = number;
}

/* "anon 530579456\nfile 0" */
static void take_lines(const char *text, struct oom_cgroup *ret)
{
	while (text && *text) {
		size_t len;
		uint64_t value;
		const char *rest;

		text += strspn(text, " ");
		len = strcspn(text, " \n");
		rest = log_after(text + len, " ");

		rest = rest ? log_take_figure(rest, &value) : NULL;
		if (rest && (!*rest || *rest == '\n'))
			take_value(ret, text, len, value);
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
}

/*
 * ": cache:80KB rss:516948KB ...", up to 5.2 behind the path of the cgroup and of each below it, which have their own
 * pages alone: the sum is of the first one.
 */
static void take_own(const char *text, struct oom_cgroup *ret)
{
	static const struct {
		const char *mark;
		enum oom_cgroup_counter to;
	} own[] = { { ": cache:", OOM_CGROUP_file },
		    { "KB rss:", OOM_CGROUP_anon },
		    { "KB shmem:", OOM_CGROUP_shmem } };
	const char *all = log_find(text, own[0].mark);

	for (size_t i = 0; all && i < ARRAY_SIZE(own); i++) {
		struct log_number *to = &ret->bytes[own[i].to];
		const char *rest = log_find(text, own[i].mark);
		uint64_t kib;

		rest = rest ? log_take_figure(rest, &kib) : NULL;
		if (rest && log_after(rest, "KB") && kib < UINT64_MAX >> 20)
			*to = (struct log_number){ true, to->value + (kib << 10) };
	}
}

/* What is in another counter too is counted there; where that is unknown, or more than there is, so is the rest. */
static void leave_parts(struct oom_cgroup *c)
{
	static const enum oom_cgroup_counter of_kernel[] = {
		OOM_CGROUP_kernel_stack, OOM_CGROUP_pagetables, OOM_CGROUP_sec_pagetables,
		OOM_CGROUP_percpu,	 OOM_CGROUP_vmalloc,	OOM_CGROUP_slab,
		OOM_CGROUP_zswap
	};
	struct log_number *file = &c->bytes[OOM_CGROUP_file];
	struct log_number *kernel = &c->bytes[OOM_CGROUP_kernel];
	const struct log_number *shmem = &c->bytes[OOM_CGROUP_shmem];
	uint64_t parts = 0;

	file->known &= shmem->known && shmem->value <= file->value;
	file->value -= file->known ? shmem->value : 0;
	c->kernel = *kernel;
	for (size_t i = 0; i < ARRAY_SIZE(of_kernel); i++) {
		const struct log_number *part = &c->bytes[of_kernel[i]];

		if (part->known)
			parts = part->value > UINT64_MAX - parts ? UINT64_MAX : parts + part->value;
	}
	kernel->known &= parts <= kernel->value;
	kernel->value -= kernel->known ? parts : 0;
}

static void read_counters(const struct kernel_log *log, const struct kernel_record *from,
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
		if (log_after(rec->text, "Memory cgroup stats for ")) {
			is_open = true;
			take_own(rec->text, ret);
		} else if (log_after(rec->text, "Tasks state") ||
			   log_after(rec->text, "oom-kill:") ||
			   (rec != from && strstr(rec->text, " invoked oom-killer: "))) {
			return;
		} else if (is_open) {
			take_lines(rec->text, ret);
		}
	}
}

void oom_cgroup_read(const struct kernel_log *log, const struct kernel_record *from,
		     struct oom_cgroup *ret)
{
	read_counters(log, from, ret);
	leave_parts(ret);
}
