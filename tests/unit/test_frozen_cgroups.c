// SPDX-License-Identifier: GPL-2.0-or-later
/* Cgroups of version 2 whose threads are frozen: the root with two below it. */
#include "cgroup/frozen_cgroups.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define ROOT AT(0)
#define INGEST AT(1)
#define BATCH AT(2)

/* struct cgroup: children, sibling, flags of the css, kernfs_node, freezer. */
struct test_cgroup {
	uint64_t children[2], sibling[2];
	uint64_t flags, kn;
	uint32_t is_frozen, threads;
};

static struct test_cgroup cgroups[3];
static char names[2][256] = { "ingest", "batch" };
static const uint64_t nodes[3][2] = { { 0, 0 }, { AT(5), AT(8) }, { AT(5), AT(9) } };

static const struct stub_memory memory[] = {
	{ ROOT, &cgroups[0], sizeof(cgroups[0]) },
	{ INGEST, &cgroups[1], sizeof(cgroups[1]) },
	{ BATCH, &cgroups[2], sizeof(cgroups[2]) },
	{ AT(5), nodes[0], sizeof(nodes[0]) },
	{ AT(6), nodes[1], sizeof(nodes[1]) },
	{ AT(7), nodes[2], sizeof(nodes[2]) },
	{ AT(8), names[0], sizeof(names[0]) },
	{ AT(9), names[1], sizeof(names[1]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "cgrp_dfl_root", ROOT, FIELD(0, 8) }, { 0 } };
static const struct stub_number enumerators[] = { { "CSS_ONLINE", 2 }, { 0 } };
static const struct stub_number sizes[] = { { "struct cgroup", sizeof(struct test_cgroup) },
					    { 0 } };
static const struct stub_member members[] = {
	{ "struct cgroup_root", "cgrp", FIELD(0, 56) },
	{ "struct cgroup", "self.children", FIELD(0, 16) },
	{ "struct cgroup", "self.sibling", FIELD(16, 16) },
	{ "struct cgroup", "self.flags", FIELD(32, 4) },
	{ "struct cgroup", "kn", FIELD(40, 8) },
	{ "struct cgroup", "freezer.e_freeze", FIELD(48, 4) },
	{ "struct cgroup", "freezer.nr_frozen_tasks", FIELD(52, 4) },
	{ "struct kernfs_node", "parent", FIELD(0, 8) },
	{ "struct kernfs_node", "name", FIELD(8, 8) },
	{ 0 },
};

static const uint64_t at[] = { ROOT, INGEST, BATCH };
static bool is_found[3]; /* as frozen */

static enum status find(struct frozen_cgroups *ret, char *most, size_t size)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enumerators);
	enum status st;

	st = frozen_cgroups_find(&s.dump, ret);
	snprintf(most, size, "%s", ret->most ? ret->most : "");
	for (unsigned int i = 0; i < 3; i++)
		is_found[i] = hash_u64_find(&ret->all, at[i]) != NULL;
	return st;
}

static void begin(void)
{
	memset(cgroups, 0, sizeof(cgroups));
	for (int i = 0; i < 3; i++) {
		cgroups[i].flags = 2;
		cgroups[i].kn = AT(5 + i);
		cgroups[i].children[0] = cgroups[i].children[1] = AT(i);
	}
	cgroups[0].children[0] = INGEST + 16;
	cgroups[0].children[1] = BATCH + 16;
	cgroups[1].sibling[0] = BATCH + 16;
	cgroups[1].sibling[1] = ROOT;
	cgroups[2].sibling[0] = ROOT;
	cgroups[2].sibling[1] = INGEST + 16;
}

static void frozen(void)
{
	struct frozen_cgroups f;
	char most[64];

	begin();
	CHECK(find(&f, most, sizeof(most)) == ST_OK && !f.cgroups && !f.threads);
	cgroups[1].is_frozen = 1;
	cgroups[1].threads = 3;
	/* One that is being moved: nothing is frozen there. */
	cgroups[0].threads = 1;
	CHECK(find(&f, most, sizeof(most)) == ST_OK && f.cgroups == 1 && f.threads == 3);
	CHECK_TEXT(most, "/ingest");
	cgroups[2].is_frozen = 1;
	cgroups[2].threads = 4;
	CHECK(find(&f, most, sizeof(most)) == ST_OK && f.cgroups == 2 && f.threads == 7 &&
	      f.of_most == 4);
	CHECK_TEXT(most, "/batch");
	/* No directory has such a name: it is of another page. */
	names[1][0] = '\0';
	CHECK(find(&f, most, sizeof(most)) == ST_OK && f.of_most == 4);
	CHECK_TEXT(most, "");
	names[1][0] = '/';
	CHECK(find(&f, most, sizeof(most)) == ST_OK);
	CHECK_TEXT(most, "");
	names[1][0] = 'b';
	/* Without threads of its own it is frozen as well. */
	cgroups[2].threads = 0;
	CHECK(find(&f, most, sizeof(most)) == ST_OK && f.cgroups == 1);
	CHECK(!is_found[0] && is_found[1] && is_found[2]);
	/* No counter has so many; what else is frozen is told. */
	cgroups[2].threads = UINT32_MAX;
	CHECK(find(&f, most, sizeof(most)) == ST_CORRUPT && f.cgroups == 1);
	/* A tree that leads out of the dump. */
	begin();
	cgroups[1].is_frozen = 1;
	cgroups[1].threads = 3;
	cgroups[1].sibling[0] = 0x999000;
	CHECK(find(&f, most, sizeof(most)) != ST_OK && f.cgroups == 1);
}

TESTS({ "cgroups that are frozen", frozen })
