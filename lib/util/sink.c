// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sink_init(struct sink *s, bool (*write)(void *priv, const char *s, size_t n), void *priv)
{
	s->write = write;
	s->priv = priv;
	s->closed = false;
	s->is_terminal = false;
	s->used = 0;
}

void sink_flush(struct sink *s)
{
	if (s->used && !s->closed && !s->write(s->priv, s->buf, s->used))
		s->closed = true;
	s->used = 0;
}

void sink_write(struct sink *s, const char *text, size_t n)
{
	while (n) {
		size_t len = SINK_BYTES - s->used < n ? SINK_BYTES - s->used : n;

		memcpy(s->buf + s->used, text, len);
		s->used += len;
		text += len;
		n -= len;
		if (s->used == SINK_BYTES)
			sink_flush(s);
	}
}

void sink_raw(struct sink *s, const char *text, size_t n)
{
	size_t start = 0;

	for (size_t i = 0; s->is_terminal && i < n; i++) {
		unsigned char c = text[i];

		if ((c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t')
			continue;
		sink_write(s, text + start, i - start);
		sink_write(s, "?", 1);
		start = i + 1;
	}
	sink_write(s, text + start, n - start);
}

void sink_text(struct sink *s, const char *text)
{
	sink_write(s, text, strlen(text));
}

void sink_printf(struct sink *s, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (n > 0)
		sink_write(s, buf, (size_t)n < sizeof(buf) ? (size_t)n : sizeof(buf) - 1);
}
