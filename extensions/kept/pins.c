// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has lists of pointers to anonymous pages that no process maps: what pinned them and did not release them. */
#include "holders/page_lists.h"
#include "memowner/claim_kinds.h"
#include "pageowner/holders.h"

#define LEAST_PERCENT 10 /* of these pages: less is of whatever is at work with them */

static bool is_much(const struct page_lists *lists, const struct page_list *l)
{
	return l->pages * 100 >= lists->unmapped * LEAST_PERCENT;
}

/* "name 70,400 of the 70,400 anonymous pages that no process maps" */
static const char *named_text(struct summary *s, const struct page_lists *lists,
			      const struct page_list *l)
{
	return dump_text(s->dump, "%s %s of the %s anonymous pages that no process maps",
			 l->lists == 1 ? "names" : "name", COUNT_TEXT(l->pages),
			 COUNT_TEXT(lists->unmapped));
}

static void put(struct summary *s, struct holders *h, const struct page_lists *lists,
		const struct page_list *l)
{
	const uint16_t owner = l->of.owner;
	const char *module = owner && owner < OWNER_SHARED ? graph_owner_name(&h->graph, owner)
							   : NULL;
	const bool is_pinned = summary_reaches(s, LIMIT_SHOWN, s->pinned);

	SUMMARY_ADD(s, .section = SECTION_CANDIDATE, .by = "root",
		    .name = owner == OWNER_NOBODY ? page_list_name(h, l) : holder_name(h, &l->of),
		    .module = module, .pages = { l->pages, true },
		    .bytes = { l->pages << s->dump->page_shift, true }, .memory = CLAIM_PINNED,
		    .pinned = l->pages,
		    .brief = dump_text(s->dump, "%s %s them", page_list_name(h, l),
				       l->lists == 1 ? "names" : "name"),
		    .confidence = { page_list_share(lists, l), true },
		    .remark = dump_text(s->dump, "%s %s%s%s%s", page_list_name(h, l),
					named_text(s, lists, l), is_pinned ? "; " : "",
					is_pinned ? summary_size(s, s->pinned) : "",
					is_pinned ? " is pinned and not released (FOLL_PIN)" : ""));
}

/* Lists of which no owner is known, of as many pages as a process has in buffers that are pinned: those of its row. */
static bool is_told(const struct summary *s, const struct page_list *l)
{
	return ANY_NEXT(row, s->first[SECTION_HOLDER],
			l->of.owner == OWNER_NOBODY && row->pid.known &&
				row->pinned * 100 >= l->pages * CLAIM_SAME &&
				l->pages * 100 >= row->pinned * CLAIM_SAME);
}

enum status summary_pins(struct summary *s)
{
	struct page_lists *lists = dump_alloc(s->dump, sizeof(*lists));
	uint64_t with_pointers;
	struct holders *h;
	enum status st;

	if (!s->unmapped_anon)
		return ST_OK;
	if (summary_has_many_pointers(s, &with_pointers))
		return dump_fail(s->dump, ST_NOMEM,
				 "not looked for: %s may have pointers; memowner holders looks for "
				 "them",
				 SIZE_TEXT(with_pointers << s->dump->page_shift));
	st = owner_holders_open(s->view)
		     ?: owner_holders_find_few(s->view, (uint32_t)limit(LIMIT_POINTERS) * 1000, NULL, &h)
		     ?: page_lists_find(h, lists);
	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < lists->n; i++)
		if (is_much(lists, &lists->largest[i]) && !is_told(s, &lists->largest[i]))
			put(s, h, lists, &lists->largest[i]);
	s->knows_pins = !lists->unread && !holders_lack(h) && !h->graph.lacks_page_words;
	/* None, or another one, may be told for want of words. */
	return s->knows_pins ? ST_OK
			     : dump_unreadable(s->dump, "pages with pointers are not in this dump");
}
