// SPDX-License-Identifier: GPL-2.0-or-later
/* What page_owner has of each page. */
#include "page_owner/page_owner.h"
#include "user_counts.h"

struct page_search {
	struct user_counts *counts;
	struct page_owner owner;
};

static enum status count_page(void *arg, const struct owner_page *page)
{
	struct page_search *p = arg;
	struct user_counts *u = p->counts;
	struct owner_record r;

	if (page->allocated)
		user_counts_add(u, OWNER_ALLOC, page->handle);
	if (u->state[OWNER_FREE] != COUNTED)
		return ST_OK;
	page_owner_decode(&p->owner, page, &r);
	user_counts_add(u, OWNER_FREE, r.free_handle);
	return ST_OK;
}

enum status user_counts_pages(struct user_counts *u)
{
	struct page_search p = { .counts = u };
	struct scan_stats cov = { 0 };
	enum availability why;
	enum status st = page_owner_open(u->dump, &p.owner, &why);

	if (st != ST_OK) {
		u->state[OWNER_ALLOC] = u->state[OWNER_FREE] = why == OFF_AT_BOOT ? OFF
							       : why == NOT_BUILT ? NOT_BUILT_IN
										  : NOT_COUNTED;
		if (u->state[OWNER_ALLOC] == NOT_COUNTED)
			u->reason[OWNER_ALLOC] = dump_why(u->dump);
		return ST_OK;
	}
	if (!p.owner.f[OWNER_FREE_HANDLE].present)
		u->state[OWNER_FREE] = NOT_BUILT_IN;
	st = page_owner_scan(&p.owner, SCAN_RECORDED, &cov, count_page, &p);
	u->missing[OWNER_ALLOC] = u->missing[OWNER_FREE] = cov.unreadable + cov.undecodable;
	return st;
}
