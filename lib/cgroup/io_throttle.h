/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What io.max of cgroups, or blkio.throttle of version 1, holds back of one disk (block/blk-throttle.c): bios wait at
 * the cgroup whose limit they have reached, of its own or of one below it.
 */
#pragma once

#include "cgroup/cgroup.h"

/* Of a limit: none is set. */
#define IO_NO_LIMIT UINT64_MAX

enum io_way { IO_READ, IO_WRITE, IO_WAYS };

/* Of a cgroup at a disk. */
struct io_limit {
	uint64_t cgroup;  /* struct cgroup */
	const char *path; /* NULL: unknown */
	bool is_v1;
	uint64_t bios[IO_WAYS];		      /* that wait at it */
	uint64_t bps[IO_WAYS], iops[IO_WAYS]; /* its own limits, or IO_NO_LIMIT */
};

struct io_throttle {
	uint64_t groups;      /* that bios wait at */
	struct io_limit most; /* of these the one at which most do */
	bool partial;	      /* some could not be read */
};

struct io_throttles {
	struct dump *dump;
	struct structure group, link;
	struct field throttle, list, policies, number, data, bps, node, cgroup, root;
	uint32_t policy; /* offset of the pointer to what blk-throttle has */
	struct cgroups cgroups;
	struct first_problem problem;
};

/* ST_UNKNOWN: a layout that is not known, or built without CONFIG_BLK_DEV_THROTTLING. */
enum status io_throttles_open(struct dump *d, struct io_throttles *ret);

/*
 * queue: a struct request_queue. fn gets each cgroup that has a limit there, or at which bios wait. ST_ABSENT: its disk has
 * no limits; ST_UNKNOWN: a layout that is not known. What could not be read is partial, and the text of it dump_why() of
 * the dump.
 */
enum status io_limits_each(struct dump *d, uint64_t queue,
			   void (*fn)(void *arg, const struct io_limit *limit), void *arg,
			   bool *partial);

/* The same, summed up. */
enum status io_throttle_find(struct dump *d, uint64_t queue, struct io_throttle *ret);

struct strbuf;
/* "wbps=24576 wiops=9"; waited: of what bios wait for alone. */
void io_limit_text(const struct io_limit *l, bool waited, struct strbuf *b);
/* "io.max of /batch (wbps=24576)", of the limits that are reached; "a limit of a cgroup of unknown name" */
void io_throttle_text(const struct io_throttle *t, struct strbuf *b);
