// SPDX-License-Identifier: GPL-2.0-or-later
/* KGTP's rings: pages of the fuzzer's bytes, links that agree but for one page. */
#include "fuzz.h"
#include "kgtp/ring.h"
#include "kgtp/frame.h"

#define BASE 0xffff888000000000ULL
#define PAGE 4096
#define REGS 168
#define PC 128

static struct {
	const struct dump_ops *below;
	uint64_t pages;
	uint64_t broken; /* page with the fuzzer's links */
} world;

/* Memory below the links of the ring. */
static enum status read_linked(void *priv, uint64_t addr, void *buf, size_t len)
{
	enum status st = world.below->read(priv, addr, buf, len);
	uint64_t first = (addr - BASE) / PAGE;

	for (uint64_t n = first; st == ST_OK && n <= (addr + len - 1 - BASE) / PAGE; n++) {
		uint64_t links[2];
		uint64_t at[2] = { BASE + n * PAGE, BASE + (n + 1) * PAGE - KGTP_WORD };

		if (n >= world.pages || n == world.broken)
			continue;
		links[0] = BASE + (n + world.pages - 1) % world.pages * PAGE + KGTP_WORD;
		links[1] = BASE + (n + 1) % world.pages * PAGE + KGTP_WORD;
		for (size_t i = 0; i < 2; i++)
			for (size_t k = 0; k < KGTP_WORD; k++)
				if (at[i] + k >= addr && at[i] + k < addr + len)
					((uint8_t *)buf)[at[i] + k - addr] = links[i] >> 8 * k;
	}
	return st;
}

struct walked {
	const struct kgtp_reader *reader;
	const struct kgtp_ring *ring;
	struct kgtp_place last;
	bool started;
};

/* Entries rise, each inside of the data of a page of the ring. */
static bool see(void *arg, const struct kgtp_entry *e)
{
	struct walked *w = arg;
	const uint8_t *buf = w->reader->buf;

	if (e->page >= w->ring->n || e->offset < KGTP_WORD || e->offset > PAGE - KGTP_WORD ||
	    e->kind > KGTP_CLOSED)
		__builtin_trap();
	if (e->data && (e->data < buf + KGTP_WORD || e->size > PAGE ||
			e->data + e->size > buf + PAGE - KGTP_WORD))
		__builtin_trap();
	if (w->started && e->kind != KGTP_MISSING &&
	    (e->page < w->last.page || (e->page == w->last.page && e->offset < w->last.offset)))
		__builtin_trap();
	w->started = true;
	w->last = (struct kgtp_place){ e->page, e->offset };
	return true;
}

/* What a list says of a frame is what the frame has. */
static void use_frame(struct kgtp_reader *r, const struct kgtp_frame *f, struct kgtp_content *c)
{
	static volatile uint8_t byte;
	uint64_t bytes = 0;

	if (kgtp_frame_content(r, f, c) != ST_OK)
		__builtin_trap();
	for (size_t i = 0; i < c->nmemory; i++) {
		bytes += c->memory[i].size;
		byte = c->memory[i].bytes[c->memory[i].size - 1];
	}
	(void)byte;
	if (bytes != f->bytes || c->nmemory != f->pieces || c->nvariables != f->variables ||
	    c->has_regs != f->has_regs)
		__builtin_trap();
}

static void use_ring(struct dump *d, const struct kgtp_rings *rings, bool circular)
{
	struct kgtp_variables variables = { .known = { 0, 5, 6, 7, 8, 26, 27 } };
	struct kgtp_registers regs = {
		.size = REGS,
		.n = 1,
		.r = { { "rip", { true, KIND_INT, PC, 8, 0, 0 }, 8 } },
	};
	struct kgtp_tracepoints tracepoints = { 0 };
	struct kgtp_frame_source source = { .tracepoints = &tracepoints,
					    .rings = rings,
					    .regs = &regs,
					    .variables = &variables,
					    .circular = circular };
	struct kgtp_content content = { 0 };
	struct kgtp_frames frames;
	struct kgtp_reader reader;
	struct walked walked = { .reader = &reader, .ring = rings->rings };

	kgtp_reader_init(&reader, d, REGS);
	kgtp_entries_walk(&reader, rings->rings, kgtp_entries_start(d, rings->rings), see, &walked);
	if (kgtp_frames_read(&reader, &source, &frames) != ST_OK || frames.damaged > frames.n)
		__builtin_trap();
	for (size_t i = 0; i < frames.n && i < 200; i++) {
		if (i && frames.f[i].id < frames.f[i - 1].id)
			__builtin_trap();
		use_frame(&reader, &frames.f[i], &content);
	}
}

void fuzz_kgtp(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static struct dump_ops ops;
	struct kgtp_ring ring = { .lock_known = true, .locked = seed >> 31 };
	struct kgtp_rings rings = { .rings = &ring, .n = 1 };
	uint64_t raw[4];

	if (dump_try(d, BASE + KGTP_WORD, raw, sizeof(raw)) != ST_OK)
		return;
	world.below = d->ops;
	world.pages = 1 + (seed & 7);
	world.broken = seed >> 3 & 15;
	ops = *d->ops;
	ops.read = read_linked;
	d->ops = &ops;
	/* Pointers into the ring, or next to it. */
	ring.r = BASE + (seed >> 7 & 7) * PAGE + KGTP_WORD;
	ring.w = BASE + (raw[1] & 0x7ffc);
	ring.prev_w = BASE + (raw[2] & 0x7fff);
	ring.prev_frame = BASE + (raw[3] & 0x7fff);
	if (seed >> 30 & 1)
		ring.r += raw[0] & 0xfff;
	rings.page_count = world.pages > 1 ? world.pages - (seed >> 29 & 1) : 1;
	if (kgtp_chain_read(d, rings.page_count, &ring) != ST_OK)
		return;
	if (ring.closed > rings.page_count || (ring.full && ring.closed != ring.n))
		__builtin_trap();
	if (ring.state == KGTP_RING_OK)
		use_ring(d, &rings, seed >> 28 & 1);
}
