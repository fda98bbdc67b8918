/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA nodes: node_data is an array of pointers to struct pglist_data, with holes;
 * a kernel without NUMA has contig_page_data alone (include/linux/mmzone.h).
 */
#ifndef MEMOWNER_NODES_H
#define MEMOWNER_NODES_H

#include "dump.h"

/*
 * Calls visit with the address of each struct pglist_data until it returns
 * anything but DUMP_OK, which is then returned.
 */
enum status nodes_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t pgdat), void *arg);

#endif
