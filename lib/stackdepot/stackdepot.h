/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack depot: call stacks behind 32-bit handles (lib/stackdepot.c).
 *
 * A handle is pool index, offset in the pool in units of 16 bytes and, in some
 * generations, a valid bit and bits for the user.  How wide each is comes from
 * union handle_parts.  A record stores its own handle without the user's bits,
 * so every look-up verifies itself.
 */
#pragma once

#include "dump/dump.h"

#define DEPOT_MAX_FRAMES 256 /* CONFIG_STACKDEPOT_MAX_FRAMES goes no higher; 64 by default */

enum depot_field {
	DEPOT_INDEX,
	DEPOT_OFFSET,
	DEPOT_VALID,
	DEPOT_EXTRA,
	DEPOT_SIZE,
	DEPOT_HANDLE,
	DEPOT_COUNT,
	DEPOT_ENTRIES,
	DEPOT_FIELDS
};

#define DEPOT_KNOWN 256

/* Of the table. */
struct depot_pool {
	uint64_t number, address; /* address 0: none was */
};

struct depot {
	struct dump *dump;
	struct field f[DEPOT_FIELDS];
	uint64_t table;			    /* of pool addresses */
	uint64_t pools;			    /* its length */
	uint64_t used;			    /* pools below this are in use */
	const char *table_name, *used_name; /* symbols of this generation */
	const char *last_end;		    /* symbol: bytes used of the last pool */
	uint64_t pool_bytes;
	struct depot_pool *known; /* DEPOT_KNOWN looked up last, by the low bits of their number */
	uint32_t extra_mask;	  /* the bits that the user of a handle owns */
	size_t header;		  /* bytes of a record before its frames */
	/* Index minus pool number: 1 since 6.9, and in vendor kernels with the old name. */
	unsigned int bias[2];
	unsigned int biases; /* how many of them to try */
	uint8_t *record;     /* buffer: the record at record_at */
	uint64_t record_at;
	size_t frame_bytes; /* of its frames that were read with it */
};

struct depot_stack {
	uint32_t handle;
	uint64_t pool;	 /* number of the pool */
	uint32_t offset; /* bytes in the pool */
	uint64_t record; /* address */
	bool has_count;
	uint32_t count; /* raw refcount */
	unsigned int n;
	uint64_t *frames; /* innermost first */
};

/* refcount_t without users: page_owner starts its own at 1 (include/linux/refcount.h). */
#define DEPOT_COUNT_UNUSED 0xc0000000u

/* ST_ABSENT: not built in, or off; ST_UNKNOWN: no generation fits. */
enum status depot_open(struct dump *d, struct depot *ret);

/*
 * Calls visit with the address of each pool, of the one that is kept for later as well (new_pool,
 * 6.8 and later).  ST_UNREADABLE: some are not in this dump.
 */
enum status depot_pools(struct depot *depot, enum status (*visit)(void *arg, uint64_t pool),
			void *arg);

/*
 * The stack behind a handle, in the command's arena.  ST_ABSENT: handle 0;
 * ST_UNREADABLE; ST_CORRUPT: no such record.  The message says which.
 */
enum status depot_fetch(struct depot *depot, uint32_t handle, struct depot_stack *ret);

/* Its n frames alone, into room for DEPOT_MAX_FRAMES. */
enum status depot_fetch_into(struct depot *depot, uint32_t handle, uint64_t *frames,
			     unsigned int *n);

/* The same without its frames, by the record alone: handle 0 was a record's in 6.8. */
enum status depot_find(struct depot *depot, uint32_t handle, struct depot_stack *ret);

/* Whether a handle, without the bits of its user, is that of a record at that offset of that pool. */
bool depot_handle_is_of(const struct depot *depot, uint32_t handle, uint64_t pool, uint64_t offset);

/* The frames of a record that was found, in the command's arena. */
enum status depot_frames(struct depot *depot, struct depot_stack *record);

/*
 * The hash table of the stack depot: an array of buckets, or since 5.12 a pointer to one, of
 * stack_hash_mask + 1 buckets since 6.0. A bucket is the first record of a chain, or since 6.8 the
 * head of a list (lib/stackdepot.c).
 */

struct depot_table {
	struct dump *dump;
	struct field link; /* of a record in its chain */
	struct field hash; /* of a record */
	bool is_list;	   /* link is a struct list_head */
	uint64_t address, bucket_bytes;
	uint64_t buckets; /* 0: unknown (5.12 to 5.19, where it is not in the dump) */
};

/* ST_UNKNOWN: no layout fits; ST_UNREADABLE; ST_CORRUPT. */
enum status depot_table_open(const struct depot *depot, struct depot_table *ret);

/*
 * Calls visit for each bucket: whether it is in this dump, the first link (address of the member
 * link) and what follows the last one. Ends at the first status that is not ST_OK; ST_STOPPED.
 */
enum status depot_table_walk(const struct depot_table *t,
			     enum status (*visit)(void *arg, uint64_t bucket, bool readable,
						  uint64_t head, uint64_t end),
			     void *arg);
