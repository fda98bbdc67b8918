// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/json_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 32 /* of what is nested */

static char *behind_blanks(char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* Of \uXXXX; -1: it is none. */
static long code_of(const char *p)
{
	char digits[5] = "", *end;
	long code;

	memcpy(digits, p, strnlen(p, 4));
	code = strtol(digits, &end, 16);
	return end == digits + 4 ? code : -1;
}

/* Bytes that are no UTF-8 are written as U+0080 to U+00FF: they become bytes again. */
static char *put_code(char *to, long code)
{
	if (code < 0x100) {
		*to++ = code ? (char)code : '?';
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 0x3f));
	} else {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	}
	return to;
}

/* The string that begins at p, which becomes what it says; NULL: none does, or it does not end. */
static char *take_string(char *p, char **ret)
{
	static const char names[] = "bfnrt", chars[] = "\b\f\n\r\t";
	char *to;

	if (*p != '"')
		return NULL;
	*ret = to = ++p;
	for (; *p && *p != '"'; p++) {
		const char *name = *p == '\\' && p[1] ? strchr(names, p[1]) : NULL;

		if (*p != '\\') {
			*to++ = *p;
		} else if (name) {
			*to++ = chars[name - names];
			p++;
		} else if (p[1] == 'u') {
			long code = code_of(p + 2);

			if (code < 0)
				return NULL;
			to = put_code(to, code);
			p += 5;
		} else if (*++p) {
			*to++ = *p;
		} else {
			return NULL;
		}
	}
	if (!*p)
		return NULL;
	*to = '\0';
	return p + 1;
}

/* What is behind an array or an object; NULL: it does not end. */
static char *skip_nest(char *p)
{
	unsigned int depth = 0;

	do {
		if (*p == '{' || *p == '[')
			depth++;
		if (*p == '}' || *p == ']')
			depth--;
		if (*p == '"')
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
		if (!*p || depth > DEPTH)
			return NULL;
		p++;
	} while (depth);
	return p;
}

/* Its end is not marked yet: what is behind it decides what is next. */
static char *take_value(char *p, struct json_member *m)
{
	size_t len;

	m->text = p;
	if (*p == '"') {
		m->kind = JSON_IS_TEXT;
		return take_string(p, &m->text);
	}
	if (*p == '{' || *p == '[') {
		m->kind = JSON_IS_NEST;
		return skip_nest(p);
	}
	len = strcspn(p, ",{}[]\" \t\r\n");
	if (len == 4 && !strncmp(p, "null", len))
		m->kind = JSON_IS_NULL;
	else if ((len == 4 && !strncmp(p, "true", len)) || (len == 5 && !strncmp(p, "false", len)))
		m->kind = JSON_IS_WORD;
	else if (len && strspn(p, "+-.0123456789eE") == len)
		m->kind = JSON_IS_NUMBER;
	else
		return NULL;
	return p + len;
}

bool json_read(char *text, json_visitor *visit, void *arg)
{
	char *p = behind_blanks(text), close = *p == '{' ? '}' : ']', next, *end;
	bool is_object = *p == '{', goes_on = true;

	if (*p != '{' && *p != '[')
		return false;
	p = behind_blanks(p + 1);
	if (*p == close)
		return !*behind_blanks(p + 1);
	do {
		struct json_member m = { NULL, JSON_IS_NULL, NULL };
		char *name = NULL;

		if (is_object) {
			p = take_string(p, &name);
			if (!p || *(p = behind_blanks(p)) != ':')
				return false;
			p = behind_blanks(p + 1);
			m.name = name;
		}
		end = take_value(p, &m);
		if (!end)
			return false;
		p = behind_blanks(end);
		next = *p;
		if (next != ',' && next != close)
			return false;
		if (m.kind != JSON_IS_TEXT)
			*end = '\0';
		goes_on = goes_on && visit(arg, &m);
		p = behind_blanks(p + 1);
	} while (next == ',');
	return !*p;
}

bool json_whole(const struct json_member *m, int64_t *ret)
{
	char *end;

	if (m->kind != JSON_IS_NUMBER)
		return false;
	errno = 0;
	*ret = strtoll(m->text, &end, 10);
	return !errno && end != m->text && !*end;
}
