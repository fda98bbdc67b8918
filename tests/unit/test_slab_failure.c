// SPDX-License-Identifier: GPL-2.0-or-later
/* Slab caches that got no memory, in the forms of 5.10 (SLUB, SLAB), 6.1 and 6.12. */
#include "log/slab_failure.h"

#include <stdlib.h>

#include "log_text.h"
#include "test.h"

static struct slab_failures found;

static const char *failed(const char *text)
{
	static char ret[512];
	struct strbuf b = STRBUF_OF(512);

	if (read_text(text) != ST_OK)
		return "unread";
	slab_failures_read(&file.log, &found);
	slab_failures_text(&found, 2, &b);
	snprintf(ret, sizeof(ret), "%u: %s", found.n, b.buf);
	return ret;
}

#define T "[    1.000000] "
#define HEAD(where) T "SLUB: Unable to allocate memory on " where ", gfp=0x820(GFP_ATOMIC)\n"
#define CACHE(name) \
	T "  cache: " name ", object size: 480, buffer size: 544, default order: 1, min order: 0\n"
#define NODE(n, slabs) T "  node " n ": slabs: " slabs ", objs: 225, free: 3\n"

static void forms(void)
{
	const struct slab_failure *f = found.all;

	CHECK_TEXT(failed(HEAD("node -1") CACHE("skb") NODE("0", "15") T "eth0: up\n"),
		   "1: skb (order 0, GFP_ATOMIC)");
	CHECK(!f->node.known && f->gfp_mask.known && f->gfp_mask.value == 0x820);
	CHECK(f->object_size.known && f->object_size.value == 480);
	CHECK(f->slabs.known && f->slabs.value == 15 && f->objects.value == 225 &&
	      f->free.value == 3);
	/* The path of a cgroup was in the name up to 5.8. */
	CHECK_TEXT(
		failed(HEAD("CPU 1 (of node 0) on node 1") CACHE("skb(12:a, object size: b)") T
		       "  skb debugging increased min order, use slab_debug=O to disable.\n" NODE(
			       "0", "15") NODE("1", "5")),
		"1: skb(12:a, object size: b) (order 0, GFP_ATOMIC)");
	CHECK(f->node.known && f->node.value == 1 && f->slabs.value == 20);
	CHECK_TEXT(failed(T "SLAB: Unable to allocate memory on node 0, gfp=0xcc0(GFP_KERNEL)\n" T
			    "  cache: names, object size: 4096, order: 1\n" T
			    "  node 0: slabs: 3/4, objs: 3/4\n"),
		   "1: names (order 1, GFP_KERNEL)");
	CHECK(f->node.known && !f->node.value && !f->slabs.known);
}

/* Lines that were cut, or are lost. */
static void parts(void)
{
	const struct slab_failure *f = found.all;

	CHECK_TEXT(failed(HEAD("node -1")), "1: an unknown cache");
	CHECK(!f->slabs.known && f->n == 1);
	CHECK_TEXT(failed(HEAD("node -1") T "  cache: skb, object size: 480, buffer size: 544, "
					    "default order: 1, min order: 1"),
		   "1: skb");
	CHECK_TEXT(failed(T "SLUB: Unable to allocate memory on node 0, gfp=0x820(GFP_AT\n" CACHE(
			   "skb")),
		   "1: skb (order 0)");
	failed(HEAD("node -1") CACHE("skb") T "  node 0: slabs: 15, objs: 22\n");
	CHECK(found.n == 1 && !f->slabs.known && !f->free.known);
	CHECK_TEXT(failed(CACHE("skb") NODE("0", "15")), "0: ");
}

static void several(void)
{
	const struct slab_failure *f = found.all;

	CHECK_TEXT(failed(HEAD("node -1") CACHE("a") NODE("0", "1") HEAD("node -1") CACHE("b")
				  NODE("0", "2") HEAD("node -1") CACHE("a") NODE("0", "3")
					  HEAD("node -1") CACHE("c")),
		   "4: c (order 0, GFP_ATOMIC), a (order 0, GFP_ATOMIC) 2 times and others");
	CHECK(found.kept == 3 && f[1].slabs.value == 3);
	/* Of two CPUs at once without callers nothing tells which line is whose. */
	CHECK_TEXT(failed(HEAD("node -1") HEAD("node 1") CACHE("a") CACHE("b") NODE("0", "1")
				  NODE("0", "2")),
		   "2: an unknown cache, an unknown cache");
	CHECK(!f->slabs.known && !f->order.known);
	/* With them the second is not of the first. */
	CHECK_TEXT(failed("[    1.000000][   T11] SLUB: Unable to allocate memory on node -1, "
			  "gfp=0x820(GFP_ATOMIC)\n"
			  "[    1.000000][   T12]   cache: b, object size: 8, buffer size: 8, "
			  "default order: 0, min order: 0\n"
			  "[    1.000000][   T11]   cache: a, object size: 8, buffer size: 8, "
			  "default order: 0, min order: 0\n"),
		   "1: a (order 0, GFP_ATOMIC)");
}

TESTS({ "forms", forms }, { "lines that are lost", parts }, { "several", several })
