// SPDX-License-Identifier: GPL-2.0-or-later
/* What memory that no root leads to begins with, and who keeps memory that begins so. */
#include <string.h>

#include "holders/alike.h"
#include "holders/content.h"
#include "graph/arcs.h"
#include "stub.h"
#include "test.h"

#define MEMORY 0xffff888000100000ULL
#define ROOM (16 << 20)

enum { LOST = 1, KEPT = LOST + 20, VMLINUX = KEPT + 8, OTHER = VMLINUX + 8, NODES = OTHER + 8 };

static uint8_t memory[NODES - LOST][4096];
static const struct stub_memory parts[] = { { MEMORY, memory, sizeof(memory) }, { 0 } };
static struct stub stub;
static struct holders h;

static void keep(uint32_t from, uint32_t to, uint16_t owner)
{
	for (uint32_t i = from; i < to; i++) {
		h.retained.owners[i] = owner;
		h.retained.reached[i / 8] |= 1 << i % 8;
		h.ends[i] = (struct walk_end){ { owner }, { WALK_WHOLE } };
	}
}

static void begin(uint32_t from, uint32_t to, const char *bytes, size_t n)
{
	for (uint32_t i = from; i < to; i++)
		memcpy(memory[i - LOST], bytes, n);
}

static void open_holders(void)
{
	static struct module second = { .name = "other" }, first = { &second, "net" };
	struct graph *g = &h.graph;

	memset(memory, 0, sizeof(memory));
	memset(&h, 0, sizeof(h));
	STUB_OPEN(stub, .memory = parts);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, g);
	g->modules.first = &first;
	graph_add(g, NODE_STATIC, 0xffffffff81000000, 64, 1, 0);
	graph_add(g, NODE_DIRECT, MEMORY, 4096, NODES - LOST, 0);
	CHECK(graph_seal(g));
	h.retained.owners = arena_alloc(g->arena, NODES * sizeof(uint16_t));
	h.retained.reached = arena_alloc(g->arena, NODES / 8 + 1);
	h.ends = arena_alloc(g->arena, NODES * sizeof(*h.ends));
	for (uint32_t i = 0; i < NODES; i++)
		h.retained.owners[i] = OWNER_NOBODY;
	keep(KEPT, VMLINUX, 1);
	keep(VMLINUX, OTHER, 0);
	keep(OTHER, NODES, 2);
	h.sums.lost = (struct holder_part){ .node = LOST };
}

#define FRAME "\xff\xff\xff\xff\xff\xff\x00\x1b\x21\x44\x0a\x31\x08\x00"
#define FRAME_BYTES 14

static void test_alike(void)
{
	struct alike a;

	open_holders();
	begin(LOST, VMLINUX, FRAME, FRAME_BYTES);
	/* Behind it they differ; one in twenty begins otherwise. */
	for (uint32_t i = LOST; i < VMLINUX; i++)
		memset(memory[i - LOST] + FRAME_BYTES, 1 + i, 64);
	memset(memory[0], 9, 14);
	alike_find(&h, &a);
	CHECK(a.objects == 20 && a.size == 4096 && a.bytes == 20 * 4096);
	CHECK(a.n == FRAME_BYTES && a.same == (1 << FRAME_BYTES) - 1);
	CHECK(!memcmp(a.start, FRAME, FRAME_BYTES));
	CHECK(a.owner == 1);
	/* One that vmlinux has begins so: it says nothing. */
	begin(VMLINUX, VMLINUX + 1, FRAME, FRAME_BYTES);
	alike_find(&h, &a);
	CHECK(a.n == FRAME_BYTES && a.owner == OWNER_NOBODY);
}

static const char *ethernet(const char *bytes, uint64_t same, size_t n)
{
	return content_ethernet(stub.dump.arena, (const uint8_t *)bytes, same, n) ?: "";
}

static void test_ethernet(void)
{
	static const char frame[] =
		"\x52\x54\x00\xaa\xbb\x09\x9a\x2d\xfa\x5b\xf3\x70\x08\x00\x45\x00";

	open_holders();
	CHECK_TEXT(ethernet(frame, 0xffff, 16),
		   "an Ethernet header (IPv4, to 52:54:00:aa:bb:09 from 9a:2d:fa:5b:f3:70)");
	CHECK_TEXT(ethernet(FRAME, 0x3fff, 14),
		   "an Ethernet header (IPv4, to ff:ff:ff:ff:ff:ff from 00:1b:21:44:0a:31)");
	/* Senders differ; the version is none of IPv4; addresses differ; it is cut. */
	CHECK_TEXT(ethernet(frame, 0xf03f, 16), "an Ethernet header (IPv4, to 52:54:00:aa:bb:09)");
	CHECK_TEXT(ethernet("\1\2\3\4\5\6\2\2\3\4\5\6\x08\x00\x61", 0x7fff, 15), "");
	CHECK_TEXT(ethernet(frame, 0xf000, 16), "");
	CHECK_TEXT(ethernet(frame, 0x1fff, 16), "");
	CHECK_TEXT(ethernet(frame, 0x1fff, 13), "");
	CHECK_TEXT(ethernet("\0\0\0\0\0\0\0\0\0\0\0\0\x08\x00\x45", 0x7fff, 15), "");
}

/* Zeroes, and one byte again and again, are what anybody has. */
static void test_pattern(void)
{
	struct alike a;

	open_holders();
	alike_find(&h, &a);
	CHECK(a.objects == 20 && a.n == ALIKE_BYTES && a.owner == OWNER_NOBODY);
	open_holders();
	memset(memory, 0x6b, sizeof(memory[0]) * (VMLINUX - LOST));
	alike_find(&h, &a);
	CHECK(a.n == ALIKE_BYTES && a.owner == OWNER_NOBODY);
}

/* Of too few, and of memory that differs, nothing is said. */
static void test_differs(void)
{
	struct alike a;

	open_holders();
	for (uint32_t i = LOST; i < KEPT; i++)
		memset(memory[i - LOST], i, 64);
	alike_find(&h, &a);
	CHECK(a.objects == 20 && !a.n && a.owner == OWNER_NOBODY);
	begin(LOST, VMLINUX, FRAME, FRAME_BYTES);
	keep(LOST + 3, KEPT, 2);
	alike_find(&h, &a);
	CHECK(a.objects == 3 && !a.n && a.owner == OWNER_NOBODY);
}

/* The two owners at which most walks end, in words; none where no walk does, or its owner has no name. */
static void test_ends(void)
{
	struct arena *a;

	open_holders();
	a = h.graph.arena;
	h.ends[LOST] = (struct walk_end){ { 2, 0 },
					  { WALK_WHOLE / 1000 * 622, WALK_WHOLE / 1000 * 378 } };
	CHECK_TEXT(holders_ends_text(a, &h, LOST),
		   "61.6% of walks back end at other, 37.4% at vmlinux");
	CHECK_TEXT(holders_ends_text(a, &h, KEPT), "100.0% of walks back end at net");
	CHECK(!holders_ends_text(a, &h, LOST + 1));
	h.ends[LOST].names[0] = 9;
	CHECK(!holders_ends_text(a, &h, LOST));
}

TESTS({ "an Ethernet header", test_ethernet }, { "what it begins with", test_alike },
      { "patterns", test_pattern }, { "too few, or nothing in common", test_differs },
      { "where walks back end", test_ends })
