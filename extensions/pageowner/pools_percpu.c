// SPDX-License-Identifier: GPL-2.0-or-later
/* Static per-CPU memory, which is in the first chunk: of vmlinux, of each module, and what is free. */
#include "vm/percpu_chunks.h"
#include "pools.h"

#define ALIGNMENT 4 /* PCPU_MIN_ALLOC_SIZE (mm/percpu.c) */

enum { PERCPU_MODULE, PERCPU_CPU_BYTES, PERCPU_BYTES, PERCPU_COLUMNS };

static const struct view_column columns[PERCPU_COLUMNS] = {
	[PERCPU_CPU_BYTES] = { COLUMN_cpu_bytes, IN_BOTH | KNOWN },
	[PERCPU_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN, "of all CPUs" },
	[PERCPU_MODULE] = { COLUMN_module, IN_BOTH,
			    "[free]: reserved for modules; null: of this, in use by an unknown module" },
};

const struct view pools_percpu_view = { "pools-percpu", "-t pools", COLUMNS_OF(columns) };

struct collect {
	struct view_pools *p;
	struct percpu_first first;
	uint64_t known; /* bytes that modules have */
};

static enum status add(struct collect *c, const char *module, uint64_t bytes)
{
	struct cell *row = table_add(&c->p->percpu);

	if (!row)
		return ST_NOMEM;
	row[PERCPU_CPU_BYTES] = cell_uint(bytes);
	row[PERCPU_BYTES] = cell_uint(bytes * c->first.units);
	row[PERCPU_MODULE] = cell_text(module);
	return ST_OK;
}

static enum status add_module(void *arg, const struct percpu_module *module)
{
	struct collect *c = arg;

	c->known += (module->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	return add(c, module->name, module->bytes);
}

static enum status add_rest(struct collect *c)
{
	const struct percpu_first *f = &c->first;
	enum status st = ST_OK;

	if (f->reserved_used > c->known)
		st = add(c, NULL, f->reserved_used - c->known);
	return st == ST_OK && f->has_reserved
		       ? add(c, "[free]", f->reserved_bytes - f->reserved_used)
		       : st;
}

enum status pools_add_percpu(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	struct collect c = { .p = p };
	enum status st = table_init(&p->percpu, d, columns, PERCPU_COLUMNS, p->v->in->opts.json);

	if (st != ST_OK)
		return st;
	st = percpu_first_read(d, &c.first);
	if (st == ST_OK)
		st = add(&c, "vmlinux", c.first.static_bytes);
	if (st != ST_OK)
		return pools_keep_going(p, st, "static per-CPU memory");
	st = pools_keep_going(p, percpu_modules_walk(d, add_module, &c),
			      "per-CPU memory of modules");
	return st == ST_OK ? add_rest(&c) : st;
}
