/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mount namespaces with the mounts that are attached in them, and the processes that are in them
 * (fs/namespace.c). What is attached in none is not among them: mounts of the kernel itself, and those that were
 * detached (umount -l) while a file is open.
 */
#pragma once

#include "files/open_files.h"
#include "util/maybe.h"

struct mount_namespace {
	uint32_t mounts;	/* as the kernel counts them, those beyond its root too */
	bool is_initial;	/* that of init_task */
	uint64_t proxies;	/* nsproxies of tasks that refer to it */
	struct maybe_u64 count; /* references to it, one of each of these */
	struct file_users users;
};

struct mount_namespaces {
	struct mount_namespace *all;
	size_t n;
	uint64_t mount_bytes; /* that a struct mount takes of its cache */
	const char *problem;  /* NULL, or why namespaces or processes of one may be missing */
};

/* Those in which tasks are.  ST_UNKNOWN: a layout that this build does not know; ST_STOPPED. */
enum status mount_namespaces_read(struct dump *d, struct mount_namespaces *ret);

/* The one process that is in it, if nothing else keeps it: its mounts end with that process; NULL: others keep it, or may. */
const struct file_user *mount_namespace_keeper(const struct mount_namespaces *m,
					       const struct mount_namespace *ns);
