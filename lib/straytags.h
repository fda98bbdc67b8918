/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tags that are referred to but are in no list: those of modules that were unloaded. */
#ifndef MEMOWNER_STRAYTAGS_H
#define MEMOWNER_STRAYTAGS_H

#include "map.h"
#include "sink.h"
#include "sitefind.h"

struct stray_tags {
	struct map tags;
	uint64_t bytes, n; /* of all references to them */
};

void stray_tags_init(struct stray_tags *s, struct arena *arena);
void stray_tags_add(struct stray_tags *s, uint64_t tag, uint64_t bytes);

/* Lines with the biggest first, if there are any. */
void stray_tags_put(struct stray_tags *s, struct site_index *sites, struct sink *out);

#endif
