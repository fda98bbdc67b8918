/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the file system bpf (kernel/bpf/inode.c), each of which keeps a map, a program or a link. */
#pragma once

#include "dump/dump.h"

/*
 * Calls visit with the address of the object that each file of a mounted bpffs keeps, and its path (NULL: unknown).
 * ST_ABSENT: this kernel has no bpffs; ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status bpf_pins_walk(struct dump *d,
			  enum status (*visit)(void *arg, uint64_t object, const char *path),
			  void *arg);
