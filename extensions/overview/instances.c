// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of one name in several cgroups: instances of a service, containers of one image, what sessions leave. */
#include "cgroup/cgroup.h"
#include "memowner/groups.h"
#include "memowner/summary.h"

#define TEXT 256

struct instances {
	struct process_group all; /* what they have together; of its members nothing */
	uint64_t cgroups;
	uint64_t left;	     /* alone in a scope, children of init */
	uint64_t most;	     /* of one cgroup */
	const char *largest; /* its path */
	int32_t tgid;	     /* that has most there */
	char parent[TEXT];   /* the path that all of their cgroups have; "": none */
	bool lacks_cgroup;
};

void summary_keep_common(char *path, const char *other)
{
	size_t at = 0, end = 0;

	while (path[at] && path[at] == other[at]) {
		at++;
		if (!path[at] || path[at] == '/')
			end = (!other[at] || other[at] == '/') ? at : end;
	}
	path[end] = '\0';
}

/* Init starts no process in a scope (systemd.scope(5)): whose parent it is there was taken in, or went there itself. */
static bool is_left(const struct process_groups *p, const struct process_group *g)
{
	const char *path = g->cgroup ?: "", *end = strrchr(path, '.');
	const struct cgroup_processes *of = hash_bytes_find(&p->cgroups, path, strlen(path) + 1);

	return end && !strcmp(end, ".scope") && strcmp(path, "/init.scope") != 0 && of &&
	       of->n == g->processes && !p->lacks_cgroups && g->parent == 1 &&
	       g->of_parent == g->processes;
}

static void add(const struct process_groups *p, struct hash_bytes *names,
		const struct process_group *g)
{
	const uint64_t pages = g->anon + g->swap;
	struct instances *i = hash_bytes_get(names, g->comm, strlen(g->comm) + 1, NULL)->value;
	struct process_group *all = &i->all;

	if (!i->cgroups++) {
		snprintf(all->comm, sizeof(all->comm), "%s", g->comm);
		snprintf(i->parent, sizeof(i->parent), "%s", g->cgroup ?: "");
		all->first_ns = g->first_ns;
		all->most_adj = g->most_adj;
	}
	summary_keep_common(i->parent, g->cgroup ?: "");
	i->lacks_cgroup |= !g->cgroup;
	i->left += is_left(p, g) ? g->processes : 0;
	all->processes += g->processes;
	all->anon += g->anon;
	all->swap += g->swap;
	all->locked += g->locked;
	all->lacks_mm |= g->lacks_mm;
	all->scored += g->scored;
	all->most_adj = g->most_adj > all->most_adj ? g->most_adj : all->most_adj;
	all->first_ns = g->first_ns < all->first_ns ? g->first_ns : all->first_ns;
	all->last_ns = g->last_ns > all->last_ns ? g->last_ns : all->last_ns;
	if (pages > i->most) {
		i->most = pages;
		i->largest = g->cgroup ?: "";
		i->tgid = g->largest.tgid;
	}
}

/* "28 of them are alone in their scopes, children of systemd (1), as those are whose parent has ended" */
static const char *what_they_are(struct summary *s, const struct instances *i)
{
	const uint64_t spread = i->all.last_ns - i->all.first_ns;
	const char *init = i->left ? summary_process_name(s, 1) : NULL, *hold;
	struct strbuf b = STRBUF_OF(2 * TEXT);

	if (spread >= limit(LIMIT_SPREAD) * 1000000000ULL)
		strbuf_add(&b, "the first started %s before the last", TIME_TEXT(spread));
	if (init && i->left > i->all.processes / 2)
		strbuf_add(&b,
			   "%s%s of them are alone in their scopes, children of %s, as those are "
			   "whose parent has ended",
			   strbuf_between(&b, "; "), COUNT_TEXT(i->left), init);
	hold = groups_hold(s, &i->all);
	strbuf_add(&b, "%s%s", hold ? strbuf_between(&b, "; ") : "", hold ?: "");
	return b.len ? dump_strdup(s->dump, b.buf) : NULL;
}

/* Where a cgroup reached its limit what is in others as well is no part of that. */
static bool is_beside_limit(const struct summary *s, const struct instances *i)
{
	return s->limit_path && !s->limit_is_over && !summary_is_limited(s, i->parent);
}

static void put(struct summary *s, const struct instances *i)
{
	const bool lacks = s->tasks_missing || hash_bytes_find(&s->groups->lacking, i->all.comm,
							       strlen(i->all.comm) + 1);
	struct arena *a = s->dump->arena;
	struct statement *row;

	row = summary_held_of_name(
		s, 1U << CLASS_ANON, i->all.comm, i->all.processes, i->tgid,
		i->all.anon + i->all.swap, "memowner processes -g comm",
		arena_text(a, "anon of processes in %s, of which the largest, %.100s, has %s%s%s",
			   COUNT_OF(i->cgroups, "cgroup"), summary_last_of(i->largest),
			   summary_size(s, i->most), i->all.swap ? " with what is in swap" : "",
			   lacks ? "; memory of some of them is unknown" : ""));
	if (!row)
		return;
	summary_set_swapped(s, row, i->all.anon, i->all.swap);
	row->cgroup = arena_strdup(a, *i->parent ? i->parent : "/");
	row->oldest = groups_age(s->groups, i->all.first_ns);
	row->youngest = groups_age(s->groups, i->all.last_ns);
	row->hold = what_they_are(s, i);
}

void summary_put_instances(struct summary *s)
{
	struct hash_bytes names;

	hash_bytes_init(&names, s->dump->arena, sizeof(struct instances));
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		add(s->groups, &names, g);
	/* Where one cgroup has half of it, that one is told. */
	hash_bytes_for_each(const struct instances, i, &names)
		if (i->cgroups > 1 && !i->lacks_cgroup && !is_beside_limit(s, i) &&
		    i->most < (i->all.anon + i->all.swap) / 2)
			put(s, i);
}
