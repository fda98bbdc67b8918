/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the kernel on limits of other things than memory that were reached: open files, addresses. Text only. */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

#define LIMIT_LINES 9 /* rows of the table: kinds of limits that the kernel logs */

struct limit_line {
	const char *what,
		*sysctl; /* of which the value is the limit; NULL: it is the bytes that were asked for */
	unsigned int n; /* lines; 0: none */
	struct log_number value;
	const struct kernel_record *first, *last;
};

struct limit_lines {
	struct limit_line of[LIMIT_LINES]; /* by the rows of the table */
};

void limit_lines_read(const struct kernel_log *log, struct limit_lines *ret);

#define LIMIT_TEXT 96 /* the longest name of a sysctl, and a number */

/* "fs.file-max 3,600", "4.0M" */
const char *limit_line_text(char buf[LIMIT_TEXT], const struct limit_line *l);
