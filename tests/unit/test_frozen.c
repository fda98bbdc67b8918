// SPDX-License-Identifier: GPL-2.0-or-later
/* Which file systems are frozen, and who waits to write to one: by the queue that its entry on the stack is in. */
#include "collect/stuck_frozen.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define HEAD AT(0)
#define SUPER(i) AT(1 + (i))
#define SEM(i, level) (SUPER(i) + 24 + (level)*16ULL)
#define TASK(i) AT(8 + (i))
#define STACK(i) (0xffffc90000000000ULL + (uint64_t)(i)*0x10000)
#define SIZE 0x1000ULL
#define ENTRY 0x800ULL /* of the stack */

struct links {
	uint64_t next, prev;
};

static struct links head;
static struct {
	struct links list;
	uint32_t state, unused;
	struct links sems[3]; /* a percpu_rw_semaphore is its queue here */
} supers[2];
static struct {
	uint64_t private;
	struct links list;
} entries[2];

static const struct stub_memory memory[] = {
	{ HEAD, &head, sizeof(head) },
	{ SUPER(0), &supers[0], sizeof(supers[0]) },
	{ SUPER(1), &supers[1], sizeof(supers[1]) },
	{ STACK(0) + ENTRY, &entries[0], sizeof(entries[0]) },
	{ STACK(1) + ENTRY, &entries[1], sizeof(entries[1]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "super_blocks", HEAD, FIELD(0, 16) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct super_block", "s_list", FIELD(0, 16) },
	{ "struct super_block", "s_root", FIELD(200, 8) },
	{ "struct super_block", "s_writers.frozen", FIELD(16, 2) },
	{ "struct super_block", "s_writers.rw_sem", FIELD(24, 48) },
	{ "struct dentry", "d_inode", FIELD(0, 8) },
	{ "struct percpu_rw_semaphore", "waiters", FIELD(0, 16) },
	{ "struct wait_queue_head", "head", FIELD(0, 16) },
	{ "struct wait_queue_entry", "private", FIELD(0, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(8, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct percpu_rw_semaphore", 16 }, { 0 } };
/* Others than those of the kernel: they are the dump's. */
static const struct stub_number enumerators[] = { { "SB_FREEZE_WRITE", 11 },
						  { "SB_FREEZE_PAGEFAULT", 12 },
						  { "SB_FREEZE_FS", 13 },
						  { "SB_FREEZE_COMPLETE", 14 },
						  { 0 } };

static void fill(void)
{
	head = (struct links){ SUPER(0), SUPER(1) };
	supers[0].list = (struct links){ SUPER(1), HEAD };
	supers[1].list = (struct links){ HEAD, SUPER(0) };
	for (unsigned int i = 0; i < 2; i++) {
		supers[i].state = 0;
		for (unsigned int level = 0; level < 3; level++)
			supers[i].sems[level] = (struct links){ SEM(i, level), SEM(i, level) };
		entries[i].private = TASK(i);
	}
}

/* Both tasks are in one queue. */
static void wait_for(unsigned int super, unsigned int level)
{
	const uint64_t queue = SEM(super, level), first = STACK(0) + ENTRY + 8,
		       second = STACK(1) + ENTRY + 8;

	supers[super].sems[level] = (struct links){ first, second };
	entries[0].list = (struct links){ second, queue };
	entries[1].list = (struct links){ queue, first };
}

/* Of task i, whose stack is that of number `stack`; text: what is said of it, or why nothing is. */
static enum status find(const struct stub_number *states, unsigned int i, unsigned int stack,
			char *text, size_t size, struct stuck_task *task)
{
	STUB(s, memory, symbols, members, sizes, states);
	const struct task_stack at = { .base = STACK(stack), .size = SIZE };
	struct stuck_task all[2] = { { .next = &all[1] } };
	struct stuck stuck = { .first = all };
	struct stuck_frozen x = { 0 };
	struct strbuf b = { .buf = text, .size = size };
	enum status st;

	*text = 0;
	all[0].task = (struct task){ .address = TASK(i), .pid = 132, .comm = "ledgerd" };
	st = stuck_frozen_find(&x, &s.dump, &at, &all[0]);
	if (st == ST_OK)
		stuck_frozen_words(&stuck, all[0].frozen, &b);
	else
		strbuf_add(&b, "%s", s.dump.error);
	*task = all[0];
	return st;
}

static void waits_to_write(void)
{
	struct stuck_task t;
	char text[256], expected[256];

	fill();
	supers[1].state = 14;
	wait_for(1, 0);
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_OK);
	snprintf(expected, sizeof(expected),
		 "ledgerd (132) waits to write to super_block at %#llx, which is frozen "
		 "(SB_FREEZE_COMPLETE), by which process is not recorded",
		 SUPER(1));
	CHECK_TEXT(text, expected);
	CHECK(t.lock.lock == SEM(1, 0) && t.lock.waiters == 2 && !t.holder);
	/* Of a page fault, while it is being frozen. */
	fill();
	supers[0].state = 12;
	wait_for(0, 1);
	CHECK(find(enumerators, 1, 1, text, sizeof(text), &t) == ST_OK);
	CHECK(t.lock.lock == SEM(0, 1) &&
	      strstr(text, "which is being frozen (SB_FREEZE_PAGEFAULT)"));
}

static void waits_for_another(void)
{
	struct stuck_task t;
	char text[256];

	/* The queue of one that is not frozen. */
	fill();
	wait_for(1, 0);
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_ABSENT && !t.frozen);
	CHECK_TEXT(text, "a percpu_rw_semaphore does not say who has it; no file system is frozen");
	/* One is, and the task is in no queue of it: so much is said. */
	supers[0].state = 14;
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_ABSENT && !t.frozen);
	CHECK(strstr(text, "; 1 file system is frozen: super_block at 0x") &&
	      strstr(text, " (SB_FREEZE_COMPLETE)"));
	supers[0].state = 12;
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_ABSENT);
	CHECK(strstr(text, "; 1 file system is being frozen: super_block at 0x"));
	supers[1].state = 14;
	wait_for(1, 0);
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_OK);
	/* An entry with its name on the stack of another task. */
	CHECK(find(enumerators, 0, 1, text, sizeof(text), &t) == ST_ABSENT && !t.frozen);
	CHECK(strstr(text, "; 2 file systems are frozen, or being frozen: super_block at 0x"));
}

static void unknown(void)
{
	struct stuck_task t;
	char text[256];
	static const char why[] = "; whether a file system is frozen is unknown: ";

	/* Where one state is none, or a list is broken, that none is frozen is no statement. */
	fill();
	supers[0].state = 15;
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_ABSENT);
	CHECK(strstr(text, why) && strstr(text, "15 is no SB_FREEZE_"));
	/* The other one is told all the same. */
	supers[1].state = 14;
	wait_for(1, 2);
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_OK && t.lock.lock == SEM(1, 2));
	fill();
	supers[0].list.next = AT(7);
	CHECK(find(enumerators, 0, 0, text, sizeof(text), &t) == ST_ABSENT && strstr(text, why));
	fill();
	supers[0].state = 14;
	wait_for(0, 0);
	entries[0].list.next = AT(7);
	CHECK(find(enumerators + 1, 0, 0, text, sizeof(text), &t) == ST_ABSENT);
	CHECK(strstr(text, why) && strstr(text, "SB_FREEZE_WRITE"));
}

static void in_words(void)
{
	static const struct file_user user = { .tgid = 179, .comm = "snapagent" },
				      peer = { .tgid = 170, .comm = "arrayd" },
				      *all_users[] = { &user };
	static const struct file_users users = { .all = all_users, .kept = 1, .n = 1 };
	struct stuck_task others[] = {
		{ .next = &others[1],
		  .task = { .tgid = 179, .pid = 179, .mm = 1, .comm = "snapagent" },
		  .peer = &peer,
		  .peer_by = "unix socket" },
		{ .task = { .tgid = 170, .pid = 170, .mm = 1, .comm = "arrayd", .state = 'T' } }
	};
	const struct frozen_super f = { .state = "SB_FREEZE_COMPLETE",
					.is_complete = true,
					.name = "/srv (vda)",
					.users = &users },
				  other = { .name = "/ (vdb)" };
	struct stuck_task all[] = { { .next = &all[1], .frozen = &f },
				    { .next = &all[2], .frozen = &other },
				    { .frozen = &f } };
	struct stuck stuck = { .first = all, .others = others };
	struct strbuf b = STRBUF_OF(256), cut = STRBUF_OF(256);
	struct strbuf thaw = STRBUF_OF(256), none = STRBUF_OF(256);

	CHECK(stuck_frozen_words(&stuck, &f, &b));
	CHECK_TEXT(
		b.buf,
		"2 threads wait to write to /srv (vda), which is frozen "
		"(SB_FREEZE_COMPLETE), by which process is not recorded; its directory is open in "
		"snapagent (179), which waits on a unix socket for arrayd (170), which is stopped");
	stuck_thaw_words(&f, &thaw);
	CHECK_TEXT(thaw.buf, "; fsfreeze -u /srv thaws what a process froze");
	/* Its state is not known to be complete. */
	stuck_thaw_words(&other, &none);
	CHECK_TEXT(none.buf, "");
	stuck.cut.n = 1;
	CHECK(stuck_frozen_words(&stuck, &f, &cut) && !strncmp(cut.buf, "at least 2 threads", 18));
	stuck.first = &all[2];
	CHECK(!stuck_frozen_words(&stuck, &other, &b));
}

/* Who froze it waits for its child, which must write to it: neither ends. */
static void of_its_child(void)
{
	static const struct file_user user = { .tgid = 116, .comm = "snapagent" },
				      writer = { .tgid = 118, .comm = "snap-catalog" },
				      *all_users[] = { &user, &writer };
	static const struct file_users users = { .all = all_users, .kept = 2, .n = 2 };
	static const struct frame frame = { .symbol = "do_wait" };
	struct stuck_task others[] = {
		{ .task = { .tgid = 116, .pid = 116, .mm = 1, .comm = "snapagent" },
		  .function = &frame },
	};
	const struct frozen_super f = { .state = "SB_FREEZE_COMPLETE",
					.is_complete = true,
					.name = "/data (vda)",
					.users = &users };
	struct stuck_task all[] = {
		{ .next = &all[1], .task = { .tgid = 112, .pid = 112 }, .frozen = &f },
		{ .task = { .tgid = 118,
			    .pid = 119,
			    .ppid = 116,
			    .has_ppid = true,
			    .comm = "snap-catalog" },
		  .frozen = &f },
	};
	struct stuck stuck = { .first = all, .others = others };
	struct strbuf b = STRBUF_OF(512), other = STRBUF_OF(512);

	CHECK(stuck_frozen_words(&stuck, &f, &b));
	CHECK_TEXT(
		b.buf,
		"2 threads wait to write to /data (vda), which is frozen (SB_FREEZE_COMPLETE), by "
		"which process is not recorded; its directory is open in snapagent (116), which waits "
		"for a child: its child snap-catalog (119) waits to write to it");
	/* Of another parent. */
	all[1].task.ppid = 1;
	CHECK(stuck_frozen_words(&stuck, &f, &other) &&
	      strstr(other.buf, "snapagent (116), which is in do_wait, and snap-catalog"));
}

TESTS({ "a thread waits to write to a frozen file system", waits_to_write },
      { "a thread waits for another lock", waits_for_another },
      { "frozen file systems that are unknown", unknown },
      { "several threads that wait for one, in words", in_words },
      { "a child of who froze it waits", of_its_child })
