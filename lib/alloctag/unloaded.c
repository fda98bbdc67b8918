// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/unloaded.h"

#include "dump/layout.h"
#include "kernel/maple_tree.h"
#include "kernel/rodata.h"

#define MAX_RANGES 4096 /* of tags of modules, loaded or not: one for each */

enum { S_START, S_SIZE, S_FIELDS };

static const struct layout_row rows[S_FIELDS] = {
	[S_START] = { "struct alloc_tag_module_section", { "start_addr" }, REQUIRED, "6.13" },
	[S_SIZE] = { "struct alloc_tag_module_section", { "size" }, REQUIRED, "6.13" },
};

struct walk {
	struct dump *dump;
	uint64_t start, size; /* of the area, in bytes */
	uint64_t mark;	      /* address of unloaded_mod */
	struct unloaded_tags *ret;
};

static enum status add_range(void *arg, uint64_t first, uint64_t last, uint64_t value)
{
	struct walk *w = arg;
	struct unloaded_tags *u = w->ret;

	if (value != w->mark)
		return ST_OK;
	if (last >= w->size)
		return dump_corrupt(w->dump, "tags of an unloaded module end at %#lx of %#lx bytes",
				    last, w->size);
	if (u->n == u->room)
		return dump_corrupt(w->dump, "more than %zu unloaded modules", u->room);
	u->ranges[u->n++] = (struct tag_range){ w->start + first, w->start + last + 1 };
	decoder_trace(w->dump, "value  tags of an unloaded module from %#lx to %#lx",
		      u->ranges[u->n - 1].start, u->ranges[u->n - 1].stop);
	return ST_OK;
}

static enum status read_area(struct dump *d, struct walk *w)
{
	struct field f[S_FIELDS];
	uint64_t area;
	enum status st = dump_symbol(d, "module_tags", &area) ?:
		layout_resolve(d, rows, S_FIELDS, f) ?:
		dump_u64(d, area + f[S_START].offset, &w->start, "module_tags") ?:
		dump_u64(d, area + f[S_SIZE].offset, &w->size, "module_tags");

	if (st == ST_OK && w->start + w->size < w->start)
		return dump_corrupt(d, "tags of modules: %#lx bytes at %#lx", w->size, w->start);
	return st;
}

/*
 * Counters that are allocated for a module stay as long as its tags; before, they were
 * per-CPU data of the module and freed with it, and belong to another now (6.13 and 6.14).
 * No type tells the two apart: a kernel that allocates them has a message for when that fails
 * (load_module() in lib/alloc_tag.c).
 */
static bool keeps_counters(struct dump *d)
{
	static const char message[] =
		"Failed to allocate memory for allocation tag percpu counters";
	static const struct rodata_part part = { message, message };
	const char *text;

	return rodata_find(d, &part, &text, 1) == ST_OK && text;
}

enum status unloaded_tags_open(struct dump *d, struct unloaded_tags *ret)
{
	struct walk w = { .dump = d, .ret = ret };
	struct maple maple;
	uint64_t tree;
	enum status st;

	memset(ret, 0, sizeof(*ret));
	if (!dump_has_symbol(d, "mod_area_mt") || !dump_has_symbol(d, "unloaded_mod"))
		return dump_absent(d, "this kernel keeps no tags of unloaded modules");
	st = read_area(d, &w) ?: dump_symbol(d, "unloaded_mod", &w.mark) ?:
		dump_symbol(d, "mod_area_mt", &tree);
	if (st != ST_OK)
		return st;
	ret->room = MAX_RANGES;
	ret->ranges = dump_alloc(d, MAX_RANGES * sizeof(*ret->ranges));
	st = maple_open(d, &maple) ?: maple_walk(&maple, tree, add_range, &w);
	if (st == ST_OK && ret->n)
		modules_open(d, &ret->modules);
	ret->keeps_counters = st == ST_OK && ret->n && keeps_counters(d);
	return st;
}
