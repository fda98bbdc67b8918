/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The alloc_tag that a page was charged to (include/linux/pgalloc_tag.h).
 *
 * Its first page alone has the reference: a pointer in its page_ext entry, or an index in its
 * page flags (6.13 and later, sysctl.vm.mem_profiling=1,compressed).  It is
 * cleared when the page is freed.
 */
#pragma once

#include "page_owner/page_ext.h"
#include "pages/page_type.h"

/* Deliberately not tagged by the kernel (CODETAG_EMPTY, include/linux/codetag.h). */
#define TAG_EMPTY 1

struct page_tags {
	bool compressed;
	/* Pointers. */
	struct page_ext ext;
	uint64_t offset; /* bytes in an entry */
	/* Indexes. */
	unsigned int shift; /* of page.flags */
	uint64_t mask;
	uint64_t tag_size;
	uint64_t kernel, kernel_tags; /* address and number of vmlinux's tags */
	uint64_t module, module_tags;
};

/* ST_ABSENT: this kernel keeps no references, or none since it booted. */
enum status page_tags_open(struct dump *d, struct page_tags *ret);

/*
 * The tag of a page whose struct page is in info; 0: none, or TAG_EMPTY.  ST_ABSENT: no entry
 * for this pfn; ST_UNREADABLE: it is not in this dump; ST_CORRUPT: an index
 * that no tag has.  No message.  Meant for rising pfns.
 */
enum status page_tags_at(struct page_tags *t, uint64_t pfn, const struct page_info *info,
			 uint64_t *ret);
