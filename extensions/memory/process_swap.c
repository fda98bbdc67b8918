// SPDX-License-Identifier: GPL-2.0-or-later
/* What of the swap of processes is in RAM, and so free as well when they are gone: zram and zswap. */
#include "pools/swap_areas.h"
#include "pools/zram.h"
#include "pools/zswap.h"
#include "processes.h"
#include "util/strbuf.h"

#define TEXT 512
#define DEVICES 16 /* of zram that are compared with areas; more are told as unknown */

struct in_ram {
	struct processes *p;
	const char *names[DEVICES]; /* of zram devices; "": unknown */
	struct zram_device of[DEVICES];
	bool is_swap[DEVICES];
	unsigned int n;
	bool has_unknown; /* an area without a path, a device without a name, or more of them */
	bool has_others;  /* an area in use that is no zram */
	bool is_zswap, has_zswap_sizes;
	uint64_t zswap_pages, zswap_stored; /* with has_zswap_sizes */
};

static enum status add_device(void *arg, const struct zram_device *z)
{
	struct in_ram *x = arg;

	if (x->n == DEVICES || !z->name[0]) {
		x->has_unknown = true;
		return ST_OK;
	}
	x->of[x->n] = *z;
	x->names[x->n] = dump_strdup(x->p->v->dump, z->name);
	x->n++;
	return ST_OK;
}

static enum status add_area(void *arg, const struct swap_area *area)
{
	struct in_ram *x = arg;
	const char *last = area->path ? strrchr(area->path, '/') : NULL;
	bool found = false;

	if (!area->used)
		return ST_OK;
	for (unsigned int i = 0; i < x->n; i++)
		if (last && !strcmp(last + 1, x->names[i]))
			found = x->is_swap[i] = true;
	x->has_unknown |= !last;
	x->has_others |= last && !found;
	return ST_OK;
}

static enum status add_zswap(void *arg, const struct zswap_pool *z)
{
	struct in_ram *x = arg;

	if (!z->has_pages || !z->pages)
		return ST_OK;
	x->has_zswap_sizes = (!x->is_zswap || x->has_zswap_sizes) && z->has_stored;
	x->is_zswap = true;
	x->zswap_pages += z->pages;
	x->zswap_stored += z->stored;
	return ST_OK;
}

static const struct process *most_swapped(const struct processes *p)
{
	const struct process *most = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		if (q->has_task && q->has_exact && q->exact.swap > 0 &&
		    (!most || q->exact.swap > most->exact.swap))
			most = q;
	}
	return most;
}

/* Pages that are stored, and those that they take; false: of one it is unknown. */
static bool sum_devices(const struct in_ram *x, uint64_t *stored, uint64_t *pages)
{
	*stored = *pages = 0;
	for (unsigned int i = 0; i < x->n; i++) {
		if (!x->is_swap[i])
			continue;
		if (!x->of[i].has_stats || !x->of[i].has_pages)
			return false;
		*stored += x->of[i].stored;
		*pages += x->of[i].pages;
	}
	return *stored > 0;
}

/* An inference: what a page takes of each process is as much as on average. */
static void add_share(const struct in_ram *x, const struct process *most, struct strbuf *b)
{
	const unsigned int shift = x->p->v->page_shift;
	const uint64_t swap = (uint64_t)most->exact.swap;
	uint64_t stored, pages;

	if (!sum_devices(x, &stored, &pages))
		return;
	strbuf_add(b, ", %s in %s", SIZE_TEXT((int64_t)(stored << shift)),
		   SIZE_TEXT((int64_t)(pages << shift)));
	if (x->has_others || x->has_unknown || x->is_zswap || swap > stored)
		return;
	strbuf_add(b, "; the end of %s (%d) would free up to about %s of that, by its share",
		   most->task.comm, most->task.tgid,
		   SIZE_TEXT((int64_t)((swap * pages / stored) << shift)));
}

static void add_zram(const struct in_ram *x, const struct process *most, struct strbuf *b)
{
	const char *between = "";

	strbuf_add(b, "HELD is without %s, which is in RAM as well: ",
		   x->has_others || x->has_unknown || x->is_zswap ? "what of SWAP is in zram"
								  : "SWAP");
	for (unsigned int i = 0; i < x->n; i++) {
		if (!x->is_swap[i])
			continue;
		strbuf_add(b, "%s%s", between, x->names[i]);
		between = ", ";
	}
	add_share(x, most, b);
}

static void put_zswap(const struct in_ram *x)
{
	const unsigned int shift = x->p->v->page_shift;
	struct strbuf b = STRBUF_OF(TEXT);

	strbuf_add(&b, "HELD is without what of SWAP is in zswap, which is in RAM as well: ");
	if (x->has_zswap_sizes)
		strbuf_add(&b, "%s in ", SIZE_TEXT((int64_t)(x->zswap_stored << shift)));
	strbuf_add(&b, "%s of all processes", SIZE_TEXT((int64_t)(x->zswap_pages << shift)));
	processes_tell(x->p, b.buf);
}

void processes_put_swapped(struct processes *p)
{
	const struct process *most = most_swapped(p);
	struct dump *d = p->v->dump;
	struct in_ram *x = dump_alloc(d, sizeof(*x));
	struct strbuf b = STRBUF_OF(TEXT);
	enum status zram, areas;

	if (!most || !table_shows(&p->v->in->table, COLUMN_held_bytes))
		return;
	x->p = p;
	zram = zram_walk(d, add_device, x);
	/* Without the types of its module devices were visited; a kernel without it has none. */
	x->has_unknown |= zram != ST_OK && zram != ST_ABSENT && zram != ST_UNKNOWN;
	zswap_walk(d, add_zswap, x);
	areas = swap_areas_walk(d, add_area, x);
	x->has_unknown |= areas != ST_OK;
	d->error[0] = '\0';
	if (ANY_OF(i, x->n, x->is_swap[i])) {
		add_zram(x, most, &b);
		processes_tell(p, b.buf);
	} else if (x->has_unknown && (x->n || (zram != ST_ABSENT && zram != ST_OK))) {
		processes_tell(p, "HELD is without SWAP: whether that is in zram, and so in RAM, is unknown");
	}
	if (x->is_zswap)
		put_zswap(x);
}
