/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sections are open by what the first screen says: the others stand behind their titles. */
#pragma once

#include "named.h"
#include "section.h"

#define PAGE_STUCK_NAME "stuck" /* of the section of all others that wait */

struct page_choice {
	bool is_enough;	 /* memory was not short */
	int32_t died;	 /* the kernel, of an exception: pid of the task; 0: of none, or unknown */
	bool has_stuck;	 /* it tells of threads that do not get on */
	bool has_report; /* memory ran out, and the log has the request that failed */
};

/* A statement of the screen: "verdict", "memory ran out". */
void page_choice_take(struct page_choice *c, const char *label, const char *text);

/*
 * names: processes that it names. Of those that it asks to look at the caller opens the sections again. Returns how many
 * are left: who has most of what was not short has none.
 */
size_t page_choice_apply(const struct page_choice *c, struct page_section *all, size_t n,
			 const struct task_names *names);

/* The option of a line that leaves out whom another section is of: " -X tgid=%l"; NULL: there is none. */
static inline const char *page_exclusion(const char *line)
{
	const char *at = strstr(line, " -X ");

	return at && memchr(at, '%', strcspn(at + strlen(" -X "), " ") + strlen(" -X ")) ? at
											 : NULL;
}

/* What is folded has a title of its own alone. */
static inline const char *page_group(const struct page_section *s)
{
	return s->is_open ? s->group : NULL;
}
