/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and names out of lines of the kernel log. */
#pragma once

#include "util/maybe.h"

#include <stddef.h>

struct log_number {
	bool known;
	uint64_t value;
};

static inline struct maybe_u64 log_maybe(struct log_number n)
{
	return (struct maybe_u64){ n.value, n.known };
}

/* What follows a start or the first occurrence of a text; NULL: it is not there. */
const char *log_after(const char *line, const char *start);
const char *log_find(const char *line, const char *what);

/* A number, hexadecimal with or without 0x; NULL: none, or one too large, else what follows it. */
const char *log_take_hex(const char *text, uint64_t *ret);
const char *log_take_decimal(const char *text, uint64_t *ret);

/* One as %u and %lu have it: with a zero in front it lost what stood before that, or another character stands there. */
const char *log_take_figure(const char *text, uint64_t *ret);

/* Whether two numbers of as many digits differ in one of these. */
bool log_has_other_digit(uint64_t a, uint64_t b);
/* The same where that is a thirtieth of them or more: small numbers, and the last digits, may have changed. */
bool log_has_other_large_digit(uint64_t a, uint64_t b);

/* Whether a number is what another one is without one of its digits. */
bool log_lost_digit(uint64_t less, uint64_t whole);
/* The same of any number of digits, wherever they stood. */
bool log_lost_digits(uint64_t less, uint64_t whole);

/* At most size - 1 of len bytes; a control character becomes '?', as it is no part of a name. */
void log_copy(char *to, size_t size, const char *from, size_t len);

/* Tabs as blanks up to the next eighth column, as a terminal has them; 0: it has none, or to has no room for all. */
size_t log_expand_tabs(const char *line, size_t len, char *to, size_t size);

/* "oom_kill_process: 12 callbacks suppressed", ___ratelimit() of lib/ratelimit.c: how many of a function were left out. */
bool log_take_suppressed(const char *line, const char *function, uint64_t *ret);

#define LOG_COMM 16

/* "CPU: 1 UID: 0 PID: 45 Comm: victim Not tainted 6.12": what is known stays; comm has room for LOG_COMM and its end. */
void log_take_task(struct log_number *cpu, struct log_number *pid, char *comm, const char *line);
