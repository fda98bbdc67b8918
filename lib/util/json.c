// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/json.h"

#include "util/digits.h"
#include "util/array.h"

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

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
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

#define ONES (UINT64_MAX / 255)

/* Any byte of w is below n. */
static uint64_t has_below(uint64_t w, unsigned int n)
{
	return (w - ONES * n) & ~w & ONES << 7;
}

static bool are_plain(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i + 8 <= n; i += 8) {
		uint64_t w;

		memcpy(&w, s + i, 8);
		if ((w & ONES << 7) | has_below(w, 0x20) | has_below(w ^ ONES * '"', 1) |
		    has_below(w ^ ONES * '\\', 1) | has_below(w ^ ONES * 0x7f, 1))
			return false;
	}
	while (i < n && is_plain(s[i]))
		i++;
	return i == n;
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

/* A key, a text or a number, and what is around them. */
#define PIECE_BYTES (2 * SHORT_BYTES + DIGITS_BYTES + 16)

/* Where the sink has room that is its buffer, and nothing is copied. */
struct piece {
	size_t n;
	char *text;
	char own[PIECE_BYTES];
};

static void begin(struct json *j, struct piece *p)
{
	char *room = sink_room(j->sink, PIECE_BYTES);

	p->n = 0;
	p->text = room ? room : p->own;
}

/* In quotes; false: it is long, or not all of it stands for itself. */
static bool add_short(struct piece *p, const char *text)
{
	char *to = p->text + p->n + 1;
	size_t n = strnlen(text, SHORT_BYTES + 1);

	if (n > SHORT_BYTES || !are_plain(text, n))
		return false;
	memcpy(to, text, n);
	to[-1] = to[n] = '"';
	p->n += n + 2;
	return true;
}

static void put(struct json *j, struct piece *p)
{
	if (p->text == p->own)
		sink_write(j->sink, p->text, p->n);
	else
		sink_wrote(j->sink, p->n);
}

/* What stands before a value, in p but for a key that is not short. */
static void before(struct json *j, const char *key, struct piece *p)
{
	begin(j, p);
	if (j->comma)
		p->text[p->n++] = ',';
	j->comma = true;
	if (j->key) {
		memcpy(p->text + p->n, j->key, j->key_bytes);
		p->n += j->key_bytes;
		j->key = NULL;
		return;
	}
	if (!key)
		return;
	if (!add_short(p, key)) {
		put(j, p);
		quoted(j->sink, key);
		begin(j, p);
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
	j->key = NULL;
	sink_text(sink, "{");
	json_text(j, "record", record);
}

void json_ready_key(struct json *j, const char *text, size_t n)
{
	j->key = n <= SHORT_BYTES ? text : NULL;
	j->key_bytes = n;
}

void json_ready(struct json *j, const char *text, size_t n)
{
	struct piece p;

	json_ready_key(j, text, n);
	before(j, NULL, &p);
	put(j, &p);
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
