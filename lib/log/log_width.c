// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_width.h"

#include <ctype.h>
#include <string.h>

#include "log/log_text.h"
#include "util/array.h"

#define FEWEST 8  /* lines of one length, which none exceeds: some of them may be whole */
#define NARROW 40 /* bytes: of a narrower log nothing is told */
/* Half of these lines begin another one behind them: the rest of a line that was broken begins otherwise. */
#define SHARE 2
#define MORE 4 /* times as many as those of a byte less */

#define STAMPS 100 /* bytes that may have the stamps, the host and the caller */
#define BEGIN 16   /* bytes behind these */
#define END 16

/* What lines of one form have in common: all but numbers. */
static uint32_t form_of(const char *text, size_t len)
{
	uint32_t hash = 2166136261U; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		if (!isdigit((unsigned char)text[i]) && text[i] != ' ')
			hash = (hash ^ (unsigned char)text[i]) * 16777619U;
	return hash;
}

static void add_form(uint32_t forms[LOG_WIDTH_FORMS], unsigned int *n, uint32_t form)
{
	for (unsigned int i = 0; i < *n; i++)
		if (forms[i] == form)
			return;
	if (*n < LOG_WIDTH_FORMS)
		forms[(*n)++] = form;
}

/* Bytes up to "[  100.000001] " or "kernel: ", where one of them is. */
static size_t len_of_stamps(const char *line, size_t len)
{
	static const char *const ends[] = { "] ", "kernel: " };

	len = len < STAMPS ? len : STAMPS;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *at = memmem(line, len, ends[i], strlen(ends[i]));

		if (at)
			return at + strlen(ends[i]) - line;
	}
	return 0;
}

static void add_forms(struct log_width *w, const char *line, size_t len)
{
	const size_t stamps = len_of_stamps(line, len), left = len - stamps;

	add_form(w->begin_forms, &w->nbegins, form_of(line + stamps, left < BEGIN ? left : BEGIN));
	add_form(w->end_forms, &w->nends,
		 len < END ? form_of(line, len) : form_of(line + len - END, END));
}

bool log_has_fixed_width(const char *line)
{
	static const char *const words[] = {
		"Code: ", "RAX: ", "RDX: ", "RBP: ", "R10: ", "R13: ",
		"CR2: ",  "DR0: ", "DR3: ", "RSP: ", "FS:  ", "CS:  "
	};

	return ANY_OF(i, ARRAY_SIZE(words), log_find(line, words[i]));
}

void log_width_line(struct log_width *w, const char *line, size_t len, bool is_row)
{
	size_t quote = 0;
	char begins[2] = { 0 };

	/* Of a mail that quotes it the rest of a line has the same mark. */
	while (quote < len && strchr("> |", line[quote]))
		quote++;
	memcpy(begins, line + quote, len - quote < sizeof(begins) ? len - quote : sizeof(begins));
	len -= len && line[len - 1] == '\r';
	if (w->last == w->longest && w->longest && !memcmp(begins, w->begins, sizeof(begins)))
		w->before_others++;
	if (len > w->longest) {
		w->longest = len;
		w->before_others = 0;
		w->nbegins = w->nends = 0;
	}
	if (len && len == w->longest && len <= LOG_WIDTH_MOST && !is_row)
		add_forms(w, line, len);
	if (len > LOG_WIDTH_MOST)
		w->is_wider = true;
	else
		w->lines[len] += !is_row;
	w->last = is_row ? 0 : len;
	memcpy(w->begins, begins, sizeof(begins));
}

/* A mail breaks at blanks: lines are as many that are a little shorter. */
static bool is_edge(const struct log_width *w, unsigned int n)
{
	return n / MORE >= w->lines[w->longest - 1] && n / MORE >= w->lines[w->longest - 2];
}

size_t log_width_cut(const struct log_width *w)
{
	const unsigned int n = w->is_wider ? 0 : w->lines[w->longest];
	/* Of few each one must tell; behind the last line of all none stands. */
	const unsigned int least = n >= FEWEST ? n - n / SHARE : n - 1;

	return n >= LOG_WIDTH_FORMS && w->longest >= NARROW && is_edge(w, n) &&
			       w->before_others >= least && w->nbegins == LOG_WIDTH_FORMS &&
			       w->nends == LOG_WIDTH_FORMS
		       ? w->longest
		       : 0;
}

size_t log_width_broken(const struct log_width *w)
{
	const unsigned int n = w->is_wider ? 0 : w->lines[w->longest];

	return n >= FEWEST && w->longest >= NARROW && w->before_others < n / SHARE &&
			       w->nbegins == LOG_WIDTH_FORMS && w->nends == LOG_WIDTH_FORMS
		       ? w->longest
		       : 0;
}
