// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg.h"

#define MEMCG_DATA_FLAGS 7 /* low bits (enum page_memcg_data_flags) */
#define MEMCG_DATA_OBJEXTS \
	1 /* a vector of struct slabobj_ext, or of pointers to obj_cgroup (to 6.9) */
#define MEMCG_DATA_KMEM 2 /* charged through an obj_cgroup (always since 7.1) */

/* A struct mem_cgroup, or the struct obj_cgroup that leads to one. */
struct memcg {
	uint64_t subsystem, cgroup, memcg;
	struct css_state state;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct memcgs, memcg, "struct mem_cgroup"),
	READS(struct memcg, subsystem, REQUIRED, "all", "css.ss"),
	READS(struct memcg, cgroup, REQUIRED, "all", "css.cgroup"),
	READS_CSS_STATE(struct memcg, state, OPTIONAL, "css"),
	STRUCTURE(struct memcgs, objcg, "struct obj_cgroup"),
	READS(struct memcg, memcg, OPTIONAL, "5.9", "memcg"),
};

enum status memcgs_subsystem(struct dump *d, uint64_t *ret)
{
	enum status st = dump_built_with(d, "CONFIG_MEMCG", "memory_cgrp_subsys",
					 "struct mem_cgroup");

	return st ?: dump_symbol(d, "memory_cgrp_subsys", ret);
}

enum status memcgs_open(struct dump *d, struct memcgs *ret)
{
	struct memcgs m = { .dump = d };
	enum status st = memcgs_subsystem(d, &m.subsystem) ?: STRUCTS_OPEN(d, rows, &m);

	if (st != ST_OK)
		return st;
	if (!STRUCT_HAS(&m.memcg, struct memcg, state.flags) ||
	    css_states_open(d, &m.states) != ST_OK)
		d->error[0] = '\0';
	*ret = m;
	st = cgroups_open(d, &ret->cgroups);
	if (st != ST_OK)
		return st;
	hash_u64_init(&ret->paths, d->arena, sizeof(const char *));
	hash_u64_init(&ret->charges, d->arena, sizeof(struct memcg_charge));
	hash_u64_init(&ret->owners, d->arena, sizeof(struct memcg_owner));
	return ST_OK;
}

static bool is_memcg(const struct memcgs *m, uint64_t addr, struct memcg *ret)
{
	return struct_read(&m->memcg, addr, ret) == ST_OK && ret->subsystem == m->subsystem;
}

static enum status find_owner(struct memcgs *m, uint64_t addr, struct memcg_owner *ret)
{
	struct dump *d = m->dump;
	struct memcg memcg;

	ret->memcg = addr;
	if (is_memcg(m, addr, &memcg))
		return ST_OK;
	ret->objcg = addr;
	if (!struct_has_all(&m->objcg) || struct_read(&m->objcg, addr, &memcg) != ST_OK)
		return dump_unreadable(d, "obj_cgroup is not in this dump");
	ret->memcg = memcg.memcg;
	if (!ret->memcg)
		return ST_ABSENT;
	if (!is_memcg(m, ret->memcg, &memcg))
		return dump_corrupt(d, "%#lx is no memory cgroup", ret->memcg);
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
	struct memcg memcg;

	if (memcgs_owner(m, data, &owner) != ST_OK ||
	    struct_read(&m->memcg, owner.memcg, &memcg) != ST_OK)
		return NULL;
	return cgroups_path(&m->cgroups, memcg.cgroup);
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

void memcgs_met(struct memcgs *m, struct hash_bytes *ret)
{
	struct hash_u64 seen;

	hash_u64_init(&seen, m->dump->arena, 0);
	hash_u64_for_each(const char *, path, &m->paths) {
		struct memcg_owner owner;
		struct memcg_path *met;
		struct memcg memcg;

		if (!*path || memcgs_owner(m, hash_u64_entry_of(path)->key, &owner) != ST_OK ||
		    !hash_u64_add(&seen, owner.memcg))
			continue;
		met = hash_bytes_get(ret, *path, strlen(*path), NULL)->value;
		met->path = *path;
		met->cgroups++;
		met->removed += m->states.online &&
				struct_read(&m->memcg, owner.memcg, &memcg) == ST_OK &&
				css_is_removed(&m->states, &memcg.state, owner.memcg);
	}
}

const char *memcgs_charged_to(struct memcgs *m, uint64_t data)
{
	struct memcg_owner owner;

	if (memcgs_is_vector(data)) {
		m->has_vectors = true;
		return MEMCG_BY_OBJECT;
	}
	return memcgs_owner(m, data, &owner) == ST_ABSENT ? MEMCG_NOT_CHARGED
							  : memcgs_path(m, data);
}

bool memcgs_is_vector(uint64_t data)
{
	return data & MEMCG_DATA_OBJEXTS;
}

static enum status read_charge(struct memcgs *m, uint64_t data, struct memcg_charge *ret)
{
	struct memcg_owner owner;
	struct memcg memcg;
	const char *path;
	enum status st;

	if (!m->states.online)
		return dump_unknown(m->dump, "no CSS_ONLINE of css.flags");
	st = memcgs_owner(m, data, &owner) ?: struct_read(&m->memcg, owner.memcg, &memcg);
	if (st != ST_OK)
		return st;
	ret->by_object = data & MEMCG_DATA_KMEM;
	ret->online = !css_is_removed(&m->states, &memcg.state, owner.memcg);
	path = cgroups_path(&m->cgroups, memcg.cgroup);
	if (!path)
		return ST_UNREADABLE;
	/* As cgroup_name() has it: kernfs_name_locked() in fs/kernfs/dir.c. */
	ret->name = path[1] ? strrchr(path, '/') + 1 : path;
	return ST_OK;
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
