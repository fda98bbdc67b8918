// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_json.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log_line.h"
#include "log/log_text.h"
#include "util/array.h"

#define US_PER_S 1000000

/* A string in the line, its quotes not among it; NULL: the object has none of that name. */
struct value {
	char *begin, *end;
	bool is_array; /* what is between its brackets */
};

enum field {
	FIELD_MESSAGE,
	FIELD_TRANSPORT,
	FIELD_HOST,
	FIELD_SOURCE_US,
	FIELD_US,
	FIELD_LOG,
	FIELD_MSG, /* of dmesg -J, as the next two */
	FIELD_TIME,
	FIELD_PRI,
	FIELD_NAME,
	FIELDS
};

/* What others than docker call it: shippers of logs, serial consoles and files in Google's and Amazon's clouds. */
static const char *const log_names[] = { "message", "textPayload", "@message",
					 "_raw",    "line",	   "body" };

/* In Google's cloud the entry of the journal; in Elasticsearch and Splunk what they found. */
static const char *const nested[] = { "jsonPayload", "_source", "result" };

static const char *const field_names[FIELDS] = {
	[FIELD_MESSAGE] = "MESSAGE",
	[FIELD_TRANSPORT] = "_TRANSPORT",
	[FIELD_HOST] = "_HOSTNAME",
	[FIELD_SOURCE_US] = "_SOURCE_MONOTONIC_TIMESTAMP",
	[FIELD_US] = "__MONOTONIC_TIMESTAMP",
	[FIELD_LOG] = "log",
	[FIELD_MSG] = "msg",
	[FIELD_TIME] = "time",
	[FIELD_PRI] = "pri",
	[FIELD_NAME] = "SYSLOG_IDENTIFIER",
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

/* Behind the bracket that closes the one at p; NULL: none does. */
static char *behind_nested(char *p)
{
	unsigned int depth = 0;
	struct value unused;

	do {
		if (*p == '"')
			p = take_string(p, &unused) ?: p + strlen(p);
		depth += *p == '[' || *p == '{';
		depth -= *p == ']' || *p == '}';
		p += *p && *p != '"';
	} while (depth && *p);
	return depth ? NULL : p;
}

/* Strings, numbers and words; of an array what is in it, of an object nothing. */
static char *take_value(char *p, struct value *ret)
{
	char *end;

	if (*p == '"')
		return take_string(p, ret);
	if (*p == '[' || *p == '{') {
		end = behind_nested(p);
		if (end && *p == '[')
			*ret = (struct value){ p + 1, end - 1, true };
		return end;
	}
	end = p + strcspn(p, ",{}[]\"");
	if (*p >= '0' && *p <= '9') {
		*ret = (struct value){ p, end, false };
		while (strchr(" \t", ret->end[-1]))
			ret->end--;
	}
	return *end == ',' || *end == '}' ? end : NULL;
}

static bool is_name(const struct value *v, const char *name)
{
	return strlen(name) == (size_t)(v->end - v->begin) &&
	       !strncmp(name, v->begin, strlen(name));
}

static void set_field(const struct value *name, const struct value *value,
		      struct value fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++)
		if (is_name(name, field_names[i]) && (value->begin || i != FIELD_LOG))
			fields[i] = *value;
	for (size_t i = 0; i < ARRAY_SIZE(log_names); i++)
		if (is_name(name, log_names[i]) && !fields[FIELD_LOG].begin)
			fields[FIELD_LOG] = *value;
}

/* The end of the object; NULL: it is none. */
static char *take_members(char *p, struct value fields[FIELDS])
{
	if (*p != '{')
		return NULL;
	do {
		struct value name, value = { NULL, NULL, false };

		p = take_string(behind_blanks(p + 1), &name);
		if (!p || *(p = behind_blanks(p)) != ':')
			return NULL;
		p = behind_blanks(p + 1);
		if (*p == '{' && ANY_OF(i, ARRAY_SIZE(nested), is_name(&name, nested[i])))
			p = take_members(p, fields);
		else
			p = take_value(p, &value);
		if (!p)
			return NULL;
		p = behind_blanks(p);
		set_field(&name, &value, fields);
	} while (*p == ',');
	return *p == '}' ? p + 1 : NULL;
}

static bool take_object(char *p, struct value fields[FIELDS])
{
	p = take_members(p, fields);
	/* One of an array, or its last. */
	p = p ? behind_blanks(p) : NULL;
	return p && !*behind_blanks(p + (*p == ',' || *p == ']'));
}

/* A member on a line of its own. */
static bool take_member(char *p, struct value fields[FIELDS])
{
	struct value name, value = { NULL, NULL, false };

	p = take_string(p, &name);
	if (!p || *(p = behind_blanks(p)) != ':')
		return false;
	p = take_value(behind_blanks(p + 1), &value);
	if (!p || *behind_blanks(p + (*p == ',')))
		return false;
	set_field(&name, &value, fields);
	return true;
}

/* journalctl has a text with bytes that are none of UTF-8 in numbers: [ 97, 98 ]. False: other things are there. */
static bool take_bytes(struct value *v)
{
	char *to = v->begin;
	const char *p = v->begin;

	for (;;) {
		uint64_t c;

		p = log_take_decimal(p + strspn(p, " \t"), &c);
		if (!p || c > UINT8_MAX)
			return false;
		*to++ = c ? (char)c : '?';
		p += strspn(p, " \t");
		if (p == v->end)
			break;
		if (*p++ != ',')
			return false;
	}
	v->end = to;
	return true;
}

/* Bytes of an end of line before to. */
static size_t end_of_line(const char *begin, const char *to)
{
	if (to > begin && (to[-1] == '\n' || to[-1] == '\r'))
		return 1;
	return to - begin > 1 && to[-2] == '\\' && (to[-1] == 'n' || to[-1] == 'r') ? 2 : 0;
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
	/* A serial console in Google's cloud has the ends of its lines in words, too. */
	for (size_t n; (n = end_of_line(v->begin, to)); to -= n)
		;
	v->end = to;
}

static bool is_word(const struct value *v, const char *word)
{
	return v->begin && (size_t)(v->end - v->begin) == strlen(word) &&
	       !strncmp(v->begin, word, strlen(word));
}

/* "[   12.345678] host kernel: ", in the clock of the kernel's own stamp, else that of the journal, a little later. */
static void put_head_of_journal(const struct value *fields, char *head, size_t size)
{
	const struct value *host = &fields[FIELD_HOST];
	uint64_t us;

	for (enum field i = FIELD_SOURCE_US; !*head && i <= FIELD_US; i++)
		if (fields[i].begin && log_take_decimal(fields[i].begin, &us) && host->begin &&
		    host->end - host->begin < LOG_HOST)
			snprintf(head, size, "[%5llu.%06llu] %.*s kernel: ",
				 (unsigned long long)(us / US_PER_S),
				 (unsigned long long)(us % US_PER_S),
				 (int)(host->end - host->begin), host->begin);
	if (!*head)
		snprintf(head, size, "<4>");
}

/* "<4>[   12.345678] "; what reads numbers and writes them again, as jq, leaves out zeros at their end. */
static void put_head_of_dmesg(const struct value *fields, char *head, size_t size)
{
	const struct value *time = &fields[FIELD_TIME], *pri = &fields[FIELD_PRI];
	const int len = (int)(time->end - time->begin);
	const char *dot = memchr(time->begin, '.', len);
	const int digits = dot ? (int)(time->end - dot) - 1 : 0;
	const char *zeros = digits < 6 ? &"000000"[digits] : "";

	if (pri->begin && pri->end - pri->begin < 5)
		snprintf(head, size, "<%.*s>[%.*s%s%s] ", (int)(pri->end - pri->begin), pri->begin,
			 len, time->begin, dot ? "" : ".", zeros);
	else
		snprintf(head, size, "[%.*s%s%s] ", len, time->begin, dot ? "" : ".", zeros);
}

bool log_json_has_stamp(const char *text)
{
	struct log_line l;

	log_line_parse(text, "", &l);
	return l.kind == LOG_LINE_KERNEL && l.has_ts && strchr("[<", *text);
}

void log_json_unescape(char *begin, char *end)
{
	struct value v = { begin, end, false };

	unescape(&v);
	*v.end = '\0';
}

bool log_json_is_item(const char *line)
{
	return *line == '"' && log_json_has_stamp(line + 1);
}

/* Behind the quote that ends what begins behind the one at p; NULL: none does.  CSV writes a quote twice. */
static char *behind_quoted(char *p, struct value *ret)
{
	ret->begin = ++p;
	for (; *p && (*p != '"' || p[1] == '"'); p++)
		if (*p == '"' || (*p == '\\' && p[1]))
			p++;
	ret->end = p;
	return *p ? p + 1 : NULL;
}

/* A value is behind nothing, or behind one of these and blanks. */
static bool is_at_value(const char *line, const char *p)
{
	while (p > line && strchr(" \t", p[-1]))
		p--;
	return p == line || strchr(",:[-", p[-1]);
}

static void drop_doubled(struct value *v)
{
	char *to = v->begin;

	for (const char *p = v->begin; p < v->end; *to++ = *p++)
		p += p[0] == '"' && p + 1 < v->end && p[1] == '"';
	v->end = to;
}

/*
 * A line becomes the value in quotes that begins with a stamp of the kernel: one of a list (ansible), of a mapping in
 * YAML (LAVA), of CSV. False: none does, or the line is one of a log itself, or an object that is cut.
 */
static bool take_quoted(char *line)
{
	const char *first = behind_blanks(line);
	struct log_line l;
	struct value v;

	log_line_parse(line, "", &l);
	if (*first == '{' || l.kind == LOG_LINE_KERNEL || l.is_syslog || l.is_program)
		return false;
	for (char *p = strchr(line, '"'), *end; p; p = strchr(end, '"')) {
		end = behind_quoted(p, &v);
		if (!end)
			return false;
		if (!is_at_value(line, p) || !log_json_has_stamp(v.begin))
			continue;
		if (*behind_blanks(end) && !strchr(",]}", *behind_blanks(end)))
			return false;
		/* A backslash is none of CSV. */
		if (p == first || strchr("-[", *first))
			unescape(&v);
		else
			drop_doubled(&v);
		memmove(line, v.begin, v.end - v.begin);
		line[v.end - v.begin] = '\0';
		return true;
	}
	return false;
}

static char *behind_mark(char *line)
{
	/* -o json-seq, json-sse */
	line += *line == '\x1e';
	line += strncmp(line, "data: ", strlen("data: ")) ? 0 : strlen("data: ");
	line = behind_blanks(line);
	/* The first of an array. */
	return *line == '[' && *behind_blanks(line + 1) == '{' ? behind_blanks(line + 1) : line;
}

bool log_json_is_frame(const char *line)
{
	return *line && !line[strspn(line, "[]{}, \t")];
}

enum log_json log_json_line(char *line)
{
	struct value fields[FIELDS] = { { NULL, NULL, false } }, *text = &fields[FIELD_LOG];
	char head[LOG_HOST + 64] = "";
	bool is_journal, is_dmesg;
	size_t n;

	if (!take_object(behind_mark(line), fields)) {
		if (!take_member(behind_blanks(line), fields))
			return take_quoted(line) ? LOG_JSON_LINE : LOG_JSON_NONE;
		if (!fields[FIELD_LOG].begin)
			fields[FIELD_LOG] = fields[FIELD_MSG];
		if (!fields[FIELD_LOG].begin || fields[FIELD_LOG].is_array)
			return LOG_JSON_OTHER;
	}
	is_journal = fields[FIELD_TRANSPORT].begin ||
		     (fields[FIELD_MESSAGE].begin && fields[FIELD_NAME].begin);
	is_dmesg = fields[FIELD_MSG].begin && fields[FIELD_TIME].begin &&
		   fields[FIELD_TIME].end - fields[FIELD_TIME].begin < 32;
	if (is_journal &&
	    !is_word(&fields[fields[FIELD_TRANSPORT].begin ? FIELD_TRANSPORT : FIELD_NAME],
		     "kernel"))
		return LOG_JSON_OTHER;
	if (is_journal || is_dmesg)
		text = &fields[is_journal ? FIELD_MESSAGE : FIELD_MSG];
	if (!text->begin || (text->is_array && (!is_journal || !take_bytes(text))))
		return is_journal ? LOG_JSON_OTHER : LOG_JSON_NONE;
	if (!text->is_array)
		unescape(text);
	if (is_journal)
		put_head_of_journal(fields, head, sizeof(head));
	else if (is_dmesg)
		put_head_of_dmesg(fields, head, sizeof(head));
	/* What stands around the words in the object is longer than the head. */
	n = (size_t)(text->end - text->begin);
	memmove(line + strlen(head), text->begin, n);
	memcpy(line, head, strlen(head));
	line[strlen(head) + n] = '\0';
	return LOG_JSON_LINE;
}
