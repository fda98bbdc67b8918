// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/swap_areas.h"

#include "files/dentry_path.h"
#include "util/units.h"
#include "zones/reclaim.h"

#define MAX_AREAS 64 /* MAX_SWAPFILES is at most 32 */
#define SWP_USED 1
/*
 * Of inuse_pages where it is an atomic_long_t, 6.13 and later, of an area that is not on the list of those
 * with room: SWAP_USAGE_OFFLIST_BIT is bit BITS_PER_TYPE(atomic_t) - 2 at first, and in 7.3
 * BITS_PER_TYPE(atomic_long_t) - 2.  No debug information has it; the area's size is below either.
 */
#define OFFLIST (1ULL << 62)
#define OLD_OFFLIST (1ULL << 30)

struct area {
	struct swap_area a;
	uint64_t flags, file;
};

struct walk {
	struct dump *dump;
	struct structure area;
	struct file_paths *paths;     /* NULL: they cannot be read */
	struct first_problem problem; /* why not */
	int64_t writeok;	      /* SWP_WRITEOK; 0: unknown */
	uint64_t pages, used;	      /* of areas that swapoff() does not empty */
	enum status (*visit)(void *arg, const struct swap_area *area);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, area, "struct swap_info_struct"),
	READS(struct area, flags, REQUIRED, "all", "flags"),
	READS(struct area, a.priority, REQUIRED, "all", "prio"),
	READS(struct area, a.pages, REQUIRED, "all", "pages"),
	READS(struct area, a.used, REQUIRED, "all", "inuse_pages"),
	READS(struct area, file, REQUIRED, "all", "swap_file"),
};

static uint64_t pages_used(const struct walk *w, uint64_t raw, uint64_t pages)
{
	if (STRUCT_FIELD(&w->area, struct area, a.used)->size < 8)
		return raw;
	raw &= ~OFFLIST;
	return raw > pages ? raw & ~OLD_OFFLIST : raw;
}

static enum status visit_area(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	struct area area = { 0 };
	struct swap_area *a = &area.a;
	enum status st = struct_read(&w->area, at, &area);

	/* It stays when its area is turned off. */
	if (st != ST_OK || !(area.flags & SWP_USED))
		return st;
	a->used = pages_used(w, a->used, a->pages);
	if (a->used > a->pages)
		return dump_corrupt(d, "swap_info_struct at %#lx uses %lu of %lu pages", at,
				    a->used, a->pages);
	a->is_emptied = w->writeok && !(area.flags & (uint64_t)w->writeok) && a->used;
	w->pages += a->is_emptied ? 0 : a->pages;
	w->used += a->is_emptied ? 0 : a->used;
	if (w->paths && area.file && file_path(w->paths, area.file, &a->path) != ST_OK)
		a->path = NULL;
	return w->visit(w->arg, a);
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

/* CPUs take entries before an area counts them, 64 at a time up to 6.13. */
#define TAKEN 8192
#define TAKEN_PART 64

/*
 * swapon() adds the pages of an area there, and swapoff() takes them off before it empties it; what is in use of an area is
 * not free among all.
 */
static enum status check_sum(struct dump *d, uint64_t pages, uint64_t used)
{
	struct swap_totals all;
	uint64_t taken, total;
	enum status st = dump_symbol_u64(d, "total_swap_pages", &total);

	if (st == ST_OK && total != pages)
		return dump_corrupt(
			d, "the areas of swap_info have %lu pages, total_swap_pages is %lu", pages,
			total);
	st = st ?: swap_totals_read(d, &all);
	taken = st == ST_OK && all.free >= 0 ? all.total - (uint64_t)all.free : used;
	if ((taken > used ? taken - used : used - taken) > TAKEN + pages / TAKEN_PART)
		return dump_corrupt(
			d,
			"the areas of swap_info use %lu pages, by nr_swap_pages %lu of %lu are in use",
			used, taken, pages);
	return st;
}

enum status swap_areas_walk(struct dump *d,
			    enum status (*visit)(void *arg, const struct swap_area *area),
			    void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct file_paths *paths = dump_alloc(d, sizeof(*paths));
	uint64_t array, n;
	enum status st;

	st = dump_built_with(d, "CONFIG_SWAP", "swap_info", "union swap_header") ?:
		STRUCTS_OPEN(d, rows, &w) ?:
		dump_symbol(d, "swap_info", &array) ?: dump_value(d, "nr_swapfiles", &n);
	if (st == ST_OK && n > MAX_AREAS)
		st = dump_corrupt(d, "nr_swapfiles: %lu", n);
	if (st != ST_OK)
		return st;
	w.writeok = dump_enumerator_or(d, "SWP_WRITEOK", 0);
	st = file_paths_open(d, paths);
	if (st == ST_OK)
		w.paths = paths;
	st = first_problem_keep(d, &w.problem, st) ?: walk_areas(&w, array, n);
	return st ?: check_sum(d, w.pages, w.used);
}

struct adding {
	struct dump *dump;
	struct swap_sum *sum;
};

static enum status add_area(void *arg, const struct swap_area *area)
{
	struct adding *x = arg;
	struct swap_area *emptied;

	x->sum->pages += area->pages;
	x->sum->used += area->used;
	if (!area->is_emptied || x->sum->emptied)
		return ST_OK;
	emptied = dump_alloc(x->dump, sizeof(*emptied));
	*emptied = *area;
	x->sum->emptied = emptied;
	return ST_OK;
}

enum status swap_areas_sum(struct dump *d, struct swap_sum *ret)
{
	struct adding x = { d, ret };
	enum status st;

	*ret = (struct swap_sum){ 0 };
	st = swap_areas_walk(d, add_area, &x);
	ret->known = st == ST_OK || st == ST_ABSENT;
	return st;
}

const char *swap_shared_note(struct dump *d, uint64_t pages)
{
	struct swap_sum sum = { 0 };

	if (!pages || swap_areas_sum(d, &sum) != ST_OK || pages <= sum.used)
		return NULL;
	return dump_text(d, "%s in all processes, %s of swap in use",
			 SIZE_TEXT((int64_t)(pages << d->page_shift)),
			 SIZE_TEXT((int64_t)(sum.used << d->page_shift)));
}
