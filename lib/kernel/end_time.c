// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/end_time.h"

#include "dump/layout.h"
#include "kernel/jiffies.h"
#include "kernel/percpu.h"
#include "log/printk.h"

#define NS_PER_S 1000000000ULL
#define AGREE_NS (60 * NS_PER_S) /* a CPU that is idle leaves its clock behind */
#define COARSE_NS NS_PER_S	 /* jiffies begin with the timer, not with the clock of the log */

/*
 * jiffies follow the clock that NTP slews, by 500 ppm at most (MAXFREQ of include/linux/timex.h); the clock of
 * the log does not.  So they may have parted by this since boot.
 */
static uint64_t drift(uint64_t ns)
{
	return ns / 2000;
}

const char *const end_sources[] = { "panic_record", "run_queue", "jiffies", "newest_record", NULL };

static const struct layout_row clock_row = { "struct rq", { "clock" }, REQUIRED, "all" };

/* The latest of all CPUs; 0: unknown. */
static uint64_t run_queue_clock(struct dump *d)
{
	struct percpu cpus;
	struct field clock;
	uint64_t base, ns, newest = 0;

	if (layout_resolve(d, &clock_row, 1, &clock) != ST_OK || clock.size != 8 ||
	    dump_symbol(d, "runqueues", &base) != ST_OK || percpu_open(d, &cpus) != ST_OK)
		return 0;
	for (unsigned int i = 0; i < cpus.n; i++) {
		enum status st = dump_u64(d, base + cpus.offset[i] + clock.offset, &ns,
					  "struct rq");

		/* The latest may be that one. */
		if (st != ST_OK)
			dump_lacks(d, "clocks of some CPUs", st, "%s", d->error);
		else if (ns > newest)
			newest = ns;
	}
	return newest;
}

/* They begin five minutes before they wrap in 32 bits (INITIAL_JIFFIES). 0: unknown. */
static uint64_t jiffies_since_boot(struct dump *d)
{
	struct jiffies j;
	uint64_t ns;

	jiffies_open(d, &j);
	if (!j.tick_ns ||
	    !jiffies_age(&j, (uint32_t) - (uint32_t)(300 * (NS_PER_S / j.tick_ns)), &ns))
		return 0;
	return ns;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

enum status end_time_read(struct dump *d, uint64_t *ns, enum end_source *source, bool *is_whole)
{
	uint64_t end = 0, queue, ticks;
	bool is_panic = false;
	enum end_source of = END_NEWEST_RECORD;
	enum status st = printk_panic_time(d, &end, &is_panic, is_whole);

	if (st == ST_OK && is_panic) {
		*ns = end;
		*source = END_PANIC_RECORD;
		return ST_OK;
	}
	queue = run_queue_clock(d);
	ticks = jiffies_since_boot(d);
	decoder_trace(d, "value  clocks at the end: log %lu, run queues %lu, jiffies %lu ns", end,
		      queue, ticks);
	/* One that is alone, or that another contradicts, may be damaged. */
	if (ticks && queue && distance(ticks, queue) > AGREE_NS + drift(ticks))
		queue = ticks = 0;
	if (ticks && queue > end) {
		end = queue;
		of = END_RUN_QUEUE;
	}
	if (queue && ticks > end && ticks - end > COARSE_NS + drift(ticks)) {
		end = ticks;
		of = END_JIFFIES;
	}
	if (!end)
		return st ?: dump_fail(d, ST_ABSENT, "no clock can be believed");
	*ns = end;
	*source = of;
	return ST_OK;
}
