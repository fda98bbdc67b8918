// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_entry.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "log/log_json.h"
#include "log/log_line.h"
#include "log/log_text.h"

#define TEXT 16384 /* bytes of a record, as LOG_FILE_JOINED has them; what is more is cut */
#define HEAD 128
#define WORD 64
#define SIZE_BYTES 8 /* of the length of a field that has newlines, in -o export */
#define US_PER_S 1000000

enum form { FORM_NONE, FORM_EXPORT, FORM_VERBOSE, FORM_OBJECT, FORM_CRI, FORM_NETCONSOLE };

/* Fields of a record that count. */
enum field { FIELD_TRANSPORT, FIELD_HOST, FIELD_SOURCE_US, FIELD_US, FIELD_MESSAGE, FIELDS };

static const char *const names[FIELDS] = {
	[FIELD_TRANSPORT] = "_TRANSPORT",
	[FIELD_HOST] = "_HOSTNAME",
	[FIELD_SOURCE_US] = "_SOURCE_MONOTONIC_TIMESTAMP",
	[FIELD_US] = "__MONOTONIC_TIMESTAMP",
	[FIELD_MESSAGE] = "MESSAGE",
};

struct log_entry {
	enum form form;
	char words[FIELD_MESSAGE][WORD]; /* of the other fields; "": it has none */
	char text[TEXT]; /* the message, or what there is of the object or the pieces */
	char out[TEXT + HEAD];
	size_t len;
	bool has_message;
	/* Of -o verbose: blanks before further lines of the last field. */
	size_t indent;
	enum field last;
	/* Of -o export: a field in bytes. */
	bool in_bytes;
	enum field bytes_of;
	unsigned int size_bytes;
	uint64_t size, got;
};

struct log_entry *log_entry_open(struct arena *a)
{
	struct log_entry *e = arena_alloc(a, sizeof(*e));

	memset(e, 0, sizeof(*e));
	return e;
}

static void reset(struct log_entry *e, enum form form)
{
	e->form = form;
	memset(e->words, 0, sizeof(e->words));
	e->len = 0;
	e->text[0] = '\0';
	e->has_message = e->in_bytes = false;
	e->last = FIELDS;
}

static void append(struct log_entry *e, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && e->len + 1 < TEXT; i++)
		e->text[e->len++] = bytes[i] ? bytes[i] : '?';
	e->text[e->len] = '\0';
}

static enum field field_of(const char *name, size_t len)
{
	enum field i = 0;

	while (i < FIELDS && (strlen(names[i]) != len || strncmp(names[i], name, len)))
		i++;
	return i;
}

static void set_field(struct log_entry *e, enum field which, const char *value, size_t len)
{
	e->last = which;
	if (which == FIELD_MESSAGE) {
		e->len = 0;
		e->has_message = true;
		append(e, value, len);
	} else if (which < FIELD_MESSAGE) {
		log_copy(e->words[which], WORD, value, len);
	}
}

/* "NAME=value"; false: another line. */
static bool take_field(struct log_entry *e, const char *p, size_t len)
{
	const char *value = memchr(p, '=', len);

	if (!value)
		return false;
	set_field(e, field_of(p, value - p), value + 1, len - (value + 1 - p));
	return true;
}

/* The record as journalctl -o short-monotonic has it. */
static enum log_entry_kind put_record(struct log_entry *e, char **ret)
{
	const bool is_kernel = e->has_message && !strcmp(e->words[FIELD_TRANSPORT], "kernel");
	const char *us = *e->words[FIELD_SOURCE_US] ? e->words[FIELD_SOURCE_US]
						    : e->words[FIELD_US];
	const char *host = e->words[FIELD_HOST];
	uint64_t n;

	if (is_kernel && *host && strlen(host) < LOG_HOST && log_take_decimal(us, &n))
		snprintf(e->out, sizeof(e->out), "[%5llu.%06llu] %s kernel: %s",
			 (unsigned long long)(n / US_PER_S), (unsigned long long)(n % US_PER_S),
			 host, e->text);
	else if (is_kernel)
		snprintf(e->out, sizeof(e->out), "<4>%s", e->text);
	reset(e, FORM_NONE);
	*ret = e->out;
	return is_kernel ? LOG_ENTRY_WHOLE : LOG_ENTRY_PART;
}

/* A field of -o export in bytes: its length in 8 bytes, the bytes, a newline. */
static void take_bytes(struct log_entry *e, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && e->in_bytes; i++) {
		if (e->size_bytes < SIZE_BYTES) {
			e->size |= (uint64_t)(unsigned char)bytes[i] << 8 * e->size_bytes++;
		} else if (e->got < e->size) {
			if (e->bytes_of == FIELD_MESSAGE)
				append(e, bytes + i, 1);
			e->got++;
		} else {
			e->in_bytes = false;
		}
	}
}

static bool is_name(const char *line, size_t len)
{
	return len && len < WORD && strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") >= len;
}

static enum log_entry_kind take_export(struct log_entry *e, const char *line, size_t len, bool ends,
				       char **ret)
{
	if (e->in_bytes) {
		take_bytes(e, line, len);
		if (ends)
			take_bytes(e, "\n", 1);
		return LOG_ENTRY_PART;
	}
	if (!len)
		return put_record(e, ret);
	if (is_name(line, len) && ends) {
		e->in_bytes = true;
		e->bytes_of = field_of(line, len);
		e->size_bytes = 0;
		e->size = e->got = 0;
		set_field(e, e->bytes_of, "", 0);
	} else if (!take_field(e, line, len)) {
		/* What it is instead the others say. */
		reset(e, FORM_NONE);
		return LOG_ENTRY_NONE;
	}
	return LOG_ENTRY_PART;
}

/* "Mon 2026-11-23 04:42:26.123456 UTC [s=...;i=...;b=...]" */
static bool begins_verbose(const char *line, size_t len)
{
	const char *mark = strstr(line, " [s=");

	return len && line[len - 1] == ']' && mark && mark - line < WORD && strstr(mark, ";b=") &&
	       strchr(line, ':');
}

/* "    NAME=value", and lines of a value that stand below its first. */
static enum log_entry_kind take_verbose(struct log_entry *e, const char *line, size_t len)
{
	size_t blanks = strspn(line, " ");

	if (blanks == 4 && take_field(e, line + blanks, len - blanks)) {
		e->indent = blanks + strcspn(line + blanks, "=") + 1;
		return LOG_ENTRY_PART;
	}
	if (e->last == FIELDS || blanks < 4) {
		if (e->last == FIELDS && blanks >= 4)
			return LOG_ENTRY_PART;
		return LOG_ENTRY_NONE;
	}
	if (e->last == FIELD_MESSAGE) {
		blanks = blanks < e->indent ? blanks : e->indent;
		append(e, "\n", 1);
		append(e, line + blanks, len - blanks);
	}
	return LOG_ENTRY_PART;
}

/* A line of an object: "{", "},{", a member, "}". */
static enum log_entry_kind take_object(struct log_entry *e, const char *line, size_t len,
				       char **ret)
{
	const size_t blanks = strspn(line, " \t");
	enum log_json kind;

	line += blanks;
	len -= blanks;
	if (!strcmp(line, "{")) {
		reset(e, FORM_OBJECT);
		append(e, "{", 1);
		return LOG_ENTRY_PART;
	}
	/* The array of dmesg -J, whose objects follow. */
	if (log_after(line, "\"dmesg\"")) {
		reset(e, FORM_OBJECT);
		return LOG_ENTRY_PART;
	}
	if (*line != '}') {
		/* A member, and a number of one in bytes. */
		if (log_json_is_item(line) ||
		    (*line != '"' && *line != ']' && (!len || strspn(line, "0123456789,") < len))) {
			reset(e, FORM_NONE);
			return LOG_ENTRY_NONE;
		}
		if (e->len)
			append(e, line, len);
		return LOG_ENTRY_PART;
	}
	append(e, "}", 1);
	snprintf(e->out, sizeof(e->out), "%s", e->text);
	kind = e->len > 2 ? log_json_line(e->out) : LOG_JSON_OTHER;
	reset(e, FORM_OBJECT);
	if (strchr(line, '{'))
		append(e, "{", 1);
	*ret = e->out;
	return kind == LOG_JSON_LINE ? LOG_ENTRY_WHOLE : LOG_ENTRY_PART;
}

/* "2026-11-23T04:42:26.123456789Z stdout P text": the text, and whether it goes on; NULL: another line. */
static const char *behind_cri(const char *line, bool *goes_on)
{
	const char *p = isdigit((unsigned char)*line) ? strchr(line, ' ') : NULL;

	if (!p || p - line > 40 || line[4] != '-' || !memchr(line, 'T', p - line))
		return NULL;
	p = log_after(p, " stdout ") ?: log_after(p, " stderr ");
	if (!p || (*p != 'P' && *p != 'F') || p[1] != ' ')
		return NULL;
	*goes_on = *p == 'P';
	return p + 2;
}

static enum log_entry_kind take_cri(struct log_entry *e, const char *text, bool goes_on, char **ret)
{
	if (!goes_on && e->form != FORM_CRI)
		return LOG_ENTRY_NONE;
	if (e->form != FORM_CRI)
		reset(e, FORM_CRI);
	append(e, text, strlen(text));
	if (goes_on)
		return LOG_ENTRY_PART;
	memcpy(e->out, e->text, e->len + 1);
	reset(e, FORM_NONE);
	*ret = e->out;
	return LOG_ENTRY_WHOLE;
}

/* "4,1234,337614278,-,ncfrag=0/1234;text" of netconsole, whose packets are short */
static enum log_entry_kind take_piece(struct log_entry *e, const char *line, const char *mark,
				      char **ret)
{
	uint64_t at = 0, all = 0;
	const char *p = log_take_decimal(mark + strlen(",ncfrag="), &at), *text;
	bool is_first;

	p = p && *p == '/' ? log_take_decimal(p + 1, &all) : NULL;
	text = p ? strchr(p, ';') : NULL;
	if (!text)
		return LOG_ENTRY_NONE;
	is_first = !at;
	if (is_first) {
		reset(e, FORM_NETCONSOLE);
		append(e, line, mark - line);
		append(e, ";", 1);
		e->got = 0;
	} else if (e->form != FORM_NETCONSOLE || e->got != at || e->size != all) {
		reset(e, FORM_NONE);
		return LOG_ENTRY_LOST;
	}
	e->size = all;
	append(e, text + 1, strlen(text + 1));
	e->got += strlen(text + 1);
	if (e->got < all)
		return LOG_ENTRY_PART;
	memcpy(e->out, e->text, e->len + 1);
	reset(e, FORM_NONE);
	*ret = e->out;
	return LOG_ENTRY_WHOLE;
}

/* Whether a line is the first of a record of several. */
static bool begins(struct log_entry *e, const char *line, size_t len)
{
	if (log_after(line, "__CURSOR=") || log_after(line, "__REALTIME_TIMESTAMP=")) {
		reset(e, FORM_EXPORT);
		take_field(e, line, len);
		return true;
	}
	if (begins_verbose(line, len)) {
		reset(e, FORM_VERBOSE);
		return true;
	}
	if (!strcmp(line, "{")) {
		reset(e, FORM_OBJECT);
		append(e, "{", 1);
		return true;
	}
	return false;
}

enum log_entry_kind log_entry_end(struct log_entry *e, char **ret)
{
	if (e->form == FORM_EXPORT || e->form == FORM_VERBOSE)
		return put_record(e, ret);
	return e->form == FORM_NETCONSOLE ? LOG_ENTRY_LOST : LOG_ENTRY_PART;
}

enum log_entry_kind log_entry_line(struct log_entry *e, const char *line, size_t len, bool ends,
				   char **ret)
{
	enum log_entry_kind kind = LOG_ENTRY_NONE, before;
	const char *text, *mark = strstr(line, ",ncfrag=");
	bool goes_on;

	if (e->form == FORM_EXPORT)
		return take_export(e, line, len, ends, ret);
	len = strlen(line);
	if (e->form == FORM_VERBOSE && begins_verbose(line, len)) {
		before = put_record(e, ret);
		reset(e, FORM_VERBOSE);
		return before;
	}
	if (e->form == FORM_VERBOSE)
		kind = take_verbose(e, line, len);
	else if (e->form == FORM_OBJECT)
		kind = take_object(e, line, len, ret);
	if (kind != LOG_ENTRY_NONE)
		return kind;
	if (begins(e, line, len))
		return LOG_ENTRY_PART;
	text = behind_cri(line, &goes_on);
	if (text)
		return take_cri(e, text, goes_on, ret);
	if (mark && isdigit((unsigned char)*line))
		return take_piece(e, line, mark, ret);
	return LOG_ENTRY_NONE;
}
