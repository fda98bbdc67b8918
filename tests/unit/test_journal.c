// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose journal a thread waits for, by the queue that its entry is in. */
#include "files/journal.h"

#include "stub.h"
#include "test.h"

#define STACK 0xffffc90000100000ULL
#define JOURNAL 0xffff888000200000ULL
#define OTHER 0xffff888000300000ULL
#define TASK 0xffff888000400000ULL
#define THREAD 0xffff888000500000ULL

static const struct stub_member members[] = {
	{ "struct journal_s", "j_task", FIELD(8, 8) },
	{ "struct journal_s", "j_wait_transaction_locked", FIELD(16, 24) },
	{ "struct journal_s", "j_wait_done_commit", FIELD(40, 24) },
	{ "struct wait_queue_head", "head", FIELD(8, 16) },
	{ "struct wait_queue_entry", "private", FIELD(8, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(24, 16) },
	{ 0 }
};

static const struct stub_number sizes[] = { { "struct journal_s", 64 }, { 0 } };

struct node {
	uint64_t next, prev;
};

static struct {
	uint64_t pad, task;
	struct {
		uint64_t lock;
		struct node head;
	} locked, done;
} journal;

/* Words of a stack: [2] is flags of the entry, [3] private, [5] and [6] its node. */
static uint64_t words[8];
static struct node other;

static bool is_thread(void *arg, uint64_t task)
{
	return task == *(uint64_t *)arg;
}

static enum status find(uint64_t *thread)
{
	static const struct stub_memory memory[] = { { JOURNAL, &journal, sizeof(journal) },
						     { STACK, words, sizeof(words) },
						     { OTHER, &other, sizeof(other) },
						     { 0 } };
	uint64_t of = THREAD;
	const struct journal_threads threads = { is_thread, &of };
	const struct task_stack stack = {
		.base = STACK, .size = sizeof(words), .sp = STACK, .bytes = (uint8_t *)words
	};
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	struct journals x;
	enum status st = journals_open(&s.dump, &x);

	return st ?: journal_wait_find(&x, TASK, &stack, &threads, thread);
}

static void in_queue(uint64_t head, struct node *at)
{
	words[3] = TASK;
	words[5] = OTHER;
	words[6] = head;
	other = (struct node){ head, STACK + 40 };
	*at = (struct node){ STACK + 40, OTHER };
}

static void both_queues(void)
{
	uint64_t thread = 0;

	journal.task = THREAD;
	in_queue(JOURNAL + 48, &journal.done.head);
	CHECK(find(&thread) == ST_OK && thread == THREAD);
	thread = 0;
	in_queue(JOURNAL + 24, &journal.locked.head);
	CHECK(find(&thread) == ST_OK && thread == THREAD);
}

static void others(void)
{
	uint64_t thread = 0;

	/* What is there is no thread of a journal: the queue is of something else. */
	in_queue(JOURNAL + 48, &journal.done.head);
	journal.task = TASK;
	CHECK(find(&thread) == ST_ABSENT);
	journal.task = THREAD;
	/* A list that ends nowhere. */
	words[5] = words[6] = 0xdead000;
	CHECK(find(&thread) == ST_ABSENT);
	/* An entry of another task. */
	in_queue(JOURNAL + 48, &journal.done.head);
	words[3] = THREAD;
	CHECK(find(&thread) == ST_ABSENT && !thread);
}

TESTS({ "both queues", both_queues }, { "other queues", others })
