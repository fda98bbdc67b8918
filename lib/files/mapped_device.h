/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks of the device mapper (drivers/md/dm-core.h, dm-ioctl.c): whether one is suspended, the bios that wait for its
 * resumption, the disks that it lies on. Who suspended it is not recorded.
 */
#pragma once

#include "files/disks.h"

#define MAPPED_BELOW 16

struct mapped_device {
	const char *name; /* "vg0-data"; NULL: unknown */
	/* Its flags say so. Their bits are constants that a dump does not tell: bios that wait are the witness. */
	bool has_flags;
	uint64_t bios;				/* that wait until it is resumed */
	bool bios_complete;			/* there are no more */
	const struct disk *below[MAPPED_BELOW]; /* the first of those that its table names */
	unsigned int nbelow;
	bool below_complete;
};

struct mapped_devices {
	struct dump *dump;
	struct structure device, cell;
	struct field devices, node, dm_dev, bdev, next; /* of its table, and of a bio */
	uint64_t operations[2]; /* addresses: of disks of bios, of those of requests; 0: none */
};

/* ST_ABSENT: this kernel has no device mapper, or it is not loaded; ST_UNKNOWN: an unknown layout. */
enum status mapped_devices_open(struct dump *d, struct mapped_devices *ret);

bool disk_is_mapped(const struct mapped_devices *x, const struct disk *disk);

/* ST_CORRUPT: its structure is of another disk. */
enum status mapped_device_read(const struct mapped_devices *x, const struct disks *disks,
			       const struct disk *disk, struct mapped_device *ret);
