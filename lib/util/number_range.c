// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/number_range.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/units.h"

#define STAMP_PLACES 6	 /* of seconds */
#define NS_OF_STAMP 1000 /* that it leaves out */

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit numbers[] = { { "", 1 }, { 0 } };

static const struct unit tenths[] = { { "", 10 }, { "%", 10 }, { 0 } };
static const struct unit hundredths[] = { { "", 100 }, { "%", 100 }, { 0 } };
static const struct unit thousandths[] = { { "", 1000 }, { 0 } };

static const struct unit sizes[] = {
	{ "", 1 },	     { "B", 1 },	  { "K", 1ULL << 10 },
	{ "M", 1ULL << 20 }, { "G", 1ULL << 30 }, { "T", 1ULL << 40 },
	{ "P", 1ULL << 50 }, { "E", 1ULL << 60 }, { 0 },
};

static const struct unit times[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "min", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
	/* As systemd and sleep(1) take them. */
	{ "m", 60000000000 },
	{ "sec", 1000000000 },
	{ 0 },
};

static const struct {
	const struct unit *units;
	bool has_fraction;
	const char *help;
} kinds[RANGE_KINDS] = {
	[RANGE_NUMBER] = { numbers, false, "a number like 5, 0x1f, 2.., ..8 or 2..8" },
	[RANGE_HEX] = { numbers, false, "a hexadecimal number like 1f000, 1000.. or 1000..1fff" },
	[RANGE_SIZE] = { sizes, true, "a size like 4096, 64K.., ..1.5M or 4K..2G" },
	[RANGE_LIMIT] = { sizes, true, "a size like 4096, 64K.., ..1.5M, 4K..2G or max" },
	[RANGE_BALANCE] = { sizes, true, "a size like 4096, 64K.., ..-1, -4K..4K or 4K..2G" },
	[RANGE_TIME] = { times, true,
			 "a time like ..500ms, 10s.., 1.5h.. or 5min..2h (ns us ms s min h d)" },
	[RANGE_STAMP] = { times, true,
			  "a time like 632.19, 10.., 190..200 in seconds, or 5min..2h (ns us ms s min h d)" },
	[RANGE_SIGNED] = { numbers, false, "a number like 5, -3, 2.., ..-1 or -8..8" },
	[RANGE_TENTHS] = { tenths, true, "a number like 5, 2.5, 0.1.., ..8 or 2..8.5" },
	[RANGE_HUNDREDTHS] = { hundredths, true, "a number like 5, 2.5, 0.01.., ..8 or 2..8.5" },
	[RANGE_MILLI] = { thousandths, true, "a number like 5, 2.5, 0.1.., ..8 or 2..8.5" },
};

void number_range_text(enum range_kind q, uint64_t v, char *buf)
{
	int64_t balance = (int64_t)range_balance((int64_t)v);

	switch (q) {
	case RANGE_LIMIT:
		if (v >= NUMBER_NO_LIMIT) {
			strcpy(buf, "max");
			return;
		}
		/* fall through */
	case RANGE_SIZE:
		units_size(buf, (int64_t)v);
		return;
	case RANGE_BALANCE:
		units_size(buf, balance);
		return;
	case RANGE_TIME:
		units_time(buf, v);
		return;
	case RANGE_STAMP:
		units_stamp(buf, v);
		return;
	case RANGE_SIGNED:
		snprintf(buf, UNITS_BYTES, "%ld", balance);
		return;
	case RANGE_TENTHS:
		snprintf(buf, UNITS_BYTES, "%.1f", (double)v / 10);
		return;
	case RANGE_HUNDREDTHS:
		snprintf(buf, UNITS_BYTES, "%lu.%02lu", v / 100, v % 100);
		return;
	case RANGE_MILLI:
		units_milli(buf, v);
		return;
	default:
		snprintf(buf, UNITS_BYTES, q == RANGE_HEX ? "0x%lx" : "%lu", v);
	}
}

const char *range_help(enum range_kind q)
{
	return kinds[q].help;
}

static int digit(char c, unsigned int base)
{
	int v = isdigit((unsigned char)c)    ? c - '0'
		: isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10
					     : 99;

	return v < (int)base ? v : -1;
}

/* Digits of text up to end; false: none, or too many. */
static bool take_digits(const char **text, const char *end, unsigned int base, uint64_t *ret)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; p < end && digit(*p, base) >= 0; p++)
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, digit(*p, base), &v))
			return false;
	if (p == *text)
		return false;
	*text = p;
	*ret = v;
	return true;
}

/* ".25" of a factor; more than nine digits add nothing. */
static uint64_t take_fraction(const char **text, const char *end, uint64_t factor)
{
	const char *p = *text;
	uint64_t part = 0, whole = 1;

	if (end - p < 2 || *p != '.' || !isdigit((unsigned char)p[1]))
		return 0;
	for (p++; p < end && isdigit((unsigned char)*p); p++)
		if (whole < 1000000000) {
			part = part * 10 + (*p - '0');
			whole *= 10;
		}
	*text = p;
	return (uint64_t)((unsigned __int128)part * factor / whole);
}

static bool is_time(enum range_kind q)
{
	return q == RANGE_TIME || q == RANGE_STAMP;
}

static const struct unit *find_unit(const struct unit *units, const char *text, size_t len)
{
	for (; units->name; units++)
		if (strlen(units->name) == len && !strncasecmp(units->name, text, len))
			return units;
	return NULL;
}

/* Nanoseconds of one in the last place of plain seconds: 10,000,000 of "632.19"; 0: it is no such number. */
static uint64_t last_place(const char *text, size_t len)
{
	size_t digits = 0, places = 0;
	uint64_t ns = NS_OF_STAMP;

	while (digits < len && isdigit((unsigned char)text[digits]))
		digits++;
	if (digits && digits < len && text[digits] == '.')
		while (digits + 1 + places < len &&
		       isdigit((unsigned char)text[digits + 1 + places]))
			places++;
	if (!digits || places > STAMP_PLACES || digits + !!places + places != len)
		return 0;
	for (; places < STAMP_PLACES; places++)
		ns *= 10;
	return ns;
}

/* Seconds as a stamp has them: "10.774437". */
static bool is_stamp(const char *text, size_t len)
{
	return last_place(text, len) == NS_OF_STAMP;
}

static bool parse_plain(enum range_kind q, const char *text, const char *end, uint64_t *ret)
{
	unsigned int base = q == RANGE_HEX ? 16 : 10;
	const char *fraction, *start = text;
	const struct unit *unit;
	uint64_t v;

	if (q <= RANGE_HEX && end - text > 2 && text[0] == '0' && (text[1] | 32) == 'x') {
		text += 2;
		base = 16;
	}
	if (q == RANGE_LIMIT && end - text == 3 && !strncasecmp(text, "max", 3)) {
		*ret = NUMBER_NO_LIMIT;
		return true;
	}
	if (!take_digits(&text, end, base, &v))
		return false;
	fraction = text;
	if (kinds[q].has_fraction)
		take_fraction(&text, end, 1);
	unit = find_unit(kinds[q].units, text, end - text);
	if (!unit && q == RANGE_TIME && text == end && text == fraction && !v)
		unit = times;
	/* Stamps have no unit. */
	if (text == end && (q == RANGE_STAMP || (q == RANGE_TIME && is_stamp(start, end - start))))
		unit = &times[3];
	if (!unit || __builtin_mul_overflow(v, unit->factor, &v))
		return false;
	return !__builtin_add_overflow(v, take_fraction(&fraction, text, unit->factor), ret);
}

/* "1h30min": one behind the other, each with its unit. */
static bool parse_times(enum range_kind q, const char *text, const char *end, uint64_t *ret)
{
	uint64_t sum = 0, one;
	unsigned int n = 0;

	while (text < end) {
		const char *unit = text, *next;

		while (unit < end && (isdigit((unsigned char)*unit) || *unit == '.'))
			unit++;
		for (next = unit; next < end && isalpha((unsigned char)*next);)
			next++;
		/* A part without a unit is a slip. */
		if ((next == unit && (n || next < end)) || !parse_plain(q, text, next, &one) ||
		    __builtin_add_overflow(sum, one, &sum))
			return false;
		text = next;
		n++;
	}
	*ret = sum;
	return n;
}

/* Up to "M" of "10MiB" and "10MB": of powers of 1024, as they are printed. */
static const char *end_of_size(enum range_kind q, const char *text, const char *end)
{
	const char *p = end;

	if (q != RANGE_SIZE && q != RANGE_LIMIT && q != RANGE_BALANCE)
		return end;
	if (p - text < 3 || (p[-1] | 32) != 'b')
		return end;
	p -= (p[-2] | 32) == 'i' ? 2 : 1;
	return strchr("kmgtpe", p[-1] | 32) ? p : end;
}

/* The same with a sign where there can be one. */
static bool parse(enum range_kind q, const char *text, const char *end, uint64_t *ret)
{
	bool is_signed = q == RANGE_BALANCE || q == RANGE_SIGNED;
	bool below = is_signed && text < end && *text == '-';
	uint64_t v;

	if (is_time(q) ? !parse_times(q, text + below, end, &v)
		       : !parse_plain(q, text + below, end, &v))
		return false;
	if (is_signed) {
		if (v > INT64_MAX)
			return false;
		v = range_balance(below ? -(int64_t)v : (int64_t)v);
	}
	*ret = v;
	return true;
}

static bool is_same(enum range_kind q, uint64_t a, uint64_t b)
{
	char x[UNITS_BYTES], y[UNITS_BYTES];

	number_range_text(q, a, x);
	number_range_text(q, b, y);
	return !strcmp(x, y);
}

/* The last value from v on, in steps of one up or down, that is printed as v is. */
static uint64_t last_same(enum range_kind q, uint64_t v, bool up)
{
	uint64_t size = q == RANGE_BALANCE ? (uint64_t)llabs((int64_t)range_balance((int64_t)v))
					   : v;
	uint64_t room = up ? UINT64_MAX - v : v, near = 0;
	uint64_t far = q == RANGE_LIMIT && v >= NUMBER_NO_LIMIT ? room : size / 8 + 1;

	/* Half of the last place is less than an eighth. */
	if (far > room)
		far = room;
	while (near < far) {
		uint64_t half = far - (far - near) / 2;

		if (is_same(q, v, up ? v + half : v - half))
			near = half;
		else
			far = half - 1;
	}
	return up ? v + near : v - near;
}

/* "100ms": a digit and zeros, as a limit is typed. */
static bool is_round(const char *text, size_t len)
{
	size_t n = 1;

	while (n < len && text[n] == '0')
		n++;
	return n == len || !(isdigit((unsigned char)text[n]) || text[n] == '.');
}

/* A value as it is printed, "190.3M", is all that is printed so; a round one is not, as the end of a range. */
static void widen(enum range_kind q, const char *text, size_t len, bool is_end, uint64_t *low,
		  uint64_t *high)
{
	char printed[UNITS_BYTES];
	bool is_rounded = q == RANGE_SIZE || q == RANGE_LIMIT || q == RANGE_BALANCE ||
			  q == RANGE_TIME || q == RANGE_MILLI;
	uint64_t v = *low, place = last_place(text, len - (text[len - 1] == 's'));

	/* A stamp with fewer places is of all that begin so, where it is no end of a range. */
	if (is_time(q) && (place == NS_OF_STAMP || (q == RANGE_STAMP && place && !is_end)))
		*high = v + place - 1;
	number_range_text(q, v, printed);
	if (!is_rounded || (is_end && is_round(text, len)) || strlen(printed) != len ||
	    strncasecmp(printed, text, len))
		return;
	*low = last_same(q, v, false);
	*high = last_same(q, v, true);
}

/* A value, or an end of a range: what it means from the first value to the last. */
static bool parse_value(enum range_kind q, const char *text, const char *end, bool is_end,
			uint64_t *low, uint64_t *high)
{
	end = end_of_size(q, text, end);
	if (!parse(q, text, end, low))
		return false;
	*high = *low;
	widen(q, text, end - text, is_end, low, high);
	return true;
}

/* Both ends, in the order in which they are written. */
static bool parse_ends(enum range_kind q, const char *text, size_t len, uint64_t *low,
		       uint64_t *high)
{
	const char *end = text + len, *dots = NULL;
	uint64_t from = 0, to = UINT64_MAX, other;

	for (const char *p = text; p + 1 < end && !dots; p++)
		if (p[0] == '.' && p[1] == '.')
			dots = p;
	if (!dots) {
		if (!parse_value(q, text, end, false, &from, &to))
			return false;
	} else if ((dots > text && !parse_value(q, text, dots, true, &from, &other)) ||
		   (dots + 2 < end && !parse_value(q, dots + 2, end, true, &other, &to)) ||
		   len == 2) {
		return false;
	}
	*low = from;
	*high = to;
	return true;
}

/* A step of ages as it is printed: "1s-10s", which ends below 10s; "<100ms"; ">7d". */
static bool parse_step(const char *text, size_t len, uint64_t *low, uint64_t *high)
{
	const char *end = text + len, *dash = len ? memchr(text, '-', len) : NULL;
	uint64_t from = 0, to;

	if (len && *text == '>') {
		*high = UINT64_MAX;
		return parse(RANGE_TIME, text + 1, end, low);
	}
	if (len && *text == '<')
		dash = text;
	else if (!dash || !parse(RANGE_TIME, text, dash, &from))
		return false;
	if (!parse(RANGE_TIME, dash + 1, end, &to) || to <= from)
		return false;
	*low = from;
	*high = to - 1;
	return true;
}

bool number_range_parse(enum range_kind q, const char *text, size_t len, uint64_t *low,
			uint64_t *high)
{
	uint64_t from, to;

	if (q == RANGE_TIME && parse_step(text, len, low, high))
		return true;
	if (!parse_ends(q, text, len, &from, &to) || from > to)
		return false;
	*low = from;
	*high = to;
	return true;
}

bool number_range_is_reversed(enum range_kind q, const char *text, size_t len)
{
	uint64_t from, to;

	return parse_ends(q, text, len, &from, &to) && from > to;
}
