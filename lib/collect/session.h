/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What collectors draw from: a dump, and what a view has opened of it. */
#pragma once

#include "pages/page_type.h"

struct session {
	struct dump *dump;
	const struct ram *ram;
	struct memmap *memmap;
	struct page_types *types; /* NULL: struct page is unknown */
};

/* The first pfn behind System RAM. */
static inline uint64_t session_end(const struct session *s)
{
	return s->ram->n ? s->ram->ranges[s->ram->n - 1].end : 0;
}
