/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tables of names of flags: struct trace_print_flags until a name is NULL
 * (mm/debug.c), and how %pG matches them (format_flags() in lib/vsprintf.c).
 */
#pragma once

#include "dump/dump.h"

#define FLAG_NAMES 128
#define FLAG_TEXT 512 /* bytes that a text of flags needs at most */

struct flag_names {
	struct {
		uint64_t mask;
		const char *name;
	} flags[FLAG_NAMES]; /* in the order in which the kernel matches */
	unsigned int n;
};

/* ST_ABSENT, ST_UNKNOWN, ST_UNREADABLE: there is no table, ret->n is 0. */
enum status flag_names_open(struct dump *d, const char *variable, struct flag_names *ret);

/* "uptodate|lru"; what no name covers is a number behind them. Returns its length. */
size_t flag_names_text(const struct flag_names *t, uint64_t mask, char *buf, size_t size);
