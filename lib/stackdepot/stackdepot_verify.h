/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the stack depot is sound: every record of every pool, and every chain of the hash table.
 *
 * A record has the handle of its place, ends inside of its pool, has frames that are kernel text
 * and the hash of these frames (jhash2() in all kernels), and is in the one chain that its hash
 * names. What is not in the dump is no defect: it is counted.
 */
#pragma once

#include "stackdepot/stackdepot.h"

struct depot_defect {
	bool has_place; /* pool, offset and address are those of the record or of its place */
	uint64_t pool, offset, address;
	bool has_handle; /* that the place has, in the record */
	uint32_t handle;
	const char *what; /* in the command's arena */
};

struct depot_checks {
	uint64_t pools, records, frames;
	uint64_t buckets;     /* of the hash table; 0: their number is unknown */
	bool derived_buckets; /* their number is the one that fits the records */
	bool hashes;	      /* frames were compared with the hash of the record */
	uint64_t free_records;
	/* Not in this dump: */
	uint64_t missing_pools, missing_bytes, missing_frames, missing_buckets, cut_chains;
};

struct depot_verifier {
	/* Whether an address is kernel text; NULL: frames are not checked. */
	bool (*is_text)(void *arg, uint64_t address);
	enum status (*defect)(void *arg, const struct depot_defect *defect);
	void *arg;
};

/* ST_STOPPED, or the first status of defect() that is not ST_OK. */
enum status depot_verify(struct depot *depot, const struct depot_verifier *with,
			 struct depot_checks *ret);
