// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/futex.h"

#include "dump/pointer.h"

/* Bits of a futex with an owner (include/uapi/linux/futex.h). */
#define FUTEX_WAITERS 0x80000000U
#define FUTEX_TID_MASK 0x3fffffffU

/* Of union futex_key: it is of an inode, no address (FUT_OFF_INODE). */
#define OFFSET_INODE 1U
/* By its address, whichever operation asked (FUT_OFF_MMSHARED). */
#define OFFSET_SHARED 2U
#define OFFSET_FLAGS 3U

static const struct layout_row rows[] = {
	FINDS(struct futexes, node, "struct futex_q", REQUIRED, "all", "list.node_list"),
	FINDS(struct futexes, task, "struct futex_q", REQUIRED, "all", "task"),
	FINDS(struct futexes, ptr, "struct futex_q", REQUIRED, "all", "key.both.ptr"),
	FINDS(struct futexes, word, "struct futex_q", REQUIRED, "all", "key.both.word"),
	FINDS(struct futexes, offset, "struct futex_q", REQUIRED, "all", "key.both.offset"),
	FINDS(struct futexes, pgd, "struct mm_struct", REQUIRED, "all", "pgd"),
	FINDS(struct futexes, thread_pid, "struct task_struct", REQUIRED, "4.19", "thread_pid"),
	FINDS(struct futexes, level, "struct pid", REQUIRED, "all", "level"),
	FINDS(struct futexes, numbers, "struct pid", REQUIRED, "all", "numbers"),
};

#define MAX_LEVEL 32 /* MAX_PID_NS_LEVEL, include/linux/pid_namespace.h */

enum status futexes_open(struct dump *d, struct futexes *ret)
{
	uint64_t size;
	enum status st;

	*ret = (struct futexes){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret) ?: dump_ask(d, type_size, "struct upid", &size);
	if (st != ST_OK)
		return st;
	ret->number_size = size;
	ret->tables_status = page_tables_open(d, &ret->tables);
	ret->why_no_tables = ret->tables_status == ST_OK ? NULL : dump_why(d);
	return ST_OK;
}

/* In the queue of a bucket, beside its head at least. */
static bool is_queued(const struct futexes *x, uint64_t node)
{
	uint8_t next[8], back[8];

	return dump_try(x->dump, node, next, 8) == ST_OK && le64(next) != node &&
	       !(le64(next) & 7) && dump_try(x->dump, le64(next) + 8, back, 8) == ST_OK &&
	       le64(back) == node;
}

enum status futex_find(const struct futexes *x, uint64_t task, uint64_t mm,
		       const struct task_stack *s, uint64_t *ret, struct futex_key *key)
{
	const uint64_t page = dump_page_size(x->dump);
	uint64_t word, ptr, address, offset;
	bool is_of_inode = false;

	for (uint64_t at = s->sp & ~7ULL; at < s->base + s->size; at += 8) {
		const uint64_t q = at - x->task.offset;

		if (!task_stack_word(s, at, &word) || word != task || q < s->sp ||
		    !task_stack_word(s, q + x->ptr.offset, &ptr) ||
		    !task_stack_word(s, q + x->word.offset, &address) ||
		    !task_stack_word(s, q + x->offset.offset, &offset))
			continue;
		offset = (uint32_t)offset;
		if (offset & OFFSET_INODE) {
			if (!is_of_inode && offset < page && is_queued(x, q + x->node.offset)) {
				is_of_inode = true;
				*key = (struct futex_key){ ptr, address,
							   (uint32_t)offset & ~OFFSET_FLAGS };
			}
			continue;
		}
		/* Of a shared one of anonymous memory 7.3 has another word than the mm_struct. */
		if ((ptr != mm && !(offset & OFFSET_SHARED)) || address % page || offset >= page ||
		    !is_queued(x, q + x->node.offset))
			continue;
		*ret = address + (offset & ~(uint64_t)OFFSET_FLAGS);
		return ST_OK;
	}
	if (is_of_inode)
		return dump_fail(x->dump, ST_UNKNOWN,
				 "the futex is of a file, or of shared memory");
	return dump_absent(x->dump, "no futex of its own memory is on its stack");
}

static enum status read_word(const struct futexes *x, const struct page_tables *tables,
			     uint64_t addr, uint32_t *ret)
{
	uint8_t raw[4];
	uint64_t phys;
	enum status st = page_tables_walk(x->dump, tables, addr, &phys);

	if (st == ST_OK && dump_ask(x->dump, read_phys, phys, raw, sizeof(raw)) != ST_OK)
		st = dump_unreadable(x->dump, "the page of the futex is not in this dump");
	return RESULT(st, ret, le32(raw));
}

enum status futex_words(const struct futexes *x, uint64_t mm, uint64_t futex,
			uint32_t word[FUTEX_WORDS], uint32_t *has)
{
	struct page_tables tables = x->tables;
	uint64_t top;
	enum status st = x->tables_status, one;

	if (st != ST_OK)
		return dump_fail(x->dump, st, "%s", x->why_no_tables);
	if (futex < FUTEX_BEFORE || futex >> tables.sign_bit)
		return dump_corrupt(x->dump, "%#lx is no address of a futex", futex);
	st = dump_u64(x->dump, mm + x->pgd.offset, &top, "mm_struct")
		     ?: dump_pointer_phys(x->dump, top, "the first page table of the process",
					  &tables.top);
	*has = 0;
	for (unsigned int i = 0; st == ST_OK && i < FUTEX_WORDS; i++) {
		word[i] = 0;
		one = read_word(x, &tables, futex - FUTEX_BEFORE + 4 * i, &word[i]);
		if (one == ST_OK)
			*has |= 1U << i;
		else if (i == FUTEX_BEFORE / 4)
			st = one;
	}
	return st;
}

/* A word by its offset in a structure that begins that many bytes before the futex, at most FUTEX_BEFORE. */
#define WORD(before, offset) word[(FUTEX_BEFORE - (before) + (offset)) / 4]
#define HAS(before, offset) (has >> ((FUTEX_BEFORE - (before) + (offset)) / 4) & 1)

/* sysdeps/nptl/bits/struct_mutex.h of 64 bits: lock, count, owner, users, kind. */
enum { LOCK = 0, COUNT = 4, OWNER = 8, USERS = 12, KIND = 16 };
/* Of its kind (nptl/pthreadP.h, pthread.h). */
enum { RECURSIVE = 1, PSHARED = 128 };

bool futex_is_pshared(const uint32_t word[FUTEX_WORDS])
{
	return WORD(0, KIND) & PSHARED;
}

static bool is_mutex(const uint32_t word[FUTEX_WORDS], uint32_t has)
{
	const uint32_t kind = WORD(0, KIND), type = kind & 3;

	/* Locked, with waiters. */
	return HAS(0, COUNT) && HAS(0, OWNER) && HAS(0, USERS) && HAS(0, KIND) &&
	       WORD(0, LOCK) == 2 && WORD(0, OWNER) && WORD(0, USERS) &&
	       WORD(0, USERS) <= FUTEX_TID_MASK && kind < 0x400 &&
	       (type == RECURSIVE) == (WORD(0, COUNT) != 0);
}

/* sysdeps/nptl/bits/struct_rwlock.h of 64 bits: readers, writers, wrphase_futex, writers_futex, 8 bytes, cur_writer. */
static bool is_rwlock(const uint32_t word[FUTEX_WORDS], uint32_t has, unsigned int before,
		      uint32_t *owner)
{
	/* PTHREAD_RWLOCK_WRPHASE | PTHREAD_RWLOCK_WRLOCKED; a futex that is 1 and waited for. */
	enum { READERS = 0, WRITER = 24, SHARED = 28, LOCKED = 3, USED = 3 };

	if (!HAS(before, READERS) || !HAS(before, WRITER) || !HAS(before, SHARED) ||
	    WORD(before, before) != USED || (WORD(before, READERS) & LOCKED) != LOCKED ||
	    !WORD(before, WRITER) || WORD(before, SHARED) > 1)
		return false;
	*owner = WORD(before, WRITER);
	return true;
}

enum futex_form futex_owner(const uint32_t word[FUTEX_WORDS], uint32_t has, int32_t *tid)
{
	const uint32_t lock = WORD(0, 0);
	enum futex_form form = FUTEX_UNKNOWN;
	uint32_t owner = 0;

	if (lock & FUTEX_WAITERS && lock & FUTEX_TID_MASK) {
		form = FUTEX_OWNED;
		owner = lock & FUTEX_TID_MASK;
	} else if (is_mutex(word, has)) {
		form = FUTEX_MUTEX;
		owner = WORD(0, 8);
	} else if (is_rwlock(word, has, 8, &owner) || is_rwlock(word, has, 12, &owner)) {
		form = FUTEX_RWLOCK;
	}
	if (form == FUTEX_UNKNOWN || owner > FUTEX_TID_MASK)
		return FUTEX_UNKNOWN;
	*tid = (int32_t)owner;
	return form;
}

enum status futex_tid(const struct futexes *x, uint64_t task, int32_t *ret)
{
	uint64_t pid;
	uint32_t level, number;
	enum status st = dump_u64(x->dump, task + x->thread_pid.offset, &pid, "task_struct");

	if (st == ST_OK && !pid)
		st = dump_absent(x->dump, "the thread has no ID any more");
	st = st ?: dump_u32(x->dump, pid + x->level.offset, &level, "struct pid");
	if (st == ST_OK && level > MAX_LEVEL)
		st = dump_corrupt(x->dump, "struct pid has level %u", level);
	st = st
		     ?: dump_u32(x->dump, pid + x->numbers.offset + level * x->number_size, &number,
				 "struct pid");
	return RESULT(st, ret, (int32_t)number);
}
