// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log_line.h"
#include "log/log_text.h"

#define US_PER_S 1000000

/* A string in the line, its quotes not among it; NULL: the object has none of that name. */
struct value {
	char *begin, *end;
};

enum field {
	FIELD_MESSAGE,
	FIELD_TRANSPORT,
	FIELD_HOST,
	FIELD_SOURCE_US,
	FIELD_US,
	FIELD_LOG,
	FIELDS
};

static const char *const field_names[FIELDS] = {
	[FIELD_MESSAGE] = "MESSAGE",	      [FIELD_TRANSPORT] = "_TRANSPORT",
	[FIELD_HOST] = "_HOSTNAME",	      [FIELD_SOURCE_US] = "_SOURCE_MONOTONIC_TIMESTAMP",
	[FIELD_US] = "__MONOTONIC_TIMESTAMP", [FIELD_LOG] = "log",
};

static char *behind_blanks(char *p)
{
	return p + strspn(p, " \t");
}

/* The string that begins at p; NULL: none does, or it does not end. */
static char *take_string(char *p, struct value *ret)
{
	if (*p != '"')
		return NULL;
	ret->begin = ++p;
	for (; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	ret->end = p;
	return *p ? p + 1 : NULL;
}

/* Strings, numbers and words: an object with others inside is none of these loggers, nor what is in bytes. */
static char *take_value(char *p, struct value *ret)
{
	if (*p == '"')
		return take_string(p, ret);
	p += strcspn(p, ",{}[]\"");
	return *p == ',' || *p == '}' ? p : NULL;
}

static bool take_object(char *p, struct value fields[FIELDS])
{
	if (*p != '{')
		return false;
	do {
		struct value name, value = { NULL, NULL };

		p = take_string(behind_blanks(p + 1), &name);
		if (!p || *(p = behind_blanks(p)) != ':')
			return false;
		p = take_value(behind_blanks(p + 1), &value);
		if (!p)
			return false;
		p = behind_blanks(p);
		for (size_t i = 0; i < FIELDS; i++)
			if (strlen(field_names[i]) == (size_t)(name.end - name.begin) &&
			    !strncmp(field_names[i], name.begin, strlen(field_names[i])))
				fields[i] = value;
	} while (*p == ',');
	return *p == '}' && !*behind_blanks(p + 1);
}

/* Escapes become what they stand for; other characters than those of ASCII a mark. */
static void unescape(struct value *v)
{
	char *to = v->begin;

	for (const char *p = v->begin; p < v->end; p++) {
		static const char names[] = "bfnrt", chars[] = "\b\f\n\r\t";
		const char *name;
		char digits[5] = "";

		if (*p != '\\') {
			*to++ = *p;
			continue;
		}
		p++;
		name = strchr(names, *p);
		if (name) {
			*to++ = chars[name - names];
		} else if (*p == 'u' && v->end - p > 4) {
			unsigned long code;

			memcpy(digits, p + 1, 4);
			code = strtoul(digits, NULL, 16);
			*to++ = code && code < 0x80 ? (char)code : '?';
			p += 4;
		} else {
			*to++ = *p;
		}
	}
	while (to > v->begin && (to[-1] == '\n' || to[-1] == '\r'))
		to--;
	v->end = to;
}

static bool is_word(const struct value *v, const char *word)
{
	return v->begin && (size_t)(v->end - v->begin) == strlen(word) &&
	       !strncmp(v->begin, word, strlen(word));
}

enum log_json log_json_line(char *line)
{
	struct value fields[FIELDS] = { { NULL, NULL } }, *text = &fields[FIELD_LOG];
	const struct value *host = &fields[FIELD_HOST];
	char head[LOG_HOST + 64] = "";
	bool is_journal;
	uint64_t us;
	size_t n;

	if (!take_object(behind_blanks(line), fields))
		return LOG_JSON_NONE;
	is_journal = fields[FIELD_TRANSPORT].begin != NULL;
	if (is_journal && !is_word(&fields[FIELD_TRANSPORT], "kernel"))
		return LOG_JSON_OTHER;
	if (is_journal)
		text = &fields[FIELD_MESSAGE];
	if (!text->begin)
		return is_journal ? LOG_JSON_OTHER : LOG_JSON_NONE;
	unescape(text);
	/* The clock of the kernel's own stamp, else that of the journal, which is a little later. */
	for (enum field i = FIELD_SOURCE_US; is_journal && !*head && i <= FIELD_US; i++)
		if (fields[i].begin && log_take_decimal(fields[i].begin, &us) && host->begin &&
		    host->end - host->begin < LOG_HOST)
			snprintf(head, sizeof(head), "[%5llu.%06llu] %.*s kernel: ",
				 (unsigned long long)(us / US_PER_S),
				 (unsigned long long)(us % US_PER_S),
				 (int)(host->end - host->begin), host->begin);
	if (is_journal && !*head)
		snprintf(head, sizeof(head), "<4>");
	/* What stands around the words in the object is longer than the head. */
	n = (size_t)(text->end - text->begin);
	memmove(line + strlen(head), text->begin, n);
	memcpy(line, head, strlen(head));
	line[strlen(head) + n] = '\0';
	return LOG_JSON_LINE;
}
