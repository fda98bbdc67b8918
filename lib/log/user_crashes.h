/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that ended by an exception of their own, by the kernel's lines: "imgthumb[457]: segfault at c ip 401109 ..."
 * (arch/x86/mm/fault.c), "traps: calcd[31] trap divide error ip:..." (arch/x86/kernel/traps.c), of arm64 "imgthumb[457]:
 * unhandled exception: ..." (arch/arm64/kernel/traps.c). The kernel keeps most of many back. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

#define CRASHED 4u

struct user_crash {
	char comm[LOG_COMM + 1];
	unsigned int n;
	const struct kernel_record *first, *last;
};

struct user_crashes {
	struct user_crash all[CRASHED]; /* those that came first */
	unsigned int n;
};

void user_crashes_read(const struct kernel_log *log, struct user_crashes *ret);
