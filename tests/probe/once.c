// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for "make bench": what an answer about all pages has to look at, looked at once by the program's own reader,
 * and nothing decided of it.  memowner_once: each record of page_owner, and the record of each stack; memowner_once pages:
 * each struct page, too.  Prints how many these were, and a sum, without which the compiler would read less.
 */
#include "dump/commands.h"
#include "page_owner/page_owner.h"
#include "stackdepot/stackdepot.h"
#include "util/hash_u64.h"

static char *help[] = { "memowner_once", "looks at each record once, for make bench", "", NULL };

struct once {
	struct page_owner po;
	struct depot depot;
	struct hash_u64 stacks; /* by handle */
	uint32_t last;
	struct read_window window; /* of struct pages */
	uint64_t bytes;		   /* of struct page; 0: none is looked at */
	uint64_t start, end, base; /* pfns of its table, and struct page of the first */
	uint64_t records, pages, sum;
};

static void look_at_stack(struct once *o, uint32_t handle)
{
	uint64_t frames[DEPOT_MAX_FRAMES];
	unsigned int n;

	o->last = handle;
	if (handle && hash_u64_add(&o->stacks, handle) &&
	    depot_fetch_into(&o->depot, handle, frames, &n) == ST_OK && n)
		o->sum += frames[n - 1];
}

static enum status look_at_records(void *arg, uint64_t *pfn, uint64_t end)
{
	struct once *o = arg;
	const struct page_owner *po = &o->po;
	const uint8_t *entry;
	uint64_t n, base;

	if (page_ext_run(&o->po.ext, *pfn, end, &entry, &n) != ST_OK) {
		++*pfn;
		return ST_OK;
	}
	base = po->ext.window.base;
	for (; n && po->ext.window.base == base; n--, ++*pfn, entry += po->ext.entry_size) {
		const uint32_t handle = (uint32_t)quick_get(&po->quick.handle, entry + po->offset);

		o->sum += quick_get(&po->quick.flags, entry) +
			  quick_get(&po->quick.ts, entry + po->offset);
		o->records++;
		if (handle != o->last)
			look_at_stack(o, handle);
	}
	return ST_OK;
}

static enum status look_at_page(void *arg, uint64_t pfn)
{
	struct once *o = arg;
	struct memmap *m = &o->po.ext.memmap;
	const uint64_t *page;

	if (pfn < o->start || pfn >= o->end) {
		o->start = pfn;
		o->end = m->is_flat ? pfn + 1
				    : ((pfn >> m->sections.shift) + 1) << m->sections.shift;
		if (memmap_page(m, pfn, &o->base) != ST_OK)
			o->base = 0;
		read_window_table(&o->window, o->base + (o->end - pfn) * o->bytes);
	}
	page = o->base ? read_window_at(&o->window, o->base + (pfn - o->start) * o->bytes, o->bytes)
		       : NULL;
	if (page) {
		o->pages++;
		for (uint64_t i = 0; i < o->bytes / sizeof(*page); i++)
			o->sum += page[i];
	}
	return ST_OK;
}

static enum status run(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct once *o = dump_alloc(d, sizeof(*o));
	enum availability why;
	enum status st = page_owner_open(d, &o->po, &why) ?: depot_open(d, &o->depot);

	if (st != ST_OK)
		return st;
	hash_u64_init(&o->stacks, d->arena, 0);
	st = ram_walk_runs(d, &o->po.ram, look_at_records, o);
	/* Synthetic kernels have none. */
	if (st == ST_OK && argc > 1 && !strcmp(argv[1], "pages") &&
	    dump_ask(d, type_size, "struct page", &o->bytes) == ST_OK && o->bytes) {
		read_window_init(&o->window, d);
		st = ram_walk(d, &o->po.ram, look_at_page, o);
	}
	if (st == ST_OK)
		sink_printf(out, "%lu records, %zu stacks, %lu of struct page, %#lx\n", o->records,
			    o->stacks.n, o->pages, o->sum);
	return st;
}

extern const struct command once_command;
const struct command once_command = { "memowner_once", run, help, NULL };
