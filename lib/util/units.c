// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/units.h"
#include "util/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From G on four digits: 1.334G stands beside 455.8M, and their sum is right to the megabyte. */
static int size_places(double v, unsigned int unit)
{
	if (unit < 3)
		return unit ? 1 : 0;
	return v < 9.9995 ? 3 : v < 99.995 ? 2 : 1;
}

static const char *size_text(char *buf, int64_t bytes, bool down)
{
	static const char units[] = "BKMGTPE";
	const char *sign = bytes < 0 ? "-" : "";
	double v = bytes < 0 ? -(double)bytes : (double)bytes;
	unsigned int u = 0, scale = 1;
	int places;

	/* 1023.95 would be rounded up to 1024.0 */
	for (; v >= (down ? 1024 : 1023.95) && units[u + 1]; u++)
		v /= 1024;
	places = size_places(v, u);
	for (int i = 0; i < places; i++)
		scale *= 10;
	if (down)
		v = (double)(uint64_t)(v * scale) / scale;
	snprintf(buf, UNITS_BYTES, "%s%.*f%c", sign, places, v, units[u]);
	return buf;
}

const char *units_size(char *buf, int64_t bytes)
{
	return size_text(buf, bytes, false);
}

const char *units_least(char *buf, int64_t bytes)
{
	return size_text(buf, bytes, true);
}

const char *units_time(char *buf, uint64_t ns)
{
	static const struct {
		double ns;
		const char *unit;
	} steps[] = {
		{ 1, "ns" },	 { 1e3, "us" },	  { 1e6, "ms" },    { 1e9, "s" },
		{ 60e9, "min" }, { 3600e9, "h" }, { 86400e9, "d" },
	};
	size_t i = 0;

	/* 59.96 s would be rounded up to 60.0 s */
	while (i + 1 < ARRAY_SIZE(steps) &&
	       (double)ns >= steps[i + 1].ns - steps[i].ns * (i > 2 ? 0.05
							      : i   ? 0.5
								    : 0))
		i++;
	snprintf(buf, UNITS_BYTES, i > 2 ? "%.1f%s" : "%.0f%s", (double)ns / steps[i].ns,
		 steps[i].unit);
	return buf;
}

const char *units_percent(char *buf, uint64_t part, uint64_t whole)
{
	snprintf(buf, UNITS_BYTES, "%.1f", whole ? 100.0 * (double)part / (double)whole : 0.0);
	return buf;
}

uint64_t units_tenths(uint64_t part, uint64_t whole)
{
	return whole ? (part * 1000 + whole / 2) / whole : 0;
}

const char *units_milli(char *buf, uint64_t thousandths)
{
	uint64_t tenths = thousandths / 100 + (thousandths % 100 >= 50);

	sprintf(buf, "%lu.%lu", tenths / 10, tenths % 10);
	return buf;
}

const char *units_stamp(char *buf, uint64_t ns)
{
	sprintf(buf, "%lu.%06lu", ns / 1000000000, ns % 1000000000 / 1000);
	return buf;
}

const char *units_count(char *buf, uint64_t n)
{
	char *at = buf;
	char digits[UNITS_BYTES];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%lu", n);

	for (size_t i = 0; i < len; i++) {
		if (i && !((len - i) % 3))
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return buf;
}

const char *units_plural(char buf[UNITS_PLURAL], uint64_t n, const char *one, const char *many)
{
	char count[UNITS_BYTES];

	snprintf(buf, UNITS_PLURAL, "%s %s", units_count(count, n), n == 1 ? one : many);
	return buf;
}

static bool parse_base(const char *text, int base, uint64_t *ret)
{
	char *end;
	uint64_t v;

	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	v = strtoull(text, &end, base);
	if (errno || *end || end == text)
		return false;
	*ret = v;
	return true;
}

static bool has_prefix(const char *text)
{
	return text[0] == '0' && (text[1] | 32) == 'x' && isxdigit((unsigned char)text[2]);
}

bool units_parse(const char *text, uint64_t *ret)
{
	return parse_base(text, has_prefix(text) ? 16 : 10, ret);
}

bool units_parse_hex(const char *text, uint64_t *ret)
{
	return parse_base(text, 16, ret);
}
