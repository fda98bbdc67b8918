// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory cgroups: what their files beside memory.stat show, which differs between v1 and v2; cpu.max and io.max.
 */
#include "cgroups.h"

#include "cgroup/io_throttle.h"
#include "files/disks.h"

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

struct limits {
	struct cgroups_view *view;
	struct hash_u64 by_cgroup; /* of struct cgroup *, by struct cgroup of the kernel */
	const struct disk *disk;
};

static struct cgroup *find(struct limits *l, uint64_t cgroup)
{
	struct cgroup *const *g = cgroup ? hash_u64_find(&l->by_cgroup, cgroup) : NULL;

	l->view->elsewhere += !g;
	return g ? *g : NULL;
}

static void take_cpu(void *arg, const struct cfs_limit *limit)
{
	struct cgroup *g = find(arg, limit->cgroup);

	if (g) {
		g->cpu = *limit;
		g->has_cpu = true;
	}
}

static void take_io(void *arg, const struct io_limit *limit)
{
	struct limits *l = arg;
	struct cgroup *g = find(l, limit->cgroup);
	struct strbuf b = STRBUF_OF(256);

	if (!g)
		return;
	strbuf_add(&b, "%s%s%s ", g->io ?: "", g->io ? ", " : "", l->disk->name);
	io_limit_text(limit, false, &b);
	g->io = dump_strdup(l->view->v->dump, b.buf);
	g->io_held += limit->bios[IO_READ] + limit->bios[IO_WRITE];
}

static void tell(struct dump *d, const char *what, enum status st)
{
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		dump_lacks(d, what, st, "%s", dump_why(d));
	d->error[0] = '\0';
}

static enum status find_io(struct limits *l)
{
	struct dump *d = l->view->v->dump;
	struct disks *disks = dump_alloc(d, sizeof(*disks));
	enum status st = disks_open(d, disks) ?: disks_read(disks), worst = st;
	struct hash_u64 seen;

	hash_u64_init(&seen, d->arena, 0);
	for (const struct disk *k = disks->first; st == ST_OK && k; k = k->next) {
		bool partial = false;

		l->disk = k;
		if (!k->queue || !hash_u64_add(&seen, k->queue))
			continue;
		st = io_limits_each(d, k->queue, take_io, l, &partial);
		if (partial)
			worst = ST_UNREADABLE;
		/* Of this disk there are none. */
		if (st == ST_ABSENT)
			st = ST_OK;
	}
	if (st == ST_OK && disks->problem)
		worst = dump_unreadable(d, "%s", disks->problem);
	return st ?: worst;
}

void cgroups_find_limits(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct limits l = { .view = c };
	struct cfs_throttle x;
	enum status cpu, io;

	hash_u64_init(&l.by_cgroup, d->arena, sizeof(struct cgroup *));
	for (size_t i = 0; i < c->n; i++)
		if (c->cgroups[i].counts->cgroup)
			*(struct cgroup **)hash_u64_get(&l.by_cgroup, c->cgroups[i].counts->cgroup,
							NULL) = &c->cgroups[i];
	cpu = cfs_throttle_open(d, &x) ?: cfs_limits_each(&x, take_cpu, &l);
	tell(d, "cpu.max of cgroups", cpu);
	io = find_io(&l);
	tell(d, "io.max of cgroups", io);
	for (size_t i = 0; i < c->n; i++) {
		struct cgroup *g = &c->cgroups[i];

		g->knows_cpu = g->has_cpu || cpu == ST_OK || cpu == ST_ABSENT;
		g->knows_io = io == ST_OK || io == ST_ABSENT;
	}
}
