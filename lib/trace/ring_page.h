/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of one sub-buffer of a ftrace ring buffer, from its bytes alone
 * (include/linux/ring_buffer.h, struct ring_buffer_event).
 *
 * A record has a header of 32 bits: type_len in bits 0 to 4, time_delta in bits 5 to 31.
 *
 *	type_len	meaning				bytes of the record
 *	0		data, array[0] is its length	4 + array[0]
 *	1..28		data				4 + 4 * type_len
 *	29		padding: nothing follows, or,
 *			with a time_delta, discarded	4 + array[0]
 *	30		time extend, array[0] << 27	8
 *	31		absolute time stamp		8
 *
 * An absolute time stamp has 59 bits. The 5 above are those of the stamp before it
 * (kernel/trace/ring_buffer.c, rb_fix_abs_ts(), 5.19 and later).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define RING_COMMIT_MISSED (1U << 31) /* events were lost before this sub-buffer */
#define RING_COMMIT_STORED (1U << 30) /* their number stands behind the data */
#define RING_COMMIT_FLAGS (RING_COMMIT_MISSED | RING_COMMIT_STORED)

struct ring_record {
	uint32_t offset; /* of its header, from the first record of the sub-buffer */
	uint32_t end;	 /* where the next one starts */
	uint64_t ts;	 /* of the clock of the buffer */
	const uint8_t *data;
	uint32_t len; /* bytes; a multiple of 4 */
};

struct ring_page {
	const uint8_t *data; /* behind the header of the sub-buffer */
	uint32_t size;	     /* bytes of it that records fill */
	uint32_t at;	     /* the next record */
	uint64_t ts;	     /* of the last one */
	uint32_t discarded;  /* padding records that were passed */
	const char *problem; /* NULL, or why the records end at "at" */
};

/* data stays the caller's and has to live as long as the page and its records. */
void ring_page_start(struct ring_page *p, const uint8_t *data, uint32_t size, uint64_t ts);

/* The next record with data. False: there is none, and p->problem says if that is wrong. */
bool ring_page_next(struct ring_page *p, struct ring_record *ret);
