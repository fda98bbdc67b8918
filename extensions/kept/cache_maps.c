// SPDX-License-Identifier: GPL-2.0-or-later
/* VMAs, each with an object of vm_area_struct, from 6.4 to 6.14 with one of vma_lock too: mm_struct.map_count. */
#include "cache_owners.h"

#define MOST_MAPS \
	950 /* tenths of a percent of all mappings: what they consist of is then of that process */
#define PARTS 4 /* of a kind that a mapping may have, since fork() */

/* Of one mm_struct: what vfork() made, and threads, have it too. */
struct map_owner {
	uint64_t n;
	struct file_user user;
};

struct map_owners {
	struct hash_u64 all; /* of struct map_owner by address of mm_struct */
	const char *problem; /* NULL, or why there may be more */
};

struct walk {
	struct map_owners *to;
	struct mm_structs mms;
};

struct map_owners *map_owners_new(struct dump *d)
{
	struct map_owners *x = dump_alloc(d, sizeof(*x));

	hash_u64_init(&x->all, d->arena, sizeof(struct map_owner));
	return x;
}

void map_owners_add(struct map_owners *x, const struct task *t, uint64_t maps)
{
	bool is_new;
	struct map_owner *of = hash_u64_get(&x->all, t->mm, &is_new);

	if (!is_new)
		return;
	of->n = maps;
	of->user.tgid = t->tgid;
	snprintf(of->user.comm, sizeof(of->user.comm), "%s", t->comm);
}

static enum status visit(void *arg, const struct task *t)
{
	struct walk *w = arg;
	struct mm_struct mm;

	if (!t->mm || t->is_kthread || hash_u64_has(&w->to->all, t->mm))
		return ST_OK;
	if (mm_struct_read(&w->mms, t->mm, &mm) != ST_OK || !mm.has_maps || mm.maps < 0)
		w->to->problem = "mappings of some processes are unknown";
	else
		map_owners_add(w->to, t, (uint64_t)mm.maps);
	return ST_OK;
}

/* Once for all caches. */
static struct map_owners *find_owners(struct asked_cache *a)
{
	struct dump *d = a->s->dump;
	struct tasks tasks;
	struct walk w;
	enum status st;

	if (a->map_owners)
		return a->map_owners;
	w.to = a->map_owners = map_owners_new(d);
	st = mm_structs_open(d, &w.mms) ?: tasks_open(d, &tasks) ?: tasks_walk(&tasks, visit, &w);
	if (st != ST_OK)
		w.to->problem = dump_why(d);
	return w.to;
}

void cache_ask_maps(struct asked_cache *a)
{
	struct map_owners *x = find_owners(a);
	struct cache_owners o = { .what = "mappings",
				  .place = "of ",
				  .problem = x->problem,
				  .command = "memowner case -f setting=vm.max_map_count" };

	hash_u64_for_each(struct map_owner, of, &x->all)
		cache_owners_add_user(a, &o, of->n, &of->user);
	/* Each has an object of its own. */
	if (o.n > slab_use_most(a->use))
		return cache_owners_unknown(a, "more mappings are counted than it has objects");
	cache_owners_put(a, &o);
}

/*
 * What mappings consist of, anon_vma, anon_vma_chain and nodes of the maple tree, names no process: one that has nearly all
 * mappings has nearly all of these, where it has enough of them.
 */
void cache_ask_map_parts(struct asked_cache *a)
{
	const struct map_owners *x = find_owners(a);
	struct cache_owners o = { .what = "parts of mappings (inferred)",
				  .place = "of ",
				  .problem = x->problem,
				  .command = "memowner case -f setting=vm.max_map_count" };
	const struct map_owner *most = NULL;
	uint64_t sum = 0;

	hash_u64_for_each(struct map_owner, of, &x->all) {
		sum += of->n;
		most = !most || of->n > most->n ? of : most;
	}
	if (!most || units_tenths(most->n, sum) < MOST_MAPS ||
	    most->n < slab_use_most(a->use) / PARTS)
		return;
	cache_owners_add_user(a, &o, slab_use_most(a->use), &most->user);
	cache_owners_put(a, &o);
}
