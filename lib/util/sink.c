// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

void sink_init(struct sink *s, bool (*write)(void *priv, const char *s, size_t n), void *priv)
{
	s->write = write;
	s->priv = priv;
	s->closed = false;
	s->columns = 0;
	s->unwrapped = false;
	s->page = NULL;
	s->in_line = 0;
	s->used = 0;
}

static void write_out(struct sink *s)
{
	if (s->used && !s->closed && !s->write(s->priv, s->buf, s->used))
		s->closed = true;
	s->used = 0;
}

static void put(struct sink *s, const char *text, size_t n)
{
	while (n) {
		size_t len = SINK_BYTES - s->used < n ? SINK_BYTES - s->used : n;

		memcpy(s->buf + s->used, text, len);
		s->used += len;
		text += len;
		n -= len;
		if (s->used == SINK_BYTES)
			write_out(s);
	}
}

/* Where a line is continued: at the last space that has all before it within columns. */
static size_t break_at(const char *line, size_t n, size_t columns)
{
	size_t at = utf8_fit(line, n, columns), indent = strspn(line, " ");

	if (at == n)
		return n;
	while (at > indent && line[at] != ' ')
		at--;
	while (at > indent && line[at - 1] == ' ')
		at--;
	if (at > indent)
		return at;
	/* A long word stands in a line of its own, but for flags, "GFP_KERNEL|__GFP_COMP". */
	for (at = utf8_fit(line, n, columns); at > indent; at--)
		if (line[at - 1] == '|')
			return at;
	while (indent < n && line[indent] != ' ')
		indent++;
	return indent;
}

/* Blanks before a text: fewer where its first word has room without them alone. */
static size_t blanks_before(const struct sink *s, const char *text, size_t blanks)
{
	size_t word = utf8_columns(text, strcspn(text, " "));

	if (s->unwrapped || blanks + word <= s->columns || word > s->columns)
		return blanks;
	return s->columns - word;
}

/* The line so far, in as many as it needs. */
static void put_line(struct sink *s)
{
	static const char blanks[] = "                ";
	const char *line = s->line;
	size_t n = s->in_line, indent, room = s->columns, lead;

	s->in_line = 0;
	n = utf8_printable(s->line, n, true);
	s->line[n] = '\0';
	lead = strspn(line, " ");
	indent = lead + 2;
	if (indent > sizeof(blanks) - 1 || indent > s->columns / 2)
		indent = 2;
	lead -= blanks_before(s, line + lead, lead);
	line += lead;
	n -= lead;
	while (n) {
		size_t len = s->unwrapped ? n : break_at(line, n, room);
		size_t rest = len;

		while (rest < n && line[rest] == ' ')
			rest++;
		put(s, line, len);
		if (rest == n)
			break;
		put(s, "\n", 1);
		line += rest;
		n -= rest;
		lead = blanks_before(s, line, indent);
		put(s, blanks, lead);
		room = s->columns - lead;
	}
}

void sink_flush(struct sink *s)
{
	if (s->in_line)
		put_line(s);
	write_out(s);
}

void sink_write(struct sink *s, const char *text, size_t n)
{
	if (!s->columns && n < SINK_BYTES - s->used) {
		memcpy(s->buf + s->used, text, n);
		s->used += n;
		return;
	}
	if (!s->columns) {
		put(s, text, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n') {
			put_line(s);
			put(s, "\n", 1);
			continue;
		}
		/* What follows is too long to be laid out; no character is torn apart. */
		if (s->in_line == SINK_LINE - 1 ||
		    (s->in_line > SINK_LINE - 5 && (text[i] & 0xc0) != 0x80))
			put_line(s);
		s->line[s->in_line++] = text[i];
	}
}

void sink_text(struct sink *s, const char *text)
{
	sink_write(s, text, strlen(text));
}

void sink_printf(struct sink *s, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (n > 0)
		sink_write(s, buf, (size_t)n < sizeof(buf) ? (size_t)n : sizeof(buf) - 1);
}

void sink_markup(struct sink *s, bool is_markup)
{
	sink_flush(s);
	s->page->is_markup = is_markup;
}

#define ESCAPE 16

/* What stands for the first character, whose length is *len; NULL: it stands for itself. */
static const char *escape(const char *text, size_t n, size_t *len, char buf[ESCAPE])
{
	unsigned char c = *text;

	/* A byte that is part of no character is told by its number. */
	const bool is_shown = utf8_is_shown(text, n, len) || c == '\n' || c == '\t';

	if (!is_shown && (c < 0x80 || *len > 1))
		return "?";
	if (is_shown && (c >= 0x80 || !strchr("<>&\"'", c)))
		return NULL;
	snprintf(buf, ESCAPE, "&#%u;", c);
	return buf;
}

void html_text(struct sink *sink, const char *text, size_t n)
{
	char buf[ESCAPE];
	size_t plain = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *word = escape(text + at, n - at, &len, buf);

		if (!word)
			continue;
		sink_write(sink, text + plain, at - plain);
		sink_text(sink, word);
		plain = at + len;
	}
	sink_write(sink, text + plain, n - plain);
}

size_t html_bytes(const char *text, size_t n)
{
	char buf[ESCAPE];
	size_t sum = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *word = escape(text + at, n - at, &len, buf);

		sum += word ? strlen(word) : len;
	}
	return sum;
}
