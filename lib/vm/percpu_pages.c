// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/percpu_pages.h"

#include "pages/kernel_map.h"
#include "vm/percpu_chunks.h"

#define MAX_PAGES (1ULL << 26) /* 256 GiB of addresses, for all chunks and CPUs */

void percpu_pages_open(struct dump *d, struct percpu_pages *ret)
{
	ret->dump = d;
	ret->left = MAX_PAGES;
	ret->maker = 0;
	if (dump_has_symbol(d, "pcpu_get_vm_areas"))
		dump_symbol(d, "pcpu_get_vm_areas", &ret->maker);
	ret->has_areas = ret->maker || dump_has_symbol(d, "__per_cpu_offset");
	/* Of one CPU per-CPU memory is in the direct map. */
	if (!ret->maker && dump_knows_symbol(d, "__per_cpu_offset"))
		dump_lacks(d, "areas of per-CPU memory", ST_UNKNOWN,
			   "unknown layout: no symbol pcpu_get_vm_areas");
	ret->has_tables = page_tables_open(d, &ret->tables) == ST_OK;
}

struct adder {
	struct dump *dump;
	struct pfnset *set;
};

static enum status add_page(void *arg, uint64_t phys)
{
	struct adder *a = arg;

	pfnset_add(a->set, phys >> a->dump->page_shift);
	return ST_OK;
}

enum status percpu_pages_add(struct percpu_pages *p, const struct vm_area *area, struct pfnset *ret)
{
	struct dump *d = p->dump;
	struct adder a = { d, ret };
	uint64_t mask = dump_page_size(d) - 1;

	if (!p->has_tables)
		return dump_fail(d, ST_UNKNOWN, "no page tables of a known architecture");
	if (area->size >> d->page_shift > p->left || (area->address | area->size) & mask)
		return dump_fail(d, ST_CORRUPT, "per-CPU memory of %lu bytes", area->size);
	p->left -= area->size >> d->page_shift;
	return page_tables_range(d, &p->tables, area->address, area->address + area->size, add_page,
				 &a);
}

static enum status add_block(void *arg, const struct percpu_chunk *chunk)
{
	struct adder *a = arg;
	struct dump *d = a->dump;
	uint64_t phys;
	enum status st;

	if (chunk->is_first)
		return ST_OK;
	st = direct_map_phys(d, chunk->base, &phys);
	if (st == ST_ABSENT || (st == ST_OK && phys & (dump_page_size(d) - 1)))
		return dump_fail(d, ST_CORRUPT, "pcpu_chunk at %#lx begins at %#lx", chunk->address,
				 chunk->base);
	for (uint64_t i = 0; st == ST_OK && i < chunk->pages; i++)
		st = add_page(a, phys + (i << d->page_shift));
	return st;
}

enum status percpu_pages_of_one_cpu(struct dump *d, struct pfnset *ret)
{
	struct adder a = { d, ret };

	if (dump_has_symbol(d, "__per_cpu_offset"))
		return dump_fail(d, ST_ABSENT, "this kernel was built with CONFIG_SMP");
	return percpu_chunks_walk(d, add_block, &a);
}
