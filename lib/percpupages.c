// SPDX-License-Identifier: GPL-2.0-or-later
#include "percpupages.h"

#define MAX_AREA_BYTES (1ULL << 38) /* of all CPUs, as far apart as their nodes are */

void percpu_pages_open(struct dump *d, struct percpu_pages *ret)
{
	ret->dump = d;
	ret->maker = 0;
	if (dump_has_symbol(d, "pcpu_get_vm_areas"))
		dump_symbol(d, "pcpu_get_vm_areas", &ret->maker);
	ret->has_tables = page_tables_open(d, &ret->tables) == DUMP_OK;
}

static enum status find(struct percpu_pages *p, uint64_t addr, uint64_t *ret)
{
	struct dump *d = p->dump;

	if (p->has_tables)
		return page_tables_walk(d, &p->tables, addr, ret);
	return d->ops->virt_to_phys(d->priv, addr, ret);
}

enum status percpu_pages_add(struct percpu_pages *p, const struct vm_area *area, struct pfnset *ret)
{
	struct dump *d = p->dump;

	if (area->size > MAX_AREA_BYTES)
		return dump_fail(d, DUMP_CORRUPT, "per-CPU memory of %llu bytes",
				 (unsigned long long)area->size);
	for (uint64_t at = 0; at < area->size; at += dump_page_size(d)) {
		uint64_t phys;
		enum status st = find(p, area->address + at, &phys);

		if (st == DUMP_ABSENT)
			continue;
		if (st != DUMP_OK)
			return st;
		if (dump_stopped(d))
			return dump_fail(d, DUMP_STOPPED, "interrupted");
		if (!pfnset_add(ret, phys >> d->page_shift))
			return dump_fail(d, DUMP_NOMEM, "out of memory");
	}
	return DUMP_OK;
}
