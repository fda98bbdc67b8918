// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zram_untyped.h"

#include "kernel/xarray.h"
#include "util/utf8.h"

#define MAX_DEVICES 64 /* where they are looked for without types; a machine has one or two */
#define ZRAM_WORDS 32  /* table, pool, compressors and disk are the first members */
#define POOL_WORDS \
	512 /* 255 size classes stand before its count; the allocation is one of kmalloc-4k */
#define LEAST_PAGES 256 /* a smaller number may be anything */

struct device {
	struct zram_device found;
	uint8_t pool[POOL_WORDS * 8];
	bool has_pool; /* it was read */
};

struct walk {
	struct dump *dump;
	struct field name, private; /* of a struct gendisk */
	struct device *devices;	    /* MAX_DEVICES */
	unsigned int n;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, name, "struct gendisk", REQUIRED, "all", "disk_name"),
	FINDS(struct walk, private, "struct gendisk", REQUIRED, "all", "private_data"),
};

static bool read_u64(struct dump *d, uint64_t at, uint64_t *ret)
{
	uint8_t raw[8];

	if (at & 7 || !(at >> 63) || dump_try(d, at, raw, sizeof(raw)) != ST_OK)
		return false;
	*ret = le64(raw);
	return true;
}

static bool is_disk(struct walk *w, uint64_t at, uint64_t zram, struct zram_device *ret)
{
	uint64_t back;

	return read_u64(w->dump, at + w->private.offset, &back) && back == zram &&
	       dump_string(w->dump, at + w->name.offset, ret->name, sizeof(ret->name),
			   "gendisk.disk_name") == ST_OK &&
	       ret->name[0];
}

static bool is_pool(struct walk *w, uint64_t at, const char *name)
{
	char buf[ZRAM_NAME];
	uint64_t text;

	return read_u64(w->dump, at, &text) && text >> 63 &&
	       dump_string(w->dump, text, buf, sizeof(buf), "zs_pool.name") == ST_OK &&
	       !strcmp(buf, name);
}

/* ST_CORRUPT: it is no struct zram. A device that was not set up has no pool. */
static enum status visit_zram(struct walk *w, uint64_t zram)
{
	struct dump *d = w->dump;
	struct device *device = &w->devices[w->n];
	uint8_t raw[ZRAM_WORDS * 8];
	bool has_disk = false;
	enum status st = dump_read(d, zram, raw, sizeof(raw), "zram");

	if (w->n == MAX_DEVICES)
		return dump_corrupt(d, "more than %d devices of zram", MAX_DEVICES);
	for (unsigned int i = 0; st == ST_OK && !has_disk && i < ZRAM_WORDS; i++)
		has_disk = is_disk(w, le64(raw + i * 8), zram, &device->found);
	if (st == ST_OK && !has_disk)
		st = dump_corrupt(d, "zram at %#lx has no disk", zram);
	for (unsigned int i = 0; st == ST_OK && i < ZRAM_WORDS; i++) {
		uint64_t at = le64(raw + i * 8);

		if (!is_pool(w, at, device->found.name))
			continue;
		device->has_pool = dump_try(d, at, device->pool, sizeof(device->pool)) == ST_OK;
		w->n++;
		break;
	}
	return st;
}

/* The index of the word in which all pools add up to the counter; 0: none, or not one alone. */
static unsigned int find_pages(const struct walk *w, uint64_t total)
{
	unsigned int found = 0;

	for (unsigned int i = 1; total >= LEAST_PAGES && i < POOL_WORDS; i++) {
		uint64_t sum = 0;
		bool fits = true;

		for (unsigned int k = 0; k < w->n && fits; k++) {
			uint64_t pages = le64(w->devices[k].pool + i * 8);

			fits = w->devices[k].has_pool && pages <= total - sum;
			sum += fits ? pages : 0;
		}
		if (!fits || sum != total)
			continue;
		if (found)
			return 0;
		found = i;
	}
	return found;
}

enum status zram_untyped_walk(struct dump *d, uint64_t head, uint64_t total,
			      enum status (*visit)(void *arg, const struct zram_device *device),
			      void *arg)
{
	struct walk w = { .dump = d };
	struct xa_entries x;
	uint64_t index, zram;
	enum status st = STRUCTS_OPEN(d, rows, &w);
	unsigned int word;

	if (st != ST_OK)
		return st;
	/* One more than is kept: the walk looks before it counts. */
	w.devices = dump_alloc(d, (MAX_DEVICES + 1) * sizeof(*w.devices));
	for (xa_begin(&x, d, head); st == ST_OK && xa_next(&x, &index, &zram);)
		st = visit_zram(&w, zram);
	st = st ?: xa_end(&x);
	word = st == ST_OK ? find_pages(&w, total) : 0;
	decoder_trace(d, "decide pages of pools of zsmalloc by word %u of each", word);
	for (unsigned int i = 0; st == ST_OK && i < w.n; i++) {
		struct zram_device *found = &w.devices[i].found;

		found->has_pages = word;
		found->pages = word ? le64(w.devices[i].pool + word * 8) : 0;
		printable(found->name);
		st = visit(arg, found);
	}
	return st;
}
