// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/swap_areas.h"

#include "dump/first_problem.h"
#include "dump/layout.h"
#include "kernel/dentry_path.h"

#define MAX_AREAS 64 /* MAX_SWAPFILES is at most 32 */
#define AREA_BYTES 1024
#define SWP_USED 1
/* Of inuse_pages where it is an atomic_long_t, 6.13 and later. */
#define SWAP_USAGE_OFFLIST_BIT (1ULL << 62)

enum { A_FLAGS, A_PRIO, A_PAGES, A_USED, A_FILE, A_FIELDS };

static const struct layout_row rows[A_FIELDS] = {
	[A_FLAGS] = { "struct swap_info_struct", { "flags" }, REQUIRED, "all" },
	[A_PRIO] = { "struct swap_info_struct", { "prio" }, REQUIRED, "all" },
	[A_PAGES] = { "struct swap_info_struct", { "pages" }, REQUIRED, "all" },
	[A_USED] = { "struct swap_info_struct", { "inuse_pages" }, REQUIRED, "all" },
	[A_FILE] = { "struct swap_info_struct", { "swap_file" }, REQUIRED, "all" },
};

struct walk {
	struct dump *dump;
	struct field f[A_FIELDS];
	struct file_paths *paths; /* NULL: they cannot be read */
	enum status (*visit)(void *arg, const struct swap_area *area);
	void *arg;
};

static enum status visit_area(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	struct swap_area a = { 0 };
	uint8_t raw[AREA_BYTES];
	uint64_t file;
	enum status st = dump_read(d, at, raw, layout_span(w->f, A_FIELDS), "swap_info_struct");

	if (st != ST_OK)
		return st;
	/* It stays when its area is turned off. */
	if (!(field_get(&w->f[A_FLAGS], raw) & SWP_USED))
		return ST_OK;
	a.pages = field_get(&w->f[A_PAGES], raw);
	a.used = field_get(&w->f[A_USED], raw) & ~SWAP_USAGE_OFFLIST_BIT;
	a.priority = (int32_t)field_get_signed(&w->f[A_PRIO], raw);
	if (a.used > a.pages)
		return dump_fail(d, ST_CORRUPT, "swap_info_struct at %#llx uses %llu of %llu pages",
				 (unsigned long long)at, (unsigned long long)a.used,
				 (unsigned long long)a.pages);
	file = field_get(&w->f[A_FILE], raw);
	if (!w->paths || !file || file_path(w->paths, file, &a.path) != ST_OK)
		a.path = NULL;
	return w->visit(w->arg, &a);
}

static enum status walk_areas(struct walk *w, uint64_t array, uint64_t n)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		uint64_t at;

		st = dump_u64(w->dump, array + i * 8, &at, "swap_info");
		if (st == ST_OK && at)
			st = visit_area(w, at);
		st = first_problem_keep(w->dump, &problem, st);
	}
	return st == ST_OK ? first_problem_end(w->dump, &problem) : st;
}

enum status swap_areas_walk(struct dump *d,
			    enum status (*visit)(void *arg, const struct swap_area *area),
			    void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct file_paths *paths = dump_alloc(d, sizeof(*paths));
	uint64_t array, n;
	enum status st;

	if (!paths)
		return ST_NOMEM;
	if (!dump_has_symbol(d, "swap_info"))
		return dump_fail(d, ST_ABSENT, "this kernel has no swap_info");
	st = layout_resolve(d, rows, A_FIELDS, w.f);
	if (st == ST_OK && layout_span(w.f, A_FIELDS) > AREA_BYTES)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct swap_info_struct");
	if (st == ST_OK)
		st = dump_symbol(d, "swap_info", &array);
	if (st == ST_OK)
		st = dump_value(d, "nr_swapfiles", &n);
	if (st == ST_OK && n > MAX_AREAS)
		st = dump_fail(d, ST_CORRUPT, "nr_swapfiles: %llu", (unsigned long long)n);
	if (st != ST_OK)
		return st;
	if (file_paths_open(d, paths) == ST_OK)
		w.paths = paths;
	return walk_areas(&w, array, n);
}
