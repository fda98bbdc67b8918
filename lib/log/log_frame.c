// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_frame.h"

#include <stdio.h>
#include <string.h>

#include "log/log_text.h"

#define HEX "0123456789abcdef"
#define FROM " from "
#define UNRELIABLE " (unreliable)" /* of powerpc: what only lay on the stack */

/* "<c0103000>]" and "c000000007eeb370]", of 32 bits or more */
static const char *behind_address(const char *text, const char *open, const char *close)
{
	const char *p = log_after(text, open);
	size_t digits = p ? strspn(p, HEX) : 0;

	return digits >= 8 && digits <= 16 ? log_after(p + digits, close) : NULL;
}

const char *log_frame_addresses(const char *text)
{
	const char *p = text + strspn(text, " "), *next;

	next = behind_address(p, "[<", ">]");
	if (!next) {
		next = behind_address(p, "[", "]");
		next = next && *next == ' ' ? behind_address(next + 1, "[", "]") : NULL;
	}
	return next ? next + strspn(next, " ") : NULL;
}

const char *log_frame(const char *line, char to[LOG_FRAME])
{
	const char *from = strstr(line, FROM), *name = log_frame_addresses(line), *plus;
	size_t len;

	if (from && from > line && *line == ' ' && !memchr(line, '+', (size_t)(from - line)))
		name = from + strlen(FROM);
	else if (name && *name == '(' && from)
		name = log_frame_addresses(from + strlen(FROM));
	if (!name)
		return line;
	name += *name == '(';
	plus = strstr(name, "+0x");
	len = strcspn(name, "()");
	if (!plus || plus >= name + len)
		return line;
	while (len && name[len - 1] == ' ')
		len--;
	snprintf(to, LOG_FRAME, " %s%.*s", strstr(name, UNRELIABLE) ? "? " : "", (int)len, name);
	return to;
}
