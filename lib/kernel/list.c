// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/list.h"

enum status list_walk(struct dump *d, uint64_t head, const char *what,
		      enum status (*visit)(void *arg, uint64_t node), void *arg)
{
	uint64_t at = head, next, back;
	uint8_t raw[16];
	enum status st = dump_read(d, head, raw, sizeof(raw), what);

	while (st == ST_OK) {
		next = le64(raw);
		/* list_add_tail() writes the first link back last: a CPU may have died in between. */
		if (next == head)
			return ST_OK;
		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_read(d, next, raw, sizeof(raw), what);
		if (st != ST_OK)
			return st;
		back = le64(raw + 8);
		if (back != at)
			return dump_fail(d, ST_CORRUPT,
					 "%s: the link back of %#lx leads to %#lx, not to %#lx",
					 what, next, back, at);
		at = next;
		st = visit(arg, at);
	}
	return st;
}
