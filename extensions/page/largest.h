/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process of which the page has more: that which a summary named, or else has most in RAM and swap. */
#pragma once

#include "tasks/task.h"

struct page_process {
	int32_t tgid;		   /* 0: none is there, or the dump is a log */
	char comm[TASKS_COMM + 1]; /* "": it was not found */
};

/* tgid: of the one that was named, 0: none was. Where the task list breaks off, of those that were found. */
void page_find_process(struct dump *d, int32_t tgid, struct page_process *ret);
