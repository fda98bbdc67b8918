/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log of a few lines, the first 1 ns after boot, the next 1 ns later, and so on. */
#pragma once

#include "log/kernel_log.h"

#define LOG_RECORDS 8

static inline struct kernel_log log_of(struct kernel_record *records, const char *const *lines,
				       size_t n)
{
	for (size_t i = 0; i < n; i++)
		records[i] = (struct kernel_record){ .ts_ns = i + 1, .text = lines[i] };
	return (struct kernel_log){ .records = records, .n = n };
}
