// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal/message.h"

#include <string.h>

#include "util/sink.h"

struct line {
	char *text;
	size_t n;
};

static bool add_to_line(void *priv, const char *s, size_t n)
{
	struct line *l = priv;

	if (n > MESSAGE_BYTES - 1 - l->n)
		n = MESSAGE_BYTES - 1 - l->n;
	memcpy(l->text + l->n, s, n);
	l->n += n;
	return true;
}

void message_wrap(char *buf, unsigned int columns, const char *name, const char *text)
{
	static struct sink s;
	struct line line = { buf, 0 };

	sink_init(&s, add_to_line, &line);
	s.columns = columns;
	sink_printf(&s, "%s: ", name);
	sink_text(&s, text);
	sink_flush(&s);
	buf[line.n] = '\0';
}
