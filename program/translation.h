/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel virtual addresses to physical ones.  The image and the direct map are translated by what they
 * are, a distance: KFENCE and debug_pagealloc take pages out of the page tables, not out of these.  All
 * else, vmalloc, modules, vmemmap, is looked up in the kernel's page tables, and what was found is kept.
 */
#pragma once

#include "image.h"
#include "pages/kernel_map.h"

struct translation;

/* image: what is known before any symbol is.  d reads physical memory, and lives as long.  NULL: no memory. */
struct translation *translation_new(struct dump *d, const struct image *image);

/* The page tables, when symbols can be asked; d->error says why there are none. */
enum status translation_find_tables(struct translation *t, struct dump *d);

/* Where the direct map is, when types can be asked, too. */
enum status translation_find_direct_map(struct translation *t, struct dump *d);

/* NULL: the direct map was not found. */
struct kernel_map *translation_map(struct translation *t);

/*
 * *bytes: how many from this address on are in one piece.  ST_ABSENT: it is not mapped; ST_UNREADABLE: a
 * page table is not in this dump, or none was found yet.
 */
enum status translation_phys(struct translation *t, uint64_t addr, uint64_t *ret, uint64_t *bytes);
