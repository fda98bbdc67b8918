// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/jiffies.h"

#include "dump/layout.h"

#define NS_PER_S 1000000000ULL

enum { CLOCK_MULT, CLOCK_SHIFT, CLOCK_FIELDS };
static const struct layout_row clock_rows[CLOCK_FIELDS] = {
	[CLOCK_MULT] = { "struct clocksource", { "mult" }, REQUIRED, "all" },
	[CLOCK_SHIFT] = { "struct clocksource", { "shift" }, REQUIRED, "all" },
};

/* The clock that counts jiffies knows how long one is (kernel/time/jiffies.c). */
static uint64_t tick_ns(struct dump *d)
{
	struct field f[CLOCK_FIELDS];
	uint64_t addr;
	uint32_t mult, shift;

	if (layout_resolve(d, clock_rows, CLOCK_FIELDS, f) != ST_OK ||
	    dump_symbol(d, "clocksource_jiffies", &addr) != ST_OK ||
	    dump_u32(d, addr + f[CLOCK_MULT].offset, &mult, "clocksource") != ST_OK ||
	    dump_u32(d, addr + f[CLOCK_SHIFT].offset, &shift, "clocksource") != ST_OK || shift > 31)
		return 0;
	/* HZ is 24 to 1200 on every architecture. */
	return mult >> shift > NS_PER_S / 1201 && mult >> shift < NS_PER_S / 23 ? mult >> shift : 0;
}

void jiffies_open(struct dump *d, struct jiffies *ret)
{
	*ret = (struct jiffies){ 0 };
	if (dump_value(d, "jiffies", &ret->now) == ST_OK ||
	    dump_value(d, "jiffies_64", &ret->now) == ST_OK)
		ret->tick_ns = tick_ns(d);
	decoder_trace(d, "value  jiffies = %lu, of %lu ns", ret->now, ret->tick_ns);
}

bool jiffies_age(const struct jiffies *j, uint64_t when, uint64_t *ret)
{
	uint64_t age = j->now - when;

	if (!j->tick_ns || age >= UINT64_MAX / 2 / NS_PER_S)
		return false;
	*ret = age * j->tick_ns;
	return true;
}
