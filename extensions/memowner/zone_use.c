// SPDX-License-Identifier: GPL-2.0-or-later
#include "zone_use.h"

#include "pageowner/view.h"
#include "summary.h"

struct walk {
	const struct summary *s;
	struct owner_view *v;
	struct zone_use *use;
	/* Of the page before: neighbours often have the same. */
	uint64_t memcg;
	struct zone_use_of *of;
};

static bool is_here(const struct walk *w, uint64_t pfn)
{
	const struct zone_sum *z = &w->s->short_zones;

	return ANY_OF(i, z->nspans, pfn >= z->spans[i].start && pfn < z->spans[i].end);
}

static struct zone_use_of *find(struct walk *w, uint64_t memcg)
{
	const char *path;

	if (w->of && w->memcg == memcg)
		return w->of;
	path = memcg ? memcgs_path(&w->v->memcgs, memcg) : NULL;
	w->memcg = memcg;
	w->of = hash_bytes_get(&w->use->cgroups, path ?: "", strlen(path ?: "") + 1, NULL)->value;
	return w->of;
}

static enum status add_page(void *arg, uint64_t pfn)
{
	struct walk *w = arg;
	struct page_info info;
	enum page_class class;
	struct zone_use_of *of;

	if (page_type_at(&w->v->states, pfn, &info) != ST_OK)
		return ST_OK;
	class = page_class_at(w->v->classes, &info, pfn, RECORD_NONE, 0);
	if (class == CLASS_ANON) {
		of = find(w, info.memcg);
		of->anon.all++;
		of->anon.here += is_here(w, pfn);
	} else if (class == CLASS_SHMEM || class == CLASS_FILE) {
		of = find(w, info.memcg);
		of->files.all++;
		of->files.here += is_here(w, pfn);
	}
	return ST_OK;
}

void zone_use_read(const struct summary *s, struct zone_use *ret)
{
	struct owner_view *v = s->view;
	struct walk w = { .s = s, .v = v, .use = ret };

	*ret = (struct zone_use){ 0 };
	hash_bytes_init(&ret->cgroups, s->dump->arena, sizeof(struct zone_use_of));
	if (s->dump->log_file || !v->has_memcgs || !v->has_states || !v->classes ||
	    !s->short_zones.nspans)
		return;
	ret->known = ram_walk(s->dump, &v->owner.ram, add_page, &w) == ST_OK;
}

const struct zone_use_of *zone_use_find(const struct zone_use *u, const char *cgroup)
{
	/* What is charged to the root is charged to none. */
	const char *path = cgroup && strcmp(cgroup, "/") != 0 ? cgroup : "";
	const struct hash_bytes_entry *e = u->cgroups.first;

	while (e && strcmp((const char *)e->key, path) != 0)
		e = e->next;
	return e ? (const struct zone_use_of *)e->value : NULL;
}
