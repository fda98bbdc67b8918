// SPDX-License-Identifier: GPL-2.0-or-later
/* Mounts, by their namespaces: a new one copies all mounts of the one that it is made from (copy_tree()). */
#include "cache_owners.h"

#define INIT 1 /* takes in what has no parent */

/* Namespaces that one process of that name keeps, each. */
struct mounts_of_name {
	const char *comm;
	uint64_t namespaces, mounts;
	const struct file_user *parent; /* of all those processes; NULL: several, or unknown */
};

static void add(struct asked_cache *a, struct hash_bytes *names, const struct mount_namespace *ns,
		const struct file_user *keeper)
{
	bool is_new;
	struct mounts_of_name *of =
		hash_bytes_get(names, keeper->comm, strlen(keeper->comm) + 1, &is_new)->value;
	const struct file_user *parent = is_new || of->parent ? cache_parent_of(a, keeper->tgid)
							      : NULL;

	if (is_new) {
		of->comm = keeper->comm;
		of->parent = parent;
	}
	if (of->parent && (!parent || parent->tgid != of->parent->tgid))
		of->parent = NULL;
	of->namespaces++;
	of->mounts += ns->mounts;
}

/* "158 of them of processes sandbox, children of sandboxd (98)" */
static const char *name_text(struct arena *arena, const struct mounts_of_name *n)
{
	const char *parent = n->parent && n->parent->tgid != INIT && *n->parent->comm
				     ? arena_text(arena, ", children of %s (%d)", n->parent->comm,
						  n->parent->tgid)
				     : "";

	return arena_text(arena, "%s of them of processes %s%s", COUNT_TEXT(n->namespaces), n->comm,
			  parent);
}

void cache_ask_mounts(struct asked_cache *a)
{
	struct cache_owners o = { .what = "mounts", .place = "in the mount namespace of " };
	const struct mount_namespaces *all = a->held->mounts;
	struct arena *arena = a->s->dump->arena;
	const struct mounts_of_name *most = NULL;
	struct hash_bytes names;
	uint64_t n = 0;

	if (!all)
		return cache_owners_unknown(a, a->held->problems[HELD_MOUNTS]);
	hash_bytes_init(&names, arena, sizeof(struct mounts_of_name));
	o.problem = all->problem;
	for (const struct mount_namespace *ns = all->all; ns < all->all + all->n; ns++) {
		const struct file_user *keeper = mount_namespace_keeper(all, ns);

		n += ns->mounts > 0;
		cache_owners_add(&o, ns->mounts, ns->mounts, &ns->users,
				 ns->is_initial ? "in the initial mount namespace" : NULL);
		if (keeper && ns->mounts && *keeper->comm)
			add(a, &names, ns, keeper);
	}
	hash_bytes_for_each(const struct mounts_of_name, of, &names)
		most = !most || of->mounts > most->mounts ? of : most;
	if (units_tenths(o.most, o.sum) < OWNERS_MOST)
		o.what = arena_text(arena, "mounts in %s%s", o.problem ? "at least " : "",
				    COUNT_OF(n, "mount namespace"));
	if (most && most->namespaces > 1 && most->mounts > o.most) {
		const bool is_all = units_tenths(most->mounts, o.sum) >= OWNERS_MOST;

		if (is_all)
			o.what = "mounts";
		o.where = is_all ? arena_text(arena, "in %s, %s", COUNT_OF(n, "mount namespace"),
					      name_text(arena, most))
				 : arena_text(arena, "in %s", name_text(arena, most));
		o.most = is_all ? o.sum : most->mounts;
	}
	cache_owners_put(a, &o);
}
