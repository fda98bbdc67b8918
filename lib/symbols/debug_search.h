/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files with debug information below a folder, found by their names. */
#pragma once

#include "kernel/build_id.h"

struct debug_path {
	struct debug_path *next; /* in the order found */
	const char *path;
	const char *module; /* name of the module, with '_'; NULL: a vmlinux */
};

struct debug_paths {
	struct dump *dump;
	struct debug_path *first, **last;
	unsigned int n;
	unsigned int entries; /* of folders, looked at so far */
	bool cut;	      /* a limit was reached: there may be more */
};

void debug_paths_init(struct debug_paths *p, struct dump *d);

/*
 * Adds what lies below: vmlinux, vmlinux-*, vmlinux.debug, NAME.ko and NAME.ko.debug.
 * Symbolic links to folders are not followed.  A folder that cannot be read adds nothing.
 */
enum status debug_paths_walk(struct debug_paths *p, const char *dir);

/*
 * ROOT/.build-id/xx/yyyy.debug, where packages of debug information have a link for each build-id.
 * NULL: it does not fit into buf.
 */
const char *debug_build_id_path(const char *root, const struct buildid *id, char *buf, size_t size);

/* Whether two names of a module are the same: '-' and '_' are. */
bool debug_module_same(const char *a, const char *b);
