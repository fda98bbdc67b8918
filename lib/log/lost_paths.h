/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of a multipath device that failed and did not come back: "device-mapper: multipath: 253:0: Failing path 8:16.",
 * "... Reinstating path 8:16." (drivers/md/dm-mpath.c). Text only: whether it has others is not in the log.
 */
#pragma once

#include "log/kernel_log.h"

#define LOST_PATHS 32u
#define LOST_PATH 16

struct lost_paths {
	char device[LOST_PATH]; /* "253:0", of the last line on one; "": none */
	char of[LOST_PATHS][LOST_PATH];
	unsigned int n;			  /* 0: none, or all came back */
	bool is_cut;			  /* more had failed at a time than there is room for */
	const struct kernel_record *last; /* that one failed */
};

void lost_paths_read(const struct kernel_log *log, struct lost_paths *ret);
