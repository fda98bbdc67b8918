// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/pointer.h"

enum status dump_pointer_phys(struct dump *d, uint64_t addr, const char *what, uint64_t *ret)
{
	enum status st;
	const char *why;

	/* Of page tables that this program walks itself there is a message. */
	*d->error = '\0';
	st = d->ops->virt_to_phys ? dump_phys(d, addr, ret) : ST_UNREADABLE;
	if (st == ST_ABSENT)
		return dump_corrupt(d, "%s at %#lx is not mapped", what, addr);
	if (st == ST_OK)
		return ST_OK;
	why = *d->error ? dump_why(d) : "a page table of it is not in this dump";
	return dump_fail(d, st, "%s at %#lx: %s", what, addr, why);
}
