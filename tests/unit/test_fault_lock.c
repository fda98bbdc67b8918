// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock of a VMA that a page fault has, in the three forms that kernels have. */
#include "collect/in_fault.h"
#include "stub.h"
#include "test.h"

#define MM 0xffff888000100000ULL
#define VMA 0xffff888000120000ULL
#define LOCK 0xffff888000130000ULL /* struct vma_lock */
#define TASK 0xffff888000140000ULL
#define START 0x400000ULL
#define MMAP_LOCK 8

struct a_vma {
	uint64_t lock;
	uint32_t refcnt;
};

static struct a_vma vma;
static uint64_t mm[2];

static const struct stub_memory memory[] = {
	{ VMA, &vma, sizeof(vma) },
	{ MM, mm, sizeof(mm) },
	{ 0 },
};

static const struct stub_member none[] = { { 0 } };
static const struct stub_member rwsem[] = {
	{ "struct vm_area_struct", "vm_lock", FIELD(0, 8) },
	{ "struct vma_lock", "lock", FIELD(16, 40) },
	{ 0 },
};
static const struct stub_member counted[] = {
	{ "struct vm_area_struct", "vm_refcnt", FIELD(8, 4) },
	{ "struct mm_struct", "vma_writer_wait.task", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_member half[] = {
	{ "struct vm_area_struct", "vm_refcnt", FIELD(8, 4) },
	{ 0 },
};

/* Of a fault that gives nothing back, with these flags; ST_OK and 0: it has no lock that is known. */
static enum status find(const struct stub_member *members, uint64_t address, uint64_t flags,
			struct fault_lock *ret)
{
	STUB(s, .memory = memory, .members = members);
	const struct field mmap_lock = FIELD(MMAP_LOCK, 40);
	const struct in_fault fault = { .has_flags = true,
					.flags = flags,
					.vma = { .address = address, .mm = MM, .start = START } };
	struct task_frames at = { 0 };
	struct fault_locks l;
	enum status st;

	st = fault_locks_open(&s.dump, &mmap_lock, &l);
	at.dump = &s.dump;
	st = st ?: fault_lock_find(&l, &at, &fault, ret);
	return st;
}

static void mmap_lock_alone(void)
{
	struct fault_lock l;

	CHECK(find(none, VMA, 0, &l) == ST_OK && l.lock == MM + MMAP_LOCK && !l.vma_start);
	CHECK(find(none, VMA, VM_FAULT_MKWRITE, &l) == ST_OK && l.lock == MM + MMAP_LOCK);
	CHECK(find(counted, VMA, 0, &l) == ST_OK && l.lock == MM + MMAP_LOCK && !l.vma_start);
}

static void a_semaphore(void)
{
	struct fault_lock l;

	vma = (struct a_vma){ .lock = LOCK };
	CHECK(find(rwsem, VMA, VM_FAULT_VMA_LOCK, &l) == ST_OK && l.lock == LOCK + 16 &&
	      l.vma_start == START && l.mmap_lock == MM + MMAP_LOCK);
	CHECK(find(rwsem, VMA, VM_FAULT_MKWRITE, &l) == ST_OK && l.lock == LOCK + 16 &&
	      !l.mmap_lock);
}

/* Only the VMA whose readers a writer waits for: of a process that is one at a time. */
static void a_count(void)
{
	struct fault_lock l = { 0 };

	vma = (struct a_vma){ .refcnt = 2 };
	CHECK(find(counted, VMA, VM_FAULT_VMA_LOCK, &l) == ST_OK && !l.lock && !l.vma_start &&
	      l.mmap_lock == MM + MMAP_LOCK);
	vma.refcnt = 0x40000002;
	CHECK(find(counted, VMA, VM_FAULT_VMA_LOCK, &l) == ST_OK && l.lock == MM &&
	      l.vma_start == START);
	CHECK(find(counted, VMA, VM_FAULT_MKWRITE, &l) == ST_OK && l.lock == MM && !l.mmap_lock);
	l.lock = 1;
	CHECK(find(counted, VMA + 0x1000, VM_FAULT_VMA_LOCK, &l) == ST_UNREADABLE && l.lock == 1);
	/* Without the one that waits, a VMA's lock is not understood. */
	CHECK(find(half, VMA, 0, &l) == ST_UNKNOWN);
}

static enum status writer(const struct stub_member *members, uint64_t of, uint64_t *ret)
{
	STUB(s, .memory = memory, .members = members);
	const struct field mmap_lock = FIELD(MMAP_LOCK, 40);
	struct fault_locks l;

	return fault_locks_open(&s.dump, &mmap_lock, &l) ?: fault_lock_writer(&l, of, ret);
}

static void who_waits(void)
{
	uint64_t task = 1;

	mm[0] = TASK;
	CHECK(writer(counted, MM, &task) == ST_OK && task == TASK);
	CHECK(writer(rwsem, MM, &task) == ST_OK && !task);
	CHECK(writer(counted, MM + 0x1000, &task) == ST_UNREADABLE && !task);
}

TESTS({ "mmap_lock, where no VMA has a lock or the fault does not take it", mmap_lock_alone },
      { "the rw_semaphore of a VMA, 6.4 to 6.14", a_semaphore },
      { "the count of a VMA, since 6.15", a_count },
      { "who waits for the readers of a VMA", who_waits })
