/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory balloons: pages that a driver took from the guest and gave to the host.  Each is offline, and its
 * private points to the struct balloon_dev_info of its device where the kernel can migrate it
 * (mm/balloon_compaction.c, mm/balloon.c since 7.0).
 */
#pragma once

#include "dump/dump.h"

#define BALLOON_NAME 64

struct balloon {
	uint64_t info;		 /* address of its balloon_dev_info */
	uint64_t pages;		 /* as the driver counts them (virtio_balloon.num_pages) */
	char name[BALLOON_NAME]; /* of the device, "virtio3"; "": not in this dump */
};

/*
 * Calls visit for each device of virtio_balloon.  ST_ABSENT: virtio_balloon is not in vmlinux, nor a loaded
 * module; ST_UNKNOWN: it is a module whose types the reader of the dump has not loaded; ST_UNREADABLE or
 * ST_CORRUPT: some devices may be missing.
 */
enum status balloons_walk(struct dump *d, enum status (*visit)(void *arg, const struct balloon *b),
			  void *arg);

/*
 * The function that migrates pages of a balloon, which is in its driver.  ST_ABSENT: this kernel has no
 * balloon_dev_info.migratepage.
 */
enum status balloon_driver(struct dump *d, uint64_t info, uint64_t *ret);

/*
 * Pages in all balloons, as the kernel counts them: NR_BALLOON_PAGES of 7.3, else the events
 * BALLOON_INFLATE - BALLOON_DEFLATE.  ST_ABSENT: it counts none.
 */
enum status balloon_pages(struct dump *d, uint64_t *ret);
