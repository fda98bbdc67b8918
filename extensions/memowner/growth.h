/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the pages of an owner were allocated: in a short time, or all the time up to the panic. */
#pragma once

#include "limits.h"

/* Pages by the step of the time between boot and panic in which they were allocated. */
struct growth {
	uint32_t pages[GROWTH_STEPS];
};

/* The step of a time stamp; the last one also has what is later than the panic. */
unsigned int growth_step(uint64_t ts_ns, uint64_t panic_ns);

struct growth_span {
	uint64_t pages;		   /* that were allocated in it */
	uint64_t start_ns, end_ns; /* the first and the last nanosecond; end UINT64_MAX: no end */
	const char *kind;	   /* "burst", "leak-like" or "mixed" */
};

/*
 * The shortest span of steps that has nearly all pages; of "leak-like" from there to the panic.
 * False: too few pages to tell.
 */
bool growth_span(const struct growth *g, uint64_t panic_ns, struct growth_span *ret);
