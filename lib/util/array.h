/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Elements of arrays and lists. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many there are. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Whether one of n elements meets a condition of i. */
#define ANY_OF(i, n, CONDITION)                                   \
	({                                                        \
		bool any_ = false;                                \
                                                                  \
		for (size_t i = 0; i < (size_t)(n) && !any_; i++) \
			any_ = (CONDITION);                       \
		any_;                                             \
	})

/* Whether one of a list does, from first on: a condition of e. */
#define ANY_NEXT(e, first, CONDITION)                                        \
	({                                                                   \
		bool any_ = false;                                           \
                                                                             \
		for (typeof(*(first)) *e = (first); e && !any_; e = e->next) \
			any_ = (CONDITION);                                  \
		any_;                                                        \
	})

/* For qsort(), of two numbers: below 0, 0 or above it. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
/* A function for qsort() of elements x and y. */
#define ORDER_BY(FUNCTION, T, ORDER)                      \
	static int FUNCTION(const void *a, const void *b) \
	{                                                 \
		const T *x = a, *y = b;                   \
                                                          \
		return ORDER;                             \
	}

/* The first of n elements of an array that meets a condition of found, a pointer to it; NULL: none does. */
#define FIND_IN(array, n, CONDITION)                                         \
	({                                                                   \
		typeof((array)[0]) *found = (array), *behind_ = found + (n); \
                                                                             \
		while (found < behind_ && !(CONDITION))                      \
			found++;                                             \
		found < behind_ ? found : NULL;                              \
	})

/* The last number from low on and before high that meets a condition of i, of which those that do come first: low, if none does. */
#define LAST_OF(i, low, high, CONDITION)                        \
	({                                                      \
		uint32_t low_ = (low), high_ = (high);          \
                                                                \
		while (high_ - low_ > 1) {                      \
			uint32_t i = low_ + (high_ - low_) / 2; \
                                                                \
			if (CONDITION)                          \
				low_ = i;                       \
			else                                    \
				high_ = i;                      \
		}                                               \
		low_;                                           \
	})

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
