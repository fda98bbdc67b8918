/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How struct page says that a compound page is one of hugetlb, where the type of the page does not have a name
 * of its own for it (before 6.10).  It is checked on pages that the pools of hugetlb list.
 */
#pragma once

#include "dump/dump.h"

enum hugetlb_place {
	HUGETLB_NOWHERE,     /* this kernel has no huge page, or problem is set */
	HUGETLB_SECOND_PAGE, /* a member of the second page */
	HUGETLB_PAGE_TYPE,   /* page_type of the first page */
};

struct hugetlb_mark {
	enum hugetlb_place place;
	struct field member;  /* as a member of that struct page */
	uint64_t mask, value; /* of it */
	const char *problem;  /* NULL, or why pages of hugetlb cannot be told from others */
};

/*
 * bytes: of struct page.  type: page_type; flags: of struct page.  taken: the bits of page_type that
 * stand for others.
 */
enum status hugetlb_mark_open(struct dump *d, uint64_t bytes, const struct field *type,
			      const struct field *flags, uint64_t taken, struct hugetlb_mark *ret);

/* first, second: struct page of the first and of the second page of a compound page. */
bool hugetlb_mark_has(const struct hugetlb_mark *m, const uint8_t *first, const uint8_t *second);
