// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/boot_memory.h"

#include "dump/layout.h"

/* More than physical addresses have, and than any image. */
#define MAX_BYTES (1ULL << 52)

enum { RES_START, RES_END, RES_FIELDS };

static const struct layout_row rows[RES_FIELDS] = {
	[RES_START] = { "struct resource", { "start" }, REQUIRED, "all" },
	[RES_END] = { "struct resource", { "end" }, REQUIRED, "all" },
};

static uint64_t image_bytes(struct dump *d)
{
	uint64_t start, end;

	if ((dump_symbol(d, "_text", &start) != ST_OK &&
	     dump_symbol(d, "_stext", &start) != ST_OK) ||
	    dump_symbol(d, "_end", &end) != ST_OK || end < start || end - start > MAX_BYTES)
		return 0;
	return end - start;
}

/* A struct resource without a range has the end 0. */
static uint64_t resource_bytes(struct dump *d, const struct field f[RES_FIELDS], const char *name)
{
	uint64_t at, start, end;

	if (dump_symbol(d, name, &at) != ST_OK ||
	    dump_u64(d, at + f[RES_START].offset, &start, name) != ST_OK ||
	    dump_u64(d, at + f[RES_END].offset, &end, name) != ST_OK || end <= start ||
	    end - start > MAX_BYTES)
		return 0;
	return end - start + 1;
}

uint64_t boot_memory_pages(struct dump *d, uint64_t ram)
{
	struct field f[RES_FIELDS];
	uint64_t bytes = image_bytes(d), size = 0;

	if (dump_ask(d, type_size, "struct page", &size) == ST_OK && size < 4096 &&
	    ram < MAX_BYTES >> 12)
		bytes += ram * size;
	if (layout_resolve(d, rows, RES_FIELDS, f) == ST_OK)
		bytes += resource_bytes(d, f, "crashk_res") +
			 resource_bytes(d, f, "crashk_low_res");
	return bytes >> d->page_shift;
}
