// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/json.h"

#include <string.h>

#include "util/digits.h"

/* Length of the UTF-8 sequence at s, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char mask, value, low, high; /* first byte; range of the second */
	} forms[] = {
		{ 0xff, 0xe0, 0xa0, 0xbf }, { 0xff, 0xed, 0x80, 0x9f }, { 0xf0, 0xe0, 0x80, 0xbf },
		{ 0xff, 0xf0, 0x90, 0xbf }, { 0xff, 0xf4, 0x80, 0x8f }, { 0xfc, 0xf0, 0x80, 0xbf },
		{ 0xfe, 0xc0, 0x01, 0x00 }, { 0xe0, 0xc0, 0x80, 0xbf },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

		if ((s[0] & forms[i].mask) != forms[i].value)
			continue;
		if (s[1] < forms[i].low || s[1] > forms[i].high)
			return 0;
		for (size_t k = 2; k < n; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return n;
	}
	return 0;
}

static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void quoted(struct sink *sink, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	sink_text(sink, "\"");
	while (*s) {
		size_t plain = 0, n;

		while (is_plain((char)s[plain]))
			plain++;
		sink_write(sink, (const char *)s, plain);
		s += plain;
		if (!*s)
			break;
		n = *s >= 0x80 ? utf8_length(s) : 0;
		if (n) {
			sink_write(sink, (const char *)s, n);
			s += n;
		} else {
			sink_printf(sink, "\\u%04x", *s++);
		}
	}
	sink_text(sink, "\"");
}

/* A key and its value are put together here, as far as they are short, and written at once. */
#define SHORT_BYTES 96

struct piece {
	size_t n;
	char text[2 * SHORT_BYTES + DIGITS_BYTES + 16];
};

/* In quotes; false: it is long, or not all of it stands for itself. */
static bool add_short(struct piece *p, const char *text)
{
	char *to = p->text + p->n + 1;
	size_t n;

	for (n = 0; text[n]; n++) {
		if (n == SHORT_BYTES || !is_plain(text[n]))
			return false;
		to[n] = text[n];
	}
	to[-1] = to[n] = '"';
	p->n += n + 2;
	return true;
}

static void put(struct json *j, struct piece *p)
{
	sink_write(j->sink, p->text, p->n);
	p->n = 0;
}

/* What stands before a value, in p but for a key that is not short. */
static void before(struct json *j, const char *key, struct piece *p)
{
	p->n = 0;
	if (j->comma)
		p->text[p->n++] = ',';
	j->comma = true;
	if (!key)
		return;
	if (!add_short(p, key)) {
		put(j, p);
		quoted(j->sink, key);
	}
	p->text[p->n++] = ':';
}

/* text has no character to be escaped, and at most SHORT_BYTES. */
static void put_word(struct json *j, const char *key, const char *text, size_t n)
{
	struct piece p;

	before(j, key, &p);
	memcpy(p.text + p.n, text, n);
	p.n += n;
	put(j, &p);
}

void json_open_line(struct json *j, struct sink *sink, const char *record)
{
	j->sink = sink;
	j->comma = false;
	sink_text(sink, "{");
	json_text(j, "record", record);
}

void json_close_line(struct json *j)
{
	sink_text(j->sink, "}\n");
}

void json_open_object(struct json *j, const char *key)
{
	put_word(j, key, "{", 1);
	j->comma = false;
}

void json_close_object(struct json *j)
{
	sink_text(j->sink, "}");
	j->comma = true;
}

void json_open_array(struct json *j, const char *key)
{
	put_word(j, key, "[", 1);
	j->comma = false;
}

void json_close_array(struct json *j)
{
	sink_text(j->sink, "]");
	j->comma = true;
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
	struct piece p;

	before(j, key, &p);
	p.n += digits_decimal(p.text + p.n, v);
	put(j, &p);
}

void json_int(struct json *j, const char *key, int64_t v)
{
	struct piece p;

	before(j, key, &p);
	p.n += digits_signed(p.text + p.n, v);
	put(j, &p);
}

void json_hex(struct json *j, const char *key, uint64_t v)
{
	struct piece p;

	before(j, key, &p);
	memcpy(p.text + p.n, "\"0x", 3);
	p.n += 3;
	p.n += digits_hex(p.text + p.n, v);
	p.text[p.n++] = '"';
	put(j, &p);
}

void json_bool(struct json *j, const char *key, bool v)
{
	put_word(j, key, v ? "true" : "false", v ? 4 : 5);
}

void json_null(struct json *j, const char *key)
{
	put_word(j, key, "null", 4);
}

void json_number(struct json *j, const char *key, const char *text)
{
	struct piece p;

	before(j, key, &p);
	put(j, &p);
	sink_text(j->sink, text);
}

void json_text(struct json *j, const char *key, const char *text)
{
	struct piece p;

	if (!text) {
		json_null(j, key);
		return;
	}
	before(j, key, &p);
	if (!add_short(&p, text)) {
		put(j, &p);
		quoted(j->sink, text);
		return;
	}
	put(j, &p);
}
