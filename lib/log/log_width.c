// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_width.h"

#include <string.h>

#define FEWEST 8  /* lines of one length, which none exceeds */
#define NARROW 40 /* bytes: of a narrower log nothing is told */
/* Half of these lines begin another one behind them: the rest of a line that was broken begins otherwise. */
#define SHARE 2
#define MORE 4 /* times as many as those of a byte less */

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
	}
	if (len > LOG_WIDTH_MOST)
		w->is_wider = true;
	else
		w->lines[len] += !is_row;
	w->last = is_row ? 0 : len;
	memcpy(w->begins, begins, sizeof(begins));
}

size_t log_width_cut(const struct log_width *w)
{
	const unsigned int n = w->is_wider ? 0 : w->lines[w->longest];

	/* A mail breaks at blanks: lines are as many that are a little shorter. */
	return n >= FEWEST && w->longest >= NARROW && n / MORE >= w->lines[w->longest - 1] &&
			       n / MORE >= w->lines[w->longest - 2] &&
			       w->before_others >= n - n / SHARE
		       ? w->longest
		       : 0;
}
