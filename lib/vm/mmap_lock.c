// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/mmap_lock.h"

#include "dump/layout.h"

static const struct layout_row rows[] = {
	FIELD_ROW("struct mm_struct", REQUIRED, "all", "mmap_lock", "mmap_sem"),
};

enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret)
{
	struct mmap_locks l;
	enum status st = layout_resolve(d, rows, ARRAY_SIZE(rows), &l.lock)
				 ?: rwsems_open(d, &l.rwsems);

	if (st == ST_OK)
		*ret = l;
	return st;
}

enum status mmap_lock_read(const struct mmap_locks *l, uint64_t mm, enum rwsem_state *state,
			   uint64_t *task)
{
	return rwsem_read(&l->rwsems, mm + l->lock.offset, "mmap_lock", state, task);
}
