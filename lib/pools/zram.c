// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zram.h"

#include "modules/module_sections.h"
#include "kernel/xarray.h"
#include "zones/vmstat.h"
#include "pools/zram_untyped.h"
#include "util/utf8.h"

#define MAX_PAGES (1ULL << 40) /* 4 PiB */

struct walk {
	struct dump *dump;
	struct structure zram, pool;
	struct field disk_name; /* of struct gendisk */
	enum status (*visit)(void *arg, const struct zram_device *device);
	void *arg;
};

/* A struct zram. */
struct zram {
	struct zram_device found;
	uint64_t pool, disk;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, zram, "struct zram"),
	POINTS(struct zram, pool, REQUIRED, "4.12", "mem_pool"),
	READS(struct zram, disk, REQUIRED, "all", "disk"),
	POINTS(struct zram, found.compressed, REQUIRED, "3.15", "stats.compr_data_size"),
	POINTS(struct zram, found.stored, REQUIRED, "all", "stats.pages_stored"),
	STRUCTURE(struct walk, pool, "struct zs_pool"),
	POINTS(struct zram, found.pages, REQUIRED, "3.11", "pages_allocated"),
	FINDS(struct walk, disk_name, "struct gendisk", REQUIRED, "all", "disk_name"),
};

static enum status visit_zram(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	struct zram zram = { .found = { .has_pages = true, .has_stats = true } };
	struct zram_device *found = &zram.found;
	enum status st = struct_read(&w->zram, at, &zram);

	/* A device that was not set up has none. */
	if (st != ST_OK || !zram.pool)
		return st;
	st = struct_read(&w->pool, zram.pool, &zram);
	if (st == ST_OK && (found->pages > MAX_PAGES || found->stored > MAX_PAGES ||
			    found->compressed > found->pages << d->page_shift))
		return dump_corrupt(d, "zram at %#lx has %lu bytes in %lu pages", at,
				    found->compressed, found->pages);
	if (st != ST_OK)
		return st;
	if (!zram.disk || dump_string(d, zram.disk + w->disk_name.offset, found->name,
				      sizeof(found->name), "gendisk.disk_name") != ST_OK)
		found->name[0] = '\0';
	printable(found->name);
	return w->visit(w->arg, found);
}

/* What can be known without the types of the module; then why the rest cannot. */
static enum status walk_untyped(struct walk *w, uint64_t idr, enum status why)
{
	struct dump *d = w->dump;
	const char *text = dump_why(d);
	int64_t total = 0;
	uint64_t head = 0;
	enum status st = idr_head(d, idr, "zram_index_idr", &head);

	if (st == ST_OK)
		counter_ask(d, "nr_zspages", &total);
	st = st ?: zram_untyped_walk(d, head, (uint64_t)total, w->visit, w->arg);
	return st == ST_STOPPED ? st : dump_fail(d, why, "%s", text);
}

enum status zram_walk(struct dump *d,
		      enum status (*visit)(void *arg, const struct zram_device *device), void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t idr, head = 0, index, zram;
	struct xa_entries x;
	enum status st = module_object_symbol(d, "zram", "zram_index_idr", &idr);

	if (st != ST_OK)
		return st;
	st = module_object_type(d, "zram", "struct zram")
		     ?: module_object_type(d, "zsmalloc", "struct zs_pool");
	if (st != ST_OK)
		return walk_untyped(&w, idr, st);
	st = STRUCTS_OPEN(d, rows, &w) ?: idr_head(d, idr, "zram_index_idr", &head);
	for (xa_begin(&x, d, head); st == ST_OK && xa_next(&x, &index, &zram);)
		st = visit_zram(&w, zram);
	return st ?: xa_end(&x);
}
