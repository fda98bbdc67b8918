// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/line.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* Where the output is sent elsewhere: a > or | that is no part of a word; NULL: nowhere. */
static char *find_redirection(char *text)
{
	unsigned int depth = 0;
	char quote = 0;

	for (char *p = text; *p; p++) {
		if (quote) {
			if (*p == quote)
				quote = 0;
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
		} else if (*p == '(') {
			depth++;
		} else if (*p == ')') {
			depth -= depth > 0;
		} else if (!depth && (*p == '|' || (*p == '>' && (p == text || p[-1] != '-')))) {
			return p;
		}
	}
	return NULL;
}

static char *strip(char *text)
{
	size_t n;

	text += strspn(text, BLANKS);
	for (n = strlen(text); n && strchr(BLANKS, text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

/* Takes the quotes out of one word; *end: what follows it. */
static bool take_word(char *p, char **end)
{
	char *to = p, quote = 0;

	for (; *p && (quote || !strchr(BLANKS, *p)); p++) {
		if (quote ? *p == quote : (*p == '"' || *p == '\''))
			quote = quote ? 0 : *p;
		else
			*to++ = *p;
	}
	*end = *p ? p + 1 : p;
	*to = '\0';
	return !quote;
}

static const char *take_words(char *text, struct line *l)
{
	char *end;

	for (char *p = text + strspn(text, BLANKS); *p; p = end + strspn(end, BLANKS)) {
		if (l->argc == LINE_WORDS)
			return "too many words";
		l->argv[l->argc++] = p;
		if (!take_word(p, &end))
			return "a quote has no end";
	}
	l->argv[l->argc] = NULL;
	return NULL;
}

static const char *take_file(char *text, struct line *l)
{
	struct line name = { 0 };
	const char *problem = take_words(text, &name);

	if (problem)
		return problem;
	if (name.argc != 1)
		return name.argc ? "one file follows > or >>" : "no file follows > or >>";
	l->target = name.argv[0];
	return NULL;
}

static const char *take_target(char *at, struct line *l)
{
	bool program = *at == '|';

	*at++ = '\0';
	if (program) {
		l->to = LINE_PROGRAM;
		l->target = strip(at);
		return *l->target ? NULL : "no program follows |";
	}
	l->to = *at == '>' ? LINE_APPEND : LINE_FILE;
	return take_file(at + (*at == '>'), l);
}

const char *line_parse(char *text, struct line *ret)
{
	char *at = find_redirection(text);
	const char *problem;

	memset(ret, 0, sizeof(*ret));
	problem = at ? take_target(at, ret) : NULL;
	if (!problem)
		problem = take_words(text, ret);
	if (!problem && at && !ret->argc)
		problem = "no command before > or |";
	return problem;
}
