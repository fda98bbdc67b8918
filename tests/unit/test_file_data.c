// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects that open files lead to: data of one kind, sockets, items of epoll; damaged and missing ones. */
#include <string.h>

#include "files/file_data.h"
#include "stub.h"
#include "test.h"
#include "util/strbuf.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000ULL)
#define FILE_AT AT(0)
#define DATA AT(1)
#define ITEM(i) AT(4 + (i))
#define SOCKETS 0x5000ULL
#define EPOLL 0x6000ULL
#define RBN 16 /* of an item */

struct node {
	uint64_t parent, right, left;
};

static uint64_t data;
static struct {
	uint64_t state, sk, root;
} object;
static struct node items[3];

static const struct stub_memory memory[] = { { FILE_AT + 32, &data, 8 },
					     { DATA, &object, sizeof(object) },
					     { ITEM(0) + RBN, &items[0], sizeof(items[0]) },
					     { ITEM(1) + RBN, &items[1], sizeof(items[0]) },
					     { ITEM(2) + RBN, &items[2], sizeof(items[0]) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "socket_file_ops", SOCKETS, { 0 } },
					      { "eventpoll_fops", EPOLL, { 0 } },
					      { 0 } };
static const struct stub_member members[] = {
	{ "struct file", "private_data", FIELD(32, 8) },
	{ "struct socket", "sk", FIELD(8, 8) },
	{ "struct eventpoll", "rbr.rb_root.rb_node", FIELD(16, 8) },
	{ "struct epitem", "rbn", FIELD(RBN, 24) },
	{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", FIELD(8, 8) },
	{ "struct rb_node", "rb_left", FIELD(16, 8) },
	{ 0 },
};

static char text[256];
static uint64_t first;

static enum status add(void *arg, uint64_t address)
{
	struct strbuf *b = arg;

	first = first ?: address;
	strbuf_add(b, "%s%lx", strbuf_between(b, " "), address & 0xfffff);
	return ST_OK;
}

/* What the file leads to, or "unreadable" and its like behind that. */
static const char *found(const struct stub_member *of, uint64_t operations)
{
	static struct stub s;
	struct strbuf b = STRBUF_OF(256);
	struct file_data f;
	enum status st;

	STUB_OPEN(s, .memory = memory, .members = of, .symbols = symbols);
	st = file_data_open(&s.dump, &f);
	first = 0;
	if (st == ST_OK)
		st = file_data_walk(&f, FILE_AT, operations, add, &b);
	if (st == ST_OK && first)
		st = file_data_items(&f, first, operations, add, &b);
	if (st != ST_OK)
		strbuf_add(&b, " %s", st == ST_CORRUPT ? "corrupt" : "not read");
	snprintf(text, sizeof(text), "%s", b.buf);
	return text;
}

static void set_up(void)
{
	data = DATA;
	memset(&object, 0, sizeof(object));
	object.sk = AT(9);
	object.root = ITEM(1) + RBN;
	items[1] = (struct node){ 0, ITEM(2) + RBN, ITEM(0) + RBN };
	items[0] = (struct node){ ITEM(1) + RBN, 0, 0 };
	items[2] = (struct node){ ITEM(1) + RBN, 0, 0 };
}

static void of_each_kind(void)
{
	set_up();
	CHECK_TEXT(found(members, 0x7000), "1000");
	CHECK_TEXT(found(members, SOCKETS), "1000 9000");
	CHECK_TEXT(found(members, EPOLL), "1000 4000 5000 6000");
	/* A file without data, a socket that was never connected to a protocol. */
	data = 0;
	CHECK_TEXT(found(members, EPOLL), "");
	set_up();
	object.sk = object.root = 0;
	CHECK_TEXT(found(members, SOCKETS), "1000");
	CHECK_TEXT(found(members, EPOLL), "1000");
}

static void damaged(void)
{
	set_up();
	items[2].parent = ITEM(0) + RBN;
	CHECK_TEXT(found(members, EPOLL), "1000 4000 5000 corrupt");
	set_up();
	object.root = 0x123000;
	CHECK_TEXT(found(members, EPOLL), "1000 not read");
	data = AT(80);
	CHECK_TEXT(found(members, SOCKETS), "50000 not read");
}

/* Of a kernel without them the file has its data alone. */
static void without_sockets(void)
{
	static const struct stub_member few[] = { { "struct file", "private_data", FIELD(32, 8) },
						  { 0 } };

	set_up();
	CHECK_TEXT(found(few, SOCKETS), "1000");
	CHECK_TEXT(found(few, EPOLL), "1000");
}

TESTS({ "objects of files of each kind", of_each_kind }, { "damaged ones", damaged },
      { "a kernel without sockets and epoll", without_sockets })
