/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that a mail or a terminal broke: which line of a report goes on in the next one. Text only: nothing here
 * reads the dump.
 */
#pragma once

#include <stdbool.h>

enum log_wrap {
	LOG_WRAP_NONE,	/* the next line is another one */
	LOG_WRAP_BLANK, /* it goes on behind a blank, at which a mail breaks */
	LOG_WRAP_WORD	/* it goes on within a word, where a terminal breaks */
};

/* columns: of the table of processes, log_wrap_columns() of its header; 0: none was seen. */
enum log_wrap log_wrap(const char *text, const char *more, unsigned int columns);

/* The columns of the header of the table of processes; 0: the line is no header, or its end is missing. */
unsigned int log_wrap_columns(const char *text);
