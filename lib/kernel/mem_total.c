// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/mem_total.h"

/*
 * 5.0: mm: convert totalram_pages and totalhigh_pages variables to atomic. Both are 64 bits wide, and
 * vendors took the change to 4.18.
 */
enum status mem_total_read(struct dump *d, uint64_t *pages)
{
	static const char *const names[] = { "_totalram_pages", "totalram_pages" };
	const char *name = names[!dump_has_symbol(d, names[0]) && dump_has_symbol(d, names[1])];
	uint64_t at;
	return dump_symbol(d, name, &at) ?: dump_u64(d, at, pages, name);
}
