// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/html.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#define ESCAPE 16

/* What stands for the first character, whose length is *len; NULL: it stands for itself. */
static const char *escape(const char *text, size_t n, size_t *len, char buf[ESCAPE])
{
	unsigned char c = *text;
	unsigned int columns;

	*len = 1;
	if (c >= 0x80) {
		*len = utf8_next(text, n, &columns);
		if (*len > 1)
			return NULL;
	} else if (c == 0x7f || (c < 0x20 && c != '\n' && c != '\t')) {
		return "?";
	} else if (!strchr("<>&\"'", c) || !c) {
		return NULL;
	}
	snprintf(buf, ESCAPE, "&#%u;", c);
	return buf;
}

void html_text(struct sink *sink, const char *text, size_t n)
{
	char buf[ESCAPE];
	size_t plain = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *word = escape(text + at, n - at, &len, buf);

		if (!word)
			continue;
		sink_write(sink, text + plain, at - plain);
		sink_text(sink, word);
		plain = at + len;
	}
	sink_write(sink, text + plain, n - plain);
}

size_t html_bytes(const char *text, size_t n)
{
	char buf[ESCAPE];
	size_t sum = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *word = escape(text + at, n - at, &len, buf);

		sum += word ? strlen(word) : len;
	}
	return sum;
}
