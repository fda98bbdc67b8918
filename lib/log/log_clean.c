// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_clean.h"

#include <ctype.h>
#include <string.h>

#include "log/log_text.h"
#include "util/array.h"

void log_drop_blanks(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		text[--len] = '\0';
}

void log_drop_tabs(char *line)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == '\t')
		line[--len] = '\0';
}

void log_unescape_bytes(char *text)
{
	char *to = text;

	while (*text) {
		uint64_t c;

		if (text[0] == '\\' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
		    isxdigit((unsigned char)text[3])) {
			const char digits[] = { text[2], text[3], '\0' };

			log_take_hex(digits, &c);
			*to++ = c ? (char)c : '.';
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static void replace(char *line, const char *what, char with)
{
	const size_t n = strlen(what);

	for (char *p = line; (p = strstr(p, what)); p++) {
		*p = with;
		memmove(p + 1, p + n, strlen(p + n) + 1);
	}
}

void log_unescape_lines(char *line)
{
	replace(line, "#012", '\n');
	replace(line, "\\x0a", '\n');
	replace(line, "#011", '\t');
	replace(line, "\\x09", '\t');
	/* Elsewhere it may be of a name. */
	if (strstr(line, "active_anon:"))
		replace(line, "\\n", '\n');
}

void log_untab_stamp(char *line)
{
	char *start = strchr(line, '['), *end = start ? strchr(start, ']') : NULL;

	if (end && end[1] == '\t' && start + 1 + strspn(start + 1, " 0123456789.") == end &&
	    memchr(start, '.', end - start))
		end[1] = ' ';
}

/* "[32m", "[0;1m": what is left of a colour where its first byte was lost, or written in words. */
static size_t len_of_colour(const char *p)
{
	const size_t n = *p == '[' ? strspn(p + 1, "0123456789;") : 0;

	return n && p[1 + n] == 'm' ? n + 2 : 0;
}

static size_t len_of_escape(const char *p)
{
	static const char *const escapes[] = { "^[",  "#033",	 "\\033",   "\\x1b",	   "\\x1B",
					       "\\e", "\\u001b", "\\u001B", "\xe2\x90\x9b" };
	size_t n = 0;

	if (p[0] == '\033' && p[1] == '[') {
		n = 2 + strspn(p + 2, "0123456789;?");
		return n + (p[n] != '\0');
	}
	for (size_t i = 0; !n && i < ARRAY_SIZE(escapes); i++)
		if (!strncmp(p, escapes[i], strlen(escapes[i])))
			n = strlen(escapes[i]);
	return len_of_colour(p + n) ? n + len_of_colour(p + n) : 0;
}

void log_drop_colours(char *line)
{
	char *to = line;

	for (const char *p = line; *p;) {
		const size_t n = len_of_escape(p);

		if (n)
			p += n;
		else
			*to++ = *p++;
	}
	*to = '\0';
}

/* What a page has around the lines of a log. */
static void drop_tags(char *line)
{
	static const char *const tags[] = { "<br>",   "<br/>",	 "<br />", "<pre>", "</pre>",
					    "<code>", "</code>", "<p>",	   "</p>",  "<div>",
					    "</div>", "<span>",	 "</span>" };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		for (char *p = line; (p = strstr(p, tags[i]));)
			memmove(p, p + strlen(tags[i]), strlen(p + strlen(tags[i])) + 1);
}

/* "`...`", "| ... |": what a chat and a table have on both sides, maybe between blanks. */
static void drop_frame(char *line)
{
	static const char *const frames[] = { "`", "|", "\xe2\x94\x82" };
	char *begin = line + strspn(line, " \t");
	size_t len = strlen(begin);

	while (len && strchr(" \t", begin[len - 1]))
		len--;
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		const size_t n = strlen(frames[i]);

		if (len < 2 * n || strncmp(begin, frames[i], n) != 0 ||
		    strncmp(begin + len - n, frames[i], n) != 0)
			continue;
		begin[len - n] = '\0';
		begin += n + (begin[n] == ' ');
		memmove(line, begin, strlen(begin) + 1);
		log_drop_blanks(line);
		return;
	}
}

/* "oom\_reaper", "\[12.3\]": Markdown, whose signs these are. */
static void drop_escapes(char *line)
{
	for (char *p = line; (p = strchr(p, '\\')); p++)
		if (p[1] && strchr("_*[]", p[1]))
			memmove(p, p + 1, strlen(p));
}

void log_drop_markup(char *line)
{
	static const struct {
		const char *name;
		char is;
	} entities[] = { { "&gt;", '>' },     { "&lt;", '<' },	 { "&nbsp;", ' ' },
			 { "\xc2\xa0", ' ' }, { "&quot;", '"' }, { "&#34;", '"' },
			 { "&#39;", '\'' },   { "&#60;", '<' },	 { "&#62;", '>' },
			 { "&amp;", '&' } };

	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		for (char *p = line; (p = strstr(p, entities[i].name)); p++) {
			size_t len = strlen(entities[i].name);

			*p = entities[i].is;
			memmove(p + 1, p + len, strlen(p + len) + 1);
		}
	/* The blank of a page that is not in UTF-8. */
	for (char *p = line; (p = strchr(p, 0xa0)); p++)
		if (p == line || (unsigned char)p[-1] < 0x80)
			*p = ' ';
	drop_tags(line);
	drop_escapes(line);
	drop_frame(line);
}

char *log_behind_quotes(char *line)
{
	while (*line == '>')
		line += 1 + (line[1] == ' ');
	return line;
}

unsigned int log_quotes(const char *line)
{
	unsigned int n = 0;

	for (; *line && strchr(" \t>|", *line); line++)
		n += *line == '>';
	return n;
}

bool log_is_hex(const char *line)
{
	size_t n = strspn(line, "0123456789abcdef");

	if (n < 7)
		return false;
	line += n + (line[n] == ':');
	for (unsigned int i = 0; i < 4; i++) {
		line += strspn(line, " ");
		n = strspn(line, "0123456789abcdef");
		if (n != 2 && n != 4)
			return false;
		line += n;
	}
	return true;
}

bool log_is_ellipsis(const char *text)
{
	size_t dots;

	text += strspn(text, " \t[(<");
	dots = strspn(text, ".");
	return dots > 1 && !text[dots + strspn(text + dots, ")]> \t")];
}

bool log_is_same_host(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), m = strcspn(b, ".");

	return (n == m && !strncasecmp(a, b, n)) || !strncmp(a, "localhost", n) ||
	       !strncmp(b, "localhost", m);
}

void log_drop_word(char *line)
{
	char *end = line + strlen(line);

	while (end > line && end[-1] != ' ')
		end--;
	while (end > line && end[-1] == ' ')
		end--;
	*end = '\0';
}
