/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of pages as paths of labels, for trees and flame graphs. */
#pragma once

#include "groups.h"
#include "stackdepot/stackdepot.h"

#define PATH_LABELS (GROUP_KEYS + DEPOT_MAX_FRAMES + 1)

struct owner_path {
	const struct owner_group *group;
	const char *labels[PATH_LABELS]; /* from the root; of equal texts there is one */
	unsigned int n;
};

/*
 * Opens what -t tree and folded need; ST_USAGE: a key has no place in a path.  Then scans by stack and
 * the keys of -g and calls visit for each group that the filters keep: its keys, then the functions of
 * its stack, the outermost first unless callee is set. Truncated stacks are under "[truncated at 16]".
 * The path is valid until visit returns. ST_STOPPED: visited is what was seen.
 */
enum status owner_paths_open(void *owner_view, enum availability *why);
enum status owner_paths(struct owner_groups *g, bool callee,
			void (*visit)(void *arg, const struct owner_path *path), void *arg);
