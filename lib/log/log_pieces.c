// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_pieces.h"

#include <stdio.h>
#include <string.h>

#include "log/log_json.h"
#include "log/log_octets.h"
#include "util/arena.h"

#define MOST 2048 /* bytes of a line of a log: LOG_FILE_TEXT */
#define FEW 3	  /* lines: a record of several has one stamp, an object of a line one or two */

struct log_pieces {
	struct arena *arena;
	struct log_octets *octets;
	bool has_octets; /* of the line that is taken apart */
	char last[MOST]; /* the line that the part before ended in; "": none */
	char *whole;	 /* that line and the part behind it */
	size_t room;
	char *rest; /* NULL: all are told */
	bool ends;
};

struct log_pieces *log_pieces_open(struct arena *a)
{
	struct log_pieces *p = arena_alloc(a, sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->arena = a;
	p->octets = log_octets_open(a);
	return p;
}

/* Bytes of an escaped end of line; 0: none is there. */
static size_t len_of_newline(const char *p)
{
	if (!strncmp(p, "\\r\\n", 4))
		return 4;
	return strncmp(p, "\\n", 2) ? 0 : 2;
}

/* The quote that ends a string, or the end of the text. */
static char *end_of_string(char *p)
{
	for (; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p;
}

/* Where the words of the next line begin; *end: where those of this one end. NULL: it is the last. */
static char *next_words(char *line, char **end)
{
	for (char *p = *line ? line + 1 : line; *p; p++) {
		const size_t n = len_of_newline(p);

		if (n && strchr("[<", p[n]) && log_json_has_stamp(p + n)) {
			*end = p;
			return p + n;
		}
		if (*p == '"' && strchr(",:[ \t", p[-1]) && log_json_has_stamp(p + 1)) {
			*end = end_of_string(line);
			return p + 1;
		}
	}
	return NULL;
}

static bool has_lines(char *line)
{
	unsigned int n = 0;
	char *end;

	while (n < FEW && (line = next_words(line, &end)))
		n++;
	return n == FEW;
}

bool log_pieces_begin(struct log_pieces *p, char *line, size_t len, bool ends)
{
	size_t used = strlen(p->last), room = used + len + 1;

	p->has_octets = !used && log_octets_begin(p->octets, line, len, ends);
	if (p->has_octets)
		return true;
	if (strlen(line) != len || (!used && !has_lines(line))) {
		p->last[0] = '\0';
		return false;
	}
	if (used && room > p->room) {
		p->whole = arena_alloc(p->arena, room);
		p->room = room;
	}
	if (used) {
		memcpy(p->whole, p->last, used);
		memcpy(p->whole + used, line, len + 1);
		p->last[0] = '\0';
	}
	p->rest = used ? p->whole : line;
	p->ends = ends;
	return true;
}

char *log_pieces_next(struct log_pieces *p)
{
	char *line = p->rest, *end;

	if (p->has_octets)
		return log_octets_next(p->octets);
	if (!line)
		return NULL;
	p->rest = next_words(line, &end);
	if (!p->rest && !p->ends) {
		snprintf(p->last, sizeof(p->last), "%s", line);
		return NULL;
	}
	log_json_unescape(line, p->rest ? end : end_of_string(line));
	return line;
}

char *log_pieces_end(struct log_pieces *p)
{
	if (!p->last[0])
		return log_octets_end(p->octets);
	log_json_unescape(p->last, end_of_string(p->last));
	return p->last;
}
