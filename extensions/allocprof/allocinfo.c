// SPDX-License-Identifier: GPL-2.0-or-later
#include "allocinfo.h"

#include <ctype.h>

static char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Digits up to what is none; NULL: none, or too many. */
static char *take_number(char *p, uint64_t *ret)
{
	uint64_t v = 0;

	if (!isdigit((unsigned char)*p))
		return NULL;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v))
			return NULL;
	*ret = v;
	return p;
}

static char *take_signed(char *p, int64_t *ret)
{
	bool below = *p == '-';
	uint64_t v;

	p = take_number(p + below, &v);
	if (!p || v > (uint64_t)INT64_MAX + below)
		return NULL;
	*ret = below ? (int64_t)(0 - v) : (int64_t)v;
	return p;
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
}

static bool cut_end(char *text, const char *end)
{
	size_t n = strlen(text), len = strlen(end);

	if (n < len || strcmp(text + n - len, end))
		return false;
	text[n - len] = '\0';
	return true;
}

/* "FILE:LINE" and, of a module, " [NAME]" */
static bool take_place(char *text, struct site *s)
{
	size_t n = strlen(text);
	char *open = NULL, *colon, *end;
	uint64_t line;

	if (n && text[n - 1] == ']')
		open = strrchr(text, '[');
	if (open && open > text && open[-1] == ' ') {
		text[n - 1] = '\0';
		open[-1] = '\0';
		s->module = open + 1;
		s->in_module = true;
		if (!*s->module)
			return false;
	}
	colon = strrchr(text, ':');
	if (!colon || colon == text)
		return false;
	end = take_number(colon + 1, &line);
	if (!end || *end || line > UINT32_MAX)
		return false;
	*colon = '\0';
	s->file = text;
	s->line = line;
	return true;
}

static enum allocinfo_line parse_site(char *p, struct site *s)
{
	char *func;

	p = take_signed(p, &s->bytes);
	if (!p || (*p != ' ' && *p != '\t'))
		return ALLOCINFO_BAD;
	p = take_number(skip_blanks(p), &s->calls);
	if (!p || (*p != ' ' && *p != '\t'))
		return ALLOCINFO_BAD;
	p = skip_blanks(p);
	func = strstr(p, " func:");
	if (!func)
		return ALLOCINFO_BAD;
	*func = '\0';
	s->function = func + strlen(" func:");
	if (cut_end(func + 1, " accurate:no"))
		s->flags |= SITE_INACCURATE;
	return *s->function && take_place(p, s) ? ALLOCINFO_SITE : ALLOCINFO_BAD;
}

enum allocinfo_line allocinfo_parse(char *line, struct site *ret)
{
	static const char version[] = "allocinfo - version: ";
	struct site s = { .module = "vmlinux", .readable = true, .loaded = true };
	enum allocinfo_line kind;

	trim(line);
	line = skip_blanks(line);
	if (!*line || *line == '#')
		return ALLOCINFO_NONE;
	if (!strncmp(line, version, sizeof(version) - 1)) {
		line += sizeof(version) - 1;
		return strcmp(line, "1.0") && strcmp(line, "2.0") ? ALLOCINFO_OTHER
								  : ALLOCINFO_BEGIN;
	}
	kind = parse_site(line, &s);
	if (kind == ALLOCINFO_SITE)
		*ret = s;
	return kind;
}
