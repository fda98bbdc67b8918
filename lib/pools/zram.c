// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zram.h"

#include "dump/layout.h"
#include "modules/module_object.h"
#include "kernel/xarray.h"
#include "zones/vmstat.h"
#include "pools/zram_untyped.h"

#define MAX_PAGES (1ULL << 40)

enum { Z_POOL, Z_DISK, Z_COMPRESSED, Z_STORED, P_PAGES, D_NAME, I_HEAD, Z_FIELDS };

static const struct layout_row rows[Z_FIELDS] = {
	[Z_POOL] = { "struct zram", { "mem_pool" }, REQUIRED, "4.12" },
	[Z_DISK] = { "struct zram", { "disk" }, REQUIRED, "all" },
	[Z_COMPRESSED] = { "struct zram", { "stats.compr_data_size" }, REQUIRED, "3.15" },
	[Z_STORED] = { "struct zram", { "stats.pages_stored" }, REQUIRED, "all" },
	[P_PAGES] = { "struct zs_pool", { "pages_allocated" }, REQUIRED, "3.11" },
	[D_NAME] = { "struct gendisk", { "disk_name" }, REQUIRED, "all" },
	[I_HEAD] = { "struct idr", { "idr_rt.xa_head", "idr_rt.rnode" }, REQUIRED, "4.20, 4.11" },
};

struct walk {
	struct dump *dump;
	struct field f[Z_FIELDS];
	enum status (*visit)(void *arg, const struct zram_device *device);
	void *arg;
};

static enum status visit_zram(void *arg, uint64_t index, uint64_t zram)
{
	struct walk *w = arg;
	struct dump *d = w->dump;
	struct zram_device found = { .has_pages = true, .has_stats = true };
	uint64_t pool, disk;
	enum status st = dump_u64(d, zram + w->f[Z_POOL].offset, &pool, "zram");

	(void)index;
	/* A device that was not set up has none. */
	if (st != ST_OK || !pool)
		return st;
	st = dump_u64(d, pool + w->f[P_PAGES].offset, &found.pages, "zs_pool");
	if (st == ST_OK)
		st = dump_u64(d, zram + w->f[Z_COMPRESSED].offset, &found.compressed, "zram");
	if (st == ST_OK)
		st = dump_u64(d, zram + w->f[Z_STORED].offset, &found.stored, "zram");
	if (st == ST_OK && (found.pages > MAX_PAGES || found.stored > MAX_PAGES ||
			    found.compressed > found.pages << d->page_shift))
		return dump_fail(d, ST_CORRUPT, "zram at %#llx has %llu bytes in %llu pages",
				 (unsigned long long)zram, (unsigned long long)found.compressed,
				 (unsigned long long)found.pages);
	if (st != ST_OK)
		return st;
	if (dump_u64(d, zram + w->f[Z_DISK].offset, &disk, "zram") != ST_OK || !disk ||
	    dump_string(d, disk + w->f[D_NAME].offset, found.name, sizeof(found.name),
			"gendisk.disk_name") != ST_OK)
		found.name[0] = '\0';
	for (char *c = found.name; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return w->visit(w->arg, &found);
}

/* What can be known without the types of the module; then why the rest cannot. */
static enum status walk_untyped(struct walk *w, uint64_t idr, enum status why)
{
	struct dump *d = w->dump;
	const char *text = arena_strdup(d->arena, d->error);
	struct counters *c = dump_alloc(d, sizeof(*c));
	struct field f;
	int64_t total = 0;
	uint64_t head = 0;
	enum status st = c ? layout_resolve(d, &rows[I_HEAD], 1, &f) : ST_NOMEM;

	if (st == ST_OK)
		st = dump_u64(d, idr + f.offset, &head, "zram_index_idr");
	if (st == ST_OK && counters_open(d, c) == ST_OK)
		counter_read(c, "nr_zspages", &total);
	if (st == ST_OK)
		st = zram_untyped_walk(d, head, (uint64_t)total, w->visit, w->arg);
	return st == ST_NOMEM || st == ST_STOPPED ? st : dump_fail(d, why, "%s", text ? text : "");
}

enum status zram_walk(struct dump *d,
		      enum status (*visit)(void *arg, const struct zram_device *device), void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t idr, head;
	enum status st = module_object_symbol(d, "zram", "zram_index_idr", &idr);

	if (st != ST_OK)
		return st;
	st = module_object_type(d, "zram", "struct zram");
	if (st == ST_OK)
		st = module_object_type(d, "zsmalloc", "struct zs_pool");
	if (st != ST_OK)
		return walk_untyped(&w, idr, st);
	st = layout_resolve(d, rows, Z_FIELDS, w.f);
	if (st == ST_OK && (w.f[Z_POOL].size != 8 || w.f[P_PAGES].size != 8 ||
			    w.f[Z_COMPRESSED].size != 8 || w.f[Z_STORED].size != 8))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct zram");
	if (st == ST_OK)
		st = dump_u64(d, idr + w.f[I_HEAD].offset, &head, "zram_index_idr");
	return st == ST_OK ? xarray_walk(d, head, visit_zram, &w) : st;
}
