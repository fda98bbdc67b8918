// SPDX-License-Identifier: GPL-2.0-or-later
/* Static per-CPU memory, which is in the first chunk: of vmlinux, of each module, and what is free. */
#include "vm/percpu_chunks.h"
#include "pools.h"

#define ALIGNMENT 4 /* PCPU_MIN_ALLOC_SIZE (mm/percpu.c) */

struct percpu_row {
	const char *module;
	uint64_t bytes, all;
};

#define ROW struct percpu_row

static const struct view_column columns[] = {
	{ COLUMN_module, IN_BOTH,
	  "[free]: reserved for modules; null: of this, in use by an unknown module",
	  TEXT_OF(ROW, module) },
	{ COLUMN_cpu_bytes, IN_BOTH | KNOWN, UINT_OF(ROW, bytes) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, "of all CPUs", UINT_OF(ROW, all) },
	BASIS(derived),
};

const struct view pools_percpu_view = { "pools-percpu", "", COLUMNS_OF(columns) };

struct collect {
	struct view_pools *p;
	struct percpu_first first;
	uint64_t known; /* bytes that modules have */
};

static void add(struct collect *c, const char *module, uint64_t bytes)
{
	const struct percpu_row row = { module, bytes, bytes * c->first.units };

	row_add(&c->p->percpu, &row, c);
}

static enum status add_module(void *arg, const struct percpu_module *module)
{
	struct collect *c = arg;

	c->known += (module->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	add(c, module->name, module->bytes);
	return ST_OK;
}

void pools_add_percpu(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	struct collect c = { .p = p };
	const struct percpu_first *f = &c.first;
	enum status st = percpu_first_read(d, &c.first);

	table_init(&p->percpu, d, COLUMNS(columns), p->v->in->opts.json);
	pools_keep_going(p, st, "static per-CPU memory");
	if (st != ST_OK)
		return;
	add(&c, "vmlinux", f->static_bytes);
	pools_keep_going(p, percpu_modules_walk(d, add_module, &c), "per-CPU memory of modules");
	if (f->reserved_used > c.known)
		add(&c, NULL, f->reserved_used - c.known);
	if (f->has_reserved)
		add(&c, "[free]", f->reserved_bytes - f->reserved_used);
}
