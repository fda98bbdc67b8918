/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values that a user types for a key: numbers, sizes, durations, and ranges of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum range_kind {
	RANGE_NUMBER,	  /* decimal, or hexadecimal behind 0x */
	RANGE_HEX,	  /* hexadecimal, with or without 0x */
	RANGE_SIZE,	  /* bytes: 5, 1.5M, 1.5MiB */
	RANGE_LIMIT,	  /* the same, or max */
	RANGE_BALANCE,	  /* bytes that may be below zero; in and out: see range_balance() */
	RANGE_TIME,	  /* nanoseconds: 10ms, 1h30min; only 0 has no unit */
	RANGE_STAMP,	  /* the same, without a unit seconds: 632.19 */
	RANGE_SIGNED,	  /* decimal, may be below zero; in and out: see range_balance() */
	RANGE_TENTHS,	  /* of a number with a fraction: 2.5 is 25 */
	RANGE_HUNDREDTHS, /* the same: 2.5 is 250 */
	RANGE_MILLI,	  /* thousandths of one: 2.5 is 2500 */
	RANGE_KINDS
};

/* As many bytes as a page counter can count: PAGE_COUNTER_MAX, with pages of up to 64 KiB. */
#define NUMBER_NO_LIMIT 0x7fffffffffff0000ULL

/*
 * "5", "2..", "..8", "2..8": both ends belong to it. len bytes of text and no more. A stamp with fewer
 * places, "632.19", is all that begin so. An end as it is printed, "190.3M" or "680ms", is all that is printed so; that of a range which is a digit and zeros, "100ms..",
 * is exact.
 */
bool number_range_parse(enum range_kind q, const char *text, size_t len, uint64_t *low,
			uint64_t *high);

/* Whether it was refused for its end alone, which is before its start: "9s..8s". */
bool number_range_is_reversed(enum range_kind q, const char *text, size_t len);

/* A signed number as RANGE_BALANCE and RANGE_SIGNED have it: the order of these is that of the numbers. */
static inline uint64_t range_balance(int64_t v)
{
	return (uint64_t)v ^ 1ULL << 63;
}

/* A number of a kind as people read it; buf has UNITS_BYTES. */
void number_range_text(enum range_kind q, uint64_t v, char *buf);

/* What is accepted, for a message: "a size like 5, 64K.., ..1M or 4K..2G". */
const char *range_help(enum range_kind q);
