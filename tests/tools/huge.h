/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests/tools/fill writes into the memory of tests/kernels/huge.c: the page_ext table, then pools of stacks. */
#pragma once

#include <stdint.h>

#define HUGE_TABLE (32UL << 20)
#define HUGE_TEXT 0xffffffff81000000UL
#define HUGE_POOL_BYTES 16384
#define HUGE_FRAMES 16

struct huge_entry {
	uint64_t flags;
	uint16_t order;
	int16_t reason;
	uint32_t gfp, handle, free_handle;
	uint64_t ts, free_ts;
	char comm[16];
	int32_t pid, tgid, free_pid, free_tgid;
};

struct huge_record {
	uint64_t list[2];
	uint32_t hash, size, handle, count;
	uint64_t entries[HUGE_FRAMES];
};

#define HUGE_PER_POOL (HUGE_POOL_BYTES / sizeof(struct huge_record))

_Static_assert(sizeof(struct huge_entry) == 72 && sizeof(struct huge_record) == 160,
	       "as in huge.c");

/* Where in the file a record is. */
static inline uint64_t huge_record_at(uint64_t pages, uint64_t pool, uint64_t offset)
{
	return HUGE_TABLE + pages * sizeof(struct huge_entry) + pool * HUGE_POOL_BYTES + offset;
}

/* union handle_parts: the number of the pool plus 1, the offset in it in units of 16 bytes. */
static inline uint32_t huge_handle(uint64_t pool, uint64_t offset)
{
	return (uint32_t)((pool + 1) | offset / 16 << 17);
}

static inline uint64_t huge_record_of(uint64_t pages, uint32_t handle)
{
	return huge_record_at(pages, (handle & 0x1ffff) - 1, (uint64_t)(handle >> 17 & 0x3ff) * 16);
}
