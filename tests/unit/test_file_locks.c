// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks of files: who keeps them, what they take, by names of 5.10 and of 6.9 and later. */
#include "files/file_locks.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define CONTEXT AT(4)
#define LOCK(i) AT(10 + (i))
#define LINK 8
#define FILES_STRUCT AT(50)

struct links {
	uint64_t next, prev;
};
static uint64_t inodes[2] = { CONTEXT, 0 };
static struct links context[3]; /* flock, posix, lease */
static struct lock {
	uint64_t owner;
	struct links link;
	int32_t pid, unused;
} locks[5];
static uint64_t cache = AT(7);
static uint32_t sizes_of_cache[2];

static const struct stub_memory memory[] = {
	{ AT(3), inodes, 8 },
	{ AT(5), inodes + 1, 8 },
	{ CONTEXT, context, sizeof(context) },
	{ AT(6), &cache, sizeof(cache) },
	{ AT(7), sizes_of_cache, sizeof(sizes_of_cache) },
	{ LOCK(0), locks, sizeof(struct lock) },
	{ LOCK(1), locks + 1, sizeof(struct lock) },
	{ LOCK(2), locks + 2, sizeof(struct lock) },
	{ LOCK(3), locks + 3, sizeof(struct lock) },
	{ LOCK(4), locks + 4, sizeof(struct lock) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "posix_lock_file", AT(90), { 0 } },
					      { "filelock_cache", AT(6), { 0 } },
					      { 0 } };
#define COMMON                                                              \
	{ "struct inode", "i_flctx", KINDED(KIND_POINTER, 0, 8) },          \
		{ "struct file_lock_context", "flc_flock", FIELD(0, 16) },  \
		{ "struct file_lock_context", "flc_posix", FIELD(16, 16) }, \
		{ "struct file_lock_context", "flc_lease", FIELD(32, 16) }, \
	{                                                                   \
		"struct kmem_cache", "size", FIELD(4, 4)                    \
	}
static const struct stub_member of_5_10[] = {
	COMMON,
	{ "struct file_lock", "fl_owner", KINDED(KIND_POINTER, 0, 8) },
	{ "struct file_lock", "fl_list", FIELD(LINK, 16) },
	{ "struct file_lock", "fl_pid", FIELD(24, 4) },
	{ 0 },
};
static const struct stub_member of_6_9[] = {
	COMMON,
	{ "struct file_lock", "c.flc_owner", KINDED(KIND_POINTER, 0, 8) },
	{ "struct file_lock", "c.flc_list", FIELD(LINK, 16) },
	{ "struct file_lock", "c.flc_pid", FIELD(24, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct file_lock", 192 }, { "struct file", 8 }, { "struct inode", 8 }, { 0 }
};
static const struct stub_number sizes_6_9[] = { { "struct file_lock", 192 },
						{ "struct file_lease", 168 },
						{ 0 } };

static const struct file_user smbd = { .tgid = 153, .comm = "smbd" };
static const struct file_user nmbd = { .tgid = 149, .comm = "nmbd" };

static struct {
	uint64_t bytes[3]; /* of smbd alone, of nmbd alone, of others */
	unsigned int n[3];
} seen;

static enum status visit(void *arg, const struct file_users *users, uint64_t bytes)
{
	unsigned int i = !users || users->n != 1 ? 2 : users->all[0] == &nmbd;

	CHECK(arg == &seen);
	seen.n[i]++;
	seen.bytes[i] += bytes;
	return ST_OK;
}

static void link_up(struct links *head, uint64_t at, unsigned int first, unsigned int n)
{
	*head = (struct links){ at, at };
	for (unsigned int i = first; i < first + n; i++) {
		locks[i].link = (struct links){ at, head->prev };
		if (i == first)
			head->next = LOCK(i) + LINK;
		else
			locks[i - 1].link.next = LOCK(i) + LINK;
		head->prev = LOCK(i) + LINK;
	}
}

/* Of one inode: locks of fcntl() by smbd, nmbd and nobody, one of flock() in a file that both have, a lease. */
static void fill(void)
{
	memset(&seen, 0, sizeof(seen));
	memset(locks, 0, sizeof(locks));
	for (unsigned int i = 0; i < 3; i++)
		locks[i].owner = FILES_STRUCT;
	locks[0].pid = 153;
	locks[1].pid = 149;
	locks[2].pid = 7;
	locks[3] = (struct lock){ .owner = AT(1), .pid = 153 };
	locks[4] = (struct lock){ .owner = AT(0), .pid = 7 };
	link_up(&context[0], CONTEXT, 3, 1);
	link_up(&context[1], CONTEXT + 16, 0, 3);
	link_up(&context[2], CONTEXT + 32, 4, 1);
	sizes_of_cache[1] = 0;
}

static enum status walk(const struct stub_member *members, const struct stub_number *bytes)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = bytes);
	struct file_locks l;
	enum status st;

	st = file_locks_find(&s.dump, &l);
	CHECK(st == ST_OK);
	st = st ?: file_locks_add(&l, AT(0), AT(3), &smbd)
			   ?: file_locks_add(&l, AT(1), AT(3), &smbd)
			   ?: file_locks_add(&l, AT(1), AT(3), &nmbd)
			   ?: file_locks_add(&l, AT(2), AT(5), &nmbd) /* never had a lock */
			   ?: file_locks_walk(&l, visit, &seen);
	return st;
}

static void each_lock_has_its_owner(void)
{
	fill();
	CHECK(walk(of_5_10, sizes) == ST_OK);
	CHECK(seen.n[0] == 2 && seen.n[1] == 1 && seen.n[2] == 2);
	CHECK(seen.bytes[0] == 2 * 192 && seen.bytes[1] == 192 && seen.bytes[2] == 2 * 192);
	fill();
	CHECK(walk(of_6_9, sizes_6_9) == ST_OK);
	CHECK(seen.n[0] == 2 && seen.bytes[0] == 192 + 168);
}

static void a_lock_takes_a_slot_of_its_cache(void)
{
	fill();
	sizes_of_cache[1] = 256;
	CHECK(walk(of_5_10, sizes) == ST_OK);
	CHECK(seen.bytes[0] == 2 * 256);
	fill();
	sizes_of_cache[1] = 1U << 31;
	CHECK(walk(of_5_10, sizes) == ST_OK);
	CHECK(seen.bytes[0] == 2 * 192);
}

static void what_a_damaged_list_lacks_is_told(void)
{
	fill();
	locks[0].link.next = AT(80); /* is in no dump */
	CHECK(walk(of_5_10, sizes) == ST_UNREADABLE);
	CHECK(seen.n[0] == 2 && seen.n[1] == 1 && seen.n[2] == 2); /* from its other end */
	fill();
	locks[1].link.next = LOCK(0) + LINK; /* a circle */
	CHECK(walk(of_5_10, sizes) == ST_CORRUPT);
	CHECK(seen.n[0] == 2 && seen.n[1] == 1);
	fill();
	inodes[0] = AT(80);
	CHECK(walk(of_5_10, sizes) == ST_UNREADABLE && !seen.n[0]);
	inodes[0] = CONTEXT;
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = of_5_10, .sizes = sizes };
	struct file_locks l;

	stub_open(&s);
	CHECK(file_locks_find(&s.dump, &l) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .symbols = symbols, .sizes = sizes);
	CHECK(file_locks_find(&s.dump, &l) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "each lock has its owner", each_lock_has_its_owner },
      { "a lock takes a slot of its cache", a_lock_takes_a_slot_of_its_cache },
      { "what a damaged list lacks is told", what_a_damaged_list_lacks_is_told },
      { "a kernel without them says so", a_kernel_without_them_says_so })
