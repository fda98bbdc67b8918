/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects of one cache have in common at the same place, for those whose type is unknown: a function or a
 * table, a link of a list, memory of one kind, text.  A sample of them is looked at.
 */
#pragma once

#include "holders/holders.h"

#define CONTENT_NODES 64

/* Of nodes that come one behind the other, where number seen, from 0 on, is kept: what is not below room is not. */
static inline uint32_t content_slot(uint32_t seen, uint32_t room)
{
	uint64_t h = seen * 0x9e3779b97f4a7c15ULL;

	h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9ULL;
	return seen < room ? seen : (uint32_t)((h ^ h >> 29) >> 16) % (seen + 1);
}

struct content {
	uint32_t seen;
	uint32_t nodes[CONTENT_NODES]; /* of these, any */
	uint64_t bytes;		       /* for who adds them up */
};

/* One more object of a cache. */
void content_add(struct content *c, uint32_t node);

/* "kmalloc-1k: link +0x8, telem_send [telem] +0x18"; NULL: they have nothing in common. */
const char *content_text(struct holders *h, const struct content *c);

/* "telem_send [telem]", what the objects of that cache from a node on name of a module; NULL: not all the same. */
const char *content_symbol(struct holders *h, uint32_t node, uint16_t owner);

/* The same of n nodes of one cache. */
const char *content_symbol_of(struct holders *h, const uint32_t *nodes, uint32_t n, uint16_t owner);

/*
 * "\"FWLOGv2 \"" or "0xc0ffee11": text, or a magic number, that nearly all begin with; NULL: they have no such start in
 * common, or are few.
 */
const char *content_begins(struct holders *h, const struct content *c);

/*
 * "an Ethernet header (IPv4, to 52:54:00:aa:bb:09 from 9a:2d:fa:5b:f3:70)" of n bytes, of which the bits of same say
 * which ones nearly all have; NULL: they are none, or no address is the same.
 */
const char *content_ethernet(struct arena *arena, const uint8_t *bytes, uint64_t same, size_t n);

/* "\"FWLOGv2 \"" of bytes that all have; NULL: they are no text. */
const char *content_quoted(struct arena *arena, const uint8_t *bytes, size_t n);
