// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/chain.h"

#define MAX_PAGES (1 << 24) /* of a ring: 64 GiB of pages of 4 KiB */

static const char w_outside[] = "the page that is written to is not in the ring";

struct chain {
	struct dump *dump;
	uint64_t size; /* of a page */
	struct kgtp_page *pages;
	size_t n, room, most;
};

static uint64_t page_of(const struct chain *c, uint64_t pointer)
{
	return pointer & ~(c->size - 1);
}

static bool is_kernel(uint64_t addr)
{
	return addr >> 63;
}

/* A link points to the start of the data of a page. */
static bool is_link(const struct chain *c, uint64_t link)
{
	return is_kernel(link) && (link & (c->size - 1)) == KGTP_WORD;
}

/* A place in the data of a page, its end included; all that is written is whole words of 4. */
static bool is_place(const struct chain *c, uint64_t pointer)
{
	uint64_t offset = pointer & (c->size - 1);

	return is_kernel(pointer) && !(offset & 3) && offset >= KGTP_WORD &&
	       offset <= c->size - KGTP_WORD;
}

static void add(struct chain *c, uint64_t page, bool gap)
{
	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 64;
		struct kgtp_page *more = dump_alloc(c->dump, room * sizeof(*more));

		if (c->n)
			memcpy(more, c->pages, c->n * sizeof(*more));
		c->pages = more;
		c->room = room;
	}
	c->pages[c->n++] = (struct kgtp_page){ page, gap };
}

/* NULL with *ret, or what is wrong with the link. back: from a page to the one before. */
static const char *step(const struct chain *c, uint64_t page, bool back, uint64_t *ret)
{
	uint64_t there = back ? 0 : c->size - KGTP_WORD, here = back ? c->size - KGTP_WORD : 0;
	uint8_t word[KGTP_WORD];
	uint64_t link;

	if (dump_try(c->dump, page + there, word, sizeof(word)) != ST_OK)
		return "a page is not in this dump";
	link = le64(word);
	if (!is_link(c, link))
		return "a link leads to no start of a page";
	if (dump_try(c->dump, page_of(c, link) + here, word, sizeof(word)) != ST_OK)
		return "a page is not in this dump";
	if (le64(word) != page + KGTP_WORD)
		return "the links of two pages disagree";
	*ret = page_of(c, link);
	return NULL;
}

/*
 * Appends pages from `from` up to `to`. Links that agree make every page the only
 * one before its next: so a walk that meets neither its end nor its start is bounded by
 * the number of pages.
 */
static enum status forward(struct chain *c, uint64_t from, uint64_t to, const char **problem)
{
	uint64_t page = from;

	add(c, page, false);
	*problem = NULL;
	while (page != to && !*problem) {
		if (dump_stopped(c->dump))
			return ST_STOPPED;
		*problem = step(c, page, false, &page);
		if (!*problem && page == from)
			*problem = w_outside;
		else if (!*problem && c->n == c->most)
			*problem = "more pages than gtp_rb_page_count";
		if (!*problem)
			add(c, page, false);
	}
	return ST_OK;
}

/* Pages that lead to `from`, which is the last one; the oldest comes first and has the gap. */
static enum status backward(struct chain *c, uint64_t from)
{
	size_t start = c->n;
	uint64_t page = from;

	add(c, page, false);
	while (c->n < c->most && !step(c, page, true, &page)) {
		if (dump_stopped(c->dump))
			return ST_STOPPED;
		if (page == from)
			break;
		add(c, page, false);
	}
	for (size_t i = start, k = c->n - 1; i < k; i++, k--) {
		struct kgtp_page swapped = c->pages[i];

		c->pages[i] = c->pages[k];
		c->pages[k] = swapped;
	}
	c->pages[start].gap = true;
	return ST_OK;
}

static bool has_page(const struct chain *c, size_t start, uint64_t page)
{
	for (size_t i = start; i < c->n; i++)
		if (c->pages[i].address == page)
			return true;
	return false;
}

/*
 * Whether the last page has no room, or an allocation in it has failed: it closes what is
 * left of a page with PAGE_END before it looks for the next page.
 */
static bool has_failed(const struct chain *c, uint64_t w)
{
	uint8_t fid[4];

	if ((w & (c->size - 1)) + sizeof(fid) > c->size - KGTP_WORD)
		return true;
	return dump_try(c->dump, w, fid, sizeof(fid)) == ST_OK && le32(fid) == KGTP_PAGE_END;
}

/* How many pages the ring has, w's page to r's page included; 0: it does not close. */
static enum status count_all(struct chain *c, struct kgtp_ring *ring, const char **problem)
{
	uint64_t page = page_of(c, ring->w), first = page_of(c, ring->r), n = c->n;

	for (;; n++) {
		if (dump_stopped(c->dump))
			return ST_STOPPED;
		*problem = step(c, page, false, &page);
		if (*problem)
			return ST_OK;
		if (page == first)
			break;
		if (n == c->most) {
			*problem = "more pages than gtp_rb_page_count";
			return ST_OK;
		}
	}
	ring->closed = n;
	ring->full = n == c->n && has_failed(c, ring->w);
	return ST_OK;
}

static enum status corrupt(struct kgtp_ring *ring, const char *problem)
{
	ring->state = KGTP_RING_CORRUPT;
	ring->problem = problem;
	return ST_OK;
}

/*
 * The chain breaks between r and w: what w leads back to is shown if the newest frame,
 * by the ring's own pointer, starts in it.
 */
static enum status mend(struct chain *c, struct kgtp_ring *ring)
{
	struct chain forth = *c;
	size_t start = c->n;
	enum status st = backward(c, page_of(c, ring->w));

	if (st == ST_OK && !has_page(c, start, page_of(c, ring->prev_frame)))
		*c = forth;
	return st;
}

enum status kgtp_chain_read(struct dump *d, uint64_t page_count, struct kgtp_ring *ring)
{
	struct chain c = { .dump = d, .size = dump_page_size(d) };
	const char *broken, *open = NULL;
	enum status st;

	c.most = page_count < MAX_PAGES ? page_count : MAX_PAGES;
	if (!is_place(&c, ring->r) || !is_place(&c, ring->w))
		return corrupt(ring, "r or w is no place in a page");
	if (page_of(&c, ring->r) == page_of(&c, ring->w) && ring->r > ring->w)
		return corrupt(ring, "r lies behind w");
	st = forward(&c, page_of(&c, ring->r), page_of(&c, ring->w), &broken);
	if (st == ST_OK && broken == w_outside)
		return corrupt(ring, broken);
	if (st == ST_OK)
		st = broken ? mend(&c, ring) : count_all(&c, ring, &open);
	if (st != ST_OK)
		return st;
	ring->problem = broken ? broken : open;
	ring->state = ring->r == ring->w ? KGTP_RING_EMPTY : KGTP_RING_OK;
	ring->pages = c.pages;
	ring->n = c.n;
	return ST_OK;
}
