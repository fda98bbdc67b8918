/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host adapter of a SCSI disk (include/scsi/scsi_device.h, scsi_host.h): sd_mod serves the disks of all of them, and
 * the driver of the host has their commands.
 */
#pragma once

#include "files/disks.h"
#include "modules/module.h"
#include "util/maybe.h"

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
