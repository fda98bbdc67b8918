/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of pages that the newest Mem-Info block of the kernel log shows, by class.  The
 * kernel prints them without the deltas that CPUs had not added yet, some time before the panic.
 */
#pragma once

#include "oom/oom_report.h"
#include "classes/page_class.h"

struct log_counters {
	const struct oom_report *report; /* NULL: none was found */
	unsigned int page_shift;
};

/* ST_OK: or the log has no report.  Any other: it could not be read. */
enum status log_counters_read(struct dump *d, struct log_counters *ret);

/* In pages; false: the report has no such counter, or none of it is in this dump. */
bool log_counters_find(const struct log_counters *l, enum page_class class, int64_t *ret);

/* "report of the OOM killer": what the block belongs to. */
const char *log_counters_source(const struct log_counters *l);
