/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks (struct gendisk): of each block device that has an inode (the file system "bdev": block/bdev.c, before 5.15
 * fs/block_dev.c). A partition is the disk that it lies on. Before 5.11 a device has a disk while it is open.
 */
#pragma once

#include "dump/structure.h"
#include "modules/module.h"
#include "util/hash_u64.h"
#include "util/maybe.h"

#define DISK_NAME 33 /* DISK_NAME_LEN, and an end of ours */

struct disk {
	struct disk *next;
	uint64_t address;     /* of struct gendisk */
	uint64_t queue;	      /* of its request_queue; 0: none */
	uint64_t operations;  /* of its block_device_operations */
	uint64_t own;	      /* what its driver has of it: private_data */
	uint64_t owner;	      /* struct module of its block_device_operations; 0: built in */
	char name[DISK_NAME]; /* "sda" */
};

struct disks {
	struct dump *dump;
	struct structure device, disk, operations;
	struct field bdev, inode; /* of struct bdev_inode */
	struct field super_device;
	struct disk *first, **last;
	size_t n;
	/*
	 * Of struct disk *, by the addresses of what leads to one alone: its gendisk and request_queue, its block devices
	 * and their inodes, the super_block of a file system on it.
	 */
	struct hash_u64 by_address;
	const char *problem; /* NULL, or why some may be missing */
};

/* *ret must stay where it is. ST_UNKNOWN: a layout that this build does not know. */
enum status disks_open(struct dump *d, struct disks *ret);

/* Fills first, by_address and problem; ST_STOPPED. */
enum status disks_read(struct disks *x);

/* NULL: none is known that this address leads to. */
struct disk *disks_find(const struct disks *x, uint64_t address);

/*
 * The host adapter of a SCSI disk (include/scsi/scsi_device.h, scsi_host.h): sd_mod serves the disks of all of them, and
 * the driver of the host has their commands.
 */
struct scsi_host {
	const char *driver;	 /* its module, else what its template has as its name */
	struct maybe_u64 number; /* N of /sys/class/scsi_host/hostN */
};

struct scsi_hosts {
	struct dump *dump;
	struct structure device, host, template;
	struct field queuedata;
	uint64_t operations[2]; /* addresses: of disks, of CD drives; 0: none */
	struct modules modules;
};

/* ST_ABSENT: this kernel has no SCSI disks, or sd_mod is not loaded; ST_UNKNOWN: an unknown layout. */
enum status scsi_hosts_open(struct dump *d, struct scsi_hosts *ret);

bool disk_is_scsi(const struct scsi_hosts *x, const struct disk *disk);

/* ST_CORRUPT: its structure is of another disk. */
enum status scsi_host_read(const struct scsi_hosts *x, const struct disk *disk,
			   struct scsi_host *ret);
