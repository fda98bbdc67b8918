// SPDX-License-Identifier: GPL-2.0-or-later
/* What a POSIX message queue has, by its counters, and one of its messages. */
#include "files/mqueue.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define INODE 8 /* in a struct mqueue_inode_info */
#define NODE 16 /* a posix_msg_tree_node begins so far before its rb_node */
#define LINK 24 /* a msg_msg before its m_list */

static struct {
	uint64_t lock, inode[3], root, messages, data;
} queue;
static struct {
	uint64_t before[2], node[3], list[2];
} node = { .list = { AT(9) + LINK, AT(9) + LINK } };

static const struct stub_memory memory[] = { { AT(0), &queue, sizeof(queue) },
					     { AT(1), &node, sizeof(node) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "mqueue_fs_type", AT(90), { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct mqueue_inode_info", "vfs_inode", FIELD(INODE, 24) },
	{ "struct mqueue_inode_info", "msg_tree.rb_node", KINDED(KIND_POINTER, 32, 8) },
	{ "struct mqueue_inode_info", "attr.mq_curmsgs", FIELD(40, 8) },
	{ "struct mqueue_inode_info", "qsize", FIELD(48, 8) },
	{ "struct posix_msg_tree_node", "rb_node", FIELD(NODE, 24) },
	{ "struct posix_msg_tree_node", "msg_list", FIELD(40, 16) },
	{ "struct msg_msg", "m_list", FIELD(LINK, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct mqueue_inode_info", 56 },
					    { "struct msg_msg", 48 },
					    { 0 } };

static enum status read_queue(uint64_t at, struct mqueue *q)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct mqueues m;
	enum status st;

	st = mqueues_find(&s.dump, &m);
	CHECK(st == ST_OK);
	st = st ?: mqueue_read(&m, at + INODE, q);
	return st;
}

static void data_and_headers_are_counted(void)
{
	struct mqueue q;

	queue.root = AT(1) + NODE;
	queue.messages = 2000;
	queue.data = 24000000;
	CHECK(read_queue(AT(0), &q) == ST_OK && q.messages == 2000);
	CHECK(q.bytes == 24000000 + 2000 * 48 && q.message == AT(9));
	queue.root = queue.messages = queue.data = 0;
	CHECK(read_queue(AT(0), &q) == ST_OK && !q.messages && !q.bytes && !q.message);
}

static void what_is_damaged_is_told(void)
{
	struct mqueue q;

	queue.root = AT(80); /* is in no dump */
	queue.messages = 1;
	queue.data = 10;
	CHECK(read_queue(AT(0), &q) == ST_OK && q.bytes == 58 && !q.message);
	queue.messages = (uint64_t)-1;
	CHECK(read_queue(AT(0), &q) == ST_CORRUPT);
	queue.messages = 1;
	queue.data = 1ULL << 50;
	CHECK(read_queue(AT(0), &q) == ST_CORRUPT);
	CHECK(read_queue(AT(80), &q) == ST_UNREADABLE);
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = members };
	struct mqueues m;

	stub_open(&s);
	CHECK(mqueues_find(&s.dump, &m) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .symbols = symbols, .sizes = sizes);
	CHECK(mqueues_find(&s.dump, &m) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "data and headers are counted", data_and_headers_are_counted },
      { "what is damaged is told", what_is_damaged_is_told },
      { "a kernel without them says so", a_kernel_without_them_says_so })
