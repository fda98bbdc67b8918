/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of caches that another cache serves, because the kernel merged them: the symbolic links in
 * /sys/kernel/slab. A cache that others were merged into has a link of its own name as well.
 */
#pragma once

#include "dump/dump.h"
#include "slab/slub.h"

struct slab_alias {
	struct slab_alias *next;
	const char *name;
	uint64_t cache;	    /* address of the struct kmem_cache that serves it */
	const char *server; /* its name; NULL: not in this dump */
};

/*
 * In the order of the kernel's tree; *ret is NULL where there are none. ST_ABSENT: this kernel has no
 * such directory; ST_OK, or with any other status what was found until then.
 */
enum status slab_aliases_read(struct dump *d, struct slab_alias **ret);

/*
 * "and 2 merged (sgpool-16, xflow_entry)": the caches that this one serves, if asked by name, where they are a few and
 * all names are in the dump; NULL: none.
 */
const char *slab_merged_text(struct dump *d, const struct slab_cache *c, bool by_name);
