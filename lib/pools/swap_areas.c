// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/swap_areas.h"

#include "dump/first_problem.h"
#include "dump/layout.h"
#include "files/dentry_path.h"
#include "util/units.h"

#define MAX_AREAS 64 /* MAX_SWAPFILES is at most 32 */
#define SWP_USED 1
/*
 * Of inuse_pages where it is an atomic_long_t, 6.13 and later, of an area that is not on the list of those
 * with room: SWAP_USAGE_OFFLIST_BIT is bit BITS_PER_TYPE(atomic_t) - 2 at first, and in 7.3
 * BITS_PER_TYPE(atomic_long_t) - 2.  No debug information has it; the area's size is below either.
 */
#define OFFLIST (1ULL << 62)
#define OLD_OFFLIST (1ULL << 30)

enum { A_FLAGS, A_PRIO, A_PAGES, A_USED, A_FILE, A_FIELDS };

static const struct layout_row rows[A_FIELDS] = {
	[A_FLAGS] = { "struct swap_info_struct", { "flags" }, REQUIRED, "all" },
	[A_PRIO] = { "struct swap_info_struct", { "prio" }, REQUIRED, "all" },
	[A_PAGES] = { "struct swap_info_struct", { "pages" }, REQUIRED, "all" },
	[A_USED] = { "struct swap_info_struct", { "inuse_pages" }, REQUIRED, "all" },
	[A_FILE] = { "struct swap_info_struct", { "swap_file" }, REQUIRED, "all" },
};

/* The members are read one by one: up to 4.18 avail_lists[MAX_NUMNODES] is between them, 40 KB of it. */
struct walk {
	struct dump *dump;
	struct field f[A_FIELDS];
	struct file_paths *paths;     /* NULL: they cannot be read */
	struct first_problem problem; /* why not */
	enum status (*visit)(void *arg, const struct swap_area *area);
	void *arg;
};

static enum status read_member(struct walk *w, uint64_t at, unsigned int member, uint64_t *ret)
{
	struct field f = w->f[member];
	uint8_t raw[8];
	enum status st = dump_read(w->dump, at + f.offset, raw, f.size, "swap_info_struct");

	f.offset = 0;
	if (st == ST_OK)
		*ret = member == A_PRIO ? (uint64_t)field_get_signed(&f, raw) : field_get(&f, raw);
	return st;
}

static uint64_t pages_used(const struct walk *w, uint64_t raw, uint64_t pages)
{
	if (w->f[A_USED].size < 8)
		return raw;
	raw &= ~OFFLIST;
	return raw > pages ? raw & ~OLD_OFFLIST : raw;
}

static enum status visit_area(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	uint64_t v[A_FIELDS];
	struct swap_area a;
	enum status st = ST_OK;

	for (unsigned int i = 0; i < A_FIELDS && st == ST_OK; i++)
		st = read_member(w, at, i, &v[i]);
	/* It stays when its area is turned off. */
	if (st != ST_OK || !(v[A_FLAGS] & SWP_USED))
		return st;
	a = (struct swap_area){ .pages = v[A_PAGES],
				.used = pages_used(w, v[A_USED], v[A_PAGES]),
				.priority = (int32_t)v[A_PRIO] };
	if (a.used > a.pages)
		return dump_fail(d, ST_CORRUPT, "swap_info_struct at %#lx uses %lu of %lu pages",
				 at, a.used, a.pages);
	if (w->paths && v[A_FILE]) {
		st = file_path(w->paths, v[A_FILE], &a.path);
		if (st != ST_OK)
			a.path = NULL;
	}
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
	st = st ?: first_problem_end(w->dump, &problem);
	return st ?: first_problem_end(w->dump, &w->problem);
}

enum status swap_areas_walk(struct dump *d,
			    enum status (*visit)(void *arg, const struct swap_area *area),
			    void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct file_paths *paths = dump_alloc(d, sizeof(*paths));
	uint64_t array, n;
	enum status st;

	st = dump_has_both(d, "swap_info", "struct swap_info_struct")
		     ?: layout_resolve(d, rows, A_FIELDS, w.f);
	for (unsigned int i = 0; i < A_FIELDS && st == ST_OK; i++)
		if (!w.f[i].size || w.f[i].size > 8)
			st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct swap_info_struct");
	st = st ?: dump_symbol(d, "swap_info", &array) ?: dump_value(d, "nr_swapfiles", &n);
	if (st == ST_OK && n > MAX_AREAS)
		st = dump_fail(d, ST_CORRUPT, "nr_swapfiles: %lu", n);
	if (st != ST_OK)
		return st;
	st = file_paths_open(d, paths);
	if (st == ST_OK)
		w.paths = paths;
	return first_problem_keep(d, &w.problem, st) ?: walk_areas(&w, array, n);
}

static enum status add_area(void *arg, const struct swap_area *area)
{
	struct swap_sum *sum = arg;

	sum->pages += area->pages;
	sum->used += area->used;
	return ST_OK;
}

enum status swap_areas_sum(struct dump *d, struct swap_sum *ret)
{
	enum status st;

	*ret = (struct swap_sum){ 0 };
	st = swap_areas_walk(d, add_area, ret);
	ret->known = st == ST_OK || st == ST_ABSENT;
	return st;
}

const char *swap_shared_note(struct dump *d, uint64_t pages)
{
	struct swap_sum sum;

	if (!pages || swap_areas_sum(d, &sum) != ST_OK || pages <= sum.used)
		return NULL;
	return arena_text(d->arena, "%s in all, %s of swap in use",
			  SIZE_TEXT((int64_t)(pages << d->page_shift)),
			  SIZE_TEXT((int64_t)(sum.used << d->page_shift)));
}
