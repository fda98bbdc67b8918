/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System V shared memory (ipc/shm.c): segments, which stay until they are removed, and who made them. */
#pragma once

#include "files/sysv_ipc.h"
#include "util/hash_u64.h"
#include "util/maybe.h"

struct sysv_shm {
	uint64_t attaches; /* shm_nattch: mappings of it, by all processes */
	uint64_t bytes;	   /* shm_segsz */
	int32_t id;
	struct maybe_u64 uid;	  /* of who created it, in the first user namespace */
	struct maybe_u64 creator; /* its tgid in the first pid namespace */
	enum sysv_life creator_life;
};

struct sysv_shms {
	struct hash_u64 by_inode; /* of struct sysv_shm */
	const char *problem;	  /* NULL, or why some may be missing */
};

/*
 * Those of all IPC namespaces.  ST_ABSENT: built without CONFIG_SYSVIPC; ST_STOPPED; ST_UNKNOWN: a layout that is
 * not known.
 */
enum status sysv_shms_read(struct dump *d, struct sysv_shms *ret);
