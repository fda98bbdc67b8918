// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/ring.h"

#include "dump/layout.h"

#define RB_BYTES 512 /* with lockdep, spinlock_t is 64 bytes and more */

static const struct layout_row rows[RB_FIELDS] = {
	[RB_LOCK] = { "struct gtp_rb_s", { "lock" }, REQUIRED, "KGTP gtp_rb.c" },
	[RB_PREV_FRAME] = { "struct gtp_rb_s", { "prev_frame" }, REQUIRED, "KGTP gtp_rb.c" },
	[RB_W] = { "struct gtp_rb_s", { "w" }, REQUIRED, "KGTP gtp_rb.c" },
	[RB_PREV_W] = { "struct gtp_rb_s", { "prev_w" }, REQUIRED, "KGTP gtp_rb.c" },
	[RB_R] = { "struct gtp_rb_s", { "r" }, REQUIRED, "KGTP gtp_rb.c" },
	[RB_CPU] = { "struct gtp_rb_s", { "cpu" }, REQUIRED, "KGTP gtp_rb.c" },
};

/* How the lock of this kernel says that it is held. */
static void find_lock(struct dump *d, struct kgtp_layout *l)
{
	struct field f;

	if (dump_ask(d, member, "struct raw_spinlock", "raw_lock", &f) != ST_OK)
		return;
	l->lock_bytes = f.size;
	/* A queued lock has val; ticket locks have the halves owner and next. */
	if (f.size == 4 && dump_ask(d, member, "struct raw_spinlock", "raw_lock.val", &f) == ST_OK)
		l->lock = LOCK_NONZERO;
	else if ((f.size == 4 || f.size == 2) &&
		 (dump_ask(d, member, "struct raw_spinlock", "raw_lock.tickets", &f) == ST_OK ||
		  dump_ask(d, member, "struct raw_spinlock", "raw_lock.owner", &f) == ST_OK))
		l->lock = LOCK_TICKETS;
}

/*
 * Without debug information of KGTP: a spinlock, then pointers and numbers of 8 bytes. The
 * order has been the same in every release; the width of the lock is vmlinux's own.
 */
static void fixed_layout(struct dump *d, struct kgtp_layout *l)
{
	static const unsigned int words[RB_FIELDS] = {
		[RB_PREV_FRAME] = 0, [RB_W] = 1, [RB_PREV_W] = 2, [RB_R] = 3, [RB_CPU] = 6,
	};
	uint64_t lock = 4;

	if (dump_ask(d, type_size, "struct spinlock", &lock) != ST_OK || lock > RB_BYTES / 2)
		lock = 4;
	l->f[RB_LOCK] = (struct field){ .present = true, .kind = KIND_STRUCT, .size = lock };
	for (size_t i = RB_PREV_FRAME; i < RB_FIELDS; i++)
		l->f[i] = (struct field){
			.present = true,
			.kind = KIND_INT,
			.offset = (lock + 7) / 8 * 8 + 8 * words[i],
			.size = i == RB_CPU ? 4 : 8,
		};
	l->is_fixed = true;
	l->source = "the fixed order of struct gtp_rb_s, checked by its CPU number and its links";
}

static enum status find_layout(struct dump *d, struct kgtp_layout *l)
{
	uint64_t size;

	memset(l, 0, sizeof(*l));
	find_lock(d, l);
	if (dump_ask(d, type_size, "struct gtp_rb_s", &size) == ST_OK &&
	    layout_resolve(d, rows, RB_FIELDS, l->f) == ST_OK)
		l->source = "debug information of KGTP";
	else
		fixed_layout(d, l);
	l->size = layout_span(l->f, RB_FIELDS);
	decoder_trace(d, "decide layout of struct gtp_rb_s from %s, %u bytes", l->source, l->size);
	if (l->size > RB_BYTES)
		return dump_unknown(d, "struct gtp_rb_s spans %u bytes", l->size);
	return ST_OK;
}

static void read_lock_word(const struct kgtp_layout *l, const uint8_t *buf, struct kgtp_ring *ring)
{
	const uint8_t *lock = buf + l->f[RB_LOCK].offset;
	uint32_t half = l->lock_bytes / 2;

	ring->lock_known = l->lock != LOCK_UNTOLD;
	if (l->lock == LOCK_NONZERO)
		ring->locked = le32(lock);
	else if (l->lock == LOCK_TICKETS)
		ring->locked = memcmp(lock, lock + half, half) != 0;
}

/* Never allocated: NULL, or what an offset of a word from it is. */
static bool is_unset(uint64_t pointer)
{
	return pointer <= KGTP_WORD;
}

static enum status read_ring(struct dump *d, const struct kgtp_rings *all, uint64_t addr,
			     struct kgtp_ring *ring)
{
	const struct kgtp_layout *l = &all->layout;
	uint8_t buf[RB_BYTES];
	uint32_t cpu;

	if (dump_try(d, addr, buf, l->size) != ST_OK) {
		ring->state = KGTP_RING_UNREADABLE;
		ring->problem = "struct gtp_rb_s is not in this dump";
		return ST_OK;
	}
	read_lock_word(l, buf, ring);
	ring->prev_frame = field_get(&l->f[RB_PREV_FRAME], buf);
	ring->w = field_get(&l->f[RB_W], buf);
	ring->prev_w = field_get(&l->f[RB_PREV_W], buf);
	ring->r = field_get(&l->f[RB_R], buf);
	cpu = field_get(&l->f[RB_CPU], buf);
	decoder_trace(d,
		      "ring of cpu %u at 0x%lx: r 0x%lx, w 0x%lx, prev_w 0x%lx, prev_frame "
		      "0x%lx, cpu %u, %s",
		      ring->cpu, addr, ring->r, ring->w, ring->prev_w, ring->prev_frame, cpu,
		      !ring->lock_known ? "lock unknown"
		      : ring->locked	? "locked"
					: "not locked");
	/* Older releases set up online CPUs only. */
	if (is_unset(ring->r) && is_unset(ring->w)) {
		ring->state = KGTP_RING_UNUSED;
		return ST_OK;
	}
	if (cpu != ring->cpu) {
		ring->state = KGTP_RING_CORRUPT;
		ring->problem = "struct gtp_rb_s has the number of another CPU";
		return ST_OK;
	}
	return kgtp_chain_read(d, all->page_count, ring);
}

/* One ring whose links agree shows that the fixed layout is right. */
static bool verifies(const struct kgtp_rings *all)
{
	bool used = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct kgtp_ring *ring = &all->rings[i];

		if (ring->closed || (ring->n > 1 && !ring->pages[1].gap))
			return true;
		used |= ring->state != KGTP_RING_UNUSED && ring->state != KGTP_RING_UNREADABLE;
	}
	return !used;
}

static enum status page_count(struct dump *d, const struct kgtp_symbols *s, uint64_t *ret)
{
	uint32_t pages;

	return RESULT(dump_u32(d, s->address[KGTP_PAGE_COUNT], &pages, "gtp_rb_page_count"), ret,
		      pages);
}

enum status kgtp_rings_read(struct dump *d, const struct kgtp_symbols *s, struct kgtp_rings *ret)
{
	struct kgtp_rings all = { 0 };
	struct percpu cpus;
	uint64_t base = 0;
	enum status st = page_count(d, s, &all.page_count) ?:
		dump_u64(d, s->address[KGTP_RB], &base, "gtp_rb") ?: find_layout(d, &all.layout);

	if (st != ST_OK)
		return st;
	decoder_trace(d, "value gtp_rb_page_count %lu, gtp_rb 0x%lx", all.page_count, base);
	if (!base || !all.page_count) {
		*ret = all;
		return ST_OK;
	}
	st = percpu_open(d, &cpus);
	if (st != ST_OK)
		return st;
	all.rings = dump_alloc(d, cpus.n * sizeof(*all.rings));
	for (all.n = 0; st == ST_OK && all.n < cpus.n; all.n++) {
		all.rings[all.n].cpu = cpus.cpu[all.n];
		st = read_ring(d, &all, base + cpus.offset[all.n], &all.rings[all.n]);
	}
	if (st != ST_OK)
		return st;
	if (all.layout.is_fixed && !verifies(&all))
		return dump_unknown(d,
				    "struct gtp_rb_s does not verify itself on any "
				    "CPU: %s",
				    all.rings[0].problem ? all.rings[0].problem
							 : "no ring is whole");
	*ret = all;
	return ST_OK;
}

#define MAX_PAGES (1 << 24) /* of a ring: 64 GiB of pages of 4 KiB */

static const char w_outside[] = "the page that is written to is not in the ring";

struct chain {
	struct dump *dump;
	uint64_t size; /* of a page */
	struct kgtp_page *pages;
	size_t n, most;
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
	c->pages = arena_more(c->dump->arena, c->pages, c->n, sizeof(*c->pages));
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
