// SPDX-License-Identifier: GPL-2.0-or-later
/* Who sleeps in a call of a socket: by an entry of its queue that is on the stack of the task. */
#include "net/sock_wait.h"
#include "stub.h"
#include "test.h"

#define SOCK 0xffff888000100000ULL
#define QUEUE 0xffff888000101000ULL
#define TASK(i) (0xffff888000200000ULL + (uint64_t)(i)*0x1000)
#define STACK(i) (0xffffc90000000000ULL + (uint64_t)(i)*0x10000)
#define SIZE 0x4000ULL
#define ENTRY 0x800ULL
#define HEAD (QUEUE + 8)

struct links {
	uint64_t next, prev;
};

static uint64_t sock[7]; /* sk_wq, and peer_wq of a unix socket */
static struct {
	uint64_t lock;
	struct links head;
} queue;
static struct {
	uint64_t flags, private, func;
	struct links entry;
} entries[2];

static const struct stub_memory memory[] = {
	{ SOCK, sock, sizeof(sock) },
	{ QUEUE, &queue, sizeof(queue) },
	{ STACK(0) + ENTRY, &entries[0], sizeof(entries[0]) },
	{ STACK(1) + ENTRY, &entries[1], sizeof(entries[1]) },
	{ 0 },
};
/* Of the entry of task 0 its links alone. */
static const struct stub_memory cut[] = {
	{ SOCK, sock, sizeof(sock) },
	{ QUEUE, &queue, sizeof(queue) },
	{ STACK(0) + ENTRY + 24, &entries[0].entry, sizeof(entries[0].entry) },
	{ STACK(1) + ENTRY, &entries[1], sizeof(entries[1]) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct sock", "sk_wq", FIELD(24, 8) },
	{ "struct socket_wq", "wait", FIELD(0, 24) },
	{ "struct unix_sock", "peer_wq.wait", FIELD(32, 24) },
	{ "struct wait_queue_head", "head", FIELD(8, 16) },
	{ "struct wait_queue_entry", "private", FIELD(8, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(24, 16) },
	{ 0 },
};

static uint64_t link_of(unsigned int i)
{
	return STACK(i) + ENTRY + 24;
}

static void fill(void)
{
	sock[3] = QUEUE;
	queue.head = (struct links){ link_of(0), link_of(1) };
	for (unsigned int i = 0; i < 2; i++)
		entries[i].private = TASK(i);
	entries[0].entry = (struct links){ link_of(1), HEAD };
	entries[1].entry = (struct links){ HEAD, link_of(0) };
}

static enum status find_in(const struct stub_memory *of, unsigned int task, unsigned int stack)
{
	STUB(s, of, NULL, members);
	struct sock_waits w;

	return sock_waits_open(&s.dump, &w)
		       ?: sock_wait_find(&w, SOCK, TASK(task), STACK(stack), SIZE);
}

static enum status find(unsigned int task, unsigned int stack)
{
	return find_in(memory, task, stack);
}

static void waits(void)
{
	fill();
	CHECK(find(0, 0) == ST_OK && find(1, 1) == ST_OK);
	/* The entry of another task, and one that is not on the stack of this one. */
	CHECK(find(0, 1) == ST_ABSENT && find(1, 0) == ST_ABSENT && find(2, 2) == ST_ABSENT);
	sock[3] = 0;
	CHECK(find(0, 0) == ST_ABSENT);
}

static void damaged(void)
{
	fill();
	/* It is read from the other end as well. */
	entries[0].entry.next = link_of(0);
	CHECK(find(1, 1) == ST_OK);
	entries[1].entry.prev = link_of(1);
	CHECK(find(2, 2) == ST_CORRUPT);
	fill();
	/* Whose entry it is is unknown; of a queue of others nothing is missed. */
	CHECK(find_in(cut, 0, 0) == ST_UNREADABLE && find_in(cut, 1, 1) == ST_OK);
	CHECK(find_in(cut, 2, 2) == ST_ABSENT);
	sock[3] = 0x1000;
	CHECK(find(0, 0) == ST_UNREADABLE);
}

static uint64_t senders[3];
static unsigned int count;

static void take(void *arg NOT_USED, uint64_t task)
{
	if (count < ARRAY_SIZE(senders))
		senders[count++] = task;
}

static enum status walk(const struct stub_member *of)
{
	STUB(s, memory, NULL, of);
	struct sock_waits w;

	count = 0;
	return sock_waits_open(&s.dump, &w) ?: sock_senders_walk(&w, SOCK, take, NULL);
}

static void senders_of_a_full_queue(void)
{
	fill();
	sock[5] = link_of(0);
	sock[6] = link_of(1);
	entries[0].entry.prev = entries[1].entry.next = SOCK + 40;
	CHECK(walk(members) == ST_OK && count == 2 && senders[0] == TASK(0) &&
	      senders[1] == TASK(1));
	sock[5] = sock[6] = SOCK + 40;
	CHECK(walk(members) == ST_OK && !count);
	sock[5] = 0x1000;
	CHECK(walk(members) == ST_UNREADABLE && !count);
}

TESTS({ "senders of a full queue", senders_of_a_full_queue },
      { "a task that sleeps in a call of a socket", waits },
      { "a queue that goes round, or is not there", damaged })
