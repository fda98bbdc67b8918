// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/json.h"

#include <string.h>

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

static void quoted(struct sink *sink, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	sink_text(sink, "\"");
	while (*s) {
		size_t plain = 0, n;

		while (s[plain] >= 0x20 && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\')
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

static void before(struct json *j, const char *key)
{
	if (j->comma)
		sink_text(j->sink, ",");
	j->comma = true;
	if (key) {
		quoted(j->sink, key);
		sink_text(j->sink, ":");
	}
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
	before(j, key);
	sink_text(j->sink, "{");
	j->comma = false;
}

void json_close_object(struct json *j)
{
	sink_text(j->sink, "}");
	j->comma = true;
}

void json_open_array(struct json *j, const char *key)
{
	before(j, key);
	sink_text(j->sink, "[");
	j->comma = false;
}

void json_close_array(struct json *j)
{
	sink_text(j->sink, "]");
	j->comma = true;
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
	before(j, key);
	sink_printf(j->sink, "%llu", (unsigned long long)v);
}

void json_int(struct json *j, const char *key, int64_t v)
{
	before(j, key);
	sink_printf(j->sink, "%lld", (long long)v);
}

void json_hex(struct json *j, const char *key, uint64_t v)
{
	before(j, key);
	sink_printf(j->sink, "\"0x%llx\"", (unsigned long long)v);
}

void json_bool(struct json *j, const char *key, bool v)
{
	before(j, key);
	sink_text(j->sink, v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	before(j, key);
	sink_text(j->sink, "null");
}

void json_number(struct json *j, const char *key, const char *text)
{
	before(j, key);
	sink_text(j->sink, text);
}

void json_text(struct json *j, const char *key, const char *text)
{
	if (!text) {
		json_null(j, key);
		return;
	}
	before(j, key);
	quoted(j->sink, text);
}
