// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/page_pools.h"

#define MAX_ORDER 20 /* as in lib/page_owner: no kernel allocates more at once */

/* A struct page_pool. */
struct pool {
	uint32_t order, held, released;
	uint64_t device, netdev;
};

/* A struct device, and its driver. */
struct device {
	uint64_t name, driver, parent, driver_name;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct page_pools, pool, "struct page_pool"),
	READS(struct pool, order, REQUIRED, "4.18", "p.order"),
	READS(struct pool, device, OPTIONAL, "4.18", "p.dev"),
	READS(struct pool, held, REQUIRED, "5.3", "pages_state_hold_cnt"),
	READS(struct pool, released, REQUIRED, "5.3", "pages_state_release_cnt"),
	READS(struct pool, netdev, OPTIONAL, "6.8", "slow.netdev"),
	STRUCTURE(struct page_pools, device, "struct device"),
	READS(struct device, name, OPTIONAL, "all", "kobj.name"),
	READS(struct device, driver, OPTIONAL, "all", "driver"),
	READS(struct device, parent, OPTIONAL, "all", "parent"),
	STRUCTURE(struct page_pools, driver, "struct device_driver"),
	READS(struct device, driver_name, OPTIONAL, "all", "name"),
	FINDS(struct page_pools, netdev_name, "struct net_device", OPTIONAL, "all", "name"),
	FINDS(struct page_pools, netdev_device, "struct net_device", OPTIONAL, "all", "dev"),
};

enum status page_pools_open(struct dump *d, struct page_pools *ret)
{
	struct page_pools p = { .dump = d };

	if (dump_lacks_type(d, "struct page_pool"))
		return dump_absent(d, "this kernel has no page pools");
	return RESULT(STRUCTS_OPEN(d, rows, &p), ret, p);
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

/* What is not known of it is 0. */
static struct device read_device(const struct page_pools *p, uint64_t at)
{
	struct device device = { 0 };

	if (at && struct_read(&p->device, at, &device) == ST_OK && device.driver)
		struct_read(&p->driver, device.driver, &device);
	return device;
}

/* A network device is on the bus by its parent, which has the driver. */
static void find_names(const struct page_pools *p, const struct pool *pool, struct page_pool *ret)
{
	uint64_t at = pool->device;
	struct device device;

	if (pool->netdev && p->netdev_device.present && p->netdev_name.present) {
		device = read_device(p, pool->netdev + p->netdev_device.offset);
		name_at(p, pool->netdev + p->netdev_name.offset, ret->device);
		at = device.parent ? device.parent : at;
	}
	device = read_device(p, at);
	if (!ret->device[0])
		name_at(p, device.name, ret->device);
	name_at(p, device.driver_name, ret->driver);
}

enum status page_pool_read(const struct page_pools *p, uint64_t pool, struct page_pool *ret)
{
	struct page_pool found = { 0 };
	struct pool read;
	uint32_t held;
	enum status st = struct_read(&p->pool, pool, &read);

	if (st != ST_OK)
		return st;
	held = read.held - read.released;
	/* Both wrap; a page is counted as released by another CPU than that which held it. */
	if (read.order > MAX_ORDER || held > 1U << 31)
		return dump_corrupt(p->dump, "page_pool at %#lx: order %u, %u pages", pool,
				    read.order, held);
	found.order = read.order;
	found.held = (uint64_t)held << read.order;
	find_names(p, &read, &found);
	*ret = found;
	return ST_OK;
}
