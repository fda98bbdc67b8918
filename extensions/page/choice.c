// SPDX-License-Identifier: GPL-2.0-or-later
#include "choice.h"

#include <stdlib.h>

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "the kernel died of bug (...), in f+0x1/0x2, task NAME (180); ...": 180. */
static int32_t died_in(const char *text)
{
	const char *task = begins(text, "the kernel died of ") ? strstr(text, ", task ") : NULL;
	const char *pid = task ? strchr(task, '(') : NULL;

	return pid ? (int32_t)strtol(pid + 1, NULL, 10) : 0;
}

void page_choice_take(struct page_choice *c, const char *label, const char *text)
{
	if (!strcmp(label, "verdict")) {
		c->is_enough = strstr(text, "memory was not short") != NULL;
		c->died = died_in(text);
		c->has_report = begins(text, "memory ran out");
	}
	c->has_stuck |= !strcmp(label, "stuck");
}

static void choose(const struct page_choice *c, struct page_section *s,
		   const struct task_names *names)
{
	/* What the task did that died has the section of the exception. */
	if (!strcmp(s->name, PAGE_NAMED_NAME) && c->died && names->n == 1 &&
	    names->all[0].tgid == c->died)
		s->is_open = false;
	/* Any machine has some that wait for milliseconds. */
	if (!strcmp(s->name, PAGE_STUCK_NAME) && !c->has_stuck)
		s->is_open = false;
	if (c->is_enough && (!strcmp(s->name, "runnable") || !strcmp(s->name, "infault")))
		s->is_open = false;
	/* Why what was free was not enough for the request. */
	if (!strcmp(s->name, "zones"))
		s->is_open = c->has_report && !c->is_enough;
}

size_t page_choice_apply(const struct page_choice *c, struct page_section *all, size_t n,
			 const struct task_names *names)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (c->is_enough && !names->n && !strcmp(all[i].name, "largest_files"))
			continue;
		choose(c, &all[i], names);
		all[left++] = all[i];
	}
	return left;
}
