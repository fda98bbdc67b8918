/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What single lines of the log say that went wrong, each read once for all that tell of it. */
#pragma once

#include "log/disk_error.h"
#include "log/hardware_error.h"
#include "log/log_flood.h"
#include "log/log_sign.h"
#include "log/lost_paths.h"
#include "log/oops.h"
#include "log/user_crashes.h"

struct log_told {
	struct disk_errors disks;
	struct hardware_errors hardware;
	struct log_signs signs;
	struct log_flood flood;
	struct lost_paths paths;
	struct user_crashes crashes;
	struct user_fault init; /* known: of the first process, with which the kernel ended */
};
