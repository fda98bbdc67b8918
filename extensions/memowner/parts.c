// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.h"

#include "pageowner/view.h"

/* What a part cannot do without. */
enum needs {
	NEEDS_NONE,
	NEEDS_PAGES,   /* System RAM and the memory map */
	NEEDS_CLASSES, /* and the class of each page */
};

/*
 * In the order in which they are asked: those that look at each page in one pass are opened before it.
 * A part without a decoder in this kernel is told if tells_absent: a boot option would have made it.
 */
static const struct part {
	const char *name;
	enum status (*collect)(struct summary *s);
	enum needs needs;
	bool tells_absent;
} parts[] = {
	{ "case", summary_read_case, NEEDS_NONE, false },
	{ "panic, OOM report", summary_log, NEEDS_NONE, true },
	{ "RAM", summary_pass, NEEDS_PAGES, true },
	{ "MemTotal", summary_total, NEEDS_NONE, true },
	{ "classes", summary_classes, NEEDS_CLASSES, true },
	{ "zones", summary_zones, NEEDS_PAGES, true },
	{ "swap", summary_swap, NEEDS_NONE, false },
	{ "huge pages", summary_hugetlb, NEEDS_NONE, false },
	{ "caches", summary_caches, NEEDS_CLASSES, false },
	{ "files", summary_files, NEEDS_CLASSES, false },
	{ "cgroups", summary_cgroups, NEEDS_NONE, false },
	{ "callers of vmalloc", summary_callers, NEEDS_CLASSES, false },
	{ "devices of zram", summary_zram, NEEDS_CLASSES, false },
	{ "pools of zswap", summary_zswap, NEEDS_CLASSES, false },
	{ "page pools", summary_page_pools, NEEDS_CLASSES, false },
	{ "sockets", summary_sockets, NEEDS_CLASSES, false },
	{ "lists of direct pages", summary_counted, NEEDS_CLASSES, false },
	{ "buffers of DMA-BUF", summary_buffers, NEEDS_PAGES, false },
	{ "BPF maps", summary_bpf, NEEDS_PAGES, false },
	{ "message queues", summary_queues, NEEDS_PAGES, false },
	{ "System V message queues", summary_sysv_queues, NEEDS_PAGES, false },
	{ "what processes hold", summary_held, NEEDS_CLASSES, false },
	{ "areas of CMA", summary_cma, NEEDS_PAGES, false },
	{ "balloons", summary_balloons, NEEDS_CLASSES, false },
	{ "owners", summary_owners, NEEDS_NONE, true },
	{ "cgroups of owners", summary_charges, NEEDS_PAGES, false },
	{ "sites", summary_sites, NEEDS_NONE, true },
	{ "processes", summary_tasks, NEEDS_NONE, true },
	{ "threads in a page fault", summary_in_fault, NEEDS_NONE, true },
	{ "groups of processes", summary_groups, NEEDS_NONE, false },
	{ "owners by pointers", summary_inferred, NEEDS_CLASSES, false },
	{ "network namespaces", summary_namespaces, NEEDS_CLASSES, false },
	{ "modules out of tree", summary_candidates, NEEDS_NONE, false },
	{ "next boot", summary_next_boot, NEEDS_CLASSES, false },
	{ "reclaim", summary_reclaim, NEEDS_NONE, false },
	{ "verdict", summary_verdict, NEEDS_NONE, false },
};

/* The same where a text of the log is all that there is. */
static const struct part log_parts[] = {
	{ "case", summary_read_case, NEEDS_NONE, false },
	{ "panic, OOM report", summary_log, NEEDS_NONE, true },
	{ "call sites", summary_log_sites, NEEDS_NONE, false },
	{ "memory", summary_log_memory, NEEDS_NONE, false },
	{ "caches", summary_log_slabs, NEEDS_NONE, false },
	{ "cgroup", summary_log_cgroup, NEEDS_NONE, false },
	{ "processes", summary_log_tasks, NEEDS_NONE, false },
	{ "what a log has not", summary_log_missing, NEEDS_NONE, false },
	{ "verdict", summary_verdict, NEEDS_NONE, false },
};

/* What the part needs was told by another one, or is why it is unknown. */
static bool has_needs(const struct summary *s, const struct part *p,
		      const struct first_problem **why)
{
	*why = p->needs == NEEDS_NONE		  ? NULL
	       : s->pages_problem.status != ST_OK ? &s->pages_problem
	       : p->needs == NEEDS_CLASSES	  ? &s->view->problems[SOURCE_CLASSES]
						  : NULL;
	return !*why || (*why)->status == ST_OK;
}

static enum status run(struct summary *s, const struct part *p)
{
	const struct first_problem *why;
	struct dump *d = s->dump;
	enum status st;

	/* A message of another part is no reason of this one. */
	d->error[0] = '\0';
	s->why = AVAILABLE;
	if (has_needs(s, p, &why))
		st = p->collect(s);
	else
		st = dump_fail(d, why->status, "%s", why->text ?: "");
	if (st != ST_ABSENT || !p->tells_absent)
		return summary_failed(s, p->name, st);
	summary_unknown(s, p->name, s->why == AVAILABLE ? NOT_BUILT : s->why, "%s",
			*d->error ? d->error : "this kernel has none");
	return ST_OK;
}

enum status parts_open(struct summary *s, enum availability *why)
{
	struct owner_view *v = s->view;

	v->report.tells_unknown = true;
	s->report = &v->report;
	s->main_class = CLASS_UNKNOWN;
	if (s->dump->log_file)
		return ST_OK;
	v->any_kernel = true;
	v->sums_up = true;
	v->needs = 1 << KEY_CLASS | 1 << KEY_MEMCG | 1 << KEY_OWNER;
	limits_trace(s->dump);
	return first_problem_keep(s->dump, &s->pages_problem, owner_view_open(v, why));
}

enum status parts_run(struct summary *s)
{
	const struct part *all = s->dump->log_file ? log_parts : parts;
	const size_t n = s->dump->log_file ? ARRAY_SIZE(log_parts) : ARRAY_SIZE(parts);
	enum status ret = ST_OK;

	s->complete = s->pages_problem.status == ST_OK;
	for (size_t i = 0; i < n; i++) {
		/* What the pass has found is shown, whatever it reached. */
		if (ret == ST_STOPPED && all[i].needs == NEEDS_NONE)
			continue;
		if (run(s, &all[i]) == ST_STOPPED)
			ret = ST_STOPPED;
	}
	return ret;
}
