/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line that the kernel wrote again and again, with other numbers in it, so that it is most of the log. Text only. */
#pragma once

#include "log/kernel_log.h"

#define LOG_FLOOD_WORDS "a line that is most of it"

struct log_flood {
	uint64_t n;			   /* 0: no line is most of it */
	uint64_t all;			   /* records of the log with a text */
	const struct kernel_record *first; /* of those that are left */
	const struct kernel_record *last;
	bool has_dropped; /* older records of the log are not in it */
};

void log_flood_find(const struct kernel_log *log, struct log_flood *ret);
