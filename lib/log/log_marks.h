/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words by which a line of the kernel's log tells of memory that ran out, or of a panic. */
#pragma once

#include <stdbool.h>

/* The first line of a report. */
bool log_begins_report(const char *text);

/* What of a record decides which boot is told of. */
bool log_tells(const char *text);
