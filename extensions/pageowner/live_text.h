/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a live kernel for -R and -d: /sys/kernel/debug/page_owner, a record for each
 * allocation (print_page_owner(), mm/page_owner.c, 4.19 to 7.3), or
 * page_owner_stacks/show_stacks, the pages of each stack (stack_print(), 6.9 and later).
 */
#pragma once

#include "scan_read.h"

/* What may be wrong with a text whose first lines are none. */
#define LIVE_TEXT_CUT_IN_FRONT \
	" (of a page_owner that was cut in front, leave out what stands before its first \"Page allocated\")"

struct live_text;

/* Which of the two files starts with this line; SCAN_SAVED: neither. */
enum saved_kind live_text_kind(const char *line);

/* Stacks, masks and records of the text are added to v and scan. */
struct live_text *live_text_open(struct owner_view *v, struct saved_scan *scan);

/* The next line. ST_USAGE: it is no line of the file; the message has its number. */
enum status live_text_line(struct live_text *t, unsigned long number, char *line);

/* The last line, of which only the first bytes are there. */
void live_text_part(struct live_text *t, unsigned long number);

/*
 * Behind the last line, which may be inside of a record: that one is left out. ST_USAGE: no record is whole.
 */
enum status live_text_end(struct live_text *t);

/* "symbol+0x1f/0x80 [module]", which is written to, or the address of what has no symbol. */
bool live_text_frame(struct dump *d, char *text, struct frame *f);
