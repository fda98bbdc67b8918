// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_fold.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "log/log_text.h"

#define FEWEST 3  /* lines that were broken: one or two may be as long as the longest */
#define NARROW 40 /* bytes: no log is read from less */
#define WORD 24	  /* bytes: a break at a blank is before the width by no more */
#define FEW 4	  /* lines that are a little shorter stand behind them by chance: a quarter */
#define SHARE 2	  /* half of the lines that begin otherwise are the rest of one */

/* Stamps differ in digits, and in the blanks before these, dates in letters too. */
static char kind_of(char c)
{
	return isdigit((unsigned char)c) || c == ' ' ? '0' : isalpha((unsigned char)c) ? 'a' : c;
}

static bool begins_so(const struct log_fold *f, const char *line)
{
	for (size_t i = 0; i < LOG_FOLD_BEGIN; i++)
		if (!line[i] || kind_of(line[i]) != f->begin[i])
			return false;
	return true;
}

/* With the blank behind it, which would stand on the line before, too. */
static size_t first_word(const char *line)
{
	const size_t n = strcspn(line, " ");

	return n + (line[n] == ' ');
}

/* What a firmware prints before the kernel begins in any way. */
static void take_begin(struct log_fold *f, const char *line, size_t len)
{
	bool has_digit = false;

	if (len < LOG_FOLD_BEGIN)
		return;
	f->has_begin = begins_so(f, line);
	for (size_t i = 0; i < LOG_FOLD_BEGIN; i++) {
		f->begin[i] = kind_of(line[i]);
		has_digit |= isdigit((unsigned char)line[i]) != 0;
	}
	f->has_begin &= has_digit;
}

static void take_rest(struct log_fold *f, const char *line)
{
	const size_t end = f->last + first_word(line);

	f->rests++;
	f->indented += *line == ' ';
	f->different += strncmp(f->rest, line, LOG_FOLD_BEGIN - 1) != 0;
	snprintf(f->rest, sizeof(f->rest), "%s", line);
	if (f->last > LOG_FOLD_MOST)
		return;
	if (!f->ends_blank) {
		f->behind[f->last]++;
		return;
	}
	f->at_blanks[f->last]++;
	f->at_blanks[end <= LOG_FOLD_MOST ? end : LOG_FOLD_MOST + 1]--;
}

void log_fold_line(struct log_fold *f, const char *line, size_t len)
{
	len -= len && line[len - 1] == '\r';
	if (!f->has_begin)
		take_begin(f, line, len);
	else if (len && !begins_so(f, line))
		take_rest(f, line);
	else if (f->last <= LOG_FOLD_MOST)
		f->whole[f->last]++;
	f->longest = len > f->longest ? len : f->longest;
	f->last = len;
	f->ends_blank = len && line[len - 1] == ' ';
}

/* Lines that are the rest of one which was broken at the width of the longest. */
static unsigned int count_joined(const struct log_fold *f)
{
	int at_blanks = 0;

	for (size_t i = 0; i <= f->longest; i++)
		at_blanks += f->at_blanks[i];
	return f->behind[f->longest] + (at_blanks > 0 ? (unsigned int)at_blanks : 0);
}

/* A mail breaks at blanks, which it drops: lines are as often a little shorter. */
static unsigned int count_shorter(const struct log_fold *f)
{
	unsigned int ret = 0;

	for (size_t i = f->longest - WORD; i < f->longest; i++)
		ret += f->behind[i];
	return ret;
}

size_t log_fold_width(const struct log_fold *f)
{
	unsigned int joined;

	if (f->longest < NARROW || f->longest > LOG_FOLD_MOST || f->different < FEWEST)
		return 0;
	joined = count_joined(f);
	if (joined < FEWEST || joined < f->rests / SHARE)
		return 0;
	/* Lines that were cut have no rest. */
	if (f->whole[f->longest] > joined / FEW || count_shorter(f) > joined / FEW ||
	    f->indented >= f->rests - f->rests / FEW)
		return 0;
	return f->longest;
}

bool log_fold_goes_on(const struct log_fold *f, size_t width, const char *before, size_t len,
		      const char *line)
{
	if (!*line || begins_so(f, line))
		return false;
	return len == width ||
	       (len && len < width && before[len - 1] == ' ' && len + first_word(line) > width);
}

#define HEX "0123456789abcdef"

bool log_breaks_mask(const char *text, const char *more)
{
	const char *mask = log_after(text, "mode:0");
	size_t n;

	if (!mask)
		return false;
	mask += *mask == 'x';
	n = strspn(mask, HEX);
	more += !n && mask[-1] != 'x' && *more == 'x';
	return !mask[n] && more[strspn(more, HEX)] == '(';
}

/* The release that the text ends with, behind the letters of the taint; NULL: it ends otherwise. */
static const char *last_release(const char *text)
{
	const char *mark = NULL, *word = strrchr(text, ' ');

	for (const char *p = text; (p = log_find(p, "ainted")); mark = p)
		;
	return mark && word && word >= mark && isdigit((unsigned char)word[1]) ? word + 1 : NULL;
}

bool log_breaks_release(const char *text, const char *more)
{
	return last_release(text) && *more != '#';
}

bool log_are_taint_letters(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isdigit((unsigned char)text[i]))
			return false;
	return true;
}
