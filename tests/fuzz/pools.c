// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of pages and swap areas. */
#include <string.h>

#include "fuzz.h"
#include "mm/hugetlb.h"
#include "mm/page_pools.h"
#include "mm/percpu_chunks.h"
#include "mm/swap_areas.h"
#include "mm/zbud.h"
#include "mm/zram.h"
#include "mm/zswap.h"

static enum status use_area(void *arg, const struct swap_area *area)
{
	(void)arg;
	if (area->used > area->pages)
		__builtin_trap();
	return ST_OK;
}

static enum status use_chunk(void *arg, const struct percpu_chunk *chunk)
{
	(void)arg;
	if (chunk->used >> 45 || chunk->pages >> 32)
		__builtin_trap();
	return ST_OK;
}

static enum status use_huge(void *arg, const struct hugetlb_pool *pool)
{
	(void)arg;
	if (pool->free > pool->total || pool->nodes > HUGETLB_NODES)
		__builtin_trap();
	return ST_OK;
}

static enum status use_zram(void *arg, const struct zram_device *device)
{
	const struct dump *d = arg;

	fuzz_array(device->name, sizeof(device->name));
	if (device->compressed > device->pages << d->page_shift)
		__builtin_trap();
	return ST_OK;
}

static enum status use_zswap(void *arg, const struct zswap_pool *pool)
{
	(void)arg;
	fuzz_array(pool->allocator, sizeof(pool->allocator));
	fuzz_array(pool->compressor, sizeof(pool->compressor));
	if (pool->pages >> 41 || (pool->has_stored && pool->stored >> 41))
		__builtin_trap();
	return ST_OK;
}

void fuzz_pools(struct dump *d, struct sink *out, uint32_t seed)
{
	struct page_pools pools;
	struct page_pool pool;
	struct pfnset zbud;

	(void)out;
	swap_areas_walk(d, use_area, NULL);
	percpu_chunks_walk(d, use_chunk, NULL);
	hugetlb_walk(d, use_huge, NULL);
	zram_walk(d, use_zram, d);
	zswap_walk(d, use_zswap, NULL);
	pfnset_init(&zbud, d->arena, 1 << 20);
	zbud_pages(d, &zbud);
	if (page_pools_open(d, &pools) != ST_OK ||
	    page_pool_read(&pools, 0xffff888000000000 + (seed & 0xfffff8), &pool) != ST_OK)
		return;
	fuzz_array(pool.device, sizeof(pool.device));
	fuzz_array(pool.driver, sizeof(pool.driver));
}
