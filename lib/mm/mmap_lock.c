// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/mmap_lock.h"

#include "dump/layout.h"

/* Bits of rw_semaphore.owner (kernel/locking/rwsem.c); up to 5.2 only the lowest. */
#define READER_OWNED 1ULL
#define OWNER_FLAGS 7ULL

static const struct layout_row rows[] = {
	{ "struct mm_struct", { "mmap_lock", "mmap_sem" }, REQUIRED, "all" },
	{ "struct rw_semaphore",
	  { "owner" },
	  REQUIRED,
	  "CONFIG_RWSEM_SPIN_ON_OWNER, all since 5.3" },
	{ "struct rw_semaphore", { "count" }, REQUIRED, "all" },
};

enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret)
{
	struct field f[3];
	enum status st = layout_resolve(d, rows, 3, f);

	if (st == ST_OK && (f[1].size != 8 || f[2].size != 8))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct rw_semaphore");
	if (st == ST_OK)
		*ret = (struct mmap_locks){ d, f[0], f[1], f[2] };
	return st;
}

enum status mmap_lock_read(const struct mmap_locks *l, uint64_t mm, enum mmap_lock_state *state,
			   uint64_t *task)
{
	uint64_t lock = mm + l->lock.offset, owner, count;
	enum status st = dump_u64(l->dump, lock + l->owner.offset, &owner, "mmap_lock");

	if (st == ST_OK)
		st = dump_u64(l->dump, lock + l->count.offset, &count, "mmap_lock");
	if (st != ST_OK)
		return st;
	*task = owner & ~OWNER_FLAGS;
	/* The owner says of which kind it is in every release, the count since 5.3. */
	if (*task && !(owner & READER_OWNED))
		*state = MMAP_LOCK_WRITER;
	else if (!count)
		*state = MMAP_LOCK_FREE;
	else
		*state = MMAP_LOCK_READER;
	return ST_OK;
}
