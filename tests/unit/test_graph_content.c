// SPDX-License-Identifier: GPL-2.0-or-later
/* What memory of one kind begins with: text, or a magic number. */
#include <string.h>

#include "holders/content.h"
#include "stub.h"
#include "test.h"

#define MEMORY 0xffff888000100000ULL
#define ROOM (16 << 20)
#define NODES 40u

static uint8_t memory[NODES][64];
static const struct stub_memory parts[] = { { MEMORY, memory, sizeof(memory) }, { 0 } };
static struct stub stub;
static struct holders h;

static void open_holders(void)
{
	memset(memory, 0, sizeof(memory));
	memset(&h, 0, sizeof(h));
	STUB_OPEN(stub, .memory = parts);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &h.graph);
	graph_add(&h.graph, NODE_OBJECT, MEMORY, 64, NODES, 0);
	CHECK(graph_seal(&h.graph));
}

/* The first n begin with some bytes, and then each otherwise; what is said of all. */
static const char *said(const char *bytes, size_t len, uint32_t n)
{
	struct content c = { 0 };

	for (uint32_t i = 0; i < NODES; i++) {
		memset(memory[i], 0, 64);
		memcpy(memory[i], i < n ? bytes : "none of it ", i < n ? len : 11);
		memset(memory[i] + len, (int)(1 + i * 5), 64 - len);
		content_add(&c, i);
	}
	return content_begins(&h, &c);
}

static bool is(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void test_text(void)
{
	open_holders();
	CHECK(is(said("FWLOGv2 ", 8, NODES), "\"FWLOGv2 \""));
	/* Of 40 four may begin otherwise. */
	CHECK(is(said("FWLOGv2 ", 8, 36), "\"FWLOGv2 \"") && !said("FWLOGv2 ", 8, 35));
	/* At most 16 characters, of which three differ. */
	CHECK(is(said("a long text that goes on", 24, NODES), "\"a long text that\""));
	CHECK(!said("aabb", 4, NODES) && !said("ab\0", 3, NODES));
	CHECK(is(said("a\"b\\c", 5, NODES), "\"a\\\"b\\\\c\""));
}

static void test_magic(void)
{
	open_holders();
	CHECK(is(said("\x11\xee\xff\xc0", 4, NODES), "0xc0ffee11"));
	CHECK(is(said("\x11\xee\xff\xc0\x01\x02\x03\x04", 8, NODES), "0x4030201c0ffee11"));
	CHECK(is(said("\x11\xee\xff\xc0\0\0\0\0", 8, NODES), "0xc0ffee11"));
	/* A count, a pattern, an address. */
	CHECK(!said("\x00\x10\0\0", 4, NODES) && !said("\x6b\x6b\x6b\x6b", 4, NODES));
	CHECK(!said("\x18\x29\x30\x40\x88\x88\xff\xff", 8, NODES));
}

static void test_few(void)
{
	struct content c = { 0 };

	open_holders();
	said("FWLOGv2 ", 8, NODES);
	for (uint32_t i = 0; i < 15; i++)
		content_add(&c, i);
	CHECK(!content_begins(&h, &c));
	content_add(&c, 15);
	CHECK(content_begins(&h, &c));
}

TESTS({ "text", test_text }, { "magic numbers", test_magic }, { "few", test_few })
