// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_cpu.h"

#include "util/hash_u64.h"

#define MAX_PAGES (1U << 24) /* sub-buffers of a CPU: 64 GiB */
#define FIRST_PAGES 512
#define LINK_FLAGS 3ULL /* RB_FLAG_MASK */
#define LINK_HEAD 1	/* RB_PAGE_HEAD; 2, RB_PAGE_UPDATE: the writer is moving it */

struct pages {
	uint64_t *at;
	size_t n, room;
};

/* The way through the links of a ring. */
struct walk {
	struct dump *dump;
	const struct structure *pages;
	struct buffer_page page; /* what was read last */
	struct hash_u64 seen;
	struct pages forth, back;
	size_t max;
	uint64_t head; /* 0: no link is marked */
	bool moving;   /* its mark is that of a move */
	unsigned int damage;
};

static void push(struct dump *d, struct pages *p, uint64_t page)
{
	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : FIRST_PAGES;
		uint64_t *at = dump_alloc(d, room * sizeof(*at));

		if (p->n)
			memcpy(at, p->at, p->n * sizeof(*at));
		p->at = at;
		p->room = room;
	}
	p->at[p->n++] = page;
}

/* Whether a page was not met before, is where pages are and is in the dump: in w->page. */
static bool read_new(struct walk *w, uint64_t page)
{
	bool is_new;

	hash_u64_get(&w->seen, page, &is_new);
	if (!is_new || page & 7)
		return false;
	if (struct_read(w->pages, page, &w->page) == ST_OK)
		return true;
	w->damage |= RING_HOLE;
	return false;
}

/* The link forth of w->page: its low bits mark the page that it leads to. */
static uint64_t link_forth(struct walk *w)
{
	uint64_t link = w->page.next, page = link & ~LINK_FLAGS;

	/* While the head moves, the old one has the mark of a move and the new one its own. */
	if (link & LINK_FLAGS && (!w->head || (w->moving && (link & LINK_FLAGS) == LINK_HEAD))) {
		w->head = page;
		w->moving = (link & LINK_FLAGS) != LINK_HEAD;
	}
	return page;
}

static uint64_t link_back(const struct walk *w)
{
	return w->page.prev & ~LINK_FLAGS;
}

/* Forth from a page until the ring closes. */
static enum status walk_forth(struct walk *w, uint64_t start)
{
	uint64_t page = start, before = 0, first_back = 0;

	while (w->forth.n < w->max) {
		if (!read_new(w, page))
			break;
		push(w->dump, &w->forth, page);
		if (before && link_back(w) != before)
			w->damage |= RING_DISAGREES;
		if (!before)
			first_back = link_back(w);
		before = page;
		page = link_forth(w);
		if (page == start) {
			if (first_back != before)
				w->damage |= RING_DISAGREES;
			if (w->forth.n == w->max)
				return ST_OK;
			break;
		}
		if (!(w->forth.n & 4095) && dump_stopped(w->dump))
			return ST_STOPPED;
	}
	if (!(w->damage & RING_HOLE))
		w->damage |= RING_BROKEN;
	return ST_OK;
}

/* Where the way forth breaks off, the way back finds those in front of the start. */
static enum status walk_back(struct walk *w, uint64_t start)
{
	uint64_t page = start, prev;

	if (!w->forth.n)
		return ST_OK;
	while (w->forth.n + w->back.n < w->max) {
		if (struct_read(w->pages, page, &w->page) != ST_OK)
			return ST_OK;
		prev = link_back(w);
		/* It has to lead to where we come from. */
		if (!read_new(w, prev) || link_forth(w) != page)
			return ST_OK;
		push(w->dump, &w->back, prev);
		page = prev;
		if (!(w->back.n & 4095) && dump_stopped(w->dump))
			return ST_STOPPED;
	}
	return ST_OK;
}

/* Both parts as one: what was found on the way back stands before the start. */
static void join(struct walk *w, struct pages *ret)
{
	struct pages all = { 0 };

	for (size_t i = w->back.n; i--;)
		push(w->dump, &all, w->back.at[i]);
	for (size_t i = 0; i < w->forth.n; i++)
		push(w->dump, &all, w->forth.at[i]);
	*ret = all;
}

static size_t index_of(const struct pages *p, uint64_t page)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i] == page)
			return i;
	return p->n;
}

static void add_place(struct ring_cpu *c, uint64_t page, bool past_commit)
{
	c->places[c->nplaces++] = (struct ring_place){ page, past_commit };
}

/* The reader page, then the ring from its head to the tail page. */
static void put_in_order(struct ring_cpu *c, const struct walk *w, const struct pages *ring)
{
	size_t head = index_of(ring, w->head), last = index_of(ring, c->tail);
	bool past = c->reader == c->commit;

	if (head == ring->n) {
		/* Of a full ring the oldest; of another it is empty, and so are those up to the head. */
		size_t commit = index_of(ring, c->commit);

		c->damage |= RING_NO_HEAD;
		head = commit < ring->n ? (commit + 1) % ring->n : index_of(ring, c->head);
		head = head < ring->n ? head : 0;
	}
	if (!past && index_of(ring, c->commit) == ring->n)
		c->damage |= RING_NO_COMMIT;
	c->places = dump_alloc(w->dump, (ring->n + 1) * sizeof(*c->places));
	add_place(c, c->reader, false);
	for (size_t i = 0; i < ring->n; i++) {
		size_t at = (head + i) % ring->n;

		/* Behind the commit page there is something up to the tail page only. */
		if (past && (c->tail == c->reader || last == ring->n))
			return;
		add_place(c, ring->at[at], past);
		past |= ring->at[at] == c->commit;
		if (past && at == last)
			return;
	}
}

enum status ring_cpu_open(const struct ring_buffer *b, unsigned int cpu, struct ring_cpu *ret)
{
	struct dump *d = b->dump;
	struct ring_cpu c = { .buffer = b, .cpu = cpu };
	struct walk w = { .dump = d, .pages = &b->layout->page };
	struct pages ring = { 0 };
	uint64_t start;
	enum status st = ST_ABSENT;

	if (cpu < b->ncpus)
		st = dump_u64(d, b->cpus + cpu * 8ULL, &c.address, "trace_buffer.buffers");
	if (st == ST_OK && !c.address)
		st = dump_fail(d, ST_ABSENT, "CPU %u never had a buffer", cpu);
	st = st ?: struct_read(&b->layout->cpu, c.address, &c);
	if (st == ST_OK && (!c.nr_pages || c.nr_pages > MAX_PAGES))
		st = dump_fail(d, ST_CORRUPT, "a ring of %lu sub-buffers", c.nr_pages);
	if (st != ST_OK)
		return st;
	w.max = c.nr_pages;
	hash_u64_init(&w.seen, d->arena, 0);
	start = c.pages & ~LINK_FLAGS;
	st = walk_forth(&w, start);
	if (st == ST_OK && w.damage & (RING_BROKEN | RING_HOLE))
		st = walk_back(&w, start);
	if (st != ST_OK)
		return st;
	join(&w, &ring);
	c.damage = w.damage;
	c.found = ring.n;
	c.ring = ring.at;
	put_in_order(&c, &w, &ring);
	decoder_trace(d, "decide CPU %u: %lu sub-buffers, %zu found, %zu to read, damage %#x", cpu,
		      c.nr_pages, c.found, c.nplaces, c.damage);
	*ret = c;
	return ST_OK;
}
