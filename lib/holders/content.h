/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects of one cache have in common at the same place, for those whose type is unknown: a function or a
 * table, a link of a list, memory of one kind, text.  A sample of them is looked at.
 */
#pragma once

#include "holders/holders.h"

#define CONTENT_NODES 64

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

/*
 * "\"FWLOGv2 \"" or "0xc0ffee11": text, or a magic number, that nearly all begin with; NULL: they have no such start in
 * common, or are few.
 */
const char *content_begins(struct holders *h, const struct content *c);

/* "\"FWLOGv2 \"" of bytes that all have; NULL: they are no text. */
const char *content_quoted(struct arena *arena, const uint8_t *bytes, size_t n);
