/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own counter for each class of pages, and where a difference comes from. */
#ifndef MEMOWNER_PAGEOWNER_CLASS_COUNTERS_H
#define MEMOWNER_PAGEOWNER_CLASS_COUNTERS_H

#include "mm/page_class.h"

struct owner_view;

struct class_count {
	const char *counter; /* as /proc/meminfo has it; NULL: there is none */
	bool known;
	int64_t pages;
	const char *cause; /* of the difference; NULL: there is none */
};

/*
 * pages: pages found, by class.  A cause is given only where it can explain the difference;
 * else it is "unknown".  v->counters may be NULL.
 */
void class_count(const struct owner_view *v, const uint64_t pages[PAGE_CLASSES],
		 enum page_class class, struct class_count *ret);

#endif
