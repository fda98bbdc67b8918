/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which module made a slab cache: no kernel records it.  Its constructor (kmem_cache.ctor) is a function of the
 * module, or a variable of the module, or of vmlinux, has the address that kmem_cache_create() returned, as
 * most keep it.  Both are inferred: a variable may have been copied, and a merged cache is of several.
 */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"

enum cache_module_source { CACHE_MODULE_UNKNOWN, CACHE_BY_CONSTRUCTOR, CACHE_BY_VARIABLE };

struct cache_module {
	const char *name; /* "vmlinux" of the kernel itself; NULL: unknown */
	enum cache_module_source from;
	bool has_several; /* variables of several modules, and none of vmlinux, lead to it */
};

struct cache_modules {
	struct dump *dump;
	struct hash_u64 caches; /* of struct cache_module by address of the kmem_cache */
	const char *problem;	/* NULL, or why more of them may have one */
};

void cache_modules_init(struct dump *d, struct cache_modules *ret);

/* Before cache_modules_find(): one that is asked for then. */
void cache_modules_want(struct cache_modules *x, uint64_t cache);

/* Reads data of the kernel and of its modules once.  ST_STOPPED */
enum status cache_modules_find(struct cache_modules *x);

/* NULL: it was not wanted. */
const struct cache_module *cache_module_of(const struct cache_modules *x, uint64_t cache);
