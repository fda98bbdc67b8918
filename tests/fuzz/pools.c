// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of pages, swap areas, memory of devices. */
#include <string.h>

#include "fuzz.h"
#include "pools/balloon.h"
#include "pools/cma.h"
#include "vm/dma_buf_users.h"
#include "pages/hugetlb.h"
#include "pools/page_pools.h"
#include "vm/percpu_allocations.h"
#include "vm/percpu_chunks.h"
#include "pools/swap_areas.h"
#include "pools/zbud.h"
#include "pools/zram.h"
#include "pools/zswap.h"

static enum status use_area(void *arg NOT_USED, const struct swap_area *area)
{
	if (area->used > area->pages)
		__builtin_trap();
	return ST_OK;
}

static enum status use_chunk(void *arg NOT_USED, const struct percpu_chunk *chunk)
{
	if (chunk->used >> 45 || chunk->pages >> 32)
		__builtin_trap();
	return ST_OK;
}

static enum status use_allocation(void *arg NOT_USED, const struct percpu_allocation *a)
{
	if (!a->bytes || a->bytes >> 30)
		__builtin_trap();
	return ST_OK;
}

static enum status use_huge(void *arg NOT_USED, const struct hugetlb_pool *pool)
{
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

static enum status use_zswap(void *arg NOT_USED, const struct zswap_pool *pool)
{
	fuzz_array(pool->allocator, sizeof(pool->allocator));
	fuzz_array(pool->compressor, sizeof(pool->compressor));
	if (pool->pages >> 41 || (pool->has_stored && pool->stored >> 41))
		__builtin_trap();
	return ST_OK;
}

static enum status use_cma(void *arg NOT_USED, const struct cma_area *area)
{
	uint64_t sum = 0;

	fuzz_array(area->name, sizeof(area->name));
	for (unsigned int i = 0; i < area->nranges; i++) {
		const struct cma_range *r = &area->ranges[i];

		sum += r->pages;
		if (r->bitmap && r->pages >= 1ULL << area->order_per_bit)
			cma_page_is_used(area, r, r->base);
	}
	if (sum != area->pages || (area->has_used && area->used > area->pages))
		__builtin_trap();
	return ST_OK;
}

static enum status use_balloon(void *arg NOT_USED, const struct balloon *balloon)
{
	fuzz_array(balloon->name, sizeof(balloon->name));
	return ST_OK;
}

static void use_buffers(struct dump *d)
{
	static struct dma_buf_users u;
	struct file_all_users users;
	enum status st;

	if (dma_buf_users_read(d, 0, &u) != ST_OK)
		return;
	for (const struct found_buf *f = u.first; f; f = f->next) {
		fuzz_array(f->buf.exporter, sizeof(f->buf.exporter));
		fuzz_array(f->buf.name, sizeof(f->buf.name));
		if (f->buf.devices && f->buf.devices->n > f->buf.ndevices)
			__builtin_trap();
		dma_buf_users_of(&u, &f->buf, &users, &st);
	}
}

void fuzz_pools(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct page_pools pools;
	struct page_pool pool;
	struct pfnset zbud;

	swap_areas_walk(d, use_area, NULL);
	percpu_chunks_walk(d, use_chunk, NULL);
	percpu_allocations_walk(d, use_allocation, NULL);
	hugetlb_walk(d, use_huge, NULL);
	zram_walk(d, use_zram, d);
	zswap_walk(d, use_zswap, NULL);
	pfnset_init(&zbud, d->arena, 1 << 20);
	zbud_pages(d, &zbud);
	cma_walk(d, use_cma, NULL);
	balloons_walk(d, use_balloon, NULL);
	use_buffers(d);
	if (page_pools_open(d, &pools) != ST_OK ||
	    page_pool_read(&pools, 0xffff888000000000 + (seed & 0xfffff8), &pool) != ST_OK)
		return;
	fuzz_array(pool.device, sizeof(pool.device));
	fuzz_array(pool.driver, sizeof(pool.driver));
}
