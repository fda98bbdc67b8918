// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/hex_text.h"

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool hex_text_decode(const char *hex, char *ret)
{
	for (; *hex; hex += 2) {
		int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);

		if (low < 0 || !(high | low))
			return false;
		*ret++ = high << 4 | low;
	}
	*ret = '\0';
	return true;
}
