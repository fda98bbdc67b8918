// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets that a process has open: their records, and what is missing of them. */
#include "collect/sockets.h"

#include <arpa/inet.h>

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
#define SKB(i) (0x80000ULL + (i)*0x100)
#define LIST(i) (0x90000ULL + (i)*0x100)
#define REQUEST(i) (0xa0000ULL + (i)*0x100)
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
} files[] = { { INODE(0) + 8, OPERATIONS },
	      { INODE(1) + 8, OPERATIONS },
	      { INODE(9) + 8, 1 },
	      { INODE(2) + 8, OPERATIONS },
	      { INODE(3) + 8, OPERATIONS } };
/* struct socket_alloc: the socket, then the inode. */
static uint64_t inodes[4];
static struct sock_bytes socks[5];
/* Messages with files. */
static struct skb_bytes {
	uint64_t next, unused[2];
	uint32_t len, truesize;
	uint64_t head;
	uint32_t end, unused_too;
	uint64_t fp, sk;
} skbs[3];
static struct fp_list {
	uint16_t count;
	uint64_t fp[2];
} lists[2];

/* struct request_sock: the next one, and the connection. */
static uint64_t requests[2][2];

static const struct stub_memory memory[] = {
	{ REQUEST(0), requests[0], sizeof(requests[0]) },
	{ REQUEST(1), requests[1], sizeof(requests[1]) },
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
	{ FILE_AT(3), &files[3], 16 },
	{ FILE_AT(4), &files[4], 16 },
	{ INODE(0), &inodes[0], 8 },
	{ INODE(1), &inodes[1], 8 },
	{ INODE(2), &inodes[2], 8 },
	{ INODE(3), &inodes[3], 8 },
	{ SOCK(0), &socks[0], sizeof(socks[0]) },
	{ SOCK(1), &socks[1], sizeof(socks[1]) },
	{ SOCK(2), &socks[2], sizeof(socks[2]) },
	{ SOCK(3), &socks[3], sizeof(socks[3]) },
	{ SOCK(4), &socks[4], sizeof(socks[4]) },
	{ SKB(0), &skbs[0], sizeof(skbs[0]) },
	{ SKB(1), &skbs[1], sizeof(skbs[1]) },
	{ SKB(2), &skbs[2], sizeof(skbs[2]) },
	{ LIST(0), &lists[0], sizeof(lists[0]) },
	{ LIST(1), &lists[1], sizeof(lists[1]) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct unix_skb_parms", "fp", FIELD(0, 8) },
	{ "struct tcp_sock", "copied_seq", SOCK_OF(numbers[1]) },
	SOCK_MEMBERS,
	TASK_MEMBERS,
	{ "struct inet_connection_sock", "icsk_accept_queue.rskq_accept_head", SOCK_OF(address) },
	{ "struct request_sock", "dl_next", FIELD(0, 8) },
	{ "struct request_sock", "sk", FIELD(8, 8) },
	{ "struct sk_buff", "cb", FIELD(48, 8) },
	{ "struct sk_buff", "sk", FIELD(56, 8) },
	{ "struct scm_fp_list", "fp", FIELD(8, 16) },
	{ "struct scm_fp_list", "count", FIELD(0, 2) },
	{ 0 },
};
static const struct stub_number sizes[] = { SOCK_SIZES, { "struct page", 64 }, { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } },
					      { "socket_file_ops", OPERATIONS, { 0 } },
					      { 0 } };

static struct stub stub;
static const struct stub_member *known = members;
static const struct stub_symbol *named = symbols;

/* A process with two ends of a unix socket, and a file that is none. */
static enum status collect(struct sockets *ret)
{
	static struct ram_range range = { 0, 16 };
	static const struct ram ram = { .ranges = &range, .n = 1, .pages = 16 };
	static struct memmap memmap;
	const struct session session = { .dump = &stub.dump, .ram = &ram, .memmap = &memmap };
	const struct sockets *all, *again;
	unsigned int reads;
	enum status st;

	STUB_OPEN(stub, .memory = memory, .members = known, .sizes = sizes, .symbols = named,
		  .enumerators = counters);
	for (unsigned int i = 0; i < 2; i++) {
		tasks[i] = (struct utask){
			.pid = (int)i, .tgid = (int)i, .comm = "netd", .signal = SIGNAL(i)
		};
		tasks[i].tasks = (struct link){ TASK(1 - i), TASK(1 - i) };
		tasks[i].node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].head = (struct link){ TASK(i) + 16, TASK(i) + 16 };
	}
	tasks[1].files = FILES;
	st = sockets_collect(&session, &all);
	if (st != ST_OK)
		return st;
	/* Once in a command, whoever asks for them. */
	reads = stub.reads;
	CHECK(sockets_collect(&session, &again) == ST_OK && again == all && stub.reads == reads);
	*ret = *all;
	return st;
}

static void set_up(void)
{
	for (unsigned int i = 0; i < 5; i++) {
		if (i < 4)
			inodes[i] = SOCK(i);
		socks[i] = (struct sock_bytes){ .family = FAMILY_UNIX,
						.type = SOCKET_STREAM,
						.state = 1,
						.prot = 0x5000,
						.rmem = 100 * (int)i,
						.peer = i < 2 ? SOCK(1 - i) : 0 };
	}
}

/* Descriptors are walked once in a command, whoever asks for them. */
static bool walks_again(void)
{
	struct open_files o;
	struct hash_u64 none = { 0 };
	unsigned int reads;

	CHECK(open_files_open(&stub.dump, &o) == ST_OK);
	o.operations = OPERATIONS;
	reads = stub.reads;
	CHECK(open_files_read(&o, &none) == ST_OK && o.complete && o.inodes.n == 2);
	return stub.reads != reads;
}

static void open_sockets(void)
{
	struct sockets x;

	set_up();
	CHECK(collect(&x) == ST_OK && x.n == 2 && !x.gaps.n && !x.problem && !x.is_partial);
	CHECK(!walks_again());
	CHECK(x.all[0]->sock.address == SOCK(0) && x.all[1]->sock.rmem == 100);
	CHECK(x.all[0]->walked && !x.all[0]->packets && !x.all[0]->bytes && !x.all[0]->pages);
	CHECK_TEXT(x.all[0]->family, "unix");
	CHECK_TEXT(x.all[0]->state, "established");
	CHECK(x.all[0]->used_by->n == 1 && !text_list_is_cut(x.all[0]->used_by));
	CHECK_TEXT(x.all[0]->used_by->text, "1(netd)");
	CHECK_TEXT(x.all[1]->peer_used_by->text, "1(netd)");
	CHECK(x.all[0]->inode == INODE(0) + 8 && !x.all[0]->protocol);
}

/* Both ends of a TCP connection are here; of a second one with the same numbers none is told. */
static void ends_of_a_connection(void)
{
	struct sockets x;

	set_up();
	for (unsigned int i = 0; i < 2; i++) {
		socks[i].family = FAMILY_INET;
		socks[i].protocol = PROTOCOL_TCP;
		socks[i].num = (uint16_t)(5672 + i);
		socks[i].peer_port = htons((uint16_t)(5673 - i));
	}
	CHECK(collect(&x) == ST_OK && x.n == 2);
	CHECK(x.all[0]->sock.kind == SOCK_TCP && x.all[0]->peer_used_by);
	CHECK_TEXT(x.all[0]->peer_used_by ? x.all[0]->peer_used_by->text : "", "1(netd)");
	socks[1].peer_port = htons(1);
	CHECK(collect(&x) == ST_OK && x.n == 2 && !x.all[0]->peer_used_by);
}

/* One that cannot be read is a gap, and the others are records all the same. */
static void unreadable(void)
{
	struct sockets x;

	set_up();
	inodes[0] = NOWHERE;
	CHECK(collect(&x) == ST_OK && x.n == 1 && x.all[0]->sock.address == SOCK(1));
	CHECK(!x.all[0]->peer_used_by);
	CHECK(x.gaps.n == 2 && x.gaps.rows[0].n == 1 && !x.gaps.rows[0].is_note);
	CHECK(x.problem && x.problem == x.gaps.rows[0].why);
}

/* A queue that leads nowhere: its packets are unknown, not none. */
static void torn_queue(void)
{
	struct sockets x;

	set_up();
	socks[1].receive.next = NOWHERE;
	socks[1].receive.qlen = 1;
	CHECK(collect(&x) == ST_OK && x.n == 2 && x.all[0]->walked && !x.all[1]->walked);
	CHECK(x.gaps.n == 2 && x.gaps.rows[0].n == 1 && x.problem);
}

static void wait_in(unsigned int sock, unsigned int skb, uint64_t fp, uint64_t sk)
{
	skbs[skb] = (struct skb_bytes){ .next = SOCK(sock) + SOCK_AT(receive),
					.truesize = 256,
					.head = NOWHERE,
					.fp = fp,
					.sk = sk };
	socks[sock].receive.next = SKB(skb);
	socks[sock].receive.qlen = 1;
}

static const struct socket *socket_at(const struct sockets *x, uint64_t address)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->all[i]->sock.address == address)
			return x->all[i];
	return NULL;
}

static bool tells(const struct sockets *x, const char *text)
{
	for (size_t i = 0; i < x->gaps.n; i++)
		if (x->gaps.rows[i].why && strstr(x->gaps.rows[i].why, text))
			return true;
	return false;
}

/* The first waits in the queue of a socket, is a listening one, and a connection to it has the other. */
static void in_flight(void)
{
	struct sockets x;

	set_up();
	wait_in(1, 0, LIST(0), 0);
	wait_in(2, 1, 0, SOCK(4));
	wait_in(4, 2, LIST(1), 0);
	socks[2].state = STATE_LISTEN;
	lists[0] = (struct fp_list){ 2, { FILE_AT(3), FILE_AT(0) } };
	lists[1] = (struct fp_list){ 1, { FILE_AT(4) } };
	CHECK(collect(&x) == ST_OK && x.n == 4);
	CHECK_TEXT(socket_at(&x, SOCK(0))->used_by->text, "1(netd)");
	CHECK_TEXT(socket_at(&x, SOCK(2))->used_by->text, "in flight to 1(netd)");
	CHECK_TEXT(socket_at(&x, SOCK(3))->used_by->text, "in flight to 1(netd)");
	lists[1].count = 3;
	CHECK(collect(&x) == ST_OK && x.n == 3 && x.problem);
	CHECK(tells(&x, "has 3 files"));
	CHECK(text_list_is_cut(socket_at(&x, SOCK(0))->used_by));
}

/* Connections that no process has open are of the one that could accept them. */
static void not_accepted(void)
{
	struct sockets x;

	set_up();
	for (unsigned int i = 0; i < 5; i++) {
		socks[i].family = FAMILY_INET;
		socks[i].protocol = PROTOCOL_TCP;
		socks[i].peer = 0;
	}
	socks[0].state = STATE_LISTEN;
	socks[0].ack_backlog = 2;
	socks[0].address = REQUEST(0);
	for (unsigned int i = 0; i < 2; i++) {
		requests[i][0] = i ? 0 : REQUEST(1);
		requests[i][1] = SOCK(3 + i);
	}
	CHECK(collect(&x) == ST_OK && x.n == 4 && !x.gaps.n);
	CHECK_TEXT(socket_at(&x, SOCK(4))->used_by->text, "accept queue of 1(netd)");
	CHECK(socket_at(&x, SOCK(3))->not_accepted && !socket_at(&x, SOCK(0))->not_accepted);
	CHECK_TEXT(socket_at(&x, SOCK(0))->used_by->text, "1(netd)");
	/* One that does not listen has other things there; a queue that is torn is told. */
	socks[0].state = 1;
	CHECK(collect(&x) == ST_OK && x.n == 2);
	socks[0].state = STATE_LISTEN;
	requests[0][0] = NOWHERE;
	CHECK(collect(&x) == ST_OK && x.n == 3 && x.problem && x.gaps.n == 1);
	requests[0][0] = REQUEST(0);
	CHECK(collect(&x) == ST_OK && tells(&x, "has no end"));
}

/* Without its types what a message has is unknown; where none waits there is none. */
static void af_unix_without_types(void)
{
	struct sockets x;

	set_up();
	known = members + 1;
	CHECK(collect(&x) == ST_OK && !x.gaps.n);
	wait_in(1, 0, LIST(0), 0);
	CHECK(collect(&x) == ST_OK && tells(&x, "struct unix_skb_parms"));
	known = members;
}

static void no_network(void)
{
	const struct session session = { .dump = &stub.dump };
	const struct sockets *x;

	STUB_OPEN(stub, .memory = memory, .members = members, .sizes = sizes);
	CHECK(sockets_collect(&session, &x) == ST_ABSENT);
	CHECK(strstr(stub.dump.error, "CONFIG_NET") != NULL);
}

/* Loop devices whose list is unknown may have files of file systems, and no socket. */
static void loops_that_are_unknown(void)
{
	static const struct stub_symbol with_loop[] = { { "init_task", TASK(0), { 0 } },
							{ "socket_file_ops", OPERATIONS, { 0 } },
							{ "loop_index_idr", NOWHERE, { 0 } },
							{ 0 } };
	const struct hash_u64 none = { 0 };
	struct open_files o;
	struct sockets x;

	set_up();
	named = with_loop;
	CHECK(collect(&x) == ST_OK && x.n == 2 && !x.gaps.n && !x.problem && !x.is_partial);
	CHECK(open_files_open(&stub.dump, &o) == ST_OK && open_files_read(&o, NULL) == ST_OK);
	CHECK(o.complete && !o.problem);
	CHECK(open_files_open(&stub.dump, &o) == ST_OK && open_files_read(&o, &none) == ST_OK);
	CHECK(!o.complete && o.problem);
	named = symbols;
}

TESTS({ "ends of a connection", ends_of_a_connection },
      { "sockets that a process has open", open_sockets },
      { "a socket that cannot be read", unreadable },
      { "connections that are not accepted", not_accepted },
      { "a queue that cannot be walked", torn_queue }, { "a kernel without network", no_network },
      { "sockets in flight in the queues of others", in_flight },
      { "a unix socket with messages whose types are missing", af_unix_without_types },
      { "loop devices that are unknown", loops_that_are_unknown })
