// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg.h"

#include "dump/layout.h"

#define MEMCG_DATA_FLAGS 7 /* low bits (enum page_memcg_data_flags) */
#define MEMCG_DATA_OBJEXTS \
	1 /* a vector of struct slabobj_ext, or of pointers to obj_cgroup (to 6.9) */
#define MEMCG_DATA_KMEM 2 /* charged through an obj_cgroup (always since 7.1) */
#define MAX_NAME 256	  /* NAME_MAX is 255 */

static const struct layout_row rows[MEMCG_FIELDS] = {
	[MEMCG_SUBSYSTEM] = { "struct mem_cgroup", { "css.ss" }, REQUIRED, "all" },
	[MEMCG_CGROUP] = { "struct mem_cgroup", { "css.cgroup" }, REQUIRED, "all" },
	[CGROUP_NODE] = { "struct cgroup", { "kn" }, REQUIRED, "all" },
	[NODE_PARENT] = { "struct kernfs_node", { "__parent", "parent" }, REQUIRED, "6.15, all" },
	[NODE_NAME] = { "struct kernfs_node", { "name" }, REQUIRED, "all" },
	[OBJCG_MEMCG] = { "struct obj_cgroup", { "memcg" }, OPTIONAL, "5.9" },
	[MEMCG_FLAGS] = { "struct mem_cgroup", { "css.flags" }, OPTIONAL, "all" },
};

enum status memcgs_subsystem(struct dump *d, uint64_t *ret)
{
	enum status st = dump_has_both(d, "memory_cgrp_subsys", "struct mem_cgroup");

	if (st == ST_ABSENT)
		return dump_fail(d, st, "this kernel was built without CONFIG_MEMCG");
	return st ?: dump_symbol(d, "memory_cgrp_subsys", ret);
}

enum status memcgs_open(struct dump *d, struct memcgs *ret)
{
	struct memcgs m = { .dump = d };
	int64_t online;
	enum status st = memcgs_subsystem(d, &m.subsystem)
				 ?: layout_resolve(d, rows, MEMCG_FIELDS, m.f);

	if (st != ST_OK)
		return st;
	if (m.f[MEMCG_FLAGS].present && dump_ask(d, enumerator, "CSS_ONLINE", &online) == ST_OK)
		m.online = online;
	*ret = m;
	st = cgroups_open(d, &ret->cgroups);
	if (st != ST_OK)
		return st;
	hash_u64_init(&ret->paths, d->arena, sizeof(const char *));
	hash_u64_init(&ret->charges, d->arena, sizeof(struct memcg_charge));
	hash_u64_init(&ret->owners, d->arena, sizeof(struct memcg_owner));
	return ST_OK;
}

static bool follow(struct memcgs *m, uint64_t from, enum memcg_field field, uint64_t *ret)
{
	return m->f[field].present &&
	       dump_u64(m->dump, from + m->f[field].offset, ret, "memory cgroup") == ST_OK;
}

static bool is_memcg(struct memcgs *m, uint64_t addr)
{
	uint64_t subsystem;

	return follow(m, addr, MEMCG_SUBSYSTEM, &subsystem) && subsystem == m->subsystem;
}

static enum status find_owner(struct memcgs *m, uint64_t addr, struct memcg_owner *ret)
{
	struct dump *d = m->dump;

	ret->memcg = addr;
	if (is_memcg(m, addr))
		return ST_OK;
	ret->objcg = addr;
	if (!follow(m, addr, OBJCG_MEMCG, &ret->memcg))
		return dump_fail(d, ST_UNREADABLE, "obj_cgroup is not in this dump");
	if (!ret->memcg)
		return ST_ABSENT;
	if (!is_memcg(m, ret->memcg))
		return dump_fail(d, ST_CORRUPT, "%#lx is no memory cgroup", ret->memcg);
	return ST_OK;
}

enum status memcgs_owner(struct memcgs *m, uint64_t data, struct memcg_owner *ret)
{
	struct memcg_owner *owner;
	bool is_new;

	if (data & MEMCG_DATA_OBJEXTS || !(data & ~(uint64_t)MEMCG_DATA_FLAGS))
		return ST_ABSENT;
	owner = hash_u64_get(&m->owners, data & ~(uint64_t)MEMCG_DATA_FLAGS, &is_new);
	if (is_new)
		owner->status = find_owner(m, data & ~(uint64_t)MEMCG_DATA_FLAGS, owner);
	if (owner->status == ST_OK)
		*ret = *owner;
	return owner->status;
}

static const char *find_path(struct memcgs *m, uint64_t data)
{
	struct memcg_owner owner;
	uint64_t cgroup, node;

	if (memcgs_owner(m, data, &owner) != ST_OK)
		return NULL;
	if (!follow(m, owner.memcg, MEMCG_CGROUP, &cgroup) ||
	    !follow(m, cgroup, CGROUP_NODE, &node))
		return NULL;
	return cgroups_node_path(&m->cgroups, node);
}

const char *memcgs_path(struct memcgs *m, uint64_t data)
{
	const char **path;
	bool is_new;

	if (data & MEMCG_DATA_OBJEXTS || !(data & ~(uint64_t)MEMCG_DATA_FLAGS))
		return NULL;
	path = hash_u64_get(&m->paths, data, &is_new);
	if (is_new)
		*path = find_path(m, data);
	return *path;
}

const char *memcgs_charged_to(struct memcgs *m, uint64_t data)
{
	struct memcg_owner owner;

	if (memcgs_is_vector(data))
		return MEMCG_BY_OBJECT;
	return memcgs_owner(m, data, &owner) == ST_ABSENT ? MEMCG_NOT_CHARGED
							  : memcgs_path(m, data);
}

bool memcgs_is_vector(uint64_t data)
{
	return data & MEMCG_DATA_OBJEXTS;
}

/* As cgroup_name() has it: kernfs_name_locked() in fs/kernfs/dir.c. */
static enum status read_name(struct memcgs *m, uint64_t memcg, const char **ret)
{
	uint64_t cgroup, node, parent, text;
	char name[MAX_NAME] = "/";
	enum status st;

	if (!follow(m, memcg, MEMCG_CGROUP, &cgroup) || !follow(m, cgroup, CGROUP_NODE, &node) ||
	    !follow(m, node, NODE_PARENT, &parent))
		return ST_UNREADABLE;
	if (parent) {
		if (!follow(m, node, NODE_NAME, &text))
			return ST_UNREADABLE;
		st = dump_string(m->dump, text, name, sizeof(name), "name of a cgroup");
		if (st != ST_OK)
			return st;
	}
	*ret = arena_strdup(m->dump->arena, name);
	return ST_OK;
}

static enum status read_charge(struct memcgs *m, uint64_t data, struct memcg_charge *ret)
{
	struct dump *d = m->dump;
	struct memcg_owner owner;
	enum status st;
	uint8_t flags[8] = { 0 };
	const struct field *f = &m->f[MEMCG_FLAGS];

	if (!m->online || f->size > sizeof(flags))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no CSS_ONLINE of css.flags");
	st = memcgs_owner(m, data, &owner);
	if (st != ST_OK)
		return st;
	if (dump_read(d, owner.memcg + f->offset, flags, f->size, "css.flags") != ST_OK)
		return ST_UNREADABLE;
	ret->by_object = data & MEMCG_DATA_KMEM;
	ret->online = le64(flags) & m->online;
	return read_name(m, owner.memcg, &ret->name);
}

enum status memcgs_charge(struct memcgs *m, uint64_t data, struct memcg_charge *ret)
{
	struct memcg_charge *charge;
	bool is_new;

	if (data & MEMCG_DATA_OBJEXTS || !(data & ~(uint64_t)MEMCG_DATA_FLAGS))
		return ST_ABSENT;
	charge = hash_u64_get(&m->charges, data, &is_new);
	if (is_new)
		charge->status = read_charge(m, data, charge);
	if (charge->status == ST_OK)
		*ret = *charge;
	return charge->status;
}
