/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for people, and numbers from people. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_BYTES 32 /* room that each of these needs; they return it */

/* "1.5M", "1.334G"; powers of 1024 */
const char *units_size(char *buf, int64_t bytes);
/* The same of a lower bound, rounded down. */
const char *units_least(char *buf, int64_t bytes);
/* "350ms", "12.3s", "4.5h", "3.2d" */
const char *units_time(char *buf, uint64_t ns);
/* "61.2": part of whole in percent, 0.0 of nothing */
const char *units_percent(char *buf, uint64_t part, uint64_t whole);
/* The same in tenths of a percent. */
uint64_t units_tenths(uint64_t part, uint64_t whole);
/* "20378.5" of thousandths */
const char *units_milli(char *buf, uint64_t thousandths);
/* "10.774437": seconds of nanoseconds */
const char *units_stamp(char *buf, uint64_t ns);
/* "65,406" */
const char *units_count(char *buf, uint64_t n);

#define UNITS_PLURAL 128
/* "1 page is", "65,406 pages are": n and the form of a noun, with its verb, for that number. */
const char *units_plural(char buf[UNITS_PLURAL], uint64_t n, const char *one, const char *many);

/* The same in room that lasts as long as the block of the caller. */
#define SIZE_TEXT(bytes) units_size((char[UNITS_BYTES]){ "" }, bytes)
#define LEAST_TEXT(bytes) units_least((char[UNITS_BYTES]){ "" }, bytes)
#define TIME_TEXT(ns) units_time((char[UNITS_BYTES]){ "" }, ns)
#define PERCENT_TEXT(part, whole) units_percent((char[UNITS_BYTES]){ "" }, part, whole)
#define MILLI_TEXT(thousandths) units_milli((char[UNITS_BYTES]){ "" }, thousandths)
#define STAMP_TEXT(ns) units_stamp((char[UNITS_BYTES]){ "" }, ns)
#define COUNT_TEXT(n) units_count((char[UNITS_BYTES]){ "" }, n)
#define PLURAL_TEXT(n, one, many) units_plural((char[UNITS_PLURAL]){ "" }, n, one, many)
/* The same of a noun that has an s. */
#define COUNT_OF(n, one) PLURAL_TEXT(n, one, one "s")

/* A whole decimal or 0x number and nothing else. */
bool units_parse(const char *text, uint64_t *ret);
/* A whole hexadecimal number, with or without 0x, as crash takes addresses. */
bool units_parse_hex(const char *text, uint64_t *ret);
