// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/strbuf.h"

#include <stdarg.h>
#include <stdio.h>

struct strbuf strbuf_in(char *buf, size_t size)
{
	*buf = '\0';
	return (struct strbuf){ .buf = buf, .size = size };
}

void strbuf_add(struct strbuf *s, const char *fmt, ...)
{
	size_t room = s->size - s->len;
	va_list ap;
	int n;

	if (s->cut)
		return;
	va_start(ap, fmt);
	n = vsnprintf(s->buf + s->len, room, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	s->cut = (size_t)n >= room;
	s->len += s->cut ? room - 1 : (size_t)n;
}
