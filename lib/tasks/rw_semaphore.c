// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/rw_semaphore.h"

#include "dump/layout.h"

/*
 * Bits of rw_semaphore.owner (kernel/locking/rwsem.c). Up to 5.2 only the lower ones; up to 4.19 the lowest, without a
 * task. All of them: a writer that is no task (RWSEM_OWNER_UNKNOWN, up to 5.5).
 */
#define READER_OWNED 1ULL
#define OWNER_FLAGS 7ULL

/*
 * rwbase_rt.readers (include/linux/rwbase_rt.h): READER_BIAS and the number of readers; without it a
 * writer waits for them to leave, and WRITER_BIAS is the one that has the lock.
 */
#define READER_BIAS 0x80000000U
#define WRITER_BIAS 0x40000000U
#define RT_MUTEX_HAS_WAITERS 1ULL /* of rt_mutex_base.owner */

enum { OWNER, COUNT, READERS, RT_OWNER, FIELDS };

static const struct layout_row rows[FIELDS] = {
	[OWNER] = FIELD_ROW("struct rw_semaphore", OPTIONAL,
			    "CONFIG_RWSEM_SPIN_ON_OWNER, all since 5.3", "owner"),
	[COUNT] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "all but CONFIG_PREEMPT_RT", "count"),
	[READERS] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "5.15, 4.19-rt; CONFIG_PREEMPT_RT",
			      "rwbase.readers", "readers"),
	[RT_OWNER] = FIELD_ROW("struct rw_semaphore", OPTIONAL, "5.15, 4.19-rt; CONFIG_PREEMPT_RT",
			       "rwbase.rtmutex.owner", "rtmutex.owner"),
};

/* include/linux/spinlock_types_rt.h: a rwlock_t of its own, which began with its rt_mutex. */
enum { LOCK_READERS, LOCK_OWNER, LOCK_FIELDS };

static const struct layout_row lock_rows[LOCK_FIELDS] = {
	[LOCK_READERS] = FIELD_ROW("struct rt_rw_lock", OPTIONAL, "up to 5.14, CONFIG_PREEMPT_RT",
				   "readers"),
	[LOCK_OWNER] = FIELD_ROW("struct rt_rw_lock", OPTIONAL, "up to 5.14, CONFIG_PREEMPT_RT",
				 "rtmutex.owner"),
};

enum status rwsems_open(struct dump *d, struct rwsems *ret)
{
	struct field f[FIELDS];
	enum status st = layout_resolve(d, rows, FIELDS, f);
	bool is_rt = f[READERS].present && f[RT_OWNER].present;

	if (st == ST_OK && (is_rt ? f[READERS].size != 4 || f[RT_OWNER].size != 8
				  : f[OWNER].size != 8 || f[COUNT].size != 8))
		st = dump_unknown(d, "struct rw_semaphore");
	return RESULT(st, ret,
		      (struct rwsems){ .dump = d,
				       .owner = f[is_rt ? RT_OWNER : OWNER],
				       .count = f[is_rt ? READERS : COUNT],
				       .is_rt = is_rt });
}

enum status rwlocks_find(const struct rwsems *s, struct rwsems *ret)
{
	struct rwsems locks = *s;
	struct field f[LOCK_FIELDS];
	enum status st = layout_resolve(s->dump, lock_rows, LOCK_FIELDS, f);

	if (st == ST_OK && f[LOCK_READERS].present && f[LOCK_OWNER].present) {
		locks.owner = f[LOCK_OWNER];
		locks.count = f[LOCK_READERS];
	}
	if (st == ST_OK && (!locks.is_rt || locks.owner.size != 8 || locks.count.size != 4))
		st = dump_unknown(s->dump, "rwlock_t");
	return RESULT(st, ret, locks);
}

/* The owner is the writer, also one that still waits for readers; they leave no name. */
static enum status read_rt(const struct rwsems *s, uint64_t address, const char *what,
			   enum rwsem_state *state, uint64_t *task)
{
	uint64_t owner;
	uint32_t readers;
	enum status st = dump_u64(s->dump, address + s->owner.offset, &owner, what)
				 ?: dump_u32(s->dump, address + s->count.offset, &readers, what);

	if (st != ST_OK)
		return st;
	owner &= ~RT_MUTEX_HAS_WAITERS;
	*state = readers == READER_BIAS		      ? RWSEM_FREE
		 : readers == WRITER_BIAS || !readers ? RWSEM_WRITER
						      : RWSEM_READER;
	if (*state == RWSEM_READER && readers & WRITER_BIAS)
		return dump_corrupt(s->dump, "%s: %#x readers", what, readers);
	*task = *state == RWSEM_WRITER ? owner : 0;
	return ST_OK;
}

enum status rwsem_read(const struct rwsems *s, uint64_t address, const char *what,
		       enum rwsem_state *state, uint64_t *task)
{
	uint64_t owner, count;
	bool is_unknown;
	enum status st;

	if (s->is_rt)
		return read_rt(s, address, what, state, task);
	st = dump_u64(s->dump, address + s->owner.offset, &owner, what)
		     ?: dump_u64(s->dump, address + s->count.offset, &count, what);
	if (st != ST_OK)
		return st;
	is_unknown = (owner | OWNER_FLAGS) == UINT64_MAX;
	*task = is_unknown ? 0 : owner & ~OWNER_FLAGS;
	/* The owner says of which kind it is in every release, the count since 5.3. */
	if (is_unknown || (*task && !(owner & READER_OWNED)))
		*state = RWSEM_WRITER;
	else if (!count)
		*state = RWSEM_FREE;
	else
		*state = RWSEM_READER;
	return ST_OK;
}

bool rwsem_is_barred(const struct rwsems *s, uint64_t address)
{
	uint8_t raw[4];

	return s->is_rt &&
	       dump_try(s->dump, address + s->count.offset, raw, sizeof(raw)) == ST_OK &&
	       le32(raw) && le32(raw) < WRITER_BIAS;
}
