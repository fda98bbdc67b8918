/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer of a command as part of the page. */
#pragma once

#include "redact.h"
#include "util/hash_bytes.h"
#include "util/sink.h"
#include "util/strbuf.h"

#define LINE_BYTES 262144 /* of a record; a longer one is left out and counted */

#define PAGE_SECTIONS 64u /* at most */

/* What an answer lacks, and the sums in words below its rows: a section that stands before says it for all. */
struct page_said {
	struct hash_bytes lines; /* of size_t: the section that says it first, counted from 1 */
	bool is_shown[PAGE_SECTIONS];
};

#define TOLD_BYTES \
	65536 /* of both: a screen of 40 lines and a story of 90; what is behind them is told again */

/* What the first screen and the story say, in their words: a table has the rows, and no line says it again. */
struct page_told {
	struct strbuf text;
	bool is_taken; /* the lines of the answer that is read are added */
	char room[TOLD_BYTES];
};

/* An answer that becomes part of the page, line by line. */
struct embed {
	struct sink *page, *own;
	struct sink_page state;
	struct redact *redact;
	struct page_said *said; /* NULL: each line is told */
	struct page_told *told; /* NULL: nothing is */
	size_t section;
	bool is_json, is_learning;
	bool has_table;
	bool is_enough;	  /* the verdict is that memory was not short */
	bool in_memory;	  /* the lines on it stand behind a title */
	bool in_pre;	  /* lines of text follow each other */
	bool is_long;	  /* a line had no room */
	size_t left;	  /* bytes for rows; of text its bytes */
	size_t frame;	  /* bytes for meta and summary lines */
	uint64_t dropped; /* records */
	bool too_long;	  /* the line that is being read */
	size_t used;
	char line[LINE_BYTES];
};

/* From here on it takes another answer; redact: NULL, or what gives names pseudonyms. */
void embed_begin(struct embed *e, struct sink *page, struct redact *redact);

/* A statement of the first screen: "verdict", "memory ran out". */
void embed_said(struct embed *e, const char *label, const char *text);

/* Behind the last of them. */
void embed_end_said(struct embed *e);

/* The line that has been read, as if it ended here. */
void embed_end_line(struct embed *e);

/* A JSON string, for messages of ours; one may have text of the dump. */
void embed_string(struct sink *page, const char *s);

/* What follows is no more of the lines of text. */
void embed_end_text(struct embed *e);

void embed_paragraph(struct embed *e, const char *class, const char *text, size_t n);
