// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_cpu.h"

#include "kernel/percpu.h"
#include "util/hash_u64.h"

#define MAX_PAGES (1U << 24) /* sub-buffers of a CPU: 64 GiB */
#define LINK_FLAGS 3ULL	     /* RB_FLAG_MASK */
#define LINK_HEAD 1	     /* RB_PAGE_HEAD; 2, RB_PAGE_UPDATE: the writer is moving it */

struct pages {
	uint64_t *at;
	size_t n;
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
	p->at = arena_more(d->arena, p->at, p->n, sizeof(*p->at));
	p->at[p->n++] = page;
}

/* Whether a page was not met before, is where pages are and is in the dump: in w->page. */
static bool read_new(struct walk *w, uint64_t page)
{
	if (!hash_u64_add(&w->seen, page) || page & 7)
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
		st = dump_absent(d, "CPU %u never had a buffer", cpu);
	st = st ?: struct_read(&b->layout->cpu, c.address, &c);
	if (st == ST_OK && (!c.nr_pages || c.nr_pages > MAX_PAGES))
		st = dump_corrupt(d, "a ring of %lu sub-buffers", c.nr_pages);
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

#define MAX_CPUS 8192	      /* CONFIG_NR_CPUS goes no higher */
#define BUFFER_OFF (1U << 20) /* RB_BUFFER_OFF */
#define MAX_SUBBUF (1U << 20) /* bytes; ring_buffer_subbuf_order_set() refuses more */

/*
 * 5.6 renamed struct ring_buffer to struct trace_buffer; the older struct trace_buffer is what
 * struct array_buffer is now, and has no table of CPUs. perf had a struct ring_buffer as well, up to
 * 5.6 (perf/core: Rename struct ring_buffer): the buffer of a CPU points to that of ftrace.
 */
static const struct layout_row buffer_rows[] = {
	FINDS(struct ring_layout, buffers, "struct trace_buffer", REQUIRED, "5.6", "buffers"),
	FINDS(struct ring_layout, record_disabled, "struct trace_buffer", REQUIRED, "5.6",
	      "record_disabled.counter"),
	FINDS(struct ring_layout, order, "struct trace_buffer", OPTIONAL, "6.8", "subbuf_order"),
};

#define OF_CPU "struct ring_buffer_per_cpu.buffer"
static const struct layout_row older_rows[] = {
	FINDS(struct ring_layout, buffers, OF_CPU, REQUIRED, "to 5.5", "buffers"),
	FINDS(struct ring_layout, record_disabled, OF_CPU, REQUIRED, "to 5.5",
	      "record_disabled.counter"),
};

static const struct layout_row cpu_rows[] = {
	STRUCTURE(struct ring_layout, cpu, "struct ring_buffer_per_cpu"),
	READS(struct ring_cpu, off, OPTIONAL, "all", "record_disabled.counter"),
	READS(struct ring_cpu, nr_pages, REQUIRED, "all", "nr_pages"),
	READS(struct ring_cpu, pages, REQUIRED, "all", "pages"),
	READS(struct ring_cpu, head, REQUIRED, "all", "head_page"),
	READS(struct ring_cpu, tail, REQUIRED, "all", "tail_page"),
	READS(struct ring_cpu, commit, REQUIRED, "all", "commit_page"),
	READS(struct ring_cpu, reader, REQUIRED, "all", "reader_page"),
	READS(struct ring_cpu, entries, REQUIRED, "all", "entries"),
	READS(struct ring_cpu, overrun, REQUIRED, "all", "overrun"),
	READS(struct ring_cpu, commit_overrun, OPTIONAL, "all", "commit_overrun"),
	READS(struct ring_cpu, dropped, OPTIONAL, "all", "dropped_events"),
	READS(struct ring_cpu, read, REQUIRED, "all", "read"),
	READS(struct ring_cpu, spare, OPTIONAL, "4.12", "free_page"),
	FINDS(struct ring_layout, back, "struct ring_buffer_per_cpu", REQUIRED, "all", "buffer"),
	STRUCTURE(struct ring_layout, page, "struct buffer_page"),
	READS(struct buffer_page, next, REQUIRED, "all", "list.next"),
	READS(struct buffer_page, prev, REQUIRED, "all", "list.prev"),
	READS(struct buffer_page, write, REQUIRED, "all", "write"),
	READS(struct buffer_page, read, REQUIRED, "all", "read"),
	READS(struct buffer_page, data, REQUIRED, "all", "page"),
	FINDS(struct ring_layout, stamp, "struct buffer_data_page", REQUIRED, "all", "time_stamp"),
	FINDS(struct ring_layout, commit, "struct buffer_data_page", REQUIRED, "all", "commit"),
	FINDS(struct ring_layout, start, "struct buffer_data_page", REQUIRED, "all", "data"),
};

enum status ring_layout_open(struct dump *d, struct ring_layout *ret)
{
	struct ring_layout l = { 0 };
	enum status st = STRUCTS_OPEN(d, buffer_rows, &l);

	if (st == ST_UNKNOWN)
		st = STRUCTS_OPEN(d, older_rows, &l);
	st = st ?: STRUCTS_OPEN(d, cpu_rows, &l);
	if (st != ST_OK)
		return st;
	if (STRUCT_FIELD(&l.page, struct buffer_page, next)->offset != 0 || l.start.offset < 16 ||
	    l.start.offset > 64 || l.stamp.offset > 8 || l.commit.offset > 8)
		return dump_unknown(d, "ring buffer of ftrace");
	const struct field read[] = { l.buffers, l.record_disabled, l.order };

	return RESULT(layout_buffer(d, "struct trace_buffer", layout_span(read, 3), &l.buffer), ret,
		      l);
}

/* Entries of trace_buffer.buffers, allocated for nr_cpu_ids of them; 7.2 dropped "cpus". */
static enum status cpu_ids(struct dump *d, unsigned int *ret)
{
	uint64_t n;
	enum status st = dump_has_symbol(d, "nr_cpu_ids") ? dump_value(d, "nr_cpu_ids", &n)
							  : percpu_ids(d, &n);

	if (st == ST_OK && (!n || n > MAX_CPUS))
		st = dump_corrupt(d, "%lu possible CPUs", n);
	return RESULT(st, ret, n);
}

enum status ring_buffer_open(struct dump *d, const struct ring_layout *layout, uint64_t address,
			     struct ring_buffer *ret)
{
	struct ring_buffer b = { .dump = d, .layout = layout };
	const uint8_t *raw = layout->buffer.raw;
	uint64_t order;
	enum status st = layout_read(d, address, &layout->buffer, "trace_buffer")
				 ?: cpu_ids(d, &b.ncpus);

	if (st != ST_OK)
		return st;
	b.cpus = field_get(&layout->buffers, raw);
	b.disabled = field_get(&layout->record_disabled, raw);
	b.off = b.disabled & BUFFER_OFF;
	b.disabled &= ~BUFFER_OFF;
	order = field_get(&layout->order, raw);
	if (order > 20 || dump_page_size(d) << order > MAX_SUBBUF)
		return dump_corrupt(d, "sub-buffers of order %lu", order);
	b.subbuf = dump_page_size(d) << order;
	*ret = b;
	return ST_OK;
}
