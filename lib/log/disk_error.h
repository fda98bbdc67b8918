/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What file systems and disks found wrong, by their lines in the log: "EXT4-fs error (device vda): ...", "XFS (vda):
 * Corruption detected", "BTRFS error (device sda1): ...", "I/O error, dev vda, sector 8", "Buffer I/O error on dev vda".
 * 4.19 to 7.3. The kernel limits their rate. Text only.
 */
#pragma once

#include "log/kernel_log.h"

#define DISK_ERROR_TEXT 256
#define DISK_ERROR_DEVICE 32

struct disk_errors {
	unsigned int n;
	const struct kernel_record *first, *last; /* NULL: none */
	char text[DISK_ERROR_TEXT];		  /* of the first, from its start */
	char device[DISK_ERROR_DEVICE];		  /* of the first: "vda"; "": unknown */
	bool is_fs;				  /* it is of a file system, not of a disk */
};

/* "an error of a file system" */
static inline const char *disk_errors_words(const struct disk_errors *e)
{
	return e->is_fs ? "an error of a file system" : "an error of a disk";
}

void disk_errors_read(const struct kernel_log *log, struct disk_errors *ret);
