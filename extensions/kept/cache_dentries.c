// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dentries without an inode: names of files that were looked up and do not exist. A long name is an object of a cache
 * of kmalloc(), and so they may fill two caches.
 */
#include "cache_owners.h"

#include "files/dentries.h"
#include "memowner/verdict_words.h"
#include "pageowner/view.h"

#define CHARGE_STEP 256 /* of those that are read, of each n-th it is asked who is charged */

struct negative_names {
	struct dentries of;
	struct asked_cache *a;
	uint64_t cache; /* address of their kmem_cache */
	struct owners_sample sample;
	uint64_t seen, negative; /* of those that were read */
	struct hash_u64 dirs,
		supers;		 /* negative ones by address of the parent, of the super_block */
	struct hash_u64 caches;	 /* long names of negative ones, by address of their cache */
	struct hash_u64 charged; /* negative ones by address of the path of a cgroup, interned */
	uint64_t charge_asked;
	const char *where; /* "/srv/assets", "ext4 /srv" */
	uint64_t super;	   /* that has nearly all; 0: none has */
};

/* The cgroup that is charged for an object; NULL: none, or it is unknown. */
static const char *charged_for(struct asked_cache *a, uint64_t object)
{
	struct owner_view *v = a->s->view;
	struct page_types *types = owner_session(v).types;
	const uint64_t *objcgs;
	struct page_info info;
	struct slab slab;
	uint64_t phys;
	uint32_t i;

	if (!v->has_memcgs || !a->has_slabs || dump_phys(a->s->dump, object, &phys) != ST_OK ||
	    page_type_at(types, phys >> a->s->dump->page_shift, &info) != ST_OK ||
	    info.state != PAGE_TYPE_SLAB || slab_at(&a->slabs, info.head, &slab) != ST_OK ||
	    slab_index(&slab, object, &i) != ST_OK ||
	    slab_objcgs(&a->slabs, &slab, &objcgs) != ST_OK || i >= slab.objects || !objcgs[i])
		return NULL;
	return intern(&v->texts, memcgs_path(&v->memcgs, objcgs[i]));
}

static enum status add_dentry(void *arg, uint64_t object)
{
	struct negative_names *x = arg;
	const struct slab_cache *cache;
	struct dentry_object dentry;
	const char *path;
	const enum status st = dentries_read(&x->of, object, &dentry);

	if (st != ST_OK)
		return st;
	x->seen++;
	if (dentry.inode)
		return ST_OK;
	owners_sum(&x->dirs, dentry.parent, 1);
	owners_sum(&x->supers, dentry.super, 1);
	cache = dentry.name ? cache_of_object(x->a, dentry.name) : NULL;
	if (cache)
		owners_sum(&x->caches, cache->address, 1);
	if (x->negative++ % CHARGE_STEP == 0) {
		x->charge_asked++;
		path = charged_for(x->a, object);
		if (path)
			owners_sum(&x->charged, (uint64_t)(uintptr_t)path, 1);
	}
	return ST_OK;
}

static const char *path_of(struct asked_cache *a, const struct negative_names *x)
{
	const uint64_t dir = owners_most(&x->dirs, x->negative);
	struct inode_paths *paths = dump_alloc(a->s->dump, sizeof(*paths));
	struct inodes *inodes = dump_alloc(a->s->dump, sizeof(*inodes));
	struct super_list supers;
	struct dentry_object parent;
	struct inode_name name;
	struct inode inode;
	const char *mount;

	if (!x->super || inode_paths_open(a->s->dump, paths) != ST_OK ||
	    inodes_open(a->s->dump, inodes) != ST_OK)
		return NULL;
	if (dir && dentries_read(&x->of, dir, &parent) == ST_OK && parent.inode &&
	    inode_read(inodes, parent.inode, &inode) == ST_OK &&
	    inode_path(paths, &inode, &name) == ST_OK && *name.path == '/')
		return dump_strdup(a->s->dump, name.path);
	if (super_list_open(a->s->dump, &supers) != ST_OK ||
	    !super_root(&supers, inodes, x->super, &inode) ||
	    inode_mount_path(paths, &inode, &mount) != ST_OK)
		return NULL;
	return dump_text(a->s->dump, "%s %s", inode.super->type, mount);
}

/*
 * Of the large ones that of dentries, which is never merged with others (kmem_cache_create_usercopy()); 0: it is none. From
 * 7.0 on no variable need have it: it is a constant in the text.
 */
static uint64_t dentry_cache(const struct summary *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->caches) && s->caches[i].use; i++) {
		const struct slab_cache *c = s->caches[i].use->cache;

		if (c && !strcmp(c->kind ?: c->name ?: "", "dentry"))
			return c->address;
	}
	return 0;
}

static struct negative_names *names_new(struct asked_cache *a)
{
	struct dump *d = a->s->dump;
	struct negative_names *x = dump_alloc(d, sizeof(*x));

	*x = (struct negative_names){ .a = a,
				      .cache = dentry_cache(a->s),
				      .sample = { .read = add_dentry, .arg = x } };
	hash_u64_init(&x->dirs, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->supers, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->caches, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->charged, d->arena, sizeof(uint64_t));
	if (!x->cache)
		return x;
	if (dentries_open(d, &x->of) != ST_OK) {
		x->sample.problem = dump_why(d);
		return x;
	}
	if (owners_sample(a, x->cache, &x->sample) != ST_OK)
		return x;
	x->super = owners_most(&x->supers, x->negative);
	x->where = x->super ? path_of(a, x) : NULL;
	d->error[0] = '\0';
	return x;
}

/* ", charged to cgroup /web"; "": to none that has nearly all. */
static const char *charge_text(struct asked_cache *a)
{
	const struct negative_names *x = a->negative_names;
	const char *path = (const char *)(uintptr_t)owners_most(&x->charged, x->charge_asked);

	return path && path[1] ? dump_text(a->s->dump, ", charged to cgroup %s", path) : "";
}

/* Without pressure on them the kernel frees none, by drop_caches neither (super_cache_count()). */
static const char *release_of(struct asked_cache *a)
{
	const char *pressure = verdict_setting(a->s, "vm.vfs_cache_pressure");

	return pressure && !strcmp(pressure, "0")
		       ? "vm.vfs_cache_pressure above 0; the end of a process frees none of them"
		       : "echo 2 > /proc/sys/vm/drop_caches; the end of a process frees none of "
			 "them";
}

/* n: objects of the cache; what: what they are. */
static void put(struct asked_cache *a, uint64_t n, const char *what)
{
	const struct negative_names *x = a->negative_names;
	const uint64_t all = slab_use_most(a->use);
	struct cache_owners o = { .what = what, .place = "" };
	struct arena *arena = a->s->dump->arena;

	o.problem = x->sample.problem;
	n = n * x->sample.step < all ? n * x->sample.step : all;
	if (units_tenths(n, all) < OWNERS_MOST)
		return;
	cache_owners_add(&o, n, n, NULL,
			 x->where ? arena_text(arena, "in %s%s", x->where, charge_text(a))
				  : arena_text(arena, "of several directories%s", charge_text(a)));
	cache_owners_put(a, &o);
	if (!x->where)
		return;
	a->super_at = x->super;
	a->keeper_text = arena_text(arena, "names of files that do not exist in %s", x->where);
	a->keeper_what = arena_text(arena, "%s%s of %s objects of slab cache %s are %s%s",
				    owners_about(&x->sample), COUNT_TEXT(n), COUNT_TEXT(all),
				    slab_use_name(a->use) ?: "unknown", what, charge_text(a));
	a->keeper_objects = arena_text(arena, "%s%s names%s", owners_about(&x->sample),
				       COUNT_TEXT(x->negative * x->sample.step), charge_text(a));
	a->command = "memowner shrinkers";
	a->release = release_of(a);
}

static bool has_reclaimable_names(const struct asked_cache *a)
{
	return !strncmp(slab_use_name(a->use) ?: "", "kmalloc-", 8) &&
	       a->use->cache->is_reclaimable;
}

static bool ask_names(struct asked_cache *a)
{
	if (!a->negative_names)
		a->negative_names = names_new(a);
	if (a->negative_names->seen &&
	    units_tenths(a->negative_names->negative, a->negative_names->seen) >= OWNERS_MOST)
		return true;
	cache_owners_unknown(a, a->negative_names->sample.problem);
	return false;
}

void cache_ask_negative(struct asked_cache *a)
{
	if (ask_names(a) && a->use->cache->address == a->negative_names->cache)
		put(a, a->negative_names->negative, "dentries without an inode (negative)");
}

void cache_ask_long_names(struct asked_cache *a)
{
	const uint64_t *n;

	if (!has_reclaimable_names(a) || !ask_names(a))
		return;
	n = hash_u64_find(&a->negative_names->caches, a->use->cache->address);
	if (n)
		put(a, *n, "long names of dentries without an inode (negative)");
}
