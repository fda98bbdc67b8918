// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cgroup is charged kernel memory: by the counter of all of it, up to 5.17 by that of slab objects. */
#include "cgroup/memcg_counts.h"
#include "memory/cgroups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

static uint64_t counts[3][CGROUP_STATS];
static bool known[3][CGROUP_STATS];

static const char *told(uint64_t least)
{
	static char text[256];
	struct strbuf b = STRBUF(text);
	STUB(stub);
	struct memcg_counts root = { .path = "/", .counts = counts[0], .known = known[0] },
			    slice = { .path = "/system.slice",
				      .parent = &root,
				      .counts = counts[1],
				      .known = known[1] },
			    web = { .path = "/system.slice/web.service",
				    .parent = &slice,
				    .counts = counts[2],
				    .known = known[2] };
	const struct summary s = { .dump = &stub.dump, .ram_pages = 10000, .memcgs = &root };

	stub.dump.page_shift = 12;
	root.next = &slice;
	slice.next = &web;
	summary_add_kernel_charge(&s, least, &b);
	return text;
}

static void of_all(void)
{
	memset(known, 0, sizeof(known));
	for (unsigned int i = 0; i < 3; i++)
		known[i][STAT_KERNEL] = true;
	counts[0][STAT_KERNEL] = counts[1][STAT_KERNEL] = 2560;
	counts[2][STAT_KERNEL] = 2304;
	CHECK_TEXT(told(256),
		   "; cgroup /system.slice/web.service is charged 9.0M of kernel memory");
	counts[2][STAT_KERNEL] = 512;
	CHECK_TEXT(told(256), "; cgroup /system.slice is charged 10.0M of kernel memory");
	CHECK_TEXT(told(5000), "");
}

static void of_slab_objects(void)
{
	memset(known, 0, sizeof(known));
	CHECK_TEXT(told(256), "");
	known[2][STAT_SLAB_RECLAIMABLE] = known[2][STAT_SLAB_UNRECLAIMABLE] = true;
	counts[2][STAT_SLAB_RECLAIMABLE] = 1 << 20;
	counts[2][STAT_SLAB_UNRECLAIMABLE] = 3 << 20;
	CHECK_TEXT(told(256),
		   "; cgroup /system.slice/web.service is charged 4.0M of kernel memory");
	known[2][STAT_SLAB_UNRECLAIMABLE] = false;
	CHECK_TEXT(told(256), "");
}

TESTS({ "kernel charge: of all", of_all }, { "kernel charge: of slab objects", of_slab_objects })
