/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Elements of arrays. */
#pragma once

#include <stddef.h>

/* How many there are. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* How many of n elements meet a condition of i: those that do stand in front of those that do not. */
#define COUNT_FRONT(i, n, CONDITION)                          \
	({                                                    \
		size_t low_ = 0, high_ = (n);                 \
                                                              \
		while (low_ < high_) {                        \
			size_t i = low_ + (high_ - low_) / 2; \
                                                              \
			if (CONDITION)                        \
				low_ = i + 1;                 \
			else                                  \
				high_ = i;                    \
		}                                             \
		low_;                                         \
	})
