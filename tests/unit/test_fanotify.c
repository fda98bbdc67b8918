// SPDX-License-Identifier: GPL-2.0-or-later
/* Which group of fanotify a thread asks for a permission: by the words of its stack, and by the lists of the group. */
#include "files/fanotify.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000ULL)
#define STACK 0xffffc90000000000ULL
#define OPERATIONS AT(90)
#define GROUP(i) AT(i)
#define EVENT(i) AT(2 + (i))

static struct group {
	uint64_t ops, queued[2], read[2];
} groups[2];
static struct {
	uint64_t hash, list[2];
} events[2];
static uint64_t stack[32];

static const struct stub_memory memory[] = {
	{ GROUP(0), &groups[0], sizeof(groups[0]) },
	{ GROUP(1), &groups[1], sizeof(groups[1]) },
	{ EVENT(0), &events[0], sizeof(events[0]) },
	{ EVENT(1), &events[1], sizeof(events[1]) },
	{ STACK, stack, sizeof(stack) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "fanotify_fsnotify_ops", OPERATIONS, { 0 } },
					      { 0 } };
static const struct stub_member members[] = {
	{ "struct fsnotify_group", "ops", FIELD(0, 8) },
	{ "struct fsnotify_group", "notification_list", FIELD(8, 16) },
	{ "struct fsnotify_group", "fanotify_data.access_list", FIELD(24, 16) },
	{ "struct fanotify_perm_event", "fae.fse.list", FIELD(8, 16) },
	{ 0 },
};

static void put(uint64_t *head, uint64_t at, unsigned int event)
{
	head[0] = head[1] = EVENT(event) + 8;
	events[event].list[0] = events[event].list[1] = at;
}

static void set_up(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		groups[i] = (struct group){ OPERATIONS,
					    { GROUP(i) + 8, GROUP(i) + 8 },
					    { GROUP(i) + 24, GROUP(i) + 24 } };
		events[i].list[0] = events[i].list[1] = EVENT(i) + 8;
	}
	memset(stack, 0, sizeof(stack));
	stack[4] = GROUP(0);
	stack[8] = GROUP(1);
	stack[12] = EVENT(1);
}

/* 0: of none. */
static uint64_t asked(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members);
	const struct task_stack of = {
		.base = STACK, .size = sizeof(stack), .bytes = (void *)stack, .sp = STACK
	};
	struct fanotify_waits w;
	uint64_t group;

	CHECK(fanotify_waits_open(&s.dump, &w) == ST_OK);
	return fanotify_wait_find(&w, &of, STACK, STACK + sizeof(stack), &group) == ST_OK ? group
											  : 0;
}

static void the_group_that_has_the_event(void)
{
	set_up();
	CHECK(!asked());
	put(groups[1].queued, GROUP(1) + 8, 1);
	CHECK(asked() == GROUP(1));
	/* It was read, and not answered; of another thread in a group that is on the stack, too. */
	set_up();
	put(groups[1].read, GROUP(1) + 24, 1);
	put(groups[0].read, GROUP(0) + 24, 0);
	CHECK(asked() == GROUP(1));
	stack[12] = 0;
	CHECK(!asked());
	/* One of inotify. */
	stack[12] = EVENT(1);
	groups[1].ops = OPERATIONS + 8;
	CHECK(!asked());
}

TESTS({ "the group that has the event", the_group_that_has_the_event })
