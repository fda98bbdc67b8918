// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that may not get on: a task that spins for a lock, interrupts off on each. */
#include "kernel/percpu.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "symbols/frame.h"
#include "stub.h"
#include "test.h"

static uint64_t online[1], offsets[64];
static const uint64_t possible[1] = { 0xf };
static const uint32_t ids = 64;
static const struct stub_memory memory[] = { { 0x1000, online, sizeof(online) },
					     { 0x2000, possible, sizeof(possible) },
					     { 0x3000, offsets, sizeof(offsets) },
					     { 0x4000, &ids, sizeof(ids) },
					     { 0 } };
static const struct stub_symbol symbols[] = {
	{ "__cpu_online_mask", 0x1000, { 0 } },
	{ "__cpu_possible_mask", 0x2000, { 0 } },
	{ "__per_cpu_offset", 0x3000, KINDED(KIND_ARRAY, 0, 512) },
	{ "nr_cpu_ids", 0x4000, FIELD(0, 4) },
	{ 0 },
};
static const struct frame polls = { .symbol = "rt_wait", .module = "rtcomm" },
			  sends = { .symbol = "rt_send", .module = "rtcomm" };

static struct stub stub;
static struct summary sum;
static struct ready_thread on[2];
static bool misses_some;

static void begin(unsigned int cpus)
{
	STUB_OPEN(stub, .memory = memory, .symbols = symbols);
	sum = (struct summary){ .dump = &stub.dump };
	online[0] = (1ULL << cpus) - 1;
	on[0] = (struct ready_thread){
		.pid = 315, .comm = "line-01", .at = &polls, .irqs_off = true, .is_foreign = true
	};
	on[1] = (struct ready_thread){ .pid = 316,
				       .comm = "line-02",
				       .at = &sends,
				       .irqs_off = true,
				       .is_foreign = true,
				       .spins = true };
}

static void tell(size_t n)
{
	sum.starved.spinning = sum.starved.beside = NULL;
	summary_tell_spinning(&sum, on, n, misses_some);
}

static void no_cpu_takes_an_interrupt(void)
{
	begin(2);
	tell(2);
	CHECK_TEXT(
		sum.starved.spinning,
		"CPUs may stand still, which no watchdog told: line-02 (316) spun for a lock, "
		"called by rt_send [rtcomm], with interrupts off; line-01 (315) was on a CPU, in "
		"rt_wait [rtcomm], with interrupts off, and likely has that lock; no CPU takes an "
		"interrupt: nothing else can run there, and the time of the end is that of the "
		"last tick");
	/* The only CPU is in the driver; in the kernel's own code that is so for a moment on any machine. */
	begin(1);
	tell(1);
	CHECK(strstr(sum.starved.spinning, "; the only CPU takes no interrupt: "));
	on[0].is_foreign = false;
	tell(1);
	CHECK(!sum.starved.spinning && !sum.starved.beside);
}

static void who_may_have_the_lock(void)
{
	/* Another CPU takes interrupts: the lock is what may stop them. */
	begin(3);
	tell(2);
	CHECK(strstr(sum.starved.spinning, "line-02 (316) spun for a lock, ") &&
	      !strstr(sum.starved.spinning, "no CPU takes"));
	CHECK(strstr(sum.starved.spinning, ", and likely has that lock"));
	/* What a third CPU ran is not known: it may have it as well. */
	misses_some = true;
	tell(2);
	CHECK(!strstr(sum.starved.spinning, "likely has"));
	misses_some = false;
	/* No other thread of the module was on a CPU: contention for a moment. */
	on[0].at = NULL;
	tell(2);
	CHECK(!sum.starved.spinning);
	CHECK_TEXT(sum.starved.beside,
		   "; at the end line-02 (316) spun for a lock, called by rt_send "
		   "[rtcomm], with interrupts off; line-01 (315) was on a CPU, "
		   "with interrupts off");
}

static void nothing_where_a_watchdog_says_it(void)
{
	begin(2);
	sum.has_lockup = true;
	tell(2);
	CHECK(!sum.starved.spinning && !sum.starved.beside);
	begin(2);
	tell(0);
	CHECK(!sum.starved.spinning && !sum.starved.beside);
	begin(2);
	on[1].spins = false;
	on[1].irqs_off = false;
	tell(2);
	CHECK(!sum.starved.spinning && !sum.starved.beside);
}

TESTS({ "no CPU takes an interrupt", no_cpu_takes_an_interrupt },
      { "who may have the lock", who_may_have_the_lock },
      { "nothing where a watchdog says it", nothing_where_a_watchdog_says_it })
