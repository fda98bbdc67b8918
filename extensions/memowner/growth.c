// SPDX-License-Identifier: GPL-2.0-or-later
#include "growth.h"

#define QUARTERS 4 /* of a span: each of a leak has its share */

/* a * b / c, b at most GROWTH_STEPS.  Called for each page: only after nine years of uptime in 128 bits. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
	return a <= UINT64_MAX / GROWTH_STEPS ? a * b / c
					      : (uint64_t)((unsigned __int128)a * b / c);
}

static uint64_t step_start(unsigned int step, uint64_t panic_ns)
{
	return scale(panic_ns, step, GROWTH_STEPS);
}

unsigned int growth_step(uint64_t ts_ns, uint64_t panic_ns)
{
	unsigned int step;

	if (!panic_ns || ts_ns >= panic_ns)
		return GROWTH_STEPS - 1;
	step = (unsigned int)scale(ts_ns, GROWTH_STEPS, panic_ns);
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

/* Whether some steps have far fewer pages than steps of the span have in the mean. */
static bool is_thin(const struct growth *g, unsigned int from, unsigned int to, uint64_t pages,
		    unsigned int length)
{
	return sum(g, from, to) * 1000 * length < pages * (to - from) * limit(LIMIT_LEAK_SHARE);
}

/* Whether pages were allocated all the time from the start of the span up to the panic. */
static bool is_steady(const struct growth *g, unsigned int start, unsigned int length,
		      uint64_t pages)
{
	const unsigned int end = GROWTH_STEPS - (unsigned int)limit(LIMIT_LEAK_END);

	for (unsigned int i = 0; i < QUARTERS; i++)
		if (is_thin(g, start + length * i / QUARTERS, start + length * (i + 1) / QUARTERS,
			    pages, length))
			return false;
	for (unsigned int i = 0; i + limit(LIMIT_BURST) <= GROWTH_STEPS; i++)
		if (sum(g, i, i + (unsigned int)limit(LIMIT_BURST)) * 1000 >=
		    pages * limit(LIMIT_LEAK_BURST))
			return false;
	return !is_thin(g, end, GROWTH_STEPS, pages, length);
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
			found = pages * 1000 >= total * limit(LIMIT_SPAN);
		}
	if (!found)
		return false;
	*ret = (struct growth_span){
		.pages = pages,
		.start_ns = step_start(start, panic_ns),
		.end_ns = start + length == GROWTH_STEPS ? UINT64_MAX
							 : step_start(start + length, panic_ns) - 1,
		.kind = "mixed",
	};
	if (length <= limit(LIMIT_BURST))
		ret->kind = "burst";
	else if (length >= limit(LIMIT_LEAK) && is_steady(g, start, length, pages))
		*ret = (struct growth_span){
			.pages = sum(g, start, GROWTH_STEPS),
			.start_ns = ret->start_ns,
			.end_ns = UINT64_MAX,
			.kind = "leak-like",
		};
	return true;
}
