/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of slab caches that the kernel merged into others, for filters and for the table of caches. */
#pragma once

#include "cli/filter.h"
#include "slab/slab_aliases.h"

/* key.other_names of a key whose values are names of caches. */
void cache_other_names(struct dump *d, struct other_names *ret);
/* The same where rows are of objects, which large kmalloc has none of. */
void object_other_names(struct dump *d, struct other_names *ret);
