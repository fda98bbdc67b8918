/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Services that systemd started again, by its own lines in the kernel log: it writes there where journald does not run, and
 * where log_target says so (src/core/service.c, service_enter_restart(); the counter since 235). Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

#define UNIT_RESTARTS 8 /* services that are kept: those that came first */
#define UNIT_NAME 128	/* of a longer one the start */

struct unit_restart {
	char name[UNIT_NAME];
	uint64_t counter; /* the last one */
	const struct kernel_record *first, *last;
};

struct unit_restarts {
	struct unit_restart all[UNIT_RESTARTS];
	unsigned int n;
	unsigned int more; /* lines on others */
};

void unit_restarts_read(const struct kernel_log *log, struct unit_restarts *ret);
