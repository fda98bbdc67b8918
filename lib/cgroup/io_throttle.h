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

struct io_throttle {
	uint64_t groups; /* that bios wait at */
	/* Of these the one at which most do. */
	const char *most; /* its path; NULL: unknown, or there is none */
	bool is_v1;
	uint64_t bios[IO_WAYS];
	uint64_t bps[IO_WAYS], iops[IO_WAYS]; /* its own limits, or IO_NO_LIMIT */
	bool partial;			      /* some could not be read */
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
 * queue: a struct request_queue. ST_ABSENT: its disk has no limits; ST_UNKNOWN: a layout that is not known. What could
 * not be read is partial, and the text of it dump_why() of the dump.
 */
enum status io_throttle_find(struct dump *d, uint64_t queue, struct io_throttle *ret);

struct strbuf;
/* "io.max of /batch (wbps=24576)", of the limits that are reached; "a limit of a cgroup of unknown name" */
void io_throttle_text(const struct io_throttle *t, struct strbuf *b);
