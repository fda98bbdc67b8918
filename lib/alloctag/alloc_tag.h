/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct alloc_tag (include/linux/alloc_tag.h, 6.10: lib: add allocation tagging support for memory
 * allocation profiling), a struct codetag and the per-CPU counters.
 *
 * A tag that the kernel does not list is read at its address: up to 6.12 the kernel keeps the data
 * of a module that was unloaded with memory in use, and takes its tags out of the lists
 * (codetag_unload_module() in lib/codetag.c).
 */
#pragma once

#include "alloctag/codetag.h"
#include "dump/layout.h"

enum alloc_tag_field {
	TAG_COUNTERS,
	TAG_FLAGS,
	TAG_LINE,
	TAG_MODULE,
	TAG_FUNCTION,
	TAG_FILE,
	TAG_FIELDS
};

extern const struct layout_row alloc_tag_rows[TAG_FIELDS];

/*
 * File, line and function of a tag; its counters are not read: they may have been freed with the
 * module. Whether it is of a module, and of which, is not asked.
 * ST_CORRUPT: it does not look like a tag; ST_UNREADABLE, ST_UNKNOWN.
 */
enum status tag_read(struct dump *d, uint64_t tag, struct site *ret);
