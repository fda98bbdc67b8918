/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a text has twice: the output of dmesg and then the file of syslog, or a mail that quotes a report and another that
 * quotes it again. The clock goes back there, and lines have the stamp and the words of earlier ones.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_line.h"

/*
 * Keeps of two copies the one that has more, with the dates of both. Of records that all have a stamp of the kernel's
 * clock.
 */
void log_drop_repeats(struct dump *d, struct kernel_log *log);

#define LOG_TWINS 3 /* pairs of lines: fewer a kernel may have, as of frames */

/* Lines without a stamp of which each stands there twice, as two programs of syslog write one file. Begins as 0. */
struct log_twins {
	uint64_t hash, date_s; /* of the line before */
	bool is_open;	       /* that one has stood there once */
	unsigned int pairs;    /* of one line each, one behind the other, up to it */
};

/* Whether a line is the second one of a pair behind LOG_TWINS others: the first of these log_drop_again() takes away. */
bool log_twins_line(struct log_twins *t, const struct log_line *l);

/*
 * Of records without a stamp: the second one of each pair of LOG_TWINS and more, and what repeats a report of the OOM killer
 * with its figures, as where two files of syslog overlap. Of one date, if they have any.
 */
void log_drop_again(struct dump *d, struct kernel_log *log);
