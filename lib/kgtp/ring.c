// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/ring.h"

#include "dump/layout.h"
#include "kgtp/chain.h"

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
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct gtp_rb_s spans %u bytes",
				 l->size);
	return ST_OK;
}

static void read_lock_word(const struct kgtp_layout *l, const uint8_t *buf, struct kgtp_ring *ring)
{
	const uint8_t *lock = buf + l->f[RB_LOCK].offset;
	uint32_t half = l->lock_bytes / 2;

	ring->lock_known = l->lock != LOCK_UNKNOWN;
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
	enum status st = dump_u32(d, s->address[KGTP_PAGE_COUNT], &pages, "gtp_rb_page_count");

	if (st == ST_OK)
		*ret = pages;
	return st;
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
		return dump_fail(d, ST_UNKNOWN,
				 "unknown layout: struct gtp_rb_s does not verify itself on any "
				 "CPU: %s",
				 all.rings[0].problem ? all.rings[0].problem : "no ring is whole");
	*ret = all;
	return ST_OK;
}
