// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slab_aliases.h"

#include "dump/structure.h"
#include "kernel/rb_tree.h"
#include "util/strbuf.h"

#define MAX_NODES 65536 /* as many as caches, which have one or two each */
#define NAME_BYTES 256	/* NAME_MAX is 255 */

struct directory {
	uint64_t node; /* struct kernfs_node */
};

struct entry {
	uint64_t name, target, owner, children;
	uint32_t flags;
};

struct cache {
	uint64_t name;
};

struct walk {
	struct structure kset, entry, cache;
	struct field node, object; /* of struct kernfs_node; of struct kmem_cache */
	struct rb_types rb;
	int64_t link; /* of kernfs_node.flags */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, kset, "struct kset"),
	POINTS(struct directory, node, REQUIRED, "all", "kobj.sd"),
	STRUCTURE(struct walk, entry, "struct kernfs_node"),
	POINTS(struct entry, name, REQUIRED, "all", "name"),
	POINTS(struct entry, target, REQUIRED, "all", "symlink.target_kn"),
	POINTS(struct entry, owner, REQUIRED, "all", "priv"),
	POINTS(struct entry, children, REQUIRED, "all", "dir.children.rb_node"),
	READS(struct entry, flags, REQUIRED, "all", "flags"),
	FINDS(struct walk, node, "struct kernfs_node", REQUIRED, "all", "rb"),
	STRUCTURE(struct walk, cache, "struct kmem_cache"),
	POINTS(struct cache, name, REQUIRED, "all", "name"),
	FINDS(struct walk, object, "struct kmem_cache", REQUIRED, "all", "kobj"),
};

static enum status walk_open(struct dump *d, struct walk *w)
{
	return STRUCTS_OPEN(d, rows, w) ?: rb_types_open(d, &w->rb)
					?: dump_enumerator(d, "KERNFS_LINK", &w->link);
}

static const char *read_name(struct dump *d, const struct walk *w, uint64_t cache)
{
	char name[NAME_BYTES];
	struct cache c;

	if (struct_read(&w->cache, cache, &c) != ST_OK ||
	    dump_string(d, c.name, name, sizeof(name), "name of a slab cache") != ST_OK)
		return NULL;
	return arena_strdup(d->arena, name);
}

/* The cache that a link leads to: its node has the kobject of the cache. */
static enum status read_link(struct dump *d, const struct walk *w, const struct entry *link,
			     struct slab_alias **ret)
{
	char name[NAME_BYTES];
	struct slab_alias *alias;
	struct entry target;
	enum status st = struct_read(&w->entry, link->target, &target)
				 ?: dump_string(d, link->name, name, sizeof(name),
						"name of a slab cache");

	if (st != ST_OK)
		return st;
	if (!target.owner)
		return dump_fail(d, ST_CORRUPT, "/sys/kernel/slab/%s leads to no cache", name);
	alias = dump_alloc(d, sizeof(*alias));
	*alias = (struct slab_alias){ .name = arena_strdup(d->arena, name),
				      .cache = target.owner - w->object.offset };
	alias->server = read_name(d, w, alias->cache);
	*ret = alias;
	return ST_OK;
}

enum status slab_aliases_read(struct dump *d, struct slab_alias **ret)
{
	struct first_problem problem = { 0 };
	struct directory at;
	struct rb_nodes n;
	struct entry e;
	struct walk w;
	uint64_t variable, kset, node;
	enum status st;

	*ret = NULL;
	/* A pointer, whose type BTF does not have. */
	st = dump_has_both(d, "slab_kset", "struct slab_attribute")
		     ?: walk_open(d, &w)
		     ?: dump_symbol(d, "slab_kset", &variable)
		     ?: dump_u64(d, variable, &kset, "slab_kset");
	if (st == ST_ABSENT)
		return dump_fail(d, st,
				 "this kernel has no /sys/kernel/slab: built with "
				 "CONFIG_SLUB_TINY, or without CONFIG_SYSFS");
	if (st == ST_OK && !kset)
		return dump_fail(d, ST_ABSENT, "the kernel had no /sys/kernel/slab yet");
	st = st ?: struct_read(&w.kset, kset, &at) ?: struct_read(&w.entry, at.node, &e);
	if (st != ST_OK)
		return st;
	rb_begin(&n, d, &w.rb, e.children, "tree of /sys/kernel/slab");
	for (unsigned int i = 0; i < MAX_NODES && rb_next(&n, &node); i++) {
		enum status read = struct_read(&w.entry, node - w.node.offset, &e);

		if (read == ST_OK && e.flags & w.link) {
			read = read_link(d, &w, &e, ret);
			if (read == ST_OK)
				ret = &(*ret)->next;
		}
		st = first_problem_keep(d, &problem, read);
		if (st != ST_OK)
			return st;
	}
	return rb_end(&n) ?: first_problem_end(d, &problem);
}

#define NAMED 8 /* merged caches */

const char *slab_merged_text(struct dump *d, const struct slab_cache *c, bool by_name)
{
	struct strbuf b = STRBUF_OF(NAMED * NAME_BYTES);
	struct slab_alias *all = NULL;
	unsigned int named = 0;

	if (!c->has_aliases || !c->aliases)
		return NULL;
	if (by_name && c->aliases <= NAMED && c->name && slab_aliases_read(d, &all) != ST_OK)
		all = NULL;
	for (const struct slab_alias *a = all; a; a = a->next)
		if (a->cache == c->address && strcmp(a->name, c->name) && named++ < NAMED)
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), a->name);
	if (named != c->aliases)
		return arena_text(d->arena, "and %u merged", c->aliases);
	return arena_text(d->arena, "and %u merged (%s)", c->aliases, b.buf);
}
