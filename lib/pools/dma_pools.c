// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/dma_pools.h"

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/utf8.h"

#define MAX_BLOCKS (1U << 24) /* of one pool */
#define MAX_BYTES (1U << 26)  /* of one block */
#define NAME 64

struct pool {
	uint64_t blocks; /* list_head */
	uint64_t counted, bytes;
	bool has_counted;
	char name[NAME];
};

struct block {
	uint64_t address;
};

struct device {
	uint64_t pools, name;
};

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct field devices, device_entry, pool_entry, block_entry;
	struct structure device, pool, block;
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, devices, "struct kset", REQUIRED, "all", "list"),
	FINDS(struct walk, device_entry, "struct device", REQUIRED, "all", "kobj.entry"),
	STRUCTURE(struct walk, device, "struct device"),
	PLACES(struct device, pools, OPTIONAL, "all; CONFIG_HAS_DMA", "dma_pools"),
	READS(struct device, name, REQUIRED, "all", "kobj.name"),
	FINDS(struct walk, pool_entry, "struct dma_pool", REQUIRED, "all", "pools"),
	STRUCTURE(struct walk, pool, "struct dma_pool"),
	PLACES(struct pool, blocks, REQUIRED, "all", "page_list"),
	READS(struct pool, bytes, REQUIRED, "all", "allocation"),
	READS(struct pool, name, REQUIRED, "all", "name"),
	READS_IF(struct pool, counted, has_counted, OPTIONAL, "6.3", "nr_pages"),
	FINDS(struct walk, block_entry, "struct dma_page", REQUIRED, "all", "page_list"),
	STRUCTURE(struct walk, block, "struct dma_page"),
	POINTS(struct block, address, REQUIRED, "all", "vaddr"),
};

static enum status visit_blocks(struct walk *w, const struct pool *p)
{
	struct list_nodes l = list_of(w->dump, p->blocks, "blocks of a dma_pool");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct block b;

		st = struct_read(&w->block, node - w->block_entry.offset, &b);
		st = st == ST_OK ? w->v->part(w->v->arg, b.address, p->bytes)
				 : first_problem_keep(w->dump, &w->problem, st);
	}
	return st ?: list_end(&l);
}

static enum status visit_pool(struct walk *w, uint64_t address, const char *device)
{
	struct dump *d = w->dump;
	struct memory_holder h = { .address = address, .counter = "dma_pool.nr_pages" };
	struct pool p = { 0 };
	enum status st = struct_read(&w->pool, address, &p);

	if (st == ST_OK && (!p.bytes || p.bytes > MAX_BYTES || p.counted > MAX_BLOCKS))
		st = dump_corrupt(d, "dma_pool at %#lx has %lu blocks of %lu bytes", address,
				  p.counted, p.bytes);
	if (st != ST_OK)
		return st;
	h.name = dump_text(d, "%s of %s", p.name, device);
	h.counted = (struct maybe_u64){ p.counted * p.bytes, p.has_counted };
	st = visit_blocks(w, &p);
	h.is_cut = st != ST_OK;
	return first_problem_keep(d, &w->problem, st) ?: w->v->holder(w->v->arg, &h);
}

static enum status visit_device(struct walk *w, uint64_t address)
{
	struct dump *d = w->dump;
	struct device device = { 0 };
	char name[NAME];
	uint64_t node;
	enum status st = struct_read(&w->device, address, &device);
	struct list_nodes l = list_of(d, device.pools, "dma_pools of a device");

	if (st != ST_OK)
		return st;
	if (!device.name ||
	    dump_string(d, device.name, name, sizeof(name), "name of a device") != ST_OK)
		snprintf(name, sizeof(name), "?");
	printable(name);
	while (st == ST_OK && list_next(&l, &node))
		st = first_problem_keep(d, &w->problem,
					visit_pool(w, node - w->pool_entry.offset, name));
	return st ?: list_end(&l);
}

enum status dma_pools_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct list_nodes l;
	uint64_t devices = 0, kset, node;
	enum status st = dump_has_both(d, "dma_pool_alloc", "struct dma_pool");

	if (st == ST_ABSENT)
		return dump_fail(d, st, "this kernel has no DMA pools");
	st = st ?: STRUCTS_OPEN(d, rows, &w) ?: dump_symbol(d, "devices_kset", &kset) ?:
		   dump_u64(d, kset, &devices, "devices_kset");
	if (st == ST_OK && !STRUCT_HAS(&w.device, struct device, pools))
		st = dump_unknown(d, "struct device");
	l = list_of(d, devices + w.devices.offset, "devices_kset");
	while (st == ST_OK && list_next(&l, &node))
		st = first_problem_keep(d, &w.problem,
					visit_device(&w, node - w.device_entry.offset));
	return st ?: list_end(&l) ?: first_problem_end(d, &w.problem);
}

struct chunk {
	uint64_t start, end; /* end: of the last byte */
};

struct atomic_walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct field chunks, entry, pool;
	struct structure chunk;
	struct first_problem problem;
};

static const struct layout_row atomic_rows[] = {
	FINDS(struct atomic_walk, chunks, "struct gen_pool", REQUIRED, "all", "chunks"),
	FINDS(struct atomic_walk, entry, "struct gen_pool_chunk", REQUIRED, "all", "next_chunk"),
	/* The variables are of this type; up to 7.2 they are pointers. */
	FINDS(struct atomic_walk, pool, "struct dma_gen_pool", OPTIONAL, "7.3", "pool"),
	STRUCTURE(struct atomic_walk, chunk, "struct gen_pool_chunk"),
	POINTS(struct chunk, start, REQUIRED, "all", "start_addr"),
	POINTS(struct chunk, end, REQUIRED, "3.18", "end_addr"),
};

static enum status visit_chunks(struct atomic_walk *w, uint64_t pool)
{
	struct list_nodes l = list_of(w->dump, pool + w->chunks.offset, "chunks of a gen_pool");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct chunk c;

		st = struct_read(&w->chunk, node - w->entry.offset, &c);
		if (st == ST_OK && (c.end < c.start || c.end - c.start >= MAX_BYTES))
			st = dump_corrupt(w->dump, "gen_pool_chunk from %#lx to %#lx", c.start,
					  c.end);
		st = st == ST_OK ? w->v->part(w->v->arg, c.start, c.end - c.start + 1)
				 : first_problem_keep(w->dump, &w->problem, st);
	}
	return st ?: list_end(&l);
}

/* 0: it was not made. */
static enum status visit_atomic(struct atomic_walk *w, const char *name, const char *counter)
{
	struct dump *d = w->dump;
	struct memory_holder h = { .name = name, .counter = counter };
	uint64_t at;
	enum status st;

	if (!dump_has_symbol(d, name))
		return ST_OK;
	st = dump_symbol(d, name, &at) ?: dump_u64(d, at + w->pool.offset, &h.address, name);
	if (st != ST_OK || !h.address)
		return first_problem_keep(d, &w->problem, st);
	h.counted.known = dump_has_symbol(d, counter) &&
			  dump_symbol_u64(d, counter, &h.counted.n) == ST_OK;
	st = visit_chunks(w, h.address);
	h.is_cut = st != ST_OK;
	return first_problem_keep(d, &w->problem, st) ?: w->v->holder(w->v->arg, &h);
}

enum status dma_atomic_pools_walk(struct dump *d, const struct memory_parts *v)
{
	struct atomic_walk w = { .dump = d, .v = v };
	enum status st;

	if (!dump_has_symbol(d, "atomic_pool_kernel"))
		return dump_absent(d, "this kernel has no atomic DMA pools");
	st = STRUCTS_OPEN(d, atomic_rows, &w);
	return st ?: visit_atomic(&w, "atomic_pool_dma", "pool_size_dma") ?:
		     visit_atomic(&w, "atomic_pool_dma32", "pool_size_dma32") ?:
		     visit_atomic(&w, "atomic_pool_kernel", "pool_size_kernel") ?:
		     first_problem_end(d, &w.problem);
}
