// SPDX-License-Identifier: GPL-2.0-or-later
/* Since when a cgroup has been there at least (lib/cgroup/cgroup_age.c). */
#include "cgroup/cgroup_age.h"
#include "stub.h"
#include "test.h"

#define MEMCG 0xffff888000100000ULL
#define CGROUP 0xffff888000200000ULL
#define NODE 0xffff888000300000ULL
#define ATTRIBUTES 0xffff888000400000ULL

static uint64_t memcg[4], cgroup[4], node[4], attributes[8];
static const struct stub_memory memory[] = { { MEMCG, memcg, sizeof(memcg) },
					     { CGROUP, cgroup, sizeof(cgroup) },
					     { NODE, node, sizeof(node) },
					     { ATTRIBUTES, attributes, sizeof(attributes) },
					     { 0 } };

static enum status status;

static uint64_t since(const char *time)
{
	const struct stub_member members[] = {
		{ "struct mem_cgroup", "css.cgroup", KINDED(KIND_POINTER, 0, 8) },
		{ "struct cgroup", "kn", KINDED(KIND_POINTER, 8, 8) },
		{ "struct kernfs_node", "iattr", KINDED(KIND_POINTER, 16, 8) },
		{ "struct kernfs_iattrs", time, FIELD(24, 8) },
		{ 0 },
	};
	struct cgroup_ages ages;
	uint64_t ret = 7;
	STUB(s, .memory = memory, .members = members);

	cgroup_ages_open(&s.dump, &ages);
	status = cgroup_age_read(&ages, MEMCG, &ret);
	return ret;
}

static void a_directory_with_times(void)
{
	memcg[0] = CGROUP;
	cgroup[1] = NODE;
	node[2] = ATTRIBUTES;
	attributes[3] = 1764500000;
	CHECK(since("ia_atime.tv_sec") == 1764500000 && status == ST_OK);
	CHECK(since("ia_iattr.ia_atime.tv_sec") == 1764500000 && status == ST_OK);
	/* Changed by what is made in it. */
	CHECK(since("ia_mtime.tv_sec") == 7 && status == ST_ABSENT);
	node[2] = 0;
	CHECK(since("ia_atime.tv_sec") == 7 && status == ST_ABSENT);
	node[2] = ATTRIBUTES + 4096;
	CHECK(since("ia_atime.tv_sec") == 7 && status == ST_UNREADABLE);
}

TESTS({ "a directory with times, and without", a_directory_with_times })
