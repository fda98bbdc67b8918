/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the kernel ended, on the clock of the log: the record of its panic. A machine that was dumped
 * while it ran has none, and may have logged nothing for long: then the latest of the clocks that the
 * scheduler keeps for each CPU (rq.clock, which is that of the log) and of the jiffies since boot.
 */
#pragma once

#include "dump/dump.h"

enum end_source {
	END_PANIC_RECORD,
	END_RUN_QUEUE,
	END_JIFFIES,
	END_NEWEST_RECORD, /* of the log: no clock was found that can be believed */
};

/* Words of JSON. */
extern const char *const end_sources[];

/*
 * ST_ABSENT: the log has no record, and no clock can be believed. *is_whole, always set: a record of a panic
 * that is not the source is not there; otherwise it may be in the part of the log that was not read.
 */
enum status end_time_read(struct dump *d, uint64_t *ns, enum end_source *source, bool *is_whole);
