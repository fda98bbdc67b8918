// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_text.h"

#include <ctype.h>
#include <string.h>

#include "util/utf8.h"

const char *log_after(const char *line, const char *start)
{
	size_t len = strlen(start);

	return strncmp(line, start, len) ? NULL : line + len;
}

const char *log_find(const char *line, const char *what)
{
	const char *p = strstr(line, what);

	return p ? p + strlen(what) : NULL;
}

const char *log_take_hex(const char *text, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned int n = 0;

	if (text[0] == '0' && text[1] == 'x')
		text += 2;
	for (; isxdigit((unsigned char)*text) && n < 17; text++, n++)
		v = v << 4 |
		    (unsigned int)(isdigit((unsigned char)*text) ? *text - '0'
								 : (*text | 32) - 'a' + 10);
	if (!n || n > 16)
		return NULL;
	*ret = v;
	return text;
}

const char *log_take_decimal(const char *text, uint64_t *ret)
{
	uint64_t v = 0;
	unsigned int n = 0;

	for (; isdigit((unsigned char)*text) && n < 20; text++, n++)
		v = v * 10 + (*text - '0');
	if (!n || n > 19)
		return NULL;
	*ret = v;
	return text;
}

void log_copy(char *to, size_t size, const char *from, size_t len)
{
	if (len >= size)
		len = size - 1;
	for (size_t i = 0; i < len; i++)
		to[i] = printable_char(from[i]);
	to[len] = '\0';
}
