/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When reads and writes of a disk were accounted last. */
#pragma once

#include "files/disks.h"
#include "kernel/jiffies.h"

struct disk_account {
	struct dump *dump;
	struct field device; /* part0 of struct gendisk: a pointer, before 5.11 a structure in it */
	struct field stamp, old_stamp;
	struct jiffies jiffies;
};

/* ST_UNKNOWN: a layout that this build does not know, or no clock. */
enum status disk_account_open(struct dump *d, struct disk_account *ret);

/*
 * Time to the panic, in ns, from when a read or write of a disk was started or completed last; who reads /proc/diskstats
 * while requests are in flight sets it, too (update_io_ticks() of block/blk-core.c). Not of a flush, nor while
 * queue/iostats is 0: it is then older than requests in flight. ST_CORRUPT: it is later than the panic.
 */
enum status disk_account_age(const struct disk_account *x, const struct disk *disk, uint64_t *ns);
