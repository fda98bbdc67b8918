/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of one CPU of a ring buffer, oldest first, with what is not sure of them. */
#pragma once

#include "trace/ring_cpu.h"
#include "trace/ring_page.h"

/* Why a record is not as sure as others. */
enum ring_doubt {
	RING_SURE,
	RING_CONSUMED,	  /* a reader has taken it; it is still on the reader page */
	RING_UNCOMMITTED, /* the writer had not finished it */
	RING_CUT,	  /* a part of the list of its sub-buffers is not in this dump */
	RING_DAMAGED,	  /* its sub-buffer or the list of them is not in order */
};

/* "consumed" and so on; NULL: it is sure. */
const char *ring_doubt_name(enum ring_doubt doubt);

/* What was met, for warnings. */
struct ring_tally {
	uint64_t subbufs;     /* with records */
	uint64_t unreadable;  /* sub-buffers that are not in this dump */
	uint64_t damaged;     /* sub-buffers whose records do not fill them */
	const char *problem;  /* of the first of these; NULL: none */
	uint64_t lossy;	      /* sub-buffers marked as standing behind lost events */
	uint64_t records;     /* committed, not consumed: what a reader would get */
	uint64_t consumed;    /* records that a reader has taken */
	uint64_t uncommitted; /* bytes that were reserved and not committed */
};

struct ring_cursor {
	const struct ring_cpu *cpu;
	bool all;     /* consumed and uncommitted records as well */
	uint8_t *raw; /* a sub-buffer */
	size_t next;  /* index of the place to be loaded next */
	bool loaded;
	struct ring_page page;
	uint32_t commit, reserved, consumed; /* bytes of the loaded one */
	bool damaged;
	struct ring_tally tally;
};

/* In place. cpu stays the caller's. */
void ring_cursor_start(struct ring_cursor *c, const struct ring_cpu *cpu, bool all);

/* The next record, valid until the next call; false: there is none, or the user stopped it. */
bool ring_cursor_next(struct ring_cursor *c, struct ring_record *ret, enum ring_doubt *doubt);
