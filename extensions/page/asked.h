/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands that the first screen proposes to type next.  Who reads a page has no dump to type them at:
 * it has their answers.
 */
#pragma once

#include "section.h"

#define PAGE_ASKED_NAME \
	"asked"	      /* begins the name of a section of one, whose title has names of the dump */
#define PAGE_ASKED 3u /* as many as a first screen proposes */

struct page_asked {
	struct dump *dump;
	size_t n;
	struct {
		const char *command, *words; /* words: what it shows; NULL: its name says it */
	} all[PAGE_ASKED];
};

/* Whether it lists threads that wait. */
bool page_asked_is_stuck(const char *line);

/* The line of a section, of a list that is long with fewer rows. */
const char *page_asked_few(struct arena *arena, const char *line);

/* The next one; those beyond are left out. */
void page_asked_add(struct page_asked *a, const char *command, const char *words);

/* Whether a section has the answer, without what keeps other rows: it may have more rows or columns. */
bool page_asked_is(const char *command, const char *line);

/* Whether the section is to answer that in place of what it is about else. */
bool page_asked_takes(const char *command, const char *line);

/* The section of command i, for which the page has none. */
struct page_section page_asked_section(const struct page_asked *a, size_t i);
