// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cgroup_age.h"

#include "dump/layout.h"

void cgroup_ages_open(struct dump *d, struct cgroup_ages *ret)
{
	/* 5.2: kernfs: clean up struct kernfs_iattrs */
	static const struct layout_row rows[] = {
		FIELD_ROW("struct mem_cgroup", OPTIONAL, "all", "css.cgroup"),
		FIELD_ROW("struct cgroup", OPTIONAL, "all", "kn"),
		FIELD_ROW("struct kernfs_node", OPTIONAL, "all", "iattr"),
		FIELD_ROW("struct kernfs_iattrs", OPTIONAL, "5.2, all", "ia_atime.tv_sec",
			  "ia_iattr.ia_atime.tv_sec"),
	};
	struct field *const fields[] = { &ret->cgroup, &ret->node, &ret->attributes, &ret->time };

	*ret = (struct cgroup_ages){ .dump = d, .is_known = true };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_resolve(d, &rows[i], 1, fields[i]);
		ret->is_known &= fields[i]->present && fields[i]->size == 8;
	}
}

enum status cgroup_age_read(const struct cgroup_ages *a, uint64_t memcg, uint64_t *ret)
{
	const struct field *const fields[] = { &a->cgroup, &a->node, &a->attributes, &a->time };
	uint64_t at = memcg;
	enum status st = a->is_known ? ST_OK : ST_ABSENT;

	for (size_t i = 0; st == ST_OK && i < sizeof(fields) / sizeof(*fields); i++) {
		st = dump_u64(a->dump, at + fields[i]->offset, &at, "times of a cgroup");
		if (st == ST_OK && !at)
			st = ST_ABSENT;
	}
	return RESULT(st, ret, at);
}
