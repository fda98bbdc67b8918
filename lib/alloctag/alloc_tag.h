/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tag that is in no list, read where it stands: up to 6.12 the kernel keeps the data of a module
 * that was unloaded with memory in use, and takes its tags out of the lists
 * (codetag_unload_module() in lib/codetag.c).
 */
#ifndef MEMOWNER_ALLOCTAG_ALLOC_TAG_H
#define MEMOWNER_ALLOCTAG_ALLOC_TAG_H

#include "alloctag/codetag.h"

/*
 * Its place in the source; the counters are not read: they may be another's. ST_CORRUPT: it
 * does not look like a tag; ST_UNREADABLE, ST_UNKNOWN.
 */
enum status tag_read(struct dump *d, uint64_t tag, struct site *ret);

#endif
