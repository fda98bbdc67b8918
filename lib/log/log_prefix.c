// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_prefix.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "log/log_line.h"
#include "log/log_marks.h"
#include "util/arena.h"
#include "log/log_text.h"

#define BLANKS " \t"
#define SIGNS "|>#*+%;!:/=~-"
#define ENDS "|>:]"

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* Bytes of the line that the mark takes; 0: it does not begin with it. */
static size_t len_of(const char *mark, const char *line)
{
	const char *p = line;

	while (*mark) {
		size_t blanks = strspn(mark, BLANKS), found = strspn(p, BLANKS);

		/* Behind it the words may be indented, and an editor takes off the last blank. */
		if (!mark[blanks])
			return p + (found < blanks ? found : blanks) - line;
		mark += blanks;
		/* Numbers are padded. */
		if (blanks && !found && !is_digit(*mark))
			return 0;
		if (blanks || is_digit(*mark))
			p += found;
		if (is_digit(*mark) && is_digit(*p)) {
			mark += strspn(mark, "0123456789");
			p += strspn(p, "0123456789");
		} else if (*mark++ != *p++) {
			return 0;
		}
	}
	return p - line;
}

static bool is_kernel(const char *line)
{
	struct log_line l;

	log_line_parse(line, "", &l);
	return l.kind == LOG_LINE_KERNEL;
}

/*
 * Signs alone before what only a log has; blanks alone are indentation. A name may begin with a sign, but has no blank
 * behind it.
 */
static size_t signs_of(const char *line)
{
	size_t n = strspn(line, SIGNS BLANKS);

	if (!n || n >= LOG_PREFIX || strspn(line, BLANKS) == n)
		return 0;
	if (is_kernel(line + n))
		return n;
	return !log_line_inside(line) && log_begins_report(line + n) &&
			       (is_blank(line[n - 1]) || strchr("|>#", line[n - 1]))
		       ? n
		       : 0;
}

/* "a:", "kern.log:", "12:" of grep end so, without a blank; "kworker/0:1" has one too. */
static bool is_of_grep(const char *line, size_t n)
{
	return line[n - 1] == ':' && line[n] && !is_blank(line[n]) && !is_blank(line[0]);
}

/* Up to the last sign within n bytes, with the blanks behind it; 0: there is none. */
static size_t up_to_sign(const char *line, size_t n)
{
	while (n > 1 && !is_of_grep(line, n) &&
	       !(is_blank(line[n - 1]) &&
		 (line[n - 1] == '\t' || is_blank(line[n - 2]) || strchr(ENDS, line[n - 2]))))
		n--;
	return n > 1 ? n : 0;
}

/* "web-1  | a invoked oom-killer: ": words before the name of a task, which may have a sign too */
static size_t maybe_of(const char *line)
{
	const char *report = log_begins_report(line);
	size_t n = report && !log_line_inside(line) ? up_to_sign(line, report - line) : 0;

	/* A part of a stamp is none: all lines have it. */
	return n < LOG_PREFIX && strspn(line, BLANKS) < n && !log_is_broken_stamp(line) ? n : 0;
}

/* As much of these words as the next line has. */
static size_t take_maybe(struct log_prefix *p, const char *line)
{
	size_t found = 0, n = strlen(p->maybe);

	for (; n && !(found = len_of(p->maybe, line)); n = up_to_sign(p->maybe, n - 1))
		p->maybe[up_to_sign(p->maybe, n - 1)] = '\0';
	return found;
}

/* Without the level that stands before a stamp: "<4>[   12.345678] " */
static size_t without_level(const char *line, size_t n)
{
	size_t end = n && line[n - 1] == '>' ? n - 1 : 0, digits = end;

	while (digits && is_digit(line[digits - 1]))
		digits--;
	return digits < end && digits && line[digits - 1] == '<' ? digits - 1 : n;
}

/* "04:42:26", "04:42:26.123" */
static bool is_time(const char *p, size_t len)
{
	return len >= strlen("4:42:26") && strspn(p, "0123456789:.,") >= len && p[0] != ':' &&
	       memchr(p, ':', len);
}

/* "  12. ", "12) ": of a list */
static bool is_item(const char *p, size_t len)
{
	const size_t blanks = strspn(p, BLANKS), digits = strspn(p + blanks, "0123456789");

	return digits && blanks + digits + 1 == len && strchr(".)", p[len - 1]);
}

/* "web-1  | [   12.345678] ": words that end in a sign, a time of day, or a number, before a stamp */
static size_t words_of(const char *line)
{
	const char *stamp = log_line_inside(line);
	size_t n = without_level(line, stamp ? (size_t)(stamp - line) : 0), end = n;
	struct log_line l;

	log_line_parse(line, "", &l);
	while (end && is_blank(line[end - 1]))
		end--;
	/* What is before the stamp may be a form that is known. */
	if (!end || n >= LOG_PREFIX || l.kind == LOG_LINE_KERNEL || l.is_program)
		return 0;
	return strchr(ENDS, line[end - 1]) || line[n - 1] == '\t' || is_time(line, end) ||
			       is_item(line, end)
		       ? n
		       : 0;
}

/*
 * "2026-11-23T04:42:26.123Z stdout F ": of what ships files, before a line of syslog that has a date of its own; 0: none
 * stands there.
 */
static size_t shipped_of(const char *line)
{
	static const char *const streams[] = { "stdout F ", "stderr F ", "stdout P ", "stderr P " };
	size_t n = strcspn(line, BLANKS);
	struct log_line l;

	if (n < strlen("2026-11-23T04:42:26Z") || n + 16 > LOG_PREFIX || line[10] != 'T' ||
	    !line[n])
		return 0;
	n++;
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		if (!strncmp(line + n, streams[i], strlen(streams[i]))) {
			n += strlen(streams[i]);
			break;
		}
	log_line_parse(line + n, "", &l);
	return l.date_s && l.is_syslog ? n : 0;
}

/* "messages:1200:", "messages-1201-" of grep -n with more than one file, "  12<TAB>" of an editor, before a date; 0: neither. */
static size_t numbered_of(const char *line)
{
	const size_t word = strcspn(line, " \t"), blanks = strspn(line, " "),
		     digits = strspn(line + blanks, "0123456789");
	struct log_line l;

	if (digits && blanks + digits + 1 < LOG_PREFIX && line[blanks + digits] == '\t') {
		log_line_parse(line + blanks + digits + 1, "", &l);
		return l.date_s && l.is_syslog ? blanks + digits + 1 : 0;
	}
	for (size_t i = 1; i < word && i < LOG_PREFIX / 2; i++) {
		const size_t n = strspn(line + i + 1, "0123456789"), end = i + 1 + n;

		if (!strchr(":-", line[i]) || !n || n > 10 || !line[end] || line[end] != line[i])
			continue;
		log_line_parse(line, "", &l);
		if (l.date_s || l.kind == LOG_LINE_KERNEL)
			return 0;
		log_line_parse(line + end + 1, "", &l);
		if (l.kind == LOG_LINE_KERNEL && l.date_s && l.is_syslog)
			return end + 1;
	}
	return 0;
}

/* "kworker/u8:2 cpuset=/ mems_allowed=0", up to 4.20: the name once more, and words before it would be there as well. */
static bool is_of_both(const char *maybe, const char *line)
{
	const size_t n = strlen(maybe);

	return n && maybe[n - 1] == ':' && strstr(line, " cpuset=") && len_of(maybe, line);
}

char *log_prefix_skip(struct log_prefix *p, char *line, size_t *late)
{
	size_t n = shipped_of(line) ?: numbered_of(line) ?: signs_of(line) ?: words_of(line), used = n ?: len_of(p->mark, line);
	size_t more, len = strlen(p->mark);
	struct log_line l;

	*late = 0;
	if (!n && is_of_both(p->maybe, line + used))
		return line + used;
	more = n ? 0 : take_maybe(p, line + used);
	if (more && len + strlen(p->maybe) < LOG_PREFIX) {
		strcpy(p->mark + len, p->maybe);
		/* Its blanks were indentation. */
		*late = strlen(p->maybe) - strspn(p->maybe, BLANKS);
		used += more;
	} else if (n && n < LOG_PREFIX) {
		memcpy(p->mark, line, n);
		p->mark[n] = '\0';
	}
	line += used;
	log_line_parse(line, "", &l);
	/* Nothing that log_line_parse() knows stands there. */
	n = *late || l.text != line || l.kind == LOG_LINE_OTHER ? 0 : maybe_of(line);
	memcpy(p->maybe, line, n);
	p->maybe[n] = '\0';
	return line;
}

bool log_names_program(const struct log_line *l)
{
	const char *tag = strchr(l->text, ' ');
	size_t len = tag ? strcspn(tag + 1, " ") : 0;

	return l->kind == LOG_LINE_OTHER && l->is_syslog && len && tag[len] == ':';
}

bool log_is_repeated(const struct log_line *l)
{
	const char *times = log_after(l->text, "message repeated ");

	return l->is_syslog && times && strstr(times, " times: [");
}

#define TAIL_LINES 8  /* fewer may end alike by chance */
#define TAIL_OTHERS 8 /* one of eight lines may end otherwise, as the last of a list does */

static bool is_alike(char a, char b)
{
	return a == b || (is_digit(a) && is_digit(b));
}

/* Bytes at the end of the line that are as those of the mark. */
static size_t alike(const char *mark, const char *line, size_t len)
{
	const size_t most = strlen(mark);
	size_t n = 0;

	while (n < most && n < len && is_alike(mark[most - n - 1], line[len - n - 1]))
		n++;
	return n;
}

void log_tail_line(struct log_tail *t, const char *line, size_t len)
{
	const size_t most = len < LOG_PREFIX - 1 ? len : LOG_PREFIX - 1;
	size_t n;

	if (!log_line_inside(line))
		return;
	if (!t->lines) {
		memcpy(t->mark, line + len - most, most);
		t->mark[most] = '\0';
	}
	n = alike(t->mark, line, len);
	if (n < 2) {
		t->others++;
		return;
	}
	memmove(t->mark, t->mark + strlen(t->mark) - n, n + 1);
	t->lines++;
}

/* A value that quotes end and another one follows, or a dash and the name of the kernel: an object of JSON is no text. */
static bool is_tail(const char *mark)
{
	return !strcmp(mark, "',") || !strncmp(mark, "\",\"", 3) || !strcmp(mark, " - kernel");
}

const char *log_tail_mark(const struct log_tail *t)
{
	const char *mark = t->mark + strspn(t->mark, "0123456789");

	return t->lines >= TAIL_LINES && t->others <= t->lines / TAIL_OTHERS && is_tail(mark)
		       ? mark
		       : NULL;
}

size_t log_tail_skip(const char *mark, const char *line, size_t len)
{
	const size_t n = strlen(mark);

	if (len >= n && alike(mark, line, len) == n)
		return len - n;
	/* The last of a list. */
	return *mark == '\'' && len > 1 && !strncmp(line + len - 2, "']", 2) ? len - 2 : len;
}

#define NS_PER_S 1000000000ULL

/* "[   72.8436] ", "72.843694] ": what is left of a stamp, behind which the words begin; NULL: something else */
static const char *behind_part(const char *line)
{
	const char *p = line + (*line == '['), *at;

	p += strspn(p, " ");
	at = p + strspn(p, "0123456789");
	if (at == p || *at != '.' || at - p > 10)
		return NULL;
	p = at + 1;
	at = p + strspn(p, "0123456789");
	return at - p <= 9 && at[0] == ']' && at[1] == ' ' ? at + 1 : NULL;
}

static char *mend(const struct log_stray *s, struct arena *a, const char *line)
{
	const char *words = s->has_before && *s->begin == '[' ? behind_part(line) : NULL;

	if (!words)
		return NULL;
	return arena_text(a, "[%5llu.%06llu]%s", s->before_ns / NS_PER_S,
			  s->before_ns % NS_PER_S / 1000, words);
}

/* "[   72.84" */
static bool begins_stamp(const char *line)
{
	const char *p = line + 1 + strspn(line + (*line == '['), " ");
	const size_t n = *line == '[' ? strspn(p, "0123456789") : 0;

	return n && n <= 10 && p[n] == '.' && isdigit((unsigned char)p[n + 1]);
}

static bool is_part(const struct log_stray *s, const char *line)
{
	unsigned int alike = 0, n = 0;

	if (s->has_before && *s->begin == '[' && begins_stamp(line))
		return true;
	for (; s->begin[n] && s->begin[n] == line[n]; n++)
		alike += isalnum((unsigned char)line[n]) != 0;
	/* A row of the table of processes begins with a number in brackets, and no stamp. */
	if (*s->begin == '[')
		return n >= 4 && alike >= 2 && line[n] != ']';
	/* A date alone may begin words of others: "2026-11-30 10:" is one of a line. */
	return n > strcspn(s->begin, ":") || n == sizeof(s->begin) - 1;
}

bool log_stray_line(struct log_stray *s, struct arena *a, char **line, struct log_line *l)
{
	char *whole = l->kind == LOG_LINE_BARE ? mend(s, a, *line) : NULL;

	if (whole) {
		*line = whole;
		log_line_parse(whole, "", l);
	}
	if (l->kind == LOG_LINE_KERNEL && (l->has_ts || l->date_s)) {
		snprintf(s->begin, sizeof(s->begin), "%.*s", (int)sizeof(s->begin) - 1, *line);
		s->has_before |= l->has_ts;
		s->before_ns = l->has_ts ? l->ts_ns : s->before_ns;
	}
	return l->kind == LOG_LINE_BARE && is_part(s, *line);
}
