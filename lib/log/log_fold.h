/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that a tool broke at one width, as fold(1) and terminals do: what is behind a break is the next line, which does not
 * begin as lines of this log do. Whether they were is known once all lines have been seen.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LOG_FOLD_MOST 512 /* bytes: no terminal is wider */
#define LOG_FOLD_BEGIN 15 /* bytes: of a time of day or a stamp */
#define LOG_FOLD_TEXT 16384

/* Zeroed, it has seen no line. */
struct log_fold {
	char begin
		[LOG_FOLD_BEGIN]; /* of two lines, one behind the other: digits, letters and signs */
	bool has_begin, ends_blank; /* ends_blank: the newest line */
	size_t last, longest;	    /* bytes: of the newest line, of the longest */
	unsigned int rests;	    /* lines that begin otherwise */
	unsigned int
		different; /* of these: not as the one before, as where a mail says each time that lines are left out */
	char rest[LOG_FOLD_BEGIN]; /* how the newest of them begins */
	unsigned int indented; /* of these: begin with a blank, which a tool may have put there */
	unsigned int behind[LOG_FOLD_MOST + 1]; /* of these: behind a line of that length */
	unsigned int
		whole[LOG_FOLD_MOST + 1]; /* lines of that length behind which another one begins */
	int at_blanks[LOG_FOLD_MOST +
		      2]; /* behind a blank: more, by the width from which on, or less */
};

/* Without its line feed. */
void log_fold_line(struct log_fold *f, const char *line, size_t len);

/* Bytes at which lines were broken; 0: they were not, or too few of them to tell. */
size_t log_fold_width(const struct log_fold *f);

/* Whether a line is the rest of one of len bytes, which was broken there. */
bool log_fold_goes_on(const struct log_fold *f, size_t width, const char *before, size_t len,
		      const char *line);

/* Of words within which it may have been, half looks like a whole one. */

/* "mode:0x40c", "00(GFP_NOIO|__GFP_COMP), ...": text ends within a mask whose names are in the next line. */
bool log_breaks_mask(const char *text, const char *more);

/* "... Not tainted 5.", "10.0-rc1+ #3": text ends within the release, which has no blank. */
bool log_breaks_release(const char *text, const char *more);

/*
 * Whether n bytes of what stands behind "ainted" are letters and blanks alone: a digit is of a release that was broken,
 * of which what follows is a part.
 */
bool log_are_taint_letters(const char *text, size_t n);
