// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/mmap_lock.h"

#include "dump/layout.h"

/* Bits of rw_semaphore.owner (kernel/locking/rwsem.c); up to 5.2 only the lowest. */
#define READER_OWNED 1ULL
#define OWNER_FLAGS 7ULL

/*
 * rwbase_rt.readers (include/linux/rwbase_rt.h): READER_BIAS and the number of readers; without it a
 * writer waits for them to leave, and WRITER_BIAS is the one that has the lock.
 */
#define READER_BIAS 0x80000000U
#define WRITER_BIAS 0x40000000U
#define RT_MUTEX_HAS_WAITERS 1ULL /* of rt_mutex_base.owner */

enum { MM_LOCK, OWNER, COUNT, READERS, RT_OWNER, FIELDS };

static const struct layout_row rows[FIELDS] = {
	[MM_LOCK] = FIELD_ROW("struct mm_struct", REQUIRED, "all", "mmap_lock", "mmap_sem"),
	[OWNER] = FIELD_ROW("struct rw_semaphore", OPTIONAL,
			    "CONFIG_RWSEM_SPIN_ON_OWNER, all since 5.3", "owner"),
	[COUNT] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "all but CONFIG_PREEMPT_RT", "count"),
	[READERS] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "5.15, 4.19-rt; CONFIG_PREEMPT_RT",
			      "rwbase.readers", "readers"),
	[RT_OWNER] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "5.15, 4.19-rt; CONFIG_PREEMPT_RT",
			       "rwbase.rtmutex.owner", "rtmutex.owner"),
};

enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret)
{
	struct field f[FIELDS];
	enum status st = layout_resolve(d, rows, FIELDS, f);
	bool is_rt = f[READERS].present && f[RT_OWNER].present;

	if (st == ST_OK && (is_rt ? f[READERS].size != 4 || f[RT_OWNER].size != 8
				  : f[OWNER].size != 8 || f[COUNT].size != 8))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct rw_semaphore");
	if (st == ST_OK)
		*ret = (struct mmap_locks){ .dump = d,
					    .lock = f[MM_LOCK],
					    .owner = f[is_rt ? RT_OWNER : OWNER],
					    .count = f[is_rt ? READERS : COUNT],
					    .is_rt = is_rt };
	return st;
}

/* The owner is the writer, also one that still waits for readers; they leave no name. */
static enum status read_rt(const struct mmap_locks *l, uint64_t lock, enum mmap_lock_state *state,
			   uint64_t *task)
{
	uint64_t owner;
	uint32_t readers;
	enum status st = dump_u64(l->dump, lock + l->owner.offset, &owner, "mmap_lock")
				 ?: dump_u32(l->dump, lock + l->count.offset, &readers,
					     "mmap_lock");

	if (st != ST_OK)
		return st;
	owner &= ~RT_MUTEX_HAS_WAITERS;
	*state = readers == READER_BIAS		      ? MMAP_LOCK_FREE
		 : readers == WRITER_BIAS || !readers ? MMAP_LOCK_WRITER
						      : MMAP_LOCK_READER;
	if (*state == MMAP_LOCK_READER && readers & WRITER_BIAS)
		return dump_fail(l->dump, ST_CORRUPT, "mmap_lock: %#x readers", readers);
	*task = *state == MMAP_LOCK_WRITER ? owner : 0;
	return ST_OK;
}

enum status mmap_lock_read(const struct mmap_locks *l, uint64_t mm, enum mmap_lock_state *state,
			   uint64_t *task)
{
	uint64_t lock = mm + l->lock.offset, owner, count;
	enum status st;

	if (l->is_rt)
		return read_rt(l, lock, state, task);
	st = dump_u64(l->dump, lock + l->owner.offset, &owner, "mmap_lock")
		     ?: dump_u64(l->dump, lock + l->count.offset, &count, "mmap_lock");
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
