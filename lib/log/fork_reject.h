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
	const struct kernel_record *first, *last; /* NULL: none */
	char first_path[FORK_PATH];		  /* of the first; "": unknown */
	char path[FORK_PATH];			  /* of the last */
};

void fork_rejects_read(const struct kernel_log *log, struct fork_rejects *ret);
