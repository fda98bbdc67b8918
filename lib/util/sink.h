/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where output goes: crash's output, or a buffer of a test.
 *
 * A terminal has a width.  Lines that are longer are continued in the next line, two columns
 * further in, at the space before the word that has no room; a word is never cut.  Control
 * characters of the dump, and bytes that are no character (utf8.h), are shown as ?.  A file or a pipe gets lines and
 * bytes as they are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINK_BYTES 32768 /* that are written at once */
#define SINK_LINE 4096	 /* bytes; a longer line of a terminal is not wrapped */

/* What of the output is not text: of a page of HTML, which has its tables as such. */
struct sink_page {
	bool is_markup;		  /* what is written now */
	size_t room;		  /* bytes that rows may still take */
	size_t below_room;	  /* that sums below the rows have, if no more is left of room */
	bool is_below;		  /* the table that follows is one of these sums */
	bool is_part;		  /* other rows of the same stand elsewhere, with the sums of all */
	unsigned int open_stacks; /* how many of them stand open, of those in a module */
	uint64_t rows;		  /* that stand there, sums left aside */
	uint64_t left_out;	  /* rows that had none */
	uint64_t told;		  /* of these, those that a line below their table counts */
	struct strbuf *
		names; /* of the first rows, where a line tells what is in the table; NULL: none does */
	/* The text of a cell as the page has it. */
	const char *(*word)(void *arg, const char *column, const char *text);
	void *arg;
	/*
	 * Of the first screen: a statement, whose label "" is that of the one before it, and a command that it proposes,
	 * with what that shows, or NULL. NULL: they are lines of text.
	 */
	void (*said)(void *screen, const char *label, const char *text);
	void (*proposed)(void *screen, const char *command, const char *words);
	void *screen;
};

struct sink {
	/* False once the reader is gone; nothing is written from then on. */
	bool (*write)(void *priv, const char *s, size_t n);
	void *priv;
	bool closed;
	unsigned int columns;	/* of the terminal; 0: it is none */
	bool unwrapped;		/* text for other tools: its lines are left as they are */
	struct sink_page *page; /* NULL: it is text alone */
	size_t in_line;		/* bytes of a line that has no end yet */
	char line[SINK_LINE];
	size_t used;
	char buf[SINK_BYTES]; /* crash's output files are unbuffered */
};

/* For a file; the caller may set columns. */
void sink_init(struct sink *s, bool (*write)(void *priv, const char *s, size_t n), void *priv);
void sink_write(struct sink *s, const char *text, size_t n);
/* Where the next n bytes can be put, for sink_wrote(); NULL: there is no room, or text is looked at first. */
static inline char *sink_room(struct sink *s, size_t n)
{
	return !s->columns && n < SINK_BYTES - s->used ? s->buf + s->used : NULL;
}

static inline void sink_wrote(struct sink *s, size_t n)
{
	s->used += n;
}

void sink_text(struct sink *s, const char *text);
__attribute__((format(printf, 2, 3))) void sink_printf(struct sink *s, const char *fmt, ...);

/* What was written has arrived only after this. */
void sink_flush(struct sink *s);

/* Of a page: whether markup follows, or text. */
void sink_markup(struct sink *s, bool is_markup);

/* Text of a dump as text of an HTML page: no byte of it is markup. */

/* In UTF-8; a byte that is part of no character becomes U+0080..U+00FF, a control character '?'. */
void html_text(struct sink *sink, const char *text, size_t n);

/* Bytes that it writes. */
size_t html_bytes(const char *text, size_t n);
