// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/quoted.h"

#include <ctype.h>
#include <string.h>

#define MOST 76 /* characters of a line, RFC 2045 */
#define OTHERS \
	8 /* one "=" of eight may be of a header or of what was written into the file by hand */

/* "3D": capital letters alone. */
static int sign_of(const char *text, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *high = len > 1 && text[0] ? strchr(digits, text[0]) : NULL;
	const char *low = high && text[1] ? strchr(digits, text[1]) : NULL;

	return low ? (int)((high - digits) << 4 | (low - digits)) : -1;
}

void quoted_line(struct quoted *q, const char *line, size_t len)
{
	q->others += len > MOST;
	for (size_t i = 0; i < len; i++) {
		if (line[i] != '=')
			continue;
		if (i + 1 == len) {
			q->broken++;
		} else if (sign_of(line + i + 1, len - i - 1) < 0) {
			q->others++;
		} else {
			q->signs++;
			q->equals += !strncmp(line + i + 1, "3D", 2);
		}
	}
}

bool quoted_is(const struct quoted *q)
{
	return q->broken && q->equals && q->others <= (q->broken + q->signs) / OTHERS;
}

bool quoted_decode(char *line, size_t *len)
{
	size_t to = 0;

	for (size_t i = 0; i < *len; i++) {
		const int sign = line[i] == '=' ? sign_of(line + i + 1, *len - i - 1) : -1;

		if (line[i] == '=' && i + 1 == *len) {
			*len = to;
			return true;
		}
		line[to++] = sign >= 0 ? (char)sign : line[i];
		i += sign >= 0 ? 2 : 0;
	}
	*len = to;
	return false;
}
