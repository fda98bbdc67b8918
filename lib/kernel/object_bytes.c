// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/object_bytes.h"

#include "dump/structure.h"

struct cache {
	uint32_t size;
};

struct caches {
	struct structure cache;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct caches, cache, "struct kmem_cache"),
	READS(struct cache, size, REQUIRED, "all", "size"),
};

enum status object_bytes(struct dump *d, const char *type, const char *cache, uint64_t *ret)
{
	struct caches caches;
	struct cache c;
	uint64_t variable, at;

	if (dump_ask(d, type_size, type, ret) != ST_OK)
		return dump_unknown(d, "%s", type);
	if (dump_symbol(d, cache, &variable) == ST_OK &&
	    dump_u64(d, variable, &at, cache) == ST_OK && STRUCTS_OPEN(d, rows, &caches) == ST_OK &&
	    struct_read(&caches.cache, at, &c) == ST_OK && c.size > *ret &&
	    c.size <= dump_page_size(d))
		*ret = c.size;
	return ST_OK;
}
