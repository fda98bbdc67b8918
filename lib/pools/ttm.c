// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/ttm.h"

#include "modules/module_sections.h"

const struct ttm_counter ttm_counters[2] = {
	{ "buffers of display drivers", "ttm_pages_allocated" },
	{ "pools of display drivers", "allocated_pages" },
};

enum status ttm_counter_read(struct dump *d, const struct ttm_counter *c, uint64_t max,
			     uint64_t *pages)
{
	uint64_t address, n = 0;
	enum status st = module_object_symbol(d, "ttm", c->variable, &address)
				 ?: dump_u64(d, address, &n, c->variable);

	*pages = n > max ? 0 : n;
	return n > max ? dump_corrupt(d, "%s is %lu pages", c->variable, n) : st;
}
