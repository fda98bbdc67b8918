// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/page_pools.h"

#include "dump/layout.h"

#define MAX_ORDER 20

static const struct layout_row rows[PAGE_POOL_FIELDS] = {
	[POOL_ORDER] = { "struct page_pool", { "p.order" }, REQUIRED, "4.18" },
	[POOL_DEVICE] = { "struct page_pool", { "p.dev" }, OPTIONAL, "4.18" },
	[POOL_HELD] = { "struct page_pool", { "pages_state_hold_cnt" }, REQUIRED, "5.3" },
	[POOL_RELEASED] = { "struct page_pool", { "pages_state_release_cnt" }, REQUIRED, "5.3" },
	[POOL_NETDEV] = { "struct page_pool", { "slow.netdev" }, OPTIONAL, "6.8" },
	[DEVICE_NAME] = { "struct device", { "kobj.name" }, OPTIONAL, "all" },
	[DEVICE_DRIVER] = { "struct device", { "driver" }, OPTIONAL, "all" },
	[DEVICE_PARENT] = { "struct device", { "parent" }, OPTIONAL, "all" },
	[DRIVER_NAME] = { "struct device_driver", { "name" }, OPTIONAL, "all" },
	[NETDEV_NAME] = { "struct net_device", { "name" }, OPTIONAL, "all" },
	[NETDEV_DEVICE] = { "struct net_device", { "dev" }, OPTIONAL, "all" },
};

enum status page_pools_open(struct dump *d, struct page_pools *ret)
{
	struct page_pools p = { .dump = d };
	enum status st;

	if (dump_lacks_type(d, "struct page_pool"))
		return dump_fail(d, ST_ABSENT, "this kernel has no page pools");
	st = layout_resolve(d, rows, PAGE_POOL_FIELDS, p.f);
	if (st == ST_OK &&
	    (p.f[POOL_HELD].size != 4 || p.f[POOL_RELEASED].size != 4 || p.f[POOL_ORDER].size != 4))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct page_pool");
	if (st == ST_OK)
		*ret = p;
	return st;
}

/* 0: this kernel has no such member, it is NULL or not in this dump. */
static uint64_t pointer(const struct page_pools *p, enum page_pool_field field, uint64_t base)
{
	const struct field *f = &p->f[field];
	uint64_t value;

	if (!base || !f->present || f->size != 8 ||
	    dump_u64(p->dump, base + f->offset, &value, "device of a page_pool") != ST_OK)
		return 0;
	return value;
}

static void name_at(const struct page_pools *p, uint64_t at, char ret[POOL_NAME])
{
	if (!at || dump_string(p->dump, at, ret, POOL_NAME, "name of a device") != ST_OK) {
		ret[0] = '\0';
		return;
	}
	for (char *c = ret; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

/* A network device is on the bus by its parent, which has the driver. */
static void find_names(const struct page_pools *p, uint64_t pool, struct page_pool *ret)
{
	uint64_t netdev = pointer(p, POOL_NETDEV, pool), device = pointer(p, POOL_DEVICE, pool);

	if (netdev && p->f[NETDEV_DEVICE].present && p->f[NETDEV_NAME].present) {
		uint64_t parent = pointer(p, DEVICE_PARENT, netdev + p->f[NETDEV_DEVICE].offset);

		name_at(p, netdev + p->f[NETDEV_NAME].offset, ret->device);
		device = parent ? parent : device;
	}
	if (!ret->device[0])
		name_at(p, pointer(p, DEVICE_NAME, device), ret->device);
	name_at(p, pointer(p, DRIVER_NAME, pointer(p, DEVICE_DRIVER, device)), ret->driver);
}

enum status page_pool_read(const struct page_pools *p, uint64_t pool, struct page_pool *ret)
{
	struct page_pool found = { 0 };
	uint32_t order, held, released;
	enum status st = dump_u32(p->dump, pool + p->f[POOL_ORDER].offset, &order, "page_pool");

	if (st == ST_OK)
		st = dump_u32(p->dump, pool + p->f[POOL_HELD].offset, &held, "page_pool");
	if (st == ST_OK)
		st = dump_u32(p->dump, pool + p->f[POOL_RELEASED].offset, &released, "page_pool");
	if (st != ST_OK)
		return st;
	/* Both wrap; a page is counted as released by another CPU than that which held it. */
	if (order > MAX_ORDER || held - released > 1U << 31)
		return dump_fail(p->dump, ST_CORRUPT, "page_pool at %#llx: order %u, %u pages",
				 (unsigned long long)pool, order, held - released);
	found.order = order;
	found.held = (uint64_t)(held - released) << order;
	find_names(p, pool, &found);
	*ret = found;
	return ST_OK;
}
