// SPDX-License-Identifier: GPL-2.0-or-later
/* POSIX timers of a process: a list to 6.11, a hlist since, and what each takes. */
#include "stub.h"
#include "tasks/posix_timers.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define SIGNAL AT(0)
#define HEADS 8
#define TIMER(i) (AT(10 + (i)) + 16)
#define TIMERS 3

struct links {
	uint64_t next, prev;
};
static struct {
	uint64_t count;
	struct links timers;
} signal_struct;
static struct links links[TIMERS];
static uint64_t caches[2] = { AT(5), AT(6) };
static uint32_t sizes_of_caches[2] = { 0, 320 };

static const struct stub_memory memory[] = {
	{ SIGNAL, &signal_struct, sizeof(signal_struct) },
	{ AT(3), caches, 8 },
	{ AT(4), caches + 1, 8 },
	{ AT(5), sizes_of_caches + 1, 4 },
	{ AT(6), sizes_of_caches, 4 },
	{ TIMER(0), links, sizeof(struct links) },
	{ TIMER(1), links + 1, sizeof(struct links) },
	{ TIMER(2), links + 2, sizeof(struct links) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "exit_itimers", AT(90), { 0 } },
					      { "posix_timers_cache", AT(3), { 0 } },
					      { "sigqueue_cachep", AT(4), { 0 } },
					      { 0 } };
static const struct stub_member of_6_1[] = {
	{ "struct signal_struct", "posix_timers", FIELD(HEADS, 16) },
	{ "struct k_itimer", "sigq", KINDED(KIND_POINTER, 112, 8) },
	{ "struct kmem_cache", "size", FIELD(0, 4) },
	{ 0 },
};
static const struct stub_member of_7_3[] = {
	{ "struct signal_struct", "posix_timers", FIELD(HEADS, 8) },
	{ "struct k_itimer", "sigq", KINDED(KIND_STRUCT, 136, 80) },
	{ "struct kmem_cache", "size", FIELD(0, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct k_itimer", 256 },
					    { "struct sigqueue", 80 },
					    { 0 } };

static void link_up(bool is_hlist)
{
	uint64_t head = SIGNAL + HEADS, from = head;

	for (unsigned int i = 0; i < TIMERS; i++) {
		links[i].prev = from;
		from = TIMER(i);
		links[i].next = i + 1 < TIMERS ? TIMER(i + 1) : is_hlist ? 0 : head;
	}
	/* Behind an hlist_head there is another member. */
	signal_struct.timers = (struct links){ TIMER(0), is_hlist ? 7 : from };
}

static enum status count(const struct stub_member *members, uint64_t *n, uint64_t *bytes)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct posix_timers t;
	enum status st;

	st = posix_timers_find(&s.dump, &t);
	CHECK(st == ST_OK);
	st = st ?: posix_timers_count(&t, SIGNAL, n);
	*bytes = t.bytes;
	return st;
}

static void a_list_is_counted(void)
{
	uint64_t n = 0, bytes;

	link_up(false);
	CHECK(count(of_6_1, &n, &bytes) == ST_OK && n == TIMERS);
	CHECK(bytes == 320 + 80); /* with a struct sigqueue */
	signal_struct.timers = (struct links){ SIGNAL + HEADS, SIGNAL + HEADS };
	CHECK(count(of_6_1, &n, &bytes) == ST_OK && n == 0);
}

static void a_hlist_is_counted(void)
{
	uint64_t n = 0, bytes;

	link_up(true);
	CHECK(count(of_7_3, &n, &bytes) == ST_OK && n == TIMERS && bytes == 320);
	signal_struct.timers.next = 0;
	CHECK(count(of_7_3, &n, &bytes) == ST_OK && n == 0);
}

static void what_a_damaged_list_lacks_is_told(void)
{
	uint64_t n = 0, bytes;

	link_up(false);
	links[0].next = AT(80);						  /* is in no dump */
	CHECK(count(of_6_1, &n, &bytes) == ST_UNREADABLE && n == TIMERS); /* from its other end */
	link_up(true);
	links[1].next = AT(80);
	CHECK(count(of_7_3, &n, &bytes) == ST_UNREADABLE && n == 2);
	links[1].next = TIMER(0); /* a circle */
	CHECK(count(of_7_3, &n, &bytes) == ST_CORRUPT && n == 2);
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = of_7_3 };
	struct posix_timers t;

	stub_open(&s);
	CHECK(posix_timers_find(&s.dump, &t) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .symbols = symbols, .sizes = sizes);
	CHECK(posix_timers_find(&s.dump, &t) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "a list is counted", a_list_is_counted }, { "a hlist is counted", a_hlist_is_counted },
      { "what a damaged list lacks is told", what_a_damaged_list_lacks_is_told },
      { "a kernel without them says so", a_kernel_without_them_says_so })
