/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of file systems that have all of theirs in memory: bpffs (kernel/bpf/inode.c), mqueue (ipc/mqueue.c). */
#pragma once

#include "files/inode.h"

struct fs_file {
	struct inode inode;
	uint64_t object;  /* i_private: of bpffs a map, a program or a link */
	const char *path; /* NULL: unknown */
};

/*
 * Calls visit with each regular file; type: the variable of the file_system_type.  ST_ABSENT: this kernel has none;
 * ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status fs_files_walk(struct dump *d, const char *type,
			  enum status (*visit)(void *arg, const struct fs_file *file), void *arg);
