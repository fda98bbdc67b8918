// SPDX-License-Identifier: GPL-2.0-or-later
/* Loop devices, of an IDR: each has the words of its beginning told; trees that are damaged end. */
#include <string.h>

#include "files/loop.h"
#include "stub.h"
#include "test.h"

#define IDR 0xffffffff82000000ULL
#define NODE(i) (0xffff888000100000ULL + (i)*0x1000)
#define DEVICE(i) (0xffff888000200000ULL + (i)*0x1000)
#define NODE_MARK 2

struct tree_node {
	uint8_t shift, pad[7];
	uint64_t slots[64];
};

static uint64_t head, devices[3][LOOP_WORDS];
static struct tree_node nodes[2];

static const struct stub_memory memory[] = { { IDR, &head, 8 },
					     { NODE(0), &nodes[0], sizeof(nodes[0]) },
					     { NODE(1), &nodes[1], sizeof(nodes[1]) },
					     { DEVICE(0), devices[0], sizeof(devices[0]) },
					     { DEVICE(1), devices[1], sizeof(devices[1]) },
					     { DEVICE(2), devices[2], sizeof(devices[2]) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "loop_index_idr", IDR, { 0 } }, { 0 } };
static const struct stub_member members[] = { { "struct idr", "idr_rt.xa_head", FIELD(0, 8) },
					      { "struct xa_node", "shift", FIELD(0, 1) },
					      { "struct xa_node", "slots",
						KINDED(KIND_ARRAY, 8, 512) },
					      { 0 } };

static struct seen {
	unsigned int n;
	uint64_t index[8], first[8], last[8];
	enum status answer;
} seen;

static enum status see(void *arg, uint64_t index, const uint64_t *words, unsigned int n)
{
	struct seen *s = arg;

	CHECK(n == LOOP_WORDS);
	if (s->n < 8) {
		s->index[s->n] = index;
		s->first[s->n] = words[0];
		s->last[s->n] = words[n - 1];
	}
	s->n++;
	return s->answer;
}

static struct stub stub;

static enum status walk(void)
{
	const enum status answer = seen.answer;

	seen = (struct seen){ .answer = answer };
	STUB_OPEN(stub, .memory = memory, .symbols = symbols, .members = members);
	return loop_walk(&stub.dump, see, &seen);
}

static void set_up(void)
{
	memset(nodes, 0, sizeof(nodes));
	seen.answer = ST_OK;
	for (unsigned int i = 0; i < 3; i++) {
		devices[i][0] = 10 + i;
		devices[i][LOOP_WORDS - 1] = 20 + i;
	}
	head = NODE(0) + NODE_MARK;
	nodes[0].slots[0] = DEVICE(0);
	nodes[0].slots[7] = DEVICE(1);
}

static void each_device(void)
{
	set_up();
	CHECK(walk() == ST_OK && seen.n == 2);
	CHECK(seen.index[0] == 0 && seen.first[0] == 10 && seen.last[0] == 20);
	CHECK(seen.index[1] == 7 && seen.first[1] == 11 && seen.last[1] == 21);
	/* One alone has no node, and of none there is none. */
	head = DEVICE(2);
	CHECK(walk() == ST_OK && seen.n == 1 && seen.index[0] == 0 && seen.first[0] == 12);
	head = 0;
	CHECK(walk() == ST_OK && !seen.n);
	/* Who asks may end it. */
	set_up();
	seen.answer = ST_STOPPED;
	CHECK(walk() == ST_STOPPED && seen.n == 1);
}

static void damaged_trees(void)
{
	/* A node that leads to itself, or to one that is not there: what is beside it is told, and that it is not all. */
	set_up();
	nodes[0].shift = 6;
	nodes[0].slots[0] = NODE(1) + NODE_MARK;
	nodes[1].slots[3] = DEVICE(2);
	nodes[0].slots[7] = NODE(0) + NODE_MARK;
	CHECK(walk() == ST_CORRUPT && seen.n == 1 && seen.index[0] == 3 && seen.first[0] == 12);
	nodes[0].slots[7] = NODE(9) + NODE_MARK;
	CHECK(walk() == ST_UNREADABLE && seen.n == 1);
	/* A device that is not in the dump. */
	set_up();
	nodes[0].slots[7] = DEVICE(9);
	CHECK(walk() == ST_UNREADABLE && seen.n == 1);
	head = NODE(9) + NODE_MARK;
	CHECK(walk() == ST_UNREADABLE && !seen.n);
}

static void without_loop(void)
{
	STUB(none, .members = members);

	set_up();
	CHECK(loop_walk(&none.dump, see, &seen) == ST_ABSENT && !none.reads);
}

TESTS({ "each device of the tree", each_device }, { "trees that are damaged", damaged_trees },
      { "no such driver", without_loop })
