// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring_page.h"

#include "util/endian.h"

#define HEADER 4       /* bytes */
#define SHORTEST 8     /* bytes of a record: RB_EVNT_MIN_SIZE */
#define DELTA_SHIFT 27 /* TS_SHIFT */
#define STAMP_BITS 59  /* of an absolute time stamp */
#define ALIGNMENT 4    /* RB_ALIGNMENT */

enum type_len {
	LENGTH_IN_ARRAY = 0,
	DATA_MAX = 28,
	PADDING = 29,
	TIME_EXTEND = 30,
	TIME_STAMP = 31
};

void ring_page_start(struct ring_page *p, const uint8_t *data, uint32_t size, uint64_t ts)
{
	*p = (struct ring_page){ .data = data, .size = size, .ts = ts };
}

static bool end(struct ring_page *p, const char *problem)
{
	p->problem = problem;
	return false;
}

static uint64_t absolute(uint64_t stamp, uint64_t before)
{
	const uint64_t top = ~((1ULL << STAMP_BITS) - 1);

	if (!(before & top))
		return stamp;
	stamp |= before & top;
	return stamp < before ? stamp + (1ULL << STAMP_BITS) : stamp;
}

/*
 * Bytes of the record at p->at; 0 with a problem where they are none, or without one where
 * the rest of the page is empty. Rising offsets follow: no record has less than 8 bytes.
 */
static uint32_t record_bytes(struct ring_page *p, uint32_t header)
{
	uint32_t left = p->size - p->at, type = header & 31, bytes;

	if (type == PADDING && !(header >> 5))
		return 0;
	if (left < SHORTEST) {
		p->problem = "a record does not fit into its sub-buffer";
		return 0;
	}
	if (type == LENGTH_IN_ARRAY || type == PADDING) {
		uint32_t length = le32(p->data + p->at + HEADER);

		if (length < HEADER || length > left - HEADER || length % ALIGNMENT) {
			p->problem = "a record has an impossible length";
			return 0;
		}
		return HEADER + length;
	}
	bytes = type <= DATA_MAX ? HEADER + type * ALIGNMENT : SHORTEST;
	if (bytes > left) {
		p->problem = "a record does not fit into its sub-buffer";
		return 0;
	}
	return bytes;
}

bool ring_page_next(struct ring_page *p, struct ring_record *ret)
{
	while (!p->problem && p->size - p->at >= HEADER) {
		const uint8_t *record = p->data + p->at;
		uint32_t header = le32(record), type = header & 31, delta = header >> 5;
		uint32_t bytes = record_bytes(p, header), skip;

		if (!bytes)
			return false;
		p->at += bytes;
		switch (type) {
		case PADDING:
			/* The kernel's readers do not add its delta (rb_update_iter_read_stamp()). */
			p->discarded++;
			continue;
		case TIME_EXTEND:
			p->ts += delta + ((uint64_t)le32(record + HEADER) << DELTA_SHIFT);
			continue;
		case TIME_STAMP:
			p->ts = absolute(delta + ((uint64_t)le32(record + HEADER) << DELTA_SHIFT),
					 p->ts);
			continue;
		}
		skip = type == LENGTH_IN_ARRAY ? 2 * HEADER : HEADER;
		p->ts += delta;
		*ret = (struct ring_record){
			.offset = p->at - bytes,
			.end = p->at,
			.ts = p->ts,
			.data = record + skip,
			.len = bytes - skip,
		};
		return true;
	}
	return p->problem || p->at == p->size ? false
					      : end(p, "bytes are left behind the last record");
}
