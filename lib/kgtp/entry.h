/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of a ring, from r up to w.
 *
 * Each starts with a number of 4 bytes that says what it is (FID_*, gtp.c). Entries are
 * rounded up to 4 bytes, so nothing in them is aligned to more. A frame starts with HEAD;
 * where it goes on in another page, that page starts with PAGE_BEGIN and its id:
 *
 *	HEAD 0        u64 id, u64 tracepoint, address of the HEAD before it on this CPU
 *	REG 1         struct pt_regs
 *	MEM 2         address, size, bytes
 *	VAR 3         u32 number, 4 bytes of nothing, s64 value
 *	PAGE_BEGIN 5  u64 id
 *	PAGE_END 6    the rest of the page is not used
 */
#pragma once

#include "kgtp/ring.h"

enum kgtp_kind {
	KGTP_HEAD,
	KGTP_REG,
	KGTP_MEM,
	KGTP_VAR,
	KGTP_PAGE_BEGIN,
	KGTP_BAD,     /* bytes that are no entry: the rest of the page is passed over */
	KGTP_MISSING, /* a page, or pages, that cannot be read or reached */
	KGTP_WRITING, /* bytes that were allocated and not written yet */
	KGTP_CLOSED,  /* PAGE_END: what comes next found no room in the page */
};

struct kgtp_entry {
	enum kgtp_kind kind;
	uint64_t address;    /* where it starts in the dump */
	size_t page, offset; /* the same in pages of its ring */
	bool unsure;	     /* the newest of a ring that is locked: it may be half written */
	uint64_t id;	     /* of HEAD and PAGE_BEGIN */
	uint64_t number;     /* of the tracepoint of HEAD, or of the variable of VAR */
	uint64_t previous;   /* of HEAD: address of the HEAD before */
	uint64_t memory;     /* of MEM: address that was read */
	int64_t value;	     /* of VAR */
	const uint8_t *data; /* of REG and MEM; until the visitor returns */
	size_t size;	     /* bytes of data, or of what is passed over */
	size_t takes;	     /* bytes of the entry in its page */
};

/* What an entry of memory takes before its bytes. */
#define KGTP_MEM_HEAD 20

struct kgtp_place {
	size_t page, offset;
};

/* For any number of walks: a page of memory. */
struct kgtp_reader {
	struct dump *dump;
	uint32_t regs;	  /* size of struct pt_regs */
	uint8_t *buf;	  /* the page read last */
	uint64_t address; /* of that page; 0: none */
};

void kgtp_reader_init(struct kgtp_reader *r, struct dump *d, uint32_t regs);

/*
 * Calls visit for each entry from a place on, in order, until it returns false.
 * ST_STOPPED; what is damaged is visited as such.
 */
enum status kgtp_entries_walk(struct kgtp_reader *r, const struct kgtp_ring *ring,
			      struct kgtp_place from,
			      bool (*visit)(void *arg, const struct kgtp_entry *e), void *arg);

/* Where the first entry of a ring is. */
struct kgtp_place kgtp_entries_start(const struct dump *d, const struct kgtp_ring *ring);
