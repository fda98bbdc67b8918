// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose allocation a thread reclaims memory for that sleeps on a lock there. */
#include "collect/stuck_circle.h"

#include "collect/in_fault.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

enum { SCHEDULE, MUTEX, SCAN, SLAB, NODE, FREE, SLOWPATH, NEW_SLAB, KMALLOC, INSERT, WRITE, N };

#define AT(i) (0xffffffff81000000ULL + 0x100 * (i))

static const struct stub_symbol symbols[] = {
	{ "__schedule", AT(SCHEDULE), FIELD(0, 0) },
	{ "__mutex_lock.constprop.0", AT(MUTEX), FIELD(0, 0) },
	{ "thin_scan", AT(SCAN), FIELD(0, 0) },
	{ "shrink_slab", AT(SLAB), FIELD(0, 0) },
	{ "shrink_one", AT(NODE), FIELD(0, 0) },
	{ "try_to_free_pages", AT(FREE), FIELD(0, 0) },
	{ "__alloc_pages_slowpath.constprop.0", AT(SLOWPATH), FIELD(0, 0) },
	{ "allocate_slab", AT(NEW_SLAB), FIELD(0, 0) },
	{ "__kmalloc_cache_noprof", AT(KMALLOC), FIELD(0, 0) },
	{ "thin_insert", AT(INSERT), FIELD(0, 0) },
	{ "thin_write", AT(WRITE), FIELD(0, 0) },
	{ 0 }
};

/* Whether the call of the last function is its end: the address behind is that of the next one. */
static bool does_not_return;

/* What is told of a thread whose frames are these. */
static const char *told(const unsigned int *f, unsigned int n, bool in_fault)
{
	static const struct in_fault fault;
	static char ret[512];
	static struct task_frames at;
	struct strbuf b = STRBUF_OF(512);
	struct stuck_task s = { .task = { .pid = 118, .comm = "writer" },
				.state = "D",
				.is_on_lock = true,
				.lock_name = "thin_lock",
				.fault = in_fault ? &fault : NULL };
	STUB(stub, .symbols = symbols);

	memset(&at, 0, sizeof(at));
	at.dump = &stub.dump;
	symbolizer_open(&stub.dump, &at.symbols);
	for (unsigned int i = 0; i < n; i++)
		at.frames.f[i].ip = does_not_return && i == n - 1 ? AT(f[i] + 1) : AT(f[i]) + 8;
	at.frames.n = n;
	stuck_read_reclaim(&at, &s);
	stuck_task_words(&s, &b);
	snprintf(ret, sizeof(ret), "%s", b.buf);
	return ret;
}

static void a_shrinker(void)
{
	static const unsigned int whole[] = { SCHEDULE, MUTEX,	  SCAN,	   SLAB,   NODE, FREE,
					      SLOWPATH, NEW_SLAB, KMALLOC, INSERT, WRITE };
	static const unsigned int no_reclaim[] = { SCHEDULE, MUTEX, INSERT, WRITE };
	static const unsigned int kswapd[] = { SCHEDULE, MUTEX, SCAN, SLAB, NODE, WRITE };

	CHECK_TEXT(told(whole, N, false),
		   "writer (118) waits for thin_lock in thin_scan, in reclaim for an "
		   "allocation of thin_insert");
	/* What a page fault asks for, it has to have. */
	CHECK_TEXT(told(whole, N, true), "writer (118) waits for thin_lock");
	CHECK_TEXT(told(no_reclaim, 4, false), "writer (118) waits for thin_lock");
	CHECK_TEXT(told(kswapd, 6, false), "writer (118) waits for thin_lock");
	does_not_return = true;
	CHECK_TEXT(told(whole, WRITE, false),
		   "writer (118) waits for thin_lock in thin_scan, in reclaim for an "
		   "allocation of thin_insert");
	does_not_return = false;
	/* A stack that ends inside of the allocator. */
	CHECK_TEXT(told(whole, INSERT, false), "writer (118) waits for thin_lock");
}

TESTS({ "a shrinker", a_shrinker })
