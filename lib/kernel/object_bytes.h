/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an object of a slab cache takes, for who knows its type and not the slab that it is in. */
#pragma once

#include "dump/dump.h"

/*
 * From one object to the next, with what debugging adds, by the variable that points to the kmem_cache; the size of
 * the type where that is not known.  ST_UNKNOWN: neither is.
 */
enum status object_bytes(struct dump *d, const char *type, const char *cache, uint64_t *ret);
