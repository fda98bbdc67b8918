// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: what their files beside memory.stat show, which differs between v1 and v2. */
#include "cgroups.h"

bool cgroup_has_usage(const struct cgroup *g)
{
	return g->counts->parent && g->has_state;
}

bool cgroup_has_events(const struct cgroup *g)
{
	return g->has_state && g->state.has_events &&
	       (g->counts->parent || g->state.version == MEMCG_V1);
}

/* The root of v1 shows counters of memory.stat for usage (mem_cgroup_usage()). */
static bool root_usage(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	uint64_t file;

	if (g->counts->parent || !g->has_state || g->state.version != MEMCG_V1 ||
	    !cgroup_stat_bytes(c, g, STAT_ANON, ret) || !cgroup_stat_bytes(c, g, STAT_FILE, &file))
		return false;
	*ret += file;
	return true;
}

bool cgroup_usage(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	if (!cgroup_has_usage(g))
		return root_usage(c, g, ret);
	*ret = g->state.value[MEMCG_USAGE] << c->v->page_shift;
	return true;
}

/* Without swap accounting nothing of it is counted for any cgroup. */
bool cgroup_swap(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	if (c->no_swap || !g->has_state)
		return false;
	if (g->state.version == MEMCG_V1)
		return cgroup_stat_bytes(c, g, STAT_SWAP, ret);
	*ret = g->state.value[MEMCG_SWAP_USAGE] << c->v->page_shift;
	return g->counts->parent && g->state.version == MEMCG_V2 && g->state.has[MEMCG_SWAP_USAGE];
}

bool cgroup_memsw(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	uint64_t swap;

	if (c->no_swap || !g->has_state || g->state.version != MEMCG_V1)
		return false;
	if (!g->counts->parent) {
		if (!root_usage(c, g, ret) || !cgroup_stat_bytes(c, g, STAT_SWAP, &swap))
			return false;
		*ret += swap;
		return true;
	}
	*ret = g->state.value[MEMCG_MEMSW_USAGE] << c->v->page_shift;
	return g->state.has[MEMCG_MEMSW_USAGE];
}

/* Before memory.stat had it (5.18), v1 has a page counter. */
bool cgroup_kernel(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret)
{
	if (c->tree.counted[STAT_KERNEL])
		return cgroup_stat_bytes(c, g, STAT_KERNEL, ret);
	*ret = g->state.value[MEMCG_KMEM_USAGE] << c->v->page_shift;
	return g->has_state && g->state.version == MEMCG_V1 && g->state.has[MEMCG_KMEM_USAGE];
}
