// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: why a counter and the pages that were found differ, and what holds a cgroup. */
#include "cgroups.h"

#include <stdlib.h>

bool cgroup_pages(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < MEMCG_PAGE_KINDS; i++)
		*ret += g->all.pages[i];
	return !c->pages_problem && !c->is_partial && !c->charges.unreadable &&
	       !c->charges.unknown && !(c->charges.by_cache && c->charges.unknown_slabs) &&
	       c->tree.complete;
}

bool cgroup_unmapped(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	uint64_t all, mapped, cached = 0, swap = 0;

	if (!cgroup_pages(c, g, &all) || !cgroup_stat_bytes(c, g, STAT_ANON, &mapped))
		return false;
	/* Without that counter (5.12, and of version 1) it is known where nothing was swapped out. */
	if (!cgroup_stat_bytes(c, g, STAT_SWAPCACHED, &cached) && !c->no_swap &&
	    (!cgroup_swap(c, g, &swap) || swap))
		return false;
	all = g->all.pages[MEMCG_PAGES_ANON] << c->v->page_shift;
	mapped += cached;
	*ret = all > mapped ? all - mapped : 0;
	return true;
}

/* Whether a cgroup has more than what deltas of CPUs and pages that are about to be freed may be. */
bool cgroup_has_unmapped(const struct cgroups_view *c, const struct cgroup *g)
{
	const uint64_t least = 1ULL << 20; /* as a table that ends at 1M shows */
	uint64_t n;

	return cgroup_unmapped(c, g, &n) && n >= least &&
	       n >= (g->all.pages[MEMCG_PAGES_ANON] << c->v->page_shift) / 10;
}

/* Bytes that are charged to obj_cgroups of the cgroup and its descendants; false: unknown. */
static bool object_bytes(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	uint64_t percpu = 0, zswap = 0;

	if (!c->charges.slabs || c->charges.unknown_slabs || c->charges.bytes_problem)
		return false;
	if (c->tree.counted[STAT_PERCPU] && !cgroup_stat_bytes(c, g, STAT_PERCPU, &percpu))
		return false;
	if (c->tree.counted[STAT_ZSWAP] && !cgroup_stat_bytes(c, g, STAT_ZSWAP, &zswap))
		return false;
	*ret = g->all.object_bytes + (uint64_t)g->all.spare_bytes + percpu + zswap;
	return true;
}

/* Counters of CPUs are off by less. */
#define MOVED_BYTES (1ULL << 20)

static void add_part(struct strbuf *s, uint64_t pages, const char *what)
{
	if (pages)
		strbuf_add(s, "%s%s %lu", strbuf_between(s, ", "), what, pages);
}

/*
 * obj_cgroups go to the parent when a cgroup is removed (memcg_reparent_objcgs()), and uncharge
 * the parent from then on: what the counters of the removed cgroup have of them stays there.  The
 * counter of kernel memory has it too.
 */
static int64_t moved_pages(const struct cgroups_view *c, const struct cgroup *g, int64_t rest,
			   uint64_t byte_pages)
{
	uint64_t kernel;

	if (!g->counts->removed || rest <= 0)
		return 0;
	if (c->states.reparents_all)
		return rest;
	if (!cgroup_stat_bytes(c, g, STAT_KERNEL, &kernel))
		return 0;
	kernel >>= c->v->page_shift;
	return (int64_t)(kernel - g->all.pages[MEMCG_PAGES_KERNEL] - byte_pages) == rest ? rest : 0;
}

/*
 * Pages of memory.current that no struct page refers to the cgroup by: those that CPUs charged in
 * advance, those of sockets (mem_cgroup_charge_skmem()), those of obj_cgroups, and the second ones of
 * page directories.
 */
const char *cgroup_cause(const struct cgroups_view *c, const struct cgroup *g)
{
	unsigned int shift = c->v->page_shift;
	uint64_t found, bytes = 0, sock = 0, named;
	int64_t rest, moved;
	struct strbuf s = STRBUF_OF(256);
	bool has_bytes = object_bytes(c, g, &bytes), has_found = cgroup_pages(c, g, &found);

	if (!has_found || !cgroup_has_usage(g) || g->state.value[MEMCG_USAGE] == found)
		return NULL;
	if (g->state.version == MEMCG_V2 && c->tree.counted[STAT_SOCK])
		has_bytes &= cgroup_stat_bytes(c, g, STAT_SOCK, &sock);
	sock >>= shift;
	if (!has_bytes || c->charges.stock_problem)
		return NULL;
	named = g->all.stock_pages + sock + (bytes >> shift) + g->all.second_pages;
	rest = (int64_t)(g->state.value[MEMCG_USAGE] - found - named);
	moved = moved_pages(c, g, rest, bytes >> shift);
	rest -= moved;
	add_part(&s, bytes >> shift, "objects and per-CPU memory");
	add_part(&s, g->all.stock_pages, "stocks of CPUs");
	add_part(&s, sock, "sockets");
	add_part(&s, g->all.second_pages, "second pages of page directories");
	add_part(&s, moved, "charges that moved to the parent");
	if (rest)
		strbuf_add(&s, "%sunknown %ld", strbuf_between(&s, ", "), rest);
	return dump_strdup(c->v->dump, s.buf);
}

/* An online cgroup has one reference to its own ID (mem_cgroup_css_online()). */
bool cgroup_swap_entries(const struct cgroup *g, uint64_t *ret)
{
	uint64_t refs = g->state.value[MEMCG_ID_REFS], own = !g->counts->removed;

	if (!g->has_state || !g->state.has[MEMCG_ID_REFS] || refs < own)
		return false;
	*ret = refs - own;
	return true;
}

/* The ID has one reference itself, while anything refers to it. */
bool cgroup_other_references(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	uint64_t held = g->own.direct + g->own.stocks + g->children, pages;

	/* 5.9: "mm: memcontrol: decouple reference counting from page accounting" */
	if (!c->charges.objcg_bytes.present)
		return false;
	if (!g->has_state || !g->state.has_refs || !cgroup_pages(c, g, &pages) ||
	    !g->counts->has_children || c->charges.stock_problem || !g->state.has[MEMCG_ID_REFS])
		return false;
	held += g->state.value[MEMCG_ID_REFS] != 0;
	if (g->state.refs < held)
		return false;
	*ret = g->state.refs - held;
	return true;
}

static void put_pin(struct strbuf *s, uint64_t n, const char *one, const char *many)
{
	if (n)
		strbuf_add(s, "%s%s", strbuf_between(s, ", "), PLURAL_TEXT(n, one, many));
}

/* "dying /db: 12 pages of page cache, 3 swap entries; 1 other reference" */
/* What is its parent's, its counters go on to have: slab objects, of kernels that move all charges every page. */
static void add_moved(const struct cgroups_view *c, const struct cgroup *g, struct strbuf *s)
{
	uint64_t own, bytes, slabs = 0;

	if (c->states.reparents_all) {
		strbuf_add(s, "; what else its counters have its parent has now");
		return;
	}
	if (!object_bytes(c, g, &own))
		return;
	for (enum cgroup_stat i = STAT_SLAB_RECLAIMABLE; i <= STAT_SLAB_UNRECLAIMABLE; i++)
		slabs += cgroup_stat_bytes(c, g, i, &bytes) ? bytes : 0;
	if (slabs > own && slabs - own >= MOVED_BYTES)
		strbuf_add(s, "; %s of slab objects that its counters have its parent has now",
			   SIZE_TEXT(slabs - own));
}

static void put_dying(struct cgroups_view *c, const struct cgroup *g)
{
	uint64_t swap = 0, others = 0, pages;
	bool has_swap = cgroup_swap_entries(g, &swap), sure = cgroup_pages(c, g, &pages);
	struct strbuf s = STRBUF_OF(512);

	put_pin(&s, g->own.pages[MEMCG_PAGES_FILE], "page of page cache", "pages of page cache");
	put_pin(&s, g->own.pages[MEMCG_PAGES_SHMEM], "page of shmem", "pages of shmem");
	put_pin(&s, g->own.pages[MEMCG_PAGES_ANON], "anonymous page", "anonymous pages");
	put_pin(&s, g->own.pages[MEMCG_PAGES_KERNEL], "kernel page", "kernel pages");
	put_pin(&s, g->own.objects, "slab object", "slab objects");
	put_pin(&s, swap, "swap entry", "swap entries");
	put_pin(&s, g->children, "child cgroup", "child cgroups");
	put_pin(&s, g->own.stocks, "stock of a CPU", "stocks of CPUs");
	if (cgroup_other_references(c, g, &others))
		put_pin(&s, others, "reference of an unknown holder",
			"references of unknown holders");
	else
		strbuf_add(&s, "%sother references unknown", strbuf_between(&s, ", "));
	if (!s.len)
		strbuf_add(&s, "nothing that was found");
	add_moved(c, g, &s);
	sink_printf(c->v->out, "dying %s: kept by %s%s%s\n", g->counts->path ?: "?", s.buf,
		    sure ? "" : "; not all pages are known",
		    has_swap ? "" : "; swap entries unknown");
}

#define DYING_LINES 10
#define PATH_LINES 3u /* of those that had one path: a service that was started again and again */

/* The most pages first, of as many the parent. */
static int compare_kept(const void *a, const void *b, void *view)
{
	const struct cgroup *x = *(struct cgroup *const *)a, *y = *(struct cgroup *const *)b;
	uint64_t of_x, of_y;

	cgroup_pages(view, x, &of_x);
	cgroup_pages(view, y, &of_y);
	return of_x != of_y ? (of_x < of_y ? 1 : -1) : (x > y) - (x < y);
}

static void put_all_dying(struct cgroups_view *c)
{
	const struct cgroup **dying = dump_alloc(c->v->dump, c->n * sizeof(*dying));
	struct hash_bytes paths; /* of unsigned int: their lines */
	size_t n = 0, shown = 0;

	hash_bytes_init(&paths, c->v->dump->arena, sizeof(unsigned int));
	for (size_t i = 0; i < c->n; i++)
		if (c->cgroups[i].counts->removed && c->cgroups[i].is_kept)
			dying[n++] = &c->cgroups[i];
	qsort_r(dying, n, sizeof(*dying), compare_kept, c);
	for (size_t i = 0; i < n && shown < DYING_LINES; i++) {
		const char *path = dying[i]->counts->path ?: "?";
		unsigned int *lines = hash_bytes_get(&paths, path, strlen(path), NULL)->value;

		if ((*lines)++ >= PATH_LINES)
			continue;
		put_dying(c, dying[i]);
		shown++;
	}
	if (n > shown)
		sink_printf(c->v->out, "... and %s\n", COUNT_OF(n - shown, "more dying cgroup"));
}

static const struct cgroup *by_path(const struct cgroups_view *c, const char *path)
{
	return FIND_IN(c->cgroups, c->n,
		       found->counts->path && !strcmp(found->counts->path, path) &&
			       !found->counts->removed);
}

static void put_member(struct cgroups_view *c, const struct cgroup *g)
{
	if (g->biggest.tgid && g->biggest.comm)
		sink_printf(c->v->out, "  its largest process at the %s: %s (pid %d), RSS %s%s\n",
			    end_name(&c->v->report.info), g->biggest.comm, g->biggest.tgid,
			    SIZE_TEXT(g->biggest.rss << c->v->page_shift),
			    cgroups_have_members(c) ? "" : ", of those that are known");
}

/* The newest report of a cgroup that reached its limit. */
static void put_report(struct cgroups_view *c)
{
	const struct oom_report *r = c->report;
	struct sink *out = c->v->out;
	const char *outcome = r ? oom_outcome_name(r->outcome) : NULL;
	const struct cgroup *g;
	char age[AGE_TEXT];

	if (!r) {
		if (c->log_problem)
			sink_printf(out, "log: no report of a cgroup at its limit was found: %s\n",
				    c->log_problem);
		return;
	}
	g = *r->oom_memcg ? by_path(c, r->oom_memcg) : NULL;
	if (g ? !g->is_kept : c->v->in->filters.n || c->v->in->filters.nrows)
		return;
	sink_printf(out, "log: memory cgroup %s reached its limit",
		    *r->oom_memcg ? r->oom_memcg : "(unknown)");
	if (r->memory.usage_kib.known && r->memory.limit_kib.known)
		sink_printf(out, ", %s of %s", SIZE_TEXT(r->memory.usage_kib.value << 10),
			    SIZE_TEXT(r->memory.limit_kib.value << 10));
	if (age_text(&c->v->report.info, r->ts_ns, age))
		sink_printf(out, ", %s", age);
	sink_text(out, "\n");
	if (r->has_comm)
		sink_printf(out, "  %s asked for memory", r->comm);
	if (r->has_head && outcome)
		sink_printf(out, "; %s", outcome);
	if (r->has_head && r->victim.has_comm)
		sink_printf(out, ": %s (pid %ld)", r->victim.comm,
			    r->victim.pid.known ? (int64_t)r->victim.pid.value : -1);
	sink_text(out, r->has_head ? "\n" : "");
	if (g)
		put_member(c, g);
	else if (*r->oom_memcg && c->tree.complete)
		sink_text(out, "  the cgroup was removed since\n");
}

#define FULL 95 /* percent of pids.max */

/* "/app.slice has 320 of 320 processes and threads that pids.max allows" */
static void put_pids(const struct cgroups_view *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct cgroup *g = &c->cgroups[i];

		if (g->is_kept && g->has_pids && g->pids.has_limit && g->pids.limit &&
		    g->pids.used >= g->pids.limit * FULL / 100)
			sink_printf(c->v->out,
				    "%s has %s of %s processes and threads that pids.max allows\n",
				    g->counts->path ?: "a cgroup without a name",
				    COUNT_TEXT(g->pids.used), COUNT_TEXT(g->pids.limit));
	}
}

void cgroups_put_answers(struct cgroups_view *c)
{
	put_pids(c);
	put_all_dying(c);
	put_report(c);
}
