// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmcoreinfo.h"

#include <errno.h>
#include <stdlib.h>

#define VALUE_BYTES 128 /* of one line */

enum status vmcoreinfo_text(const struct vmcoreinfo *v, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key), left = v->bytes, line;

	for (const char *p = v->text; left; p += line, left -= line) {
		const char *end = memchr(p, '\n', left);
		size_t value;

		line = end ? (size_t)(end - p) + 1 : left;
		if (line <= len || memcmp(p, key, len) || p[len] != '=')
			continue;
		value = (end ? (size_t)(end - p) : left) - len - 1;
		if (value >= size)
			return ST_ABSENT;
		memcpy(buf, p + len + 1, value);
		buf[value] = '\0';
		return ST_OK;
	}
	return ST_ABSENT;
}

/* With a sign: beyond what an int64_t has it is none. */
static enum status parse(const struct vmcoreinfo *v, const char *key, int base, bool has_sign,
			 uint64_t *ret)
{
	char text[VALUE_BYTES], *end;
	uint64_t value;

	if (vmcoreinfo_text(v, key, text, sizeof(text)) != ST_OK)
		return ST_ABSENT;
	errno = 0;
	value = has_sign ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
	if (end == text || *end || errno)
		return ST_ABSENT;
	*ret = value;
	return ST_OK;
}

enum status vmcoreinfo_number(const struct vmcoreinfo *v, const char *key, int64_t *ret)
{
	return parse(v, key, 10, true, (uint64_t *)ret);
}

enum status vmcoreinfo_hex(const struct vmcoreinfo *v, const char *key, uint64_t *ret)
{
	return parse(v, key, 16, false, ret);
}

enum status vmcoreinfo_symbol(const struct vmcoreinfo *v, const char *name, uint64_t *ret)
{
	char key[VALUE_BYTES];

	if ((size_t)snprintf(key, sizeof(key), "SYMBOL(%s)", name) >= sizeof(key))
		return ST_ABSENT;
	return vmcoreinfo_hex(v, key, ret);
}
