// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets that a process has open: their records, and what is missing of them. */
#include "collect/sockets.h"

#include "sock_stub.h"
#include "task_stub.h"
#include "test.h"

#define TASK(i) (0x10000ULL + (i)*0x1000)
#define SIGNAL(i) (0x20000ULL + (i)*0x1000)
#define FILES 0x40000ULL
#define TABLE 0x40100ULL
#define FDS 0x40200ULL
#define FILE_AT(i) (0x41000ULL + (i)*0x100)
#define INODE(i) (0x50000ULL + (i)*0x100)
#define SOCK(i) (0x60000ULL + (i)*0x1000)
#define OPERATIONS 0x70000ULL
#define NOWHERE 0x999000ULL

static struct utask tasks[2];
static struct usignal signals[2];
static const uint64_t files_table = TABLE;
static const struct {
	uint64_t max, fd;
} table = { 3, FDS };
static const uint64_t fds[] = { FILE_AT(0), FILE_AT(1), FILE_AT(2) };
static const struct ufile {
	uint64_t inode, operations;
} files[] = { { INODE(0) + 8, OPERATIONS }, { INODE(1) + 8, OPERATIONS }, { INODE(2) + 8, 1 } };
/* struct socket_alloc: the socket, then the inode. */
static uint64_t inodes[2];
static struct sock_bytes socks[2];

static const struct stub_memory memory[] = {
	{ TASK(0), &tasks[0], sizeof(tasks[0]) },
	{ TASK(1), &tasks[1], sizeof(tasks[1]) },
	{ SIGNAL(0), &signals[0], sizeof(signals[0]) },
	{ SIGNAL(1), &signals[1], sizeof(signals[1]) },
	{ FILES, &files_table, 8 },
	{ TABLE, &table, sizeof(table) },
	{ FDS, fds, sizeof(fds) },
	{ FILE_AT(0), &files[0], sizeof(files[0]) },
	{ FILE_AT(1), &files[1], 16 },
	{ FILE_AT(2), &files[2], 16 },
	{ INODE(0), &inodes[0], 8 },
	{ INODE(1), &inodes[1], 8 },
	{ SOCK(0), &socks[0], sizeof(socks[0]) },
	{ SOCK(1), &socks[1], sizeof(socks[1]) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct tcp_sock", "copied_seq", SOCK_OF(numbers[1]) },
	SOCK_MEMBERS,
	TASK_MEMBERS,
	{ 0 },
};
static const struct stub_number sizes[] = { SOCK_SIZES, { "struct page", 64 }, { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "socket_file_ops", OPERATIONS, { 0 } },
					      { 0 } };

static struct stub stub;

/* A process with two ends of a unix socket, and a file that is none. */
static enum status collect(struct sockets *ret)
{
	static struct ram_range range = { 0, 16 };
	static const struct ram ram = { .ranges = &range, .n = 1, .pages = 16 };
	static struct memmap memmap;
	const struct session session = { .dump = &stub.dump, .ram = &ram, .memmap = &memmap };

	stub = (struct stub){ .memory = memory,
			      .members = members,
			      .sizes = sizes,
			      .symbols = symbols,
			      .enumerators = counters };
	stub_open(&stub);
	for (unsigned int i = 0; i < 2; i++) {
		tasks[i] = (struct utask){
			.pid = (int)i, .tgid = (int)i, .comm = "netd", .signal = SIGNAL(i)
		};
		tasks[i].tasks = (struct link){ TASK(1 - i), TASK(1 - i) };
		tasks[i].node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].head = (struct link){ TASK(i) + 16, TASK(i) + 16 };
	}
	tasks[1].files = FILES;
	return sockets_collect(&session, ret);
}

static void set_up(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		inodes[i] = SOCK(i);
		socks[i] = (struct sock_bytes){ .family = FAMILY_UNIX,
						.type = SOCKET_STREAM,
						.state = 1,
						.prot = 0x5000,
						.rmem = 100 * (int)i,
						.peer = SOCK(1 - i) };
	}
}

static void open_sockets(void)
{
	struct sockets x;

	set_up();
	CHECK(collect(&x) == ST_OK && x.n == 2 && !x.gaps.n && !x.problem && !x.is_partial);
	CHECK(x.all[0].sock.address == SOCK(0) && x.all[1].sock.rmem == 100);
	CHECK(x.all[0].walked && !x.all[0].packets && !x.all[0].bytes && !x.all[0].pages);
	CHECK_TEXT(x.all[0].family, "unix");
	CHECK_TEXT(x.all[0].state, "established");
	CHECK(x.all[0].used_by->n == 1 && !text_list_is_cut(x.all[0].used_by));
	CHECK_TEXT(x.all[0].used_by->text, "1(netd)");
	CHECK_TEXT(x.all[1].peer_used_by->text, "1(netd)");
	CHECK(x.all[0].inode == INODE(0) + 8 && !x.all[0].protocol);
	stub_close(&stub);
}

/* One that cannot be read is a gap, and the others are records all the same. */
static void unreadable(void)
{
	struct sockets x;

	set_up();
	inodes[0] = NOWHERE;
	CHECK(collect(&x) == ST_OK && x.n == 1 && x.all[0].sock.address == SOCK(1));
	CHECK(!x.all[0].peer_used_by);
	CHECK(x.gaps.n == 1 && x.gaps.rows[0].n == 1 && !x.gaps.rows[0].is_note);
	CHECK(x.problem && x.problem == x.gaps.rows[0].why);
	stub_close(&stub);
}

/* A queue that leads nowhere: its packets are unknown, not none. */
static void torn_queue(void)
{
	struct sockets x;

	set_up();
	socks[1].receive.next = NOWHERE;
	socks[1].receive.qlen = 1;
	CHECK(collect(&x) == ST_OK && x.n == 2 && x.all[0].walked && !x.all[1].walked);
	CHECK(x.gaps.n == 1 && x.gaps.rows[0].n == 1 && x.problem);
	stub_close(&stub);
}

static void no_network(void)
{
	const struct session session = { .dump = &stub.dump };
	struct sockets x;

	stub = (struct stub){ .memory = memory, .members = members, .sizes = sizes };
	stub_open(&stub);
	CHECK(sockets_collect(&session, &x) == ST_ABSENT);
	CHECK(strstr(stub.dump.error, "CONFIG_NET") != NULL);
	stub_close(&stub);
}

TESTS({ "sockets that a process has open", open_sockets },
      { "a socket that cannot be read", unreadable },
      { "a queue that cannot be walked", torn_queue }, { "a kernel without network", no_network })
