/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes and zones by pfn, from the spans in pglist_data.node_zones. */
#pragma once

#include "dump/dump.h"

struct zone {
	uint64_t address; /* of struct zone */
	unsigned int node;
	unsigned int index; /* in node_zones: enum zone_type */
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

/*
 * NUMA nodes, by the address of their struct pglist_data: node_data is an array of pointers, with holes;
 * a kernel without NUMA has contig_page_data alone (include/linux/mmzone.h).
 */
struct nodes {
	uint64_t *pgdat;
	size_t n;
};

enum status nodes_open(struct dump *d, struct nodes *ret);
