/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of the kernel's own page_owner file, record by record, written with the very
 * formats that this kernel prints it with (print_page_owner() in mm/page_owner.c): they
 * are in its read-only data. A format with a value that we do not know is refused.
 */
#ifndef MEMOWNER_PAGEOWNER_RAW_FORMAT_H
#define MEMOWNER_PAGEOWNER_RAW_FORMAT_H

#include "cgroup/memcg.h"
#include "kernel/gfp_names.h"
#include "pages/pageblock.h"
#include "pages/page_flags.h"
#include "page_owner/page_owner.h"
#include "pages/page_type.h"
#include "cli/table.h"

enum owner_text_part { TEXT_HEAD, TEXT_PAGE, TEXT_MIGRATED, TEXT_SLAB, TEXT_CHARGED, OWNER_TEXTS };

struct format_step;

struct owner_text {
	struct dump *dump;
	struct page_owner *owner;
	struct names *names;
	struct memcgs *memcgs; /* NULL: the kernel prints no cgroup */
	struct pageblocks blocks;
	struct pageflags flags;
	const struct format_step *formats[OWNER_TEXTS]; /* NULL: it is not printed */
	char *buf;					/* the record that was written last */
	size_t used, size;				/* size: of a page, as the kernel has it */
	bool overflow;
	bool named; /* the kernel knows names of functions */
};

/*
 * memcgs may be NULL. ST_UNKNOWN: it cannot be known how this kernel prints a record;
 * ST_UNREADABLE: or its formats or names are not in this dump.
 */
enum status owner_text_open(struct dump *d, struct page_owner *owner, const struct zones *zones,
			    struct names *names, struct memcgs *memcgs, struct owner_text *ret);

/*
 * Writes a record to ret->buf, ret->used bytes. Anything but ST_OK: the kernel, or this
 * dump, has none: ST_CORRUPT, ST_UNREADABLE; ST_NOMEM.
 */
enum status owner_text_write(struct owner_text *t, const struct owner_record *r,
			     const struct page_info *page, const struct stack *stack);

#endif
