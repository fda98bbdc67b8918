/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that the kernel has promised to processes, and how much it may promise: Committed_AS and
 * CommitLimit of /proc/meminfo. The limit is enforced with vm.overcommit_memory=2 alone.
 */
#pragma once

#include "dump/dump.h"
#include "util/maybe.h"

/* vm.overcommit_memory */
enum commit_mode { COMMIT_GUESS, COMMIT_ALWAYS, COMMIT_NEVER };

struct commit {
	struct maybe_u64 limit, committed; /* pages */
	struct maybe_u64 mode;		   /* enum commit_mode */
};

/* What cannot be read is unknown, and dump_lacks() says why. */
void commit_collect(struct dump *d, struct commit *ret);
