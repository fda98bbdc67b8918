// SPDX-License-Identifier: GPL-2.0-or-later
#include "growth.h"

#include <stddef.h>

static uint64_t step_start(unsigned int step, uint64_t panic_ns)
{
	return (uint64_t)((unsigned __int128)panic_ns * step / GROWTH_STEPS);
}

unsigned int growth_step(uint64_t ts_ns, uint64_t panic_ns)
{
	unsigned int step;

	if (!panic_ns || ts_ns >= panic_ns)
		return GROWTH_STEPS - 1;
	step = (unsigned int)((unsigned __int128)ts_ns * GROWTH_STEPS / panic_ns);
	/* Of rounding: the start of a step belongs to it. */
	return step + 1 < GROWTH_STEPS && ts_ns >= step_start(step + 1, panic_ns) ? step + 1 : step;
}

static uint64_t sum(const struct growth *g, unsigned int from, unsigned int to)
{
	uint64_t n = 0;

	for (; from < to; from++)
		n += g->pages[from];
	return n;
}

bool growth_span(const struct growth *g, uint64_t panic_ns, struct growth_span *ret)
{
	uint64_t total = sum(g, 0, GROWTH_STEPS), pages = 0;
	unsigned int length = 1, start = 0;
	bool found = false;

	if (total < limit(LIMIT_GROWTH_PAGES) || !panic_ns)
		return false;
	for (; !found && length <= GROWTH_STEPS; length += !found)
		for (start = 0; start + length <= GROWTH_STEPS && !found; start += !found) {
			pages = sum(g, start, start + length);
			found = pages * 100 >= total * limit(LIMIT_SPAN);
		}
	if (!found)
		return false;
	*ret = (struct growth_span){
		.pages = pages,
		.start_ns = step_start(start, panic_ns),
		.end_ns = start + length == GROWTH_STEPS ? UINT64_MAX
							 : step_start(start + length, panic_ns) - 1,
	};
	if (length <= limit(LIMIT_BURST))
		ret->kind = "burst";
	else if (length >= limit(LIMIT_LEAK) &&
		 sum(g, GROWTH_STEPS - limit(LIMIT_LEAK_END), GROWTH_STEPS))
		ret->kind = "leak-like";
	return true;
}
