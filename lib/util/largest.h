/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The largest ones of many, the largest first; of equals those that came first. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LARGEST_ROOM 32

struct largest {
	unsigned int room; /* that are kept, at most LARGEST_ROOM */
	unsigned int n;
	struct {
		uint64_t size;
		const void *item;
	} of[LARGEST_ROOM];
};

static inline void largest_add(struct largest *l, uint64_t size, const void *item)
{
	unsigned int at = l->n < l->room ? l->n++ : l->room;

	for (; at && size > l->of[at - 1].size; at--)
		if (at < l->room)
			l->of[at] = l->of[at - 1];
	if (at < l->room) {
		l->of[at].size = size;
		l->of[at].item = item;
	}
}
