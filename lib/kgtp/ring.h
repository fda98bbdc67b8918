/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring of pages of one CPU (struct gtp_rb_s of KGTP's gtp_rb.c).
 *
 * The first word of a page points to the data of the page before it, the last word to the
 * data of the page behind it; data starts behind the first word. What is valid lies from r
 * up to w. Every page is checked by both links, which agree in a ring that is whole:
 *
 *	page 0                      page 1
 *	| prev | data ...  | next ---> prev | data ... | next |
 */
#pragma once

#include "kernel/percpu.h"
#include "kgtp/symbols.h"

#define KGTP_WORD 8	/* bytes of a link: kernels of 64 bits only */
#define KGTP_PAGE_END 6 /* FID of what closes a page, see entry.h */

enum kgtp_rb_field { RB_LOCK, RB_PREV_FRAME, RB_W, RB_PREV_W, RB_R, RB_CPU, RB_FIELDS };

/* Where struct gtp_rb_s has what. */
struct kgtp_layout {
	struct field f[RB_FIELDS];
	uint32_t size;
	const char *source; /* in words */
	bool is_fixed;	    /* not from debug information */
	/*
	 * How a spinlock looks that is held: not 0, or (ticket locks) halves that differ.
	 * LOCK_UNTOLD: it cannot be told.
	 */
	enum { LOCK_UNTOLD, LOCK_NONZERO, LOCK_TICKETS } lock;
	uint32_t lock_bytes;
};

enum kgtp_ring_state {
	KGTP_RING_OK,
	KGTP_RING_EMPTY,
	KGTP_RING_UNUSED, /* this CPU never had pages */
	KGTP_RING_UNREADABLE,
	KGTP_RING_CORRUPT, /* nothing of it is shown */
};

struct kgtp_page {
	uint64_t address;
	bool gap; /* pages between the one before and this one cannot be reached */
};

struct kgtp_ring {
	unsigned int cpu;
	enum kgtp_ring_state state;
	bool lock_known, locked; /* a frame was being written */
	uint64_t prev_frame;	 /* address of the newest HEAD */
	uint64_t w, prev_w, r;
	struct kgtp_page *pages; /* from that of r to that of w */
	size_t n;
	uint64_t closed;     /* pages of the whole ring; 0: it does not close */
	bool full;	     /* the page behind that of w is that of r, and that of w is closed */
	const char *problem; /* what is wrong with it, NULL: nothing */
};

struct kgtp_rings {
	struct kgtp_layout layout;
	uint64_t page_count; /* pages of a ring, as the module says */
	struct kgtp_ring *rings;
	size_t n;
};

/*
 * Reads the ring of every possible CPU. One that is damaged has a problem and spoils no
 * other. ST_UNKNOWN: struct gtp_rb_s does not verify itself on any CPU.
 */
enum status kgtp_rings_read(struct dump *d, const struct kgtp_symbols *s, struct kgtp_rings *ret);

/* The pages of a ring in the order in which they were filled. */

/*
 * Fills pages, n, closed, full, state and problem of a ring whose r and w are set.
 * Where the chain breaks between r and w, the pages that w leads back to follow, marked
 * by a gap. page_count: what no ring exceeds. ST_STOPPED.
 */
enum status kgtp_chain_read(struct dump *d, uint64_t page_count, struct kgtp_ring *ring);
