/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of buffers of ZFS, nearly all of them in its cache (ARC), by its own structures (abd_os.c). */
#pragma once

#include "dump/memory_parts.h"
#include "dump/structure.h"

enum zfs_flag { ZFS_LINEAR, ZFS_LINEAR_PAGE, ZFS_OWNER, ZFS_GANG, ZFS_FROM_PAGES, ZFS_FLAGS };

struct zfs_buffers {
	struct dump *dump;
	const struct memory_parts *v;
	struct structure cache, abd, entry, sums, bucket;
	uint64_t entry_bytes, page_bytes, bucket_bytes;
	int64_t flags[ZFS_FLAGS]; /* 0: this release has none */
	bool has_types;
	struct first_problem problem;
};

/* ST_UNKNOWN: the types of the modules zfs and spl are not known. */
enum status zfs_buffers_open(struct dump *d, const struct memory_parts *v, struct zfs_buffers *ret);

/* The pages of the struct abd at an address; none where it has none of its own. */
enum status zfs_buffer_visit(void *buffers, uint64_t address);

/* Bytes of the whole ARC, what is in slabs as well: arcstat_size, as aggsum_value() has it. */
enum status zfs_arc_size(struct zfs_buffers *z, uint64_t sums, uint64_t *ret);

/* All of them as one holder, which the ARC's size counts.  ST_ABSENT: ZFS is no loaded module. */
enum status zfs_buffers_walk(struct dump *d, const struct memory_parts *v);
