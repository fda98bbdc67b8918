/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that wait in queueing disciplines of network devices: of no socket that a process has, or of one that sent and
 * ended. How many wait a discipline counts; their memory is that of the packets which name the device, where these are
 * as many.
 */
#pragma once

#include "net/qdisc.h"
#include "util/maybe.h"

/* Disciplines of one kind of the queues of a device. */
struct queued {
	struct queued *next;
	struct device_qdisc of; /* the first; packets and bytes are those of all queues */
	uint64_t queues;
	uint64_t found;	   /* packets in memory that name the device */
	uint64_t truesize; /* theirs, with their buffers */
	struct maybe_u64
		memory; /* bytes that those that wait have; at_least where others may be among them */
	bool at_least;
};

struct queued_packets {
	struct queued *first;
	const char *problem; /* NULL, or why some may be missing */
};

/* Visits the objects in use of a struct kmem_cache: cache_objects_walk(), which is of another room. */
typedef enum status walk_objects(struct dump *d, uint64_t cache,
				 enum status (*visit)(void *arg, uint64_t object), void *arg);

/* ST_ABSENT: a kernel without network; ST_UNKNOWN; ST_STOPPED. */
enum status queued_collect(struct dump *d, walk_objects *walk, struct queued_packets *ret);

/* "htb 1:", with the one that has most of it: "htb 1:, 5,999 of these in pfifo 10: of class 1:10". */
const char *queued_name(struct dump *d, const struct queued *q);
