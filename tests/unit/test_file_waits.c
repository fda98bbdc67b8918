// SPDX-License-Identifier: GPL-2.0-or-later
/* Who waits for a lock of a file: by the lists of CPUs, inodes and requests, by names of 4.19, 5.10 and 6.9. */
#include "collect/stuck_files.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define LIST AT(0)
#define FILE_AT(i) AT(1 + (i)) /* all of one inode */
#define INODE AT(8)
#define CONTEXT AT(9)
#define LOCK(i) AT(20 + (i))
#define ENTRY(i) AT(40 + (i)) /* of the task that waits with lock i */
#define TASK(i) AT(60 + (i))
#define FILES_STRUCT(i) AT(80 + (i))
#define LOCKS 8

struct links {
	uint64_t next, prev;
};

static uint64_t list; /* hlist_head of the one CPU */
static uint64_t file_inode = INODE, context_at = CONTEXT;
static struct links context[3]; /* flock, posix, lease */
static struct lock {
	struct links link; /* in the list of the CPU */
	struct links list, requests, member, queue;
	uint64_t file, owner, blocker;
	int64_t start, end;
	int32_t pid;
	uint8_t type;
} locks[LOCKS];
static struct {
	uint64_t private;
	struct links links;
} entries[LOCKS];

#define OF(member) (offsetof(struct lock, member))

static const struct stub_memory memory[] = {
	{ LIST, &list, 8 },
	{ FILE_AT(0), &file_inode, 8 },
	{ FILE_AT(1), &file_inode, 8 },
	{ FILE_AT(2), &file_inode, 8 },
	{ INODE, &context_at, 8 },
	{ CONTEXT, context, sizeof(context) },
	{ LOCK(0), locks, sizeof(struct lock) },
	{ LOCK(1), locks + 1, sizeof(struct lock) },
	{ LOCK(2), locks + 2, sizeof(struct lock) },
	{ LOCK(3), locks + 3, sizeof(struct lock) },
	{ LOCK(4), locks + 4, sizeof(struct lock) },
	{ LOCK(5), locks + 5, sizeof(struct lock) },
	{ LOCK(6), locks + 6, sizeof(struct lock) },
	{ ENTRY(0), entries, 24 },
	{ ENTRY(1), entries + 1, 24 },
	{ ENTRY(2), entries + 2, 24 },
	{ ENTRY(3), entries + 3, 24 },
	{ ENTRY(4), entries + 4, 24 },
	{ ENTRY(5), entries + 5, 24 },
	{ ENTRY(6), entries + 6, 24 },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "posix_lock_file", AT(90), { 0 } },
					      { "file_lock_list", LIST, { 0 } },
					      { 0 } };

#define COMMON                                                              \
	{ "struct file", "f_inode", KINDED(KIND_POINTER, 0, 8) },           \
		{ "struct inode", "i_flctx", KINDED(KIND_POINTER, 0, 8) },  \
		{ "struct file_lock_context", "flc_flock", FIELD(0, 16) },  \
		{ "struct file_lock_context", "flc_posix", FIELD(16, 16) }, \
		{ "struct file_lock_context", "flc_lease", FIELD(32, 16) }, \
		{ "struct file_lock_list_struct", "hlist", FIELD(0, 8) },   \
		{ "struct wait_queue_head", "head", FIELD(0, 16) },         \
		{ "struct wait_queue_entry", "private", FIELD(0, 8) },      \
		{ "struct wait_queue_entry", "entry", FIELD(8, 16) },       \
		{ "struct file_lock", "fl_start", FIELD(OF(start), 8) },    \
	{                                                                   \
		"struct file_lock", "fl_end", FIELD(OF(end), 8)             \
	}
#define CORE(P)                                                                         \
	{ "struct file_lock", P "_link", FIELD(OF(link), 16) },                         \
		{ "struct file_lock", P "_list", FIELD(OF(list), 16) },                 \
		{ "struct file_lock", P "_wait", FIELD(OF(queue), 16) },                \
		{ "struct file_lock", P "_file", KINDED(KIND_POINTER, OF(file), 8) },   \
		{ "struct file_lock", P "_owner", KINDED(KIND_POINTER, OF(owner), 8) }, \
		{ "struct file_lock", P "_pid", FIELD(OF(pid), 4) },                    \
	{                                                                               \
		"struct file_lock", P "_type", FIELD(OF(type), 1)                       \
	}
#define REQUESTS(P)                                                                     \
	{ "struct file_lock", P "_blocker", KINDED(KIND_POINTER, OF(blocker), 8) },     \
		{ "struct file_lock", P "_blocked_requests", FIELD(OF(requests), 16) }, \
	{                                                                               \
		"struct file_lock", P "_blocked_member", FIELD(OF(member), 16)          \
	}

static const struct stub_member of_5_10[] = { COMMON, CORE("fl"), REQUESTS("fl"), { 0 } };
static const struct stub_member of_6_9[] = { COMMON, CORE("c.flc"), REQUESTS("c.flc"), { 0 } };
/* One list_head is the list of a lock's requests, and of a request its place there. */
static const struct stub_member of_4_19[] = {
	COMMON,
	CORE("fl"),
	{ "struct file_lock", "fl_next", KINDED(KIND_POINTER, OF(blocker), 8) },
	{ "struct file_lock", "fl_block", FIELD(OF(requests), 16) },
	{ 0 },
};

static struct stub s;
static struct file_waits waits;

/* A list of the members at a place of the locks from first to last, in a row. */
static void chain(struct links *head, uint64_t at, size_t member, unsigned int first,
		  unsigned int n)
{
	struct links *before = head;
	uint64_t at_before = at;

	for (unsigned int i = first; i < first + n; i++) {
		struct links *links = (struct links *)((char *)&locks[i] + member);

		before->next = LOCK(i) + member;
		links->prev = at_before;
		before = links;
		at_before = LOCK(i) + member;
	}
	before->next = at;
	head->prev = at_before;
}

static void take(unsigned int i, unsigned int file, uint64_t owner, unsigned int type)
{
	locks[i].file = FILE_AT(file);
	locks[i].owner = owner;
	locks[i].pid = 100 + (int32_t)i;
	locks[i].type = (uint8_t)type;
	locks[i].end = INT64_MAX;
}

static void wait_for(unsigned int i, unsigned int blocker)
{
	locks[i].blocker = LOCK(blocker);
	locks[i].queue = (struct links){ ENTRY(i) + 8, ENTRY(i) + 8 };
	entries[i].private = TASK(i);
	entries[i].links = (struct links){ LOCK(i) + OF(queue), LOCK(i) + OF(queue) };
}

/* All empty: every list is its head alone. */
static void clear(void)
{
	memset(locks, 0, sizeof(locks));
	for (unsigned int i = 0; i < LOCKS; i++)
		chain(&locks[i].requests, LOCK(i) + OF(requests), OF(requests), 0, 0);
	for (unsigned int i = 0; i < LOCKS; i++) {
		chain(&locks[i].queue, LOCK(i) + OF(queue), OF(queue), 0, 0);
		entries[i].private = 0;
	}
	for (unsigned int i = 0; i < 3; i++)
		chain(&context[i], CONTEXT + 16ULL * i, 0, 0, 0);
	list = 0;
}

/* The locks from first on are taken: in a list of the inode, and of the CPU. */
static void list_all(unsigned int kind, unsigned int first, unsigned int n)
{
	uint64_t *next = &list, at = LIST;

	chain(&context[kind], CONTEXT + 16ULL * kind, OF(list), first, n);
	for (unsigned int i = first; i < first + n; i++) {
		*next = LOCK(i);
		locks[i].link.prev = at;
		next = &locks[i].link.next;
		at = LOCK(i);
	}
	*next = 0;
}

/* flock() by lock 0; 1 and 2 wait for it, 3 for 2. */
static void pile(void)
{
	clear();
	for (unsigned int i = 0; i < 4; i++)
		take(i, i % 3, FILE_AT(i % 3), 1);
	take(3, 1, FILE_AT(1), 0);
	list_all(0, 0, 1);
	chain(&locks[0].requests, LOCK(0) + OF(requests), OF(member), 1, 2);
	chain(&locks[2].requests, LOCK(2) + OF(requests), OF(member), 3, 1);
	wait_for(1, 0);
	wait_for(2, 0);
	wait_for(3, 2);
}

static enum status read_all(const struct stub_member *members)
{
	enum status st;

	STUB_OPEN(s, .memory = memory, .symbols = symbols, .members = members);
	st = file_waits_open(&s.dump, &waits);
	return st ?: file_waits_read(&waits);
}

static const struct file_wait *request_of(unsigned int i)
{
	return hash_u64_find(&waits.waits, TASK(i));
}

static bool waits_for(unsigned int i, unsigned int lock)
{
	const struct file_wait *w = request_of(i);

	return w && w->lock->address == LOCK(lock) && w->request == LOCK(i) && w->entry == ENTRY(i);
}

static void a_pile_leads_to_its_lock(void)
{
	static const struct stub_member *const of[] = { of_5_10, of_6_9 };

	for (unsigned int k = 0; k < 2; k++) {
		pile();
		CHECK(read_all(of[k]) == ST_OK && !waits.problem);
		CHECK(waits_for(1, 0) && waits_for(2, 0) && waits_for(3, 0));
		CHECK(waits.waits.n == 3 && !request_of(0));
		CHECK(request_of(1)->lock->waiters == 3 && request_of(1)->lock->pid == 100);
		CHECK(request_of(1)->lock->kind == FILE_LOCK_FLOCK && !request_of(1)->is_shared);
		CHECK(request_of(3)->is_shared && request_of(3)->lock->of->inode == INODE);
		CHECK(file_wait_bars(request_of(1)) == 1);
	}
}

static void up_to_4_20_each_waits_for_the_lock(void)
{
	clear();
	for (unsigned int i = 0; i < 3; i++)
		take(i, i, FILE_AT(i), 1);
	list_all(0, 0, 1);
	chain(&locks[0].requests, LOCK(0) + OF(requests), OF(requests), 1, 2);
	wait_for(1, 0);
	wait_for(2, 0);
	CHECK(read_all(of_4_19) == ST_OK && !waits.problem);
	CHECK(waits_for(1, 0) && waits_for(2, 0) && request_of(1)->lock->waiters == 2);
}

/* POSIX locks by two tables, bytes 0-99 and 100-199; an OFD lock is of a struct file. */
static void ranges(void)
{
	clear();
	take(0, 0, FILES_STRUCT(0), 1);
	take(1, 1, FILES_STRUCT(1), 1);
	take(2, 2, FILE_AT(2), 0);
	take(3, 1, FILES_STRUCT(3), 1);
	take(4, 1, FILES_STRUCT(4), 0);
	take(5, 1, FILES_STRUCT(0), 1);
	locks[0].end = 99;
	locks[1].start = 100;
	locks[1].end = 199;
	locks[2].start = 300;
	locks[3].start = 50;
	locks[3].end = 100;
	locks[4].start = 199;
	list_all(1, 0, 3);
	chain(&locks[0].requests, LOCK(0) + OF(requests), OF(member), 3, 1);
	chain(&locks[1].requests, LOCK(1) + OF(requests), OF(member), 4, 1);
	chain(&locks[2].requests, LOCK(2) + OF(requests), OF(member), 5, 1);
	wait_for(3, 0);
	wait_for(4, 1);
	wait_for(5, 2);
}

static void kinds_and_bytes(void)
{
	ranges();
	CHECK(read_all(of_6_9) == ST_OK && !waits.problem);
	CHECK(waits_for(3, 0) && waits_for(4, 1) && waits_for(5, 2));
	CHECK(request_of(3)->lock->kind == FILE_LOCK_POSIX && request_of(3)->range.start == 50);
	CHECK(request_of(5)->lock->kind == FILE_LOCK_OFD && request_of(5)->lock->is_shared);
	CHECK(file_wait_bars(request_of(3)) == 2); /* its last byte is the first of lock 1 */
	CHECK(file_wait_bars(request_of(4)) == 1); /* who reads may while lock 2 is read */
	CHECK(file_wait_bars(request_of(5)) == 2); /* lock 0 is its own */
}

static void a_lease_is_broken(void)
{
	clear();
	take(0, 0, FILE_AT(0), 1);
	take(1, 1, FILE_AT(1), 1);
	locks[1].file = 0;
	list_all(2, 0, 1);
	chain(&locks[0].requests, LOCK(0) + OF(requests), OF(member), 1, 1);
	wait_for(1, 0);
	CHECK(read_all(of_6_9) == ST_OK && !waits.problem && waits_for(1, 0));
	CHECK(request_of(1)->lock->kind == FILE_LOCK_LEASE && file_wait_bars(request_of(1)) == 1);
}

/* What can be followed is told, and that something is missing. */
static void damaged_lists(void)
{
	pile();
	locks[1].blocker = LOCK(3);
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && strstr(waits.problem, "another lock"));
	CHECK(!request_of(1) && waits_for(2, 0) && waits_for(3, 0));
	CHECK(!file_wait_bars(request_of(2)));
	pile();
	locks[1].member.next = AT(99);
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && waits_for(1, 0) && waits_for(3, 0));
	pile();
	locks[0].type = 7; /* no F_RDLCK, F_WRLCK, F_UNLCK */
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && !waits.waits.n);
	pile();
	list = AT(99);
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && !waits.waits.n);
	/* Lock 3 as a request of its own requests. */
	pile();
	chain(&locks[3].requests, LOCK(3) + OF(requests), OF(member), 3, 1);
	locks[3].blocker = LOCK(2);
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && waits.waits.n <= 3);
	pile();
	entries[3].links.next = AT(99);
	CHECK(read_all(of_6_9) == ST_OK && waits.problem && waits_for(1, 0) && waits_for(2, 0));
}

static struct stuck_files files;

static enum status find(unsigned int i, unsigned int entry, struct stuck_task *task)
{
	const struct task_stack stack = { .base = ENTRY(entry), .size = 0x1000 };

	*task = (struct stuck_task){ .task = { .address = TASK(i) } };
	return stuck_files_find(&files, &stack, task);
}

/* The entry in the queue is on the stack of the task that waits, or it is none. */
static void of_a_thread(void)
{
	struct stuck_task t;

	pile();
	CHECK(read_all(of_6_9) == ST_OK && stuck_files_read(&files, &s.dump) == ST_OK);
	CHECK(files.complete && find(3, 3, &t) == ST_OK);
	CHECK(t.file_wait->request == LOCK(3) && t.file_lock->lock->address == LOCK(0));
	CHECK(t.lock.lock == LOCK(0) && t.lock.waiters == 3);
	CHECK_TEXT(t.lock_name, "flock of struct file at 0xffff888000101000");
	CHECK(find(1, 1, &t) == ST_OK && t.file_lock == files.first && !files.first->next);
	CHECK(find(3, 2, &t) == ST_UNKNOWN && !t.file_lock);
	CHECK(find(0, 0, &t) == ST_UNKNOWN && strstr(s.dump.error, "no request for a lock"));
	pile();
	locks[1].blocker = LOCK(3);
	CHECK(read_all(of_6_9) == ST_OK && stuck_files_read(&files, &s.dump) == ST_OK);
	CHECK(!files.complete && find(1, 1, &t) == ST_UNKNOWN);
	CHECK(strstr(s.dump.error, "names another lock"));
	STUB_OPEN(s, .symbols = symbols);
	CHECK(stuck_files_read(&files, &s.dump) == ST_OK && !files.complete && files.why);
	CHECK(find(1, 1, &t) == ST_UNKNOWN);
	STUB_OPEN(s);
	CHECK(stuck_files_read(&files, &s.dump) == ST_OK && files.complete);
}

static void names_with_bytes(void)
{
	struct stuck_task t;

	ranges();
	CHECK(read_all(of_6_9) == ST_OK && stuck_files_read(&files, &s.dump) == ST_OK);
	CHECK(find(3, 3, &t) == ST_OK);
	CHECK_TEXT(t.lock_name, "POSIX lock of bytes 0-99 of struct file at 0xffff888000101000");
	CHECK(find(5, 5, &t) == ST_OK);
	CHECK_TEXT(t.lock_name, "OFD lock of bytes 300-EOF of struct file at 0xffff888000103000");
}

static void without_them(void)
{
	STUB_OPEN(s, .members = of_5_10);
	CHECK(file_waits_open(&s.dump, &waits) == ST_ABSENT);
	STUB_OPEN(s, .symbols = symbols);
	CHECK(file_waits_open(&s.dump, &waits) == ST_UNKNOWN);
}

TESTS({ "a pile of requests leads to its lock", a_pile_leads_to_its_lock },
      { "up to 4.20 each request waits for the lock itself", up_to_4_20_each_waits_for_the_lock },
      { "kinds of locks, their bytes, and which conflict", kinds_and_bytes },
      { "an open that breaks a lease", a_lease_is_broken }, { "damaged lists", damaged_lists },
      { "the request of a thread is on its stack", of_a_thread },
      { "names of locks with their bytes", names_with_bytes },
      { "a kernel without locks of files, or with others", without_them })
