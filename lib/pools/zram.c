// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zram.h"

#include "dump/structure.h"
#include "modules/module_object.h"
#include "kernel/xarray.h"
#include "zones/vmstat.h"
#include "pools/zram_untyped.h"

#define MAX_PAGES (1ULL << 40) /* 4 PiB */

struct walk {
	struct dump *dump;
	struct structure zram, pool;
	struct field disk_name, idr_head; /* of struct gendisk, struct idr */
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

static const struct layout_row idr_row[] = {
	FINDS(struct walk, idr_head, "struct idr", REQUIRED, "4.20, 4.11", "idr_rt.xa_head",
	      "idr_rt.rnode"),
};

static enum status visit_zram(void *arg, uint64_t index, uint64_t at)
{
	struct walk *w = arg;
	struct dump *d = w->dump;
	struct zram zram = { .found = { .has_pages = true, .has_stats = true } };
	struct zram_device *found = &zram.found;
	enum status st = struct_read(&w->zram, at, &zram);

	(void)index;
	/* A device that was not set up has none. */
	if (st != ST_OK || !zram.pool)
		return st;
	st = struct_read(&w->pool, zram.pool, &zram);
	if (st == ST_OK && (found->pages > MAX_PAGES || found->stored > MAX_PAGES ||
			    found->compressed > found->pages << d->page_shift))
		return dump_fail(d, ST_CORRUPT, "zram at %#lx has %lu bytes in %lu pages", at,
				 found->compressed, found->pages);
	if (st != ST_OK)
		return st;
	if (!zram.disk || dump_string(d, zram.disk + w->disk_name.offset, found->name,
				      sizeof(found->name), "gendisk.disk_name") != ST_OK)
		found->name[0] = '\0';
	for (char *c = found->name; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return w->visit(w->arg, found);
}

/* What can be known without the types of the module; then why the rest cannot. */
static enum status walk_untyped(struct walk *w, uint64_t idr, enum status why)
{
	struct dump *d = w->dump;
	const char *text = dump_why(d);
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t total = 0;
	uint64_t head = 0;
	enum status st = STRUCTS_OPEN(d, idr_row, w)
				 ?: dump_u64(d, idr + w->idr_head.offset, &head, "zram_index_idr");

	if (st == ST_OK && counters_open(d, c) == ST_OK)
		counter_read(c, "nr_zspages", &total);
	st = st ?: zram_untyped_walk(d, head, (uint64_t)total, w->visit, w->arg);
	return st == ST_STOPPED ? st : dump_fail(d, why, "%s", text);
}

enum status zram_walk(struct dump *d,
		      enum status (*visit)(void *arg, const struct zram_device *device), void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t idr, head;
	enum status st = module_object_symbol(d, "zram", "zram_index_idr", &idr);

	if (st != ST_OK)
		return st;
	st = module_object_type(d, "zram", "struct zram")
		     ?: module_object_type(d, "zsmalloc", "struct zs_pool");
	if (st != ST_OK)
		return walk_untyped(&w, idr, st);
	return STRUCTS_OPEN(d, rows, &w) ?: STRUCTS_OPEN(d, idr_row, &w) ?:
		dump_u64(d, idr + w.idr_head.offset, &head, "zram_index_idr") ?:
		xarray_walk(d, head, visit_zram, &w);
}
