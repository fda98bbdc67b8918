// SPDX-License-Identifier: GPL-2.0-or-later
/* FUSE without types of its module: whose file system it is, and who serves, by pointers that lead to one object. */
#include <string.h>

#include "files/fuse.h"
#include "process_stub.h"
#include "test.h"

#define TASKS 2
#define FDS 4
#define FDS_AT(i) (0x50000ULL + (i)*0x1000)
#define FILE_AT(i) (0xffff888000100000ULL + (i)*64)
#define BASE 0xffff888000200000ULL
#define WORDS 2048
#define AT(i) (BASE + (uint64_t)(i)*0x200)
#define DEVICE_OPERATIONS 0x90000ULL

#define SUPERS AT(0)
#define SUPER(i) AT(1 + (i))
#define TYPE AT(4)
#define NAME AT(5)
#define ROOT(i) AT(6 + (i)) /* a dentry, and its inode behind */
#define MOUNT(i) AT(10 + (i))
#define CONN(i) AT(12 + (i))
#define DEVICE(i) AT(14 + (i))
#define REQUEST AT(16)
#define INODE AT(18)
#define STACK 0xffffc90000000000ULL
#define SIZE 0x1000ULL
#define ENTRY 0x800ULL

static struct utask tasks[TASKS];
static struct usignal signals[TASKS];
static struct ufiles files[TASKS];
static uint64_t fds[TASKS][FDS];
static struct {
	uint64_t inode, operations, private, rest[5];
} file[2];
static uint64_t words[WORDS];
static uint8_t stack[SIZE];
static struct an_entry {
	uint64_t private, next, prev;
} *entry = (struct an_entry *)(stack + ENTRY);

static const struct stub_member members[] = { TASK_MEMBERS,
					      { "struct file", "private_data", FIELD(16, 8) },
					      { "struct super_block", "s_list", FIELD(0, 16) },
					      { "struct super_block", "s_root", FIELD(16, 8) },
					      { "struct super_block", "s_fs_info", FIELD(24, 8) },
					      { "struct super_block", "s_dev", FIELD(32, 4) },
					      { "struct super_block", "s_type", FIELD(40, 8) },
					      { "struct super_block", "s_id",
						KINDED(KIND_ARRAY, 48, 32) },
					      { "struct super_block", "s_op", FIELD(80, 8) },
					      { "struct file_system_type", "name", FIELD(0, 8) },
					      { "struct dentry", "d_inode", FIELD(0, 8) },
					      { "struct inode", "i_mode", FIELD(0, 2) },
					      { "struct inode", "i_sb", FIELD(8, 8) },
					      { "struct inode", "i_mapping", FIELD(16, 8) },
					      { "struct inode", "i_ino", FIELD(24, 8) },
					      { "struct inode", "i_size", FIELD(32, 8) },
					      { "struct inode", "i_nlink", FIELD(40, 4) },
					      { "struct inode", "i_rdev", FIELD(44, 4) },
					      { "struct inode", "i_flags", FIELD(4, 4) },
					      { "struct inode", "i_dentry.first", FIELD(48, 8) },
					      { "struct address_space", "host", FIELD(0, 8) },
					      { "struct address_space", "nrpages", FIELD(8, 8) },
					      { "struct wait_queue_head", "head", FIELD(0, 16) },
					      { "struct wait_queue_entry", "private", FIELD(0, 8) },
					      { "struct wait_queue_entry", "entry", FIELD(8, 16) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "super_blocks", SUPERS, FIELD(0, 16) },
					      { "fuse_conn_list", AT(30), { 0 } },
					      { "fuse_dev_operations", DEVICE_OPERATIONS, { 0 } },
					      { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_memory memory[] = { PROCESS_MEMORY(0),
					     PROCESS_MEMORY(1),
					     { FILE_AT(0), file, sizeof(file) },
					     { BASE, words, sizeof(words) },
					     { STACK, stack, sizeof(stack) },
					     { 0 } };

static uint64_t *word(uint64_t at)
{
	return &words[(at - BASE) / 8];
}

/* Two file systems, each with its mount, its connection and the file of /dev/fuse of a process. */
static void fill(void)
{
	memset(words, 0, sizeof(words));
	memset(stack, 0, sizeof(stack));
	memset(fds, 0, sizeof(fds));
	for (unsigned int i = 0; i < TASKS; i++) {
		set_process(&tasks[i], &signals[i], i, TASKS, i ? "server" : "init");
		set_files(&files[i], i, FDS, FDS_AT(i));
	}
	strcpy((char *)word(NAME), "fuse");
	*word(TYPE) = NAME;
	for (unsigned int i = 0; i < 2; i++) {
		const uint64_t next = i ? SUPERS : SUPER(1), prev = i ? SUPER(0) : SUPERS;
		const uint64_t inode = ROOT(i) + 64;

		word(SUPER(i))[0] = next;
		word(SUPER(i))[1] = prev;
		word(SUPER(i))[2] = ROOT(i);
		word(SUPER(i))[3] = MOUNT(i);
		word(SUPER(i))[4] = 23 + i;
		word(SUPER(i))[5] = TYPE;
		strcpy((char *)(word(SUPER(i)) + 6), "hung");
		*word(ROOT(i)) = inode;
		word(inode)[0] = 040755;
		word(inode)[1] = SUPER(i);
		word(inode)[2] = inode + 128;
		word(MOUNT(i))[0] = CONN(i);
		word(MOUNT(i))[1] = SUPER(i);
		*word(DEVICE(i)) = CONN(i);
		file[i].inode = ROOT(0) + 64;
		file[i].operations = DEVICE_OPERATIONS;
		file[i].private = DEVICE(i);
	}
	word(SUPERS)[0] = SUPER(0);
	word(SUPERS)[1] = SUPER(1);
	fds[1][1] = FILE_AT(0);
	/* The queue of a request, with the mount behind. */
	word(REQUEST)[4] = STACK + ENTRY + 8;
	word(REQUEST)[5] = STACK + ENTRY + 8;
	word(REQUEST)[7] = MOUNT(0);
	*entry = (struct an_entry){ TASK(0), REQUEST + 32, REQUEST + 32 };
}

static struct stub stub;

/* The number of the connection that the task waits for; 0: unknown, with the status. */
static uint32_t waits_for(enum status *st)
{
	const struct task_stack at = { .base = STACK, .size = SIZE, .bytes = stack };
	static struct fuse f;
	struct fuse_wait w = { 0 };

	STUB_OPEN(stub, memory, symbols, members, .enumerators = counters);
	*st = fuse_open(&stub.dump, &f);
	if (*st == ST_OK)
		*st = fuse_wait_find(&f, TASK(0), &at, STACK + 0x700, STACK + 0x900, &w);
	if (*st != ST_OK)
		return 0;
	CHECK(w.conn->is_untyped && !w.request && w.state == FUSE_REQUEST_UNKNOWN);
	fuse_read_users(&f);
	CHECK(w.conn->sb == SUPER(w.conn->dev - 23));
	CHECK(w.conn->address == (w.conn->dev == 23 ? CONN(0) : 0));
	CHECK(f.users_complete == !file[1].rest[0]);
	CHECK(w.conn->users.n == (w.conn->dev == 23) &&
	      (!w.conn->users.n || w.conn->users.all[0]->tgid == 1));
	return w.conn->dev;
}

static void requests_and_inodes(void)
{
	enum status st;

	fill();
	CHECK(waits_for(&st) == 23);
	word(REQUEST)[7] = MOUNT(1);
	CHECK(waits_for(&st) == 24);
	/* Behind an inode whose pages are its own. */
	word(REQUEST)[7] = 0;
	CHECK(!waits_for(&st) && st == ST_ABSENT);
	word(REQUEST - 0x100)[1] = SUPER(1);
	CHECK(!waits_for(&st) && st == ST_ABSENT);
	word(REQUEST - 0x100)[2] = REQUEST - 0x80;
	CHECK(waits_for(&st) == 24);
	word(REQUEST - 0x100)[2] = REQUEST + 0x80;
	CHECK(!waits_for(&st) && st == ST_ABSENT);
}

/* It has another file whose connection is not in the dump: it may be of any. */
static void not_all_users(void)
{
	enum status st;

	fill();
	fds[1][2] = FILE_AT(1);
	file[1].private = AT(5000);
	file[1].rest[0] = 1; /* for the check of whether all are known */
	CHECK(waits_for(&st) == 23);
	file[1].rest[0] = 0;
	/* No mount has it; a mark that is no pointer. */
	file[1].private = 0;
	CHECK(waits_for(&st) == 23);
	file[1].private = 1;
	CHECK(waits_for(&st) == 23);
}

/* What nothing confirms is no connection: then the types are asked for. */
static void nothing_confirms_it(void)
{
	enum status st;

	fill();
	fds[1][1] = 0;
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	CHECK_TEXT(stub.dump.error, "the types of module fuse are not known");
	fill();
	*word(DEVICE(0)) = CONN(1) + 8;
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	/* Its mount does not lead back. */
	fill();
	word(MOUNT(0))[1] = word(MOUNT(1))[1] = 0;
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	fill();
	word(SUPER(0))[3] = word(SUPER(1))[3] = 0x1000;
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	fill();
	strcpy((char *)word(NAME), "ext4");
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	/* A device that leads to a super_block leads to no connection. */
	fill();
	*word(DEVICE(0)) = SUPER(0);
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
	/* The list of file systems breaks off. */
	fill();
	word(SUPERS)[0] = word(SUPERS)[1] = 0x1000;
	CHECK(!waits_for(&st) && st == ST_UNKNOWN);
}

TESTS({ "queues of requests and of inodes", requests_and_inodes },
      { "users that are not all known", not_all_users },
      { "what nothing confirms", nothing_confirms_it })
