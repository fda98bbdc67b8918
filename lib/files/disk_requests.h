/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that drivers of disks have started and not completed (block/blk-mq.c): those that have one of the tags of
 * their driver and are MQ_RQ_IN_FLIGHT. Disks may share tags, as those of one SCSI host. A device without requests, as
 * most of the device mapper, has none of them.
 */
#pragma once

#include "files/disks.h"
#include "kernel/jiffies.h"
#include "util/maybe.h"

enum disk_operation { DISK_READ, DISK_WRITE, DISK_FLUSH, DISK_OTHER, DISK_OPERATIONS };

#define DISK_OLD_NS \
	10000000000ULL /* that a request of a disk that is well takes at most, in nanoseconds */

/* Of one disk. */
struct disk_requests {
	uint64_t n;		       /* started, not completed */
	uint64_t old[DISK_OPERATIONS]; /* of these, since DISK_OLD_NS or longer */
	uint64_t all_old;
	uint64_t oldest_ns; /* age of the oldest one; 0: of none it is known */
	bool is_counted; /* the disk has requests at all: those of a driver without blk-mq are in none of these */
	struct maybe_u64 held
		[2]; /* bios, reads and writes, that blk-throttle holds back for limits of cgroups */
	bool held_is_unknown;
	uint64_t untimed; /* of which the kernel did not note when they were started */
};

struct all_requests {
	struct dump *dump;
	struct structure queue, set, tags, request;
	struct field throttled;		     /* of struct throtl_data: bios that wait, in and out */
	int64_t in_flight;		     /* MQ_RQ_IN_FLIGHT */
	int64_t operations[DISK_OPERATIONS]; /* REQ_OP_*, but of DISK_OTHER */
	uint64_t now_ns;		     /* of the clock of requests: CLOCK_MONOTONIC */
	struct hash_u64 by_queue; /* of struct disk_requests by address of the request_queue */
	struct hash_u64 seen;	  /* tags that were read */
	uint64_t n;		  /* requests that were read */
	uint8_t *raw;		  /* their addresses, by tag */
	const char *problem;	  /* NULL, or why some may be missing */
};

/* *ret must stay where it is. ST_UNKNOWN: a layout that this build does not know, or no clock. */
enum status all_requests_open(struct dump *d, struct all_requests *ret);

/* Fills by_queue and problem; ST_STOPPED. */
enum status all_requests_read(struct all_requests *x, const struct disks *disks);

/* NULL: it has none, or none is known. */
const struct disk_requests *all_requests_of(const struct all_requests *x, const struct disk *disk);

/* When reads and writes of a disk were accounted last. */
struct disk_account {
	struct dump *dump;
	struct field device; /* part0 of struct gendisk: a pointer, before 5.11 a structure in it */
	struct field stamp, old_stamp;
	struct jiffies jiffies;
};

/* ST_UNKNOWN: a layout that this build does not know, or no clock. */
enum status disk_account_open(struct dump *d, struct disk_account *ret);

/*
 * Time to the panic, in ns, from when a read or write of a disk was started or completed last; who reads /proc/diskstats
 * while requests are in flight sets it, too (update_io_ticks() of block/blk-core.c). Not of a flush, nor while
 * queue/iostats is 0: it is then older than requests in flight. ST_CORRUPT: it is later than the panic.
 */
enum status disk_account_age(const struct disk_account *x, const struct disk *disk, uint64_t *ns);
