/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes frames as KGTP's rings have them, from a description of their bytes. Without any
 * header of its own, so that the fixture module and the unit tests share it; who includes it
 * has u32, u64, s64, size_t, bool, memcpy(), spinlock_t and PAGE_SIZE.
 *
 * A page starts with a link to the data of the page before and ends with a link to the data
 * of the page behind. Pages link against the order in which they were allocated.
 */
#ifndef KGTPFIX_RING_H
#define KGTPFIX_RING_H

struct gtp_rb_s {
	spinlock_t lock;
	void *prev_frame;
	void *w;
	void *prev_w;
	void *r;
	void *rp;
	u64 rp_id;
	int cpu;
};

struct gtp_frame_mem {
	unsigned long addr;
	size_t size;
};

struct gtp_frame_var {
	unsigned int num;
	s64 val;
};

enum { FID_HEAD, FID_REG, FID_MEM, FID_VAR, FID_END, FID_PAGE_BEGIN, FID_PAGE_END };

#define WORD sizeof(void *)
#define FID_SIZE 4
#define MEM_HEAD (FID_SIZE + sizeof(struct gtp_frame_mem))
#define PAGE_BEGIN_SIZE (FID_SIZE + sizeof(u64))

struct ring_state {
	bool circular;
	u64 count;     /* id given last */
	u64 created;   /* frames begun */
	u64 discarded; /* pages */
	/* Called before a page that has frames is overwritten; NULL: no callback. */
	void (*discard)(void *page);
};

static inline char *ring_page(const void *p)
{
	return (char *)((unsigned long)p & ~(PAGE_SIZE - 1));
}

static inline void *ring_link(const char *page, bool next)
{
	void *link;

	memcpy(&link, page + (next ? PAGE_SIZE - WORD : 0), WORD);
	return link;
}

static inline size_t ring_room(const struct gtp_rb_s *rb)
{
	return PAGE_SIZE - WORD - ((unsigned long)rb->w & (PAGE_SIZE - 1));
}

static inline void ring_link_pages(char *before, char *behind)
{
	void *start = before + WORD;

	memcpy(behind, &start, WORD);
	start = behind + WORD;
	memcpy(before + PAGE_SIZE - WORD, &start, WORD);
}

static inline void ring_setup(struct gtp_rb_s *rb, int cpu, char **pages, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		ring_link_pages(pages[(i + 1) % n], pages[i]);
	rb->w = rb->r = pages[n - 1] + WORD;
	rb->prev_w = rb->prev_frame = rb->rp = (void *)0;
	rb->rp_id = 0;
	rb->cpu = cpu;
}

static inline void ring_u32(void *p, u32 v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void ring_u64(void *p, u64 v)
{
	memcpy(p, &v, sizeof(v));
}

/* Room for an entry; id 0: of a head, which starts a page without PAGE_BEGIN. */
static inline char *ring_alloc(struct ring_state *s, struct gtp_rb_s *rb, size_t size, u64 id)
{
	char *next, *ret, *before = rb->w;

	size = (size + 3) & ~(size_t)3;
	if (ring_room(rb) < size) {
		if (ring_room(rb) >= FID_SIZE)
			ring_u32(rb->w, FID_PAGE_END);
		next = ring_link(ring_page(rb->w), true);
		if (ring_page(next) == ring_page(rb->r)) {
			if (!s->circular)
				return (void *)0;
			if (s->discard)
				s->discard(ring_page(rb->r));
			rb->r = ring_link(ring_page(rb->r), true);
			s->discarded++;
		}
		rb->w = next;
		if (id) {
			ring_u32(rb->w, FID_PAGE_BEGIN);
			ring_u64((char *)rb->w + FID_SIZE, id);
			rb->w = (char *)rb->w + PAGE_BEGIN_SIZE;
		}
	}
	rb->prev_w = before;
	ret = rb->w;
	rb->w = ret + size;
	return ret;
}

/* Its id; 0: the ring is full. */
static inline u64 ring_head(struct ring_state *s, struct gtp_rb_s *rb, u64 number)
{
	char *p = ring_alloc(s, rb, FID_SIZE + 24, 0);

	if (!p)
		return 0;
	ring_u32(p, FID_HEAD);
	ring_u64(p + FID_SIZE, ++s->count);
	ring_u64(p + FID_SIZE + 8, number);
	ring_u64(p + FID_SIZE + 16, (unsigned long)rb->prev_frame);
	rb->prev_frame = p;
	s->created++;
	return s->count;
}

static inline bool ring_regs(struct ring_state *s, struct gtp_rb_s *rb, u64 id, const void *regs,
			     size_t size)
{
	char *p = ring_alloc(s, rb, FID_SIZE + size, id);

	if (!p)
		return false;
	ring_u32(p, FID_REG);
	memcpy(p + FID_SIZE, regs, size);
	return true;
}

static inline bool ring_var(struct ring_state *s, struct gtp_rb_s *rb, u64 id, u32 num, s64 val)
{
	struct gtp_frame_var var = { .num = num, .val = val };
	char *p = ring_alloc(s, rb, FID_SIZE + sizeof(var), id);

	if (!p)
		return false;
	ring_u32(p, FID_VAR);
	memcpy(p + FID_SIZE, &var, sizeof(var));
	return true;
}

/*
 * Memory, cut where a page ends: the first part has what is left of the page, which may be
 * nothing. Returns how many bytes found room.
 */
static inline size_t ring_mem(struct ring_state *s, struct gtp_rb_s *rb, u64 id, u64 addr,
			      const char *bytes, size_t size)
{
	const size_t whole = PAGE_SIZE - 2 * WORD - PAGE_BEGIN_SIZE - MEM_HEAD;
	size_t done = 0;

	while (done < size) {
		size_t room = ring_room(rb);
		size_t part = room < MEM_HEAD ? whole : room - MEM_HEAD;
		struct gtp_frame_mem mem;
		char *p;

		if (part > size - done)
			part = size - done;
		mem.addr = addr + done;
		mem.size = part;
		p = ring_alloc(s, rb, MEM_HEAD + part, id);
		if (!p)
			break;
		ring_u32(p, FID_MEM);
		memcpy(p + FID_SIZE, &mem, sizeof(mem));
		memcpy(p + MEM_HEAD, bytes + done, part);
		done += part;
	}
	return done;
}

#endif
