/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether lines of a log were cut at one width, as a pager or a terminal does: text only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_WIDTH_MOST 512 /* bytes: no terminal is wider */
#define LOG_WIDTH_FORMS 3  /* of one form lines are as long as each other without a terminal */

/* Zeroed, it has seen no line. */
struct log_width {
	unsigned int lines[LOG_WIDTH_MOST + 1]; /* by their bytes; of the longest ones: */
	unsigned int before_others; /* how many stand before a line that begins as they do */
	size_t longest, last;	    /* bytes; last: of the newest line */
	char begins[2];		    /* the newest line */
	bool is_wider;
	uint32_t begin_forms[LOG_WIDTH_FORMS],
		end_forms[LOG_WIDTH_FORMS]; /* of the longest lines: hashes */
	unsigned int nbegins, nends;
};

/* Whether it has the bytes at an instruction, or registers, which are as many on each line that has them. */
bool log_has_fixed_width(const char *line);

/* Without its line feed. is_row: of a table, or of fixed width, as lines that are alike in length. */
void log_width_line(struct log_width *w, const char *line, size_t len, bool is_row);

/* Bytes at which lines end; 0: they were not cut, or too few of them to tell. */
size_t log_width_cut(const struct log_width *w);

/* Bytes at which lines were broken, whose rest is the next line; 0: they were not, or too few of them to tell. */
size_t log_width_broken(const struct log_width *w);
