/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes and zones by pfn, from the spans in pglist_data.node_zones. */
#ifndef MEMOWNER_ZONES_H
#define MEMOWNER_ZONES_H

#include "dump.h"

struct zone {
	uint64_t address; /* of struct zone */
	unsigned int node;
	const char *name;
	uint64_t start, end; /* pfns; end is the first one behind */
};

struct zones {
	struct zone *zones;
	size_t n;
};

/* Populated zones of every node. */
enum status zones_open(struct dump *d, struct zones *ret);

/* The zone of a pfn; NULL if none or, where nodes interleave, more than one spans it. */
const struct zone *zones_find(const struct zones *z, uint64_t pfn);

#endif
