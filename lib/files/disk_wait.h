/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which disk a task waits for, by what it waits on: a page of a file or of a block device, a buffer_head, or a bio of
 * its own; else by what its stack refers to, which is inferred. A page of a file system without a disk, as tmpfs, NFS
 * or FUSE, is on none of these.
 */
#pragma once

#include "files/disks.h"
#include "files/page_wait.h"

enum disk_wait_source {
	DISK_WAIT_PAGE,	  /* its folio's file, or file system */
	DISK_WAIT_BUFFER, /* its buffer_head's block device */
	DISK_WAIT_BIO,	  /* a bio whose end wakes it */
	DISK_WAIT_STACK,  /* inferred: the only disk that its stack refers to */
	DISK_WAIT_SOURCES
};

/* NULL behind them. */
extern const char *const disk_wait_sources[];

struct disk_waits {
	struct dump *dump;
	const struct disks *disks;
	struct page_waits pages;
	bool has_pages;
	struct field entry_key, entry_wait,
		private; /* of struct wait_bit_queue_entry, wait_queue_entry */
	struct field key_flags, buffer_state, buffer_bdev; /* of wait_bit_key, buffer_head */
	struct field bio_bdev, bio_private;
	struct field type, flags; /* of struct super_block, file_system_type */
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status disk_waits_open(struct dump *d, const struct disks *disks, struct disk_waits *ret);

/* Of a stack: where its frames begin, and where those of a kind of wait end, 0: it has none; to: all of them. */
struct disk_wait_frames {
	uint64_t from, page_to, buffer_to, to;
};

/* ST_ABSENT: no disk was found, or several. */
enum status disk_wait_find(const struct disk_waits *x, uint64_t task, const struct task_stack *s,
			   const struct disk_wait_frames *f, const struct disk **disk,
			   enum disk_wait_source *source);
