// SPDX-License-Identifier: GPL-2.0-or-later
/* Which request of which FUSE connection a task waits for, by the queue that its entry on the stack is in. */
#include "files/fuse.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define HEAD AT(0)
#define CONN AT(1)
#define MOUNT AT(2)
#define REQUEST AT(3)
#define INODE AT(4)
#define SUPER AT(5)
#define TASK AT(6)
#define FOLIO AT(7)
#define MAPPING AT(8)
#define STACK 0xffffc90000000000ULL
#define SIZE 0x1000ULL
#define ENTRY 0x800ULL /* of the stack */

static struct {
	uint64_t next, prev;
} head;
static struct {
	uint32_t dev, connected, waiting, unused;
	uint64_t next, prev, mounts, last_mount, queue, last;
} conn;
static struct {
	uint64_t conn, sb, next, prev;
} mount;
static struct {
	uint64_t flags, mount, queue, last;
	uint32_t opcode;
} request;
static struct {
	uint64_t sb, queue, last;
} inode;
static struct {
	uint64_t flags, mapping;
} folio;
static struct {
	uint64_t host;
} mapping;
static uint8_t stack[SIZE];
static struct an_entry {
	uint64_t private, next, prev;
} *entry = (struct an_entry *)(stack + ENTRY);

static const struct stub_memory memory[] = {
	{ HEAD, &head, sizeof(head) },
	{ CONN, &conn, sizeof(conn) },
	{ MOUNT, &mount, sizeof(mount) },
	{ REQUEST, &request, sizeof(request) },
	{ INODE, &inode, sizeof(inode) },
	{ FOLIO, &folio, sizeof(folio) },
	{ MAPPING, &mapping, sizeof(mapping) },
	{ STACK, stack, sizeof(stack) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "fuse_conn_list", HEAD, FIELD(0, 16) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct fuse_conn", "dev", FIELD(0, 4) },
	{ "struct fuse_conn", "connected", FIELD(4, 4) },
	{ "struct fuse_conn", "num_waiting", FIELD(8, 4) },
	{ "struct fuse_conn", "entry", FIELD(16, 16) },
	{ "struct fuse_conn", "mounts", FIELD(32, 16) },
	{ "struct fuse_conn", "blocked_waitq", FIELD(48, 16) },
	{ "struct fuse_mount", "fc", FIELD(0, 8) },
	{ "struct fuse_mount", "sb", FIELD(8, 8) },
	{ "struct fuse_mount", "fc_entry", FIELD(16, 16) },
	{ "struct fuse_req", "flags", FIELD(0, 8) },
	{ "struct fuse_req", "fm", FIELD(8, 8) },
	{ "struct fuse_req", "waitq", FIELD(16, 16) },
	{ "struct fuse_req", "in.h.opcode", FIELD(32, 4) },
	{ "struct fuse_dev", "fc", FIELD(0, 8) },
	{ "struct fuse_inode", "inode", FIELD(0, 8) },
	{ "struct fuse_inode", "page_waitq", FIELD(8, 16) },
	{ "struct wait_queue_head", "head", FIELD(0, 16) },
	{ "struct wait_queue_entry", "private", FIELD(0, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(8, 16) },
	{ "struct wait_page_queue", "folio", FIELD(0, 8) },
	{ "struct wait_page_queue", "wait", FIELD(16, 24) },
	{ "struct folio", "mapping", FIELD(8, 8) },
	{ "struct folio", "flags", FIELD(0, 8) },
	{ "struct address_space", "host", FIELD(0, 8) },
	{ "struct inode", "i_sb", FIELD(0, 8) },
	{ "struct file", "private_data", FIELD(0, 8) },
	{ "struct super_block", "s_root", FIELD(0, 8) },
	{ "struct dentry", "d_inode", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct fuse_conn", 64 },
	{ "struct fuse_mount", 32 },
	{ "struct fuse_req", 36 },
	{ "struct fuse_dev", 8 },
	{ 0 },
};
static const struct stub_number enumerators[] = {
	{ "FR_PENDING", 7 }, { "FR_SENT", 8 }, { "PG_locked", 0 }, { "PG_uptodate", 3 }, { 0 }
};

/* The entry is alone in a queue at an address, whose links are these. */
static void wait_in(uint64_t at, uint64_t *next, uint64_t *last)
{
	*next = *last = STACK + ENTRY + 8;
	*entry = (struct an_entry){ TASK, at, at };
}

static void fill(void)
{
	memset(stack, 0, sizeof(stack));
	head.next = head.prev = CONN + 16;
	conn.dev = 38;
	conn.connected = 1;
	conn.waiting = 3;
	conn.next = conn.prev = HEAD;
	conn.mounts = conn.last_mount = MOUNT + 16;
	conn.queue = conn.last = CONN + 48;
	mount.conn = CONN;
	mount.sb = SUPER;
	mount.next = mount.prev = CONN + 32;
	request.flags = 1 << 8;
	request.mount = MOUNT;
	request.opcode = 17;
	request.queue = request.last = REQUEST + 16;
	inode.sb = SUPER;
	inode.queue = inode.last = INODE + 8;
}

static bool of_page, is_read;

static enum status find(struct fuse_wait *ret)
{
	STUB(s, memory, symbols, members, sizes, enumerators);
	const struct task_stack at = { .base = STACK, .size = SIZE, .bytes = stack };
	static struct fuse_conn copy;
	struct fuse f;
	enum status st;

	st = fuse_open(&s.dump, &f);
	if (st == ST_OK)
		st = (is_read	? fuse_page_read_find
		      : of_page ? fuse_page_wait_find
				: fuse_wait_find)(&f, TASK, &at, STACK + 0x700, STACK + 0x900, ret);
	if (st == ST_OK) {
		copy = *ret->conn;
		ret->conn = &copy;
	}
	return st;
}

static void a_request(void)
{
	struct fuse_wait w;

	fill();
	wait_in(REQUEST + 16, &request.queue, &request.last);
	CHECK(find(&w) == ST_OK && w.conn->address == CONN && w.conn->dev == 38);
	CHECK(w.conn->waiting == 3 && w.conn->connected && w.conn->sb == SUPER);
	CHECK(!strcmp(w.request, "FUSE_STATFS") && w.state == FUSE_REQUEST_SENT);
	request.flags = 1 << 7;
	request.opcode = 4711;
	CHECK(find(&w) == ST_OK && !w.request && w.state == FUSE_REQUEST_PENDING);
	request.flags = 0;
	CHECK(find(&w) == ST_OK && w.state == FUSE_REQUEST_UNKNOWN);
	/* Of a mount that is none, or of a connection that is not in the list. */
	request.mount = AT(9);
	CHECK(find(&w) == ST_ABSENT);
	request.mount = MOUNT;
	mount.conn = AT(9);
	CHECK(find(&w) == ST_ABSENT);
}

static void other_queues(void)
{
	struct fuse_wait w;

	fill();
	wait_in(INODE + 8, &inode.queue, &inode.last);
	CHECK(find(&w) == ST_OK && w.conn->address == CONN && !w.request &&
	      w.state == FUSE_REQUEST_UNKNOWN);
	inode.sb = AT(9);
	CHECK(find(&w) == ST_ABSENT);
	fill();
	wait_in(CONN + 48, &conn.queue, &conn.last);
	CHECK(find(&w) == ST_OK && w.conn->address == CONN && !w.request);
}

/* Since 6.16 the end of writeback is waited for at the folio: it leads to the file, and that to its file system. */
static void a_folio(void)
{
	struct fuse_wait w;

	fill();
	of_page = true;
	memcpy(stack + ENTRY - 16, (const uint64_t[]){ FOLIO, 15 }, 16);
	*entry = (struct an_entry){ TASK, AT(9), AT(9) };
	folio.mapping = MAPPING;
	mapping.host = INODE;
	CHECK(find(&w) == ST_OK && w.conn->address == CONN && !w.request);
	/* Its lock is for more than a read where it has data, or no lock any more. */
	is_read = true;
	folio.flags = 1;
	CHECK(find(&w) == ST_OK && w.conn->address == CONN);
	folio.flags = 9;
	CHECK(find(&w) == ST_ABSENT);
	folio.flags = 0;
	CHECK(find(&w) == ST_ABSENT);
	is_read = false;
	/* Of another file system; truncated, of no file, and of no task. */
	inode.sb = AT(9);
	CHECK(find(&w) == ST_ABSENT);
	inode.sb = SUPER;
	folio.mapping = 0;
	CHECK(find(&w) == ST_ABSENT);
	folio.mapping = MAPPING + 1;
	CHECK(find(&w) == ST_ABSENT);
	folio.mapping = MAPPING;
	entry->private = AT(9);
	CHECK(find(&w) == ST_ABSENT);
	of_page = false;
}

static void hostile_queues(void)
{
	struct fuse_wait w;

	/* No entry of this task; one whose links lead elsewhere, nowhere, or to itself. */
	fill();
	CHECK(find(&w) == ST_ABSENT);
	wait_in(REQUEST + 16, &request.queue, &request.last);
	entry->private = AT(7);
	CHECK(find(&w) == ST_ABSENT);
	entry->private = TASK;
	request.last = 0;
	CHECK(find(&w) == ST_ABSENT);
	wait_in(AT(9), &request.queue, &request.last);
	CHECK(find(&w) == ST_ABSENT);
	wait_in(STACK + ENTRY + 8, &request.queue, &request.last);
	CHECK(find(&w) == ST_ABSENT);
	wait_in(REQUEST + 17, &request.queue, &request.last);
	CHECK(find(&w) == ST_ABSENT);
	/* A circle that does not come back. */
	entry->next = STACK + 0xa00;
	memcpy(stack + 0xa00, (const uint64_t[]){ STACK + 0xa00, STACK + 0xa00 }, 16);
	CHECK(find(&w) == ST_ABSENT);
	/* A list of connections that is none. */
	fill();
	wait_in(REQUEST + 16, &request.queue, &request.last);
	conn.prev = 0;
	CHECK(find(&w) == ST_CORRUPT);
	head.next = AT(9);
	CHECK(find(&w) == ST_UNREADABLE);
}

TESTS({ "a request, its connection and whether a server has read it", a_request },
      { "the queues of an inode and of a connection", other_queues },
      { "the folio of a file", a_folio }, { "hostile queues and lists", hostile_queues })
