// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has a futex by the words around it, which task waits for which, and services of which nearly all threads wait. */
#include <string.h>

#include "collect/stuck_search.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"
#include "vm/futex_shared.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000ULL)
#define TASK AT(0)
#define MM AT(1)
#define BUCKET AT(2)
#define PID AT(3)
#define STACK 0xffffc90000000000ULL
#define SIZE 0x4000ULL
#define QUEUED 0x3000ULL /* where the futex_q is */
#define NONE (-1)

/* The thread ID that they name, NONE: none; words from the futex on. */
static int32_t owner(enum futex_form form, uint32_t has, const uint32_t of[9], unsigned int before)
{
	uint32_t word[FUTEX_WORDS] = { 0 };
	int32_t tid = 0;
	enum futex_form found;

	memcpy(&word[(FUTEX_BEFORE - before) / 4], of, 9 * sizeof(*of));
	found = futex_owner(word, has, &tid);
	CHECK(found == form || found == FUTEX_UNKNOWN);
	return found == form ? tid : NONE;
}

#define MUTEX(...) owner(FUTEX_MUTEX, ~0U, (const uint32_t[9]){ __VA_ARGS__ }, 0)
#define OWNED(...) owner(FUTEX_OWNED, ~0U, (const uint32_t[9]){ __VA_ARGS__ }, 0)
#define RWLOCK(before, ...) owner(FUTEX_RWLOCK, ~0U, (const uint32_t[9]){ __VA_ARGS__ }, before)

static void mutexes_of_glibc(void)
{
	CHECK(MUTEX(2, 0, 193, 1, 0) == 193);
	/* Recursive: it counts; adaptive; of which others know, too. */
	CHECK(MUTEX(2, 1, 711, 1, 1) == 711);
	CHECK(MUTEX(2, 0, 711, 1, 1) == NONE);
	CHECK(MUTEX(2, 1, 711, 1, 0) == NONE);
	CHECK(MUTEX(2, 0, 711, 1, 3 | 0x80) == 711);
	/* Nobody waits; nobody has it; no kind of a mutex; the counters of a condition. */
	CHECK(MUTEX(1, 0, 193, 1, 0) == NONE);
	CHECK(MUTEX(2, 0, 0, 1, 0) == NONE);
	CHECK(MUTEX(2, 0, 193, 0, 0) == NONE);
	CHECK(MUTEX(2, 0, 193, 1, 0x400) == NONE);
	CHECK(MUTEX(2, 0, 0xc0000001, 1, 0) == NONE);
	CHECK(MUTEX(0, 0, 193, 1, 0) == NONE);
	/* Of the owner the page is missing. */
	CHECK(owner(FUTEX_MUTEX, 0x1f & ~(1U << 5), (const uint32_t[9]){ 2, 0, 193, 1, 0 }, 0) ==
	      NONE);
}

static void words_with_an_owner(void)
{
	CHECK(OWNED(0x80000000U | 383) == 383);
	CHECK(OWNED(0xc0000000U | 383) == 383);
	CHECK(OWNED(0x80000000U) == NONE);
	CHECK(OWNED(383) == NONE);
}

static void rwlocks_of_glibc(void)
{
	/* Readers wait for the phase of the writer, writers for the writer. */
	CHECK(RWLOCK(8, 3, 0, 3, 0, 0, 0, 759, 0) == 759);
	CHECK(RWLOCK(12, 0xb, 2, 1, 3, 0, 0, 759, 0) == 759);
	/* Readers have it. */
	CHECK(RWLOCK(8, 0x18, 0, 3, 0, 0, 0, 0, 0) == NONE);
	CHECK(RWLOCK(8, 1, 0, 3, 0, 0, 0, 759, 0) == NONE);
	CHECK(RWLOCK(8, 3, 0, 3, 0, 0, 0, 759, 2) == NONE);
}

static struct {
	uint64_t prio, prio_list[2], next, prev, task, lock, ptr, word;
	uint32_t offset, more;
} * q;
static uint8_t stack[SIZE];
static uint64_t bucket[2];
static struct {
	uint32_t count, level;
	struct {
		uint32_t nr, pad;
		uint64_t ns;
	} numbers[2];
} pid;
static uint64_t task[1];

static const struct stub_memory memory[] = {
	{ STACK, stack, SIZE },
	{ BUCKET, bucket, sizeof(bucket) },
	{ PID, &pid, sizeof(pid) },
	{ TASK, task, sizeof(task) },
	{ 0 },
};

static const struct stub_member members[] = {
	{ "struct futex_q", "list.node_list", FIELD(24, 16) },
	{ "struct futex_q", "task", FIELD(40, 8) },
	{ "struct futex_q", "key.both.ptr", FIELD(56, 8) },
	{ "struct futex_q", "key.both.word", FIELD(64, 8) },
	{ "struct futex_q", "key.both.offset", FIELD(72, 4) },
	{ "struct mm_struct", "pgd", FIELD(0, 8) },
	{ "struct task_struct", "thread_pid", FIELD(0, 8) },
	{ "struct pid", "level", FIELD(4, 4) },
	{ "struct pid", "numbers", FIELD(8, 0) },
	{ 0 },
};

static const struct stub_number sizes[] = { { "struct upid", 16 }, { 0 } };

static void set_up(void)
{
	memset(stack, 0, sizeof(stack));
	q = (void *)(stack + QUEUED);
	q->next = q->prev = BUCKET;
	q->task = TASK;
	q->ptr = MM;
	q->word = 0x4c1000;
	q->offset = 0xe0;
	bucket[0] = bucket[1] = STACK + QUEUED + 24;
	task[0] = PID;
	pid.level = 1;
	pid.numbers[0].nr = 4711;
	pid.numbers[1].nr = 7;
}

static enum status found;
static struct futex_key key;

/* The futex that the task waits for; 0: none. */
static uint64_t futex(void)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	const struct task_stack of = {
		.base = STACK, .size = SIZE, .bytes = stack, .sp = STACK + 0x1000
	};
	struct futexes x;
	uint64_t ret = 0;

	CHECK(futexes_open(&s.dump, &x) == ST_OK);
	found = futex_find(&x, TASK, MM, &of, &ret, &key);
	return found == ST_OK ? ret : 0;
}

static void the_futex_of_a_task(void)
{
	set_up();
	CHECK(futex() == 0x4c10e0);
	/* A bit of the offset says that its page is another one's, too. */
	q->offset |= 2;
	CHECK(futex() == 0x4c10e0);
	q->ptr = 1;
	CHECK(futex() == 0x4c10e0);
	q->ptr = MM;
	/* Of a file; behind the page; of another process, of another task; not queued, or in a queue that does not lead back. */
	q->offset = 0xe1;
	CHECK(!futex() && found == ST_UNKNOWN);
	q->word = 3;
	q->ptr = 77;
	CHECK(!futex() && found == ST_UNKNOWN);
	CHECK(key.object == 77 && key.page == 3 && key.offset == 0xe0);
	q->next = q->prev = STACK + QUEUED + 24;
	CHECK(!futex() && found == ST_ABSENT);
	set_up();
	q->offset = 0x1000;
	CHECK(!futex());
	set_up();
	q->ptr = MM + 8;
	CHECK(!futex());
	set_up();
	q->task = TASK + 8;
	CHECK(!futex());
	set_up();
	q->next = q->prev = STACK + QUEUED + 24;
	CHECK(!futex());
	set_up();
	bucket[1] = BUCKET;
	CHECK(!futex());
	q->next = 0x10;
	CHECK(!futex());
}

static void the_id_of_a_thread(void)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	struct futexes x;
	int32_t tid = 0;

	set_up();
	CHECK(futexes_open(&s.dump, &x) == ST_OK);
	CHECK(futex_tid(&x, TASK, &tid) == ST_OK && tid == 7);
	pid.level = 0;
	CHECK(futex_tid(&x, TASK, &tid) == ST_OK && tid == 4711);
	pid.level = 33;
	CHECK(futex_tid(&x, TASK, &tid) == ST_CORRUPT);
	task[0] = 0;
	CHECK(futex_tid(&x, TASK, &tid) == ST_ABSENT);
}

/* What is mapped: two files, one of them from its page 5 on, by two processes. */
#define FILES 0xffff888000200000ULL
#define INODES 0xffff888000300000ULL
#define OTHER_MM AT(4)
#define OTHER_VMA AT(5)
#define MAPPED 0x7f0000400000ULL

static struct a_vma {
	uint64_t start, end, pgoff, flags, mm, file, ops, private, rb[3], shared[3];
} vmas[3];
static struct {
	uint64_t rb, brk, start_brk, start_stack;
} mms;
static struct {
	uint64_t inode;
} files[2];
static struct {
	uint64_t sequence, mapping, mmap;
} inodes[2];

#define VMA(i) (0xffff888000400000ULL + (i) * sizeof(struct a_vma))

static const struct stub_memory mapped[] = {
	{ MM, &mms, sizeof(mms) },
	{ VMA(0), vmas, sizeof(vmas) },
	{ FILES, files, sizeof(files) },
	{ INODES, inodes, sizeof(inodes) },
	{ 0 },
};

#define MAPPED_MEMBERS                                                        \
	{ "struct vm_area_struct", "vm_start", FIELD(0, 8) },                 \
		{ "struct vm_area_struct", "vm_end", FIELD(8, 8) },           \
		{ "struct vm_area_struct", "vm_pgoff", FIELD(16, 8) },        \
		{ "struct vm_area_struct", "vm_flags", FIELD(24, 8) },        \
		{ "struct vm_area_struct", "vm_mm", FIELD(32, 8) },           \
		{ "struct vm_area_struct", "vm_file", FIELD(40, 8) },         \
		{ "struct vm_area_struct", "vm_ops", FIELD(48, 8) },          \
		{ "struct vm_area_struct", "vm_private_data", FIELD(56, 8) }, \
		{ "struct vm_area_struct", "vm_rb", FIELD(64, 24) },          \
		{ "struct vm_area_struct", "shared.rb", FIELD(88, 24) },      \
		{ "struct mm_struct", "mm_rb", FIELD(0, 8) },                 \
		{ "struct mm_struct", "brk", FIELD(8, 8) },                   \
		{ "struct mm_struct", "start_brk", FIELD(16, 8) },            \
		{ "struct mm_struct", "start_stack", FIELD(24, 8) },          \
		{ "struct rb_root", "rb_node", FIELD(0, 8) },                 \
		{ "struct rb_node", "rb_left", FIELD(8, 8) },                 \
		{ "struct rb_node", "rb_right", FIELD(16, 8) },               \
		{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },       \
		{ "struct file", "f_inode", FIELD(0, 8) },                    \
		{ "struct inode", "i_mapping", FIELD(8, 8) },                 \
	{                                                                     \
		"struct address_space", "i_mmap.rb_root.rb_node", FIELD(0, 8) \
	}

static const struct stub_member mapped_members[] = { MAPPED_MEMBERS,
						     { "struct inode", "i_sequence", FIELD(0, 8) },
						     { 0 } };
static const struct stub_member before_5_6[] = { MAPPED_MEMBERS, { 0 } };

#define RB(i) (VMA(i) + 64)
#define SHARED(i) (VMA(i) + 88)

static void set_up_mapped(void)
{
	memset(vmas, 0, sizeof(vmas));
	vmas[0] = (struct a_vma){ MAPPED, MAPPED + 0x3000, 5, 3, MM, FILES, 0, 0, { 0, 0, RB(1) } };
	vmas[1] = (struct a_vma){ MAPPED + 0x4000, MAPPED + 0x8000, 5, 3, MM, FILES + 8 };
	vmas[2] = (struct a_vma){ 0x1000, 0x9000, 0, 3, OTHER_MM, FILES };
	vmas[0].shared[2] = SHARED(2);
	vmas[2].shared[0] = SHARED(0) | 1;
	mms.rb = RB(0);
	files[0].inode = INODES;
	files[1].inode = INODES + sizeof(inodes[0]);
	for (unsigned int i = 0; i < 2; i++) {
		inodes[i].sequence = 77 + i;
		inodes[i].mapping = INODES + i * sizeof(inodes[0]) + 16;
		inodes[i].mmap = SHARED(i);
	}
}

/* Where it is mapped by the process; 0: nowhere. */
static uint64_t shared(const struct stub_member *with, uint64_t object, uint64_t page)
{
	STUB(s, .memory = mapped, .members = with);
	const struct task_stack of = {
		.base = STACK, .size = SIZE, .bytes = stack, .sp = STACK + 0x1000
	};
	const struct futex_key of_key = { object, page, 0x40 };
	struct shared_futexes x;
	struct shared_futex ret = { 0 };
	bool maps, other;

	s.dump.page_shift = 12;
	CHECK(shared_futexes_open(&s.dump, &x) == ST_OK);
	if (shared_futex_find(&x, MM, &of_key, &of, &ret) != ST_OK)
		return 0;
	CHECK(shared_futex_is_mapped(&x, ret.inode, MM, &maps) == ST_OK && maps);
	CHECK(shared_futex_is_mapped(&x, ret.inode, OTHER_MM, &other) == ST_OK);
	CHECK(other == (ret.inode == INODES));
	return ret.address;
}

static void a_futex_that_processes_share(void)
{
	uint64_t *words = (uint64_t *)(stack + 0x2000);

	set_up();
	set_up_mapped();
	CHECK(!shared(mapped_members, 77, 6));
	/* Of words with the offset in the page: of no mapping, of another page, another file, of the one. */
	words[0] = 0x40;
	words[1] = MAPPED + 0x2040;
	words[2] = MAPPED + 0x5040;
	words[3] = MAPPED + 0x1040;
	words[4] = MAPPED + 0x1048;
	CHECK(shared(mapped_members, 77, 6) == MAPPED + 0x1040);
	CHECK(shared(mapped_members, 77, 7) == MAPPED + 0x2040);
	CHECK(shared(mapped_members, 78, 6) == MAPPED + 0x5040);
	CHECK(!shared(mapped_members, 79, 6) && !shared(mapped_members, 77, 5));
	CHECK(!shared(mapped_members, INODES, 6));
	CHECK(shared(before_5_6, INODES, 6) == MAPPED + 0x1040);
	CHECK(!shared(before_5_6, 77, 6));
	/* Other memory has no file. */
	vmas[0].file = 0;
	CHECK(!shared(mapped_members, 77, 6));
}

#define THREADS 12

static struct stuck_task all[THREADS];

/* Waiters of the lock, and others, of one process, of which the first thread has its name. */
static const char *service(unsigned int waiting, uint64_t lock, bool is_user)
{
	static char text[512];
	STUB(s);
	struct hash_u64 users;
	struct strbuf b = STRBUF_OF(512);
	struct stuck_mm_user *user;

	s.dump.page_shift = 12;
	hash_u64_init(&users, &s.arena, sizeof(struct stuck_mm_user));
	user = hash_u64_get(&users, MM, NULL);
	*user = (struct stuck_mm_user){ .tgid = 100, .threads = THREADS };
	for (unsigned int i = 0; i < THREADS; i++) {
		all[i] = (struct stuck_task){ .task = { .pid = 100 + (int32_t)i, .tgid = 100 } };
		all[i].task.mm = MM;
		all[i].task.has_memory = !i;
		all[i].task.has_mm = true;
		all[i].task.rss = 3000;
		all[i].next = i + 1 < THREADS ? &all[i + 1] : NULL;
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), i ? "worker" : "keysvc");
		if (i < THREADS - waiting)
			continue;
		all[i].is_on_lock = all[i].has_lock = true;
		all[i].lock.lock = lock;
		all[i].lock.kind = is_user ? LOCK_FUTEX : LOCK_MUTEX;
		all[i].holder = &all[1];
		all[i].holds = is_user ? HOLDS_FUTEX : HOLDS_LOCK;
		all[i].lock_name = "mutex 0x4c10e0 of 100";
	}
	all[1].is_on_lock = true;
	all[1].lock_name = "oom_lock";
	stuck_find_services(&s.dump, &users, all);
	for (unsigned int i = 0; i < THREADS; i++)
		if (stuck_service_words(&(struct stuck){ 0 }, &all[i], &b))
			CHECK(i == THREADS - waiting);
	snprintf(text, sizeof(text), "%s", b.buf);
	return text;
}

static void nearly_all_of_a_process(void)
{
	CHECK_TEXT(
		service(9, 0x4c10e0, true),
		"9 of 12 threads of keysvc (100), which has 11.7M resident, wait for mutex 0x4c10e0 "
		"of 100, which worker (101) has by its words in user memory (inferred); "
		"worker (101) waits for oom_lock");
	CHECK_TEXT(service(10, AT(9), false),
		   "10 of 12 threads of keysvc (100), which has 11.7M resident, wait for mutex "
		   "0x4c10e0 of 100, which worker (101) has; worker (101) waits for oom_lock");
	CHECK_TEXT(service(8, 0x4c10e0, true), "");
	CHECK(stuck_is_crowd(8, 10) && !stuck_is_crowd(7, 7) && !stuck_is_crowd(8, 12));
	CHECK(stuck_is_crowd(97, 101) && !stuck_is_crowd(70, 101));
}

static void whose_futexes_are_unknown(void)
{
	static const struct stuck_futex unread = { .is_unread = true }, read = { .waiting = 1 },
					crowd = { .is_unread = true, .is_of_crowd = true };
	static struct stuck_task t[] = {
		{ .task = { .pid = 11, .tgid = 10, .comm = "worker" }, .futex = &unread },
		{ .task = { .pid = 12, .tgid = 10, .comm = "worker" }, .futex = &unread },
		{ .task = { .pid = 10, .tgid = 10, .comm = "db" } },
		{ .task = { .pid = 20, .tgid = 20, .comm = "log" }, .futex = &unread },
		{ .task = { .pid = 30, .tgid = 30, .comm = "web" }, .futex = &read },
		{ .task = { .pid = 40, .tgid = 40, .comm = "gen" }, .futex = &crowd },
		{ .task = { .pid = 50, .tgid = 50, .comm = "a" }, .futex = &unread },
		{ .task = { .pid = 60, .tgid = 60, .comm = "b" }, .futex = &unread },
		{ .task = { .pid = 70, .tgid = 70, .comm = "c" }, .futex = &unread },
	};
	STUB(s);
	struct stuck_futexes x = { .why_unread = "no page" };

	for (size_t i = 0; i + 1 < ARRAY_SIZE(t); i++)
		t[i].next = &t[i + 1];
	stuck_futexes_name_unread(&x, &s.dump, t);
	CHECK_TEXT(x.unread_few_of,
		   "no page (2 of db (10), 1 of log (20), 1 of a (50), 1 of b (60), 1 more)");
	CHECK_TEXT(x.unread_of, "no page (1 of gen (40))");
}

static const char *locks(struct stuck_user_locks l)
{
	static char text[512];
	struct dump_info info = { 0 };
	struct strbuf b = strbuf_in(text, sizeof(text));

	CHECK(dump_info_end(&info, 100000000000, "panic_record", false));
	return stuck_user_lock_words(&l, &info, 1000000000, &b) ? text : "";
}

static void locks_of_unknown_owners(void)
{
	CHECK_TEXT(locks((struct stuck_user_locks){ .tgid = 159,
						    .comm = "orderd",
						    .waiting = 16,
						    .threads = 17,
						    .locks = 2,
						    .has_age = true,
						    .since_ns = 70000000000,
						    .last_ns = 79000000000 }),
		   "16 of 17 threads of orderd (159) wait for 2 locks in user memory, by their "
		   "system calls, the last one for 21.0s; who has them is unknown");
	CHECK_TEXT(locks((struct stuck_user_locks){ .tgid = 9,
						    .waiting = 1,
						    .threads = 2,
						    .locks = 1,
						    .has_age = true,
						    .since_ns = 98000000000,
						    .last_ns = 98000000000 }),
		   "1 of 2 threads of a process (9) waits for 1 lock in user memory, by its system "
		   "call, for 2.0s; who has it is unknown");
	CHECK_TEXT(
		locks((struct stuck_user_locks){ .comm = "apache2",
						 .waiting = 14,
						 .processes = 14,
						 .threads = 1,
						 .locks = 1,
						 .is_shared = true,
						 .has_age = true,
						 .since_ns = 70000000000,
						 .last_ns = 79000000000 }),
		"14 processes apache2 wait for 1 lock in shared memory, which one that is gone "
		"may have, by their system calls, the last one for 21.0s; who has it is unknown");
	/* One came just now; since when they wait is unknown. */
	CHECK_TEXT(locks((struct stuck_user_locks){ .waiting = 8,
						    .has_age = true,
						    .since_ns = 70000000000,
						    .last_ns = 99500000000 }),
		   "");
	CHECK_TEXT(locks((struct stuck_user_locks){ .waiting = 8 }), "");
}

static void the_same_address_of_two_processes(void)
{
	struct stuck_task a = { .has_lock = true, .lock = { LOCK_FUTEX, 0x4c10e0 } }, b;

	a.task.mm = MM;
	b = a;
	CHECK(stuck_same_lock(&a, &b));
	b.task.mm = MM + 0x1000;
	CHECK(!stuck_same_lock(&a, &b));
	a.lock.kind = b.lock.kind = LOCK_MUTEX;
	CHECK(stuck_same_lock(&a, &b));
	b.has_lock = false;
	CHECK(!stuck_same_lock(&a, &b));
	/* What processes share each has at an address of its own. */
	a.lock.kind = b.lock.kind = LOCK_FUTEX;
	b.has_lock = true;
	b.lock.lock += 0x1000;
	a.futex = b.futex = &(const struct stuck_futex){ .inode = INODES };
	CHECK(stuck_same_lock(&a, &b));
	b.futex = &(const struct stuck_futex){ .inode = INODES, .place = 8 };
	CHECK(!stuck_same_lock(&a, &b));
	a.futex = b.futex = NULL;
	a.lock.kind = LOCK_MUTEX;
	/* Of a few threads the machine is not told. */
	CHECK(stuck_is_of_machine(&a));
	a.lock.kind = LOCK_FUTEX;
	CHECK(!stuck_is_of_machine(&a));
	a.is_deadlocked = true;
	CHECK(stuck_is_of_machine(&a));
}

TESTS({ "locks of unknown owners", locks_of_unknown_owners },
      { "whose futexes are unknown", whose_futexes_are_unknown },
      { "mutexes of glibc", mutexes_of_glibc }, { "words with an owner", words_with_an_owner },
      { "rwlocks of glibc", rwlocks_of_glibc }, { "the futex of a task", the_futex_of_a_task },
      { "the ID of a thread", the_id_of_a_thread },
      { "a futex that processes share", a_futex_that_processes_share },
      { "nearly all of a process", nearly_all_of_a_process },
      { "the same address of two processes", the_same_address_of_two_processes })
