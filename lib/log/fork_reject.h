/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to fork that pids.max refused: pids_event() of kernel/cgroup/pids.c logs the first of each cgroup that
 * asked; the limit may be one of a cgroup above it. Text only.
 */
#pragma once

#include "log/kernel_log.h"

#define FORK_PATH 256

struct fork_rejects {
	unsigned int n;
	const struct kernel_record *last; /* NULL: none */
	char path[FORK_PATH];		  /* of the last; "": unknown */
};

void fork_rejects_read(const struct kernel_log *log, struct fork_rejects *ret);
