/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel's image is in physical memory, by VMCOREINFO: all else is found from it.
 * x86_64: __START_KERNEL_map is at phys_base (arch/x86/include/asm/page_64.h); arm64: kimage_voffset
 * (arch/arm64/include/asm/memory.h).
 */
#pragma once

#include "dump/dump.h"
#include "file/vmcore.h"
#include "vmcoreinfo.h"

struct image {
	uint64_t start, bytes; /* virtual addresses that the offset is right for */
	uint64_t offset;       /* physical - virtual, modulo 2^64 */
};

/* By what only its VMCOREINFO has, where the file does not say; NULL: another one. */
const char *image_arch(const struct vmcoreinfo *info);

/* ST_UNKNOWN: another architecture; ST_CORRUPT: VMCOREINFO does not say. */
enum status image_find(struct dump *d, const struct vmcoreinfo *info, const char *arch,
		       struct image *ret);

/*
 * Whether the kernel is there: init_uts_ns has the release of VMCOREINFO, or the page tables are there and that page is
 * zeros.  ST_CORRUPT: it has something else, or a dump that is whole has no memory there; ST_OK where that cannot be seen, too.
 */
enum status image_check(struct dump *d, const struct vmcoreinfo *info, const struct image *image,
			struct vmcore *file);

/* False: the address is outside. */
static inline bool image_phys(const struct image *i, uint64_t addr, uint64_t *ret)
{
	if (addr - i->start >= i->bytes)
		return false;
	*ret = addr + i->offset;
	return true;
}
