/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that the first screen names in what it says of the cause: of these the page shows what they do,
 * which is what such a line rests on.
 */
#pragma once

#include "tasks/task_names.h"
#include "util/strbuf.h"

#define PAGE_NAMED_NAME "named" /* of the section of what they do */
#define PAGE_NAMED 4u		/* of more the lines say how many they are */
#define PAGE_NAMED_TEXT 8192

struct page_named {
	struct dump *dump;
	bool is_taken; /* the statement before is one of these */
	struct strbuf text;
	char room[PAGE_NAMED_TEXT];
	struct task_names names;
};

/* A statement of the first screen: kept if its label is of the cause, or "" behind such a one. */
void page_named_take(struct page_named *a, const char *label, const char *text);

/* Who is named in what was taken: once all of it is. */
void page_named_find(struct page_named *a);

/* Whether a command asks what some of these do: their section has it. */
bool page_named_answers(const struct page_named *a, const char *command);

/* Whether a command asks for groups of threads: most are alike, and a few rows show them. */
bool page_named_are_many(const char *command);

/* "303,298", "hactl (303), dbproxy (298)"; NULL: none is named. */
const char *page_named_tgids(const struct page_named *a);
const char *page_named_words(const struct page_named *a);
