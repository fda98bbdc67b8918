// SPDX-License-Identifier: GPL-2.0-or-later
/* struct vm_fault in the bytes of a frame, mmap_lock and its owner. */
#include "collect/places.h"
#include "collect/waits.h"
#include "vm/mm_holders.h"
#include "vm/vm_fault.h"
#include "stub.h"
#include "test.h"

#define MM 0xffff888000100000ULL
#define OTHER_MM 0xffff888000110000ULL
#define VMA 0xffff888000120000ULL
#define GONE_VMA 0xffff888000130000ULL
#define ADDRESS 0x402123ULL

struct a_vma {
	uint64_t start, end, pgoff, flags, mm, file, ops, private, rb_left, rb_right;
};
struct an_mm {
	uint64_t mm_rb, brk, start_brk, start_stack, count, owner;
};

#define VMA_MEMBERS                                                           \
	{ "struct vm_area_struct", "vm_start", FIELD(0, 8) },                 \
		{ "struct vm_area_struct", "vm_end", FIELD(8, 8) },           \
		{ "struct vm_area_struct", "vm_pgoff", FIELD(16, 8) },        \
		{ "struct vm_area_struct", "vm_flags", FIELD(24, 8) },        \
		{ "struct vm_area_struct", "vm_mm", FIELD(32, 8) },           \
		{ "struct vm_area_struct", "vm_file", FIELD(40, 8) },         \
		{ "struct vm_area_struct", "vm_ops", FIELD(48, 8) },          \
		{ "struct vm_area_struct", "vm_private_data", FIELD(56, 8) }, \
		{ "struct vm_area_struct", "vm_rb", FIELD(64, 16) },          \
		{ "struct mm_struct", "mm_rb", FIELD(0, 8) },                 \
		{ "struct mm_struct", "brk", FIELD(8, 8) },                   \
		{ "struct mm_struct", "start_brk", FIELD(16, 8) },            \
		{ "struct mm_struct", "start_stack", FIELD(24, 8) },          \
		{ "struct rb_root", "rb_node", FIELD(0, 8) },                 \
		{ "struct rb_node", "rb_left", FIELD(0, 8) },                 \
	{                                                                     \
		"struct rb_node", "rb_right", FIELD(8, 8)                     \
	}

/* 5.10: vma, flags, gfp_mask, pgoff, address. */
static const struct stub_member of_5_10[] = {
	VMA_MEMBERS,
	{ "struct vm_fault", "vma", FIELD(0, 8) },
	{ "struct vm_fault", "flags", FIELD(8, 4) },
	{ "struct vm_fault", "pgoff", FIELD(16, 8) },
	{ "struct vm_fault", "address", FIELD(24, 8) },
	{ 0 },
};

/* 6.1 and later: vma, gfp_mask, pgoff, address, real_address, flags. */
static const struct stub_member of_6_1[] = {
	VMA_MEMBERS,
	{ "struct vm_fault", "vma", FIELD(0, 8) },
	{ "struct vm_fault", "pgoff", FIELD(16, 8) },
	{ "struct vm_fault", "address", FIELD(24, 8) },
	{ "struct vm_fault", "real_address", FIELD(32, 8) },
	{ "struct vm_fault", "flags", FIELD(40, 4) },
	{ 0 },
};

static struct an_mm mm, other_mm;
static struct a_vma vma, gone;
static uint64_t frame[40];

static const struct stub_memory memory[] = {
	{ MM, &mm, sizeof(mm) },
	{ OTHER_MM, &other_mm, sizeof(other_mm) },
	{ VMA, &vma, sizeof(vma) },
	{ GONE_VMA, &gone, sizeof(gone) },
	{ 0 },
};

/* A fault of 5.10 or later in the middle of a frame. */
static void fill(bool is_new)
{
	memset(frame, 0x5a, sizeof(frame));
	vma = (struct a_vma){ .start = 0x400000, .end = 0x404000, .pgoff = 7, .mm = MM };
	gone = vma;
	mm = (struct an_mm){ .mm_rb = VMA + 64 };
	other_mm = mm;
	frame[10] = VMA;
	frame[11] = VM_FAULT_WRITE | VM_FAULT_USER;
	frame[12] = 7 + 2;
	frame[13] = ADDRESS & ~0xfffULL;
	if (!is_new)
		return;
	frame[11] = 0xcc0;
	frame[14] = ADDRESS;
	frame[15] = VM_FAULT_INSTRUCTION;
}

static enum status find(const struct stub_member *members, uint64_t of, struct vm_fault *ret)
{
	STUB(s, .memory = memory, .members = members);
	struct vm_faults faults;
	struct vmas vmas;

	CHECK(vmas_open(&s.dump, &vmas) == ST_OK);
	CHECK(vm_faults_open(&s.dump, &vmas, &faults) == ST_OK);
	return vm_fault_find(&faults, of, (const uint8_t *)frame, sizeof(frame), ret);
}

static void faults_of_two_layouts(void)
{
	struct vm_fault f;

	fill(false);
	CHECK(find(of_5_10, MM, &f) == ST_OK && f.address == 0x402000 && f.is_page &&
	      f.flags == (VM_FAULT_WRITE | VM_FAULT_USER) && f.vma.address == VMA);
	fill(true);
	CHECK(find(of_6_1, MM, &f) == ST_OK && f.address == ADDRESS && !f.is_page &&
	      f.flags == VM_FAULT_INSTRUCTION);
	/* The second one is the same fault, a copy of it. */
	memcpy(frame + 20, frame + 10, 6 * 8);
	CHECK(find(of_6_1, MM, &f) == ST_OK);
	frame[24] = ADDRESS + 1;
	CHECK(find(of_6_1, MM, &f) == ST_ABSENT);
}

static void structures_that_disagree(void)
{
	static const struct {
		unsigned int word;
		uint64_t value;
	} wrong[] = {
		{ 10, VMA + 4 },  { 10, 0x402000 },   { 10, VMA + 0x1000000 },
		{ 10, GONE_VMA }, { 12, 8 },	      { 13, 0x402008 },
		{ 13, 0x404000 }, { 13, 1ULL << 63 }, { 14, ADDRESS + 0x1000 },
	};
	struct vm_fault f = { .address = 1 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		fill(true);
		frame[wrong[i].word] = wrong[i].value;
		CHECK(find(of_6_1, MM, &f) == ST_ABSENT && f.address == 1);
	}
	/* Of another process: only where the flags say so. */
	fill(true);
	CHECK(find(of_6_1, OTHER_MM, &f) == ST_ABSENT);
	frame[15] = VM_FAULT_REMOTE;
	CHECK(find(of_6_1, OTHER_MM, &f) == ST_OK && f.vma.mm == MM);
	/* At the end of the frame a part of it is none. */
	fill(true);
	memmove(frame + 35, frame + 10, 5 * 8);
	frame[10] = 0;
	CHECK(find(of_6_1, MM, &f) == ST_ABSENT);
}

static const struct stub_member lock_members[] = {
	{ "struct mm_struct", "mmap_sem", FIELD(32, 16) },
	{ "struct rw_semaphore", "count", FIELD(0, 8) },
	{ "struct rw_semaphore", "owner", FIELD(8, 8) },
	{ 0 },
};

static enum status read_lock(const struct mmap_locks *l, uint64_t at, enum rwsem_state *ret,
			     uint64_t *task)
{
	return rwsem_read(&l->rwsems, at + l->lock.offset, "mmap_lock", ret, task);
}

static void owners_of_mmap_lock(void)
{
	static const struct stub_member without_owner[] = {
		{ "struct mm_struct", "mmap_lock", FIELD(32, 16) }, { 0 }
	};
	struct stub s = { .memory = memory, .members = lock_members };
	enum rwsem_state state;
	struct mmap_locks l;
	uint64_t task;

	mm = (struct an_mm){ .count = 1, .owner = 0xffff888000777000 };
	stub_open(&s);
	CHECK(mmap_locks_open(&s.dump, &l) == ST_OK);
	CHECK(read_lock(&l, MM, &state, &task) == ST_OK && state == RWSEM_WRITER &&
	      task == 0xffff888000777000);
	mm.owner |= 3;
	mm.count = 0x300;
	CHECK(read_lock(&l, MM, &state, &task) == ST_OK && state == RWSEM_READER &&
	      task == 0xffff888000777000);
	/* The last reader has left its name. */
	mm.count = 0;
	CHECK(read_lock(&l, MM, &state, &task) == ST_OK && state == RWSEM_FREE);
	/* Up to 4.19 readers leave none: RWSEM_READER_OWNED, and the count below waiters (RWSEM_WAITING_BIAS). */
	mm.owner = 1;
	mm.count = 0xffffffff00000001;
	CHECK(read_lock(&l, MM, &state, &task) == ST_OK && state == RWSEM_READER && !task);
	/* RWSEM_OWNER_UNKNOWN up to 5.5, -1 and then -2: a writer that is no task, such as a frozen file system's. */
	for (uint64_t unknown = -2ULL; unknown; unknown++) {
		mm.owner = unknown;
		CHECK(read_lock(&l, MM, &state, &task) == ST_OK && state == RWSEM_WRITER && !task);
	}
	CHECK(read_lock(&l, MM + 0x1000000, &state, &task) == ST_UNREADABLE);
	stub_close(&s);
	s.members = without_owner;
	stub_open(&s);
	CHECK(mmap_locks_open(&s.dump, &l) == ST_UNKNOWN);
	stub_close(&s);
}

/* CONFIG_PREEMPT_RT: a number of readers, and a mutex for writers. */
static void owners_of_rt_locks(void)
{
	static struct {
		uint32_t readers, pad;
		uint64_t owner;
	} lock;
	static const struct stub_member rt_members[] = {
		{ "struct mm_struct", "mmap_lock", FIELD(32, 48) },
		{ "struct rw_semaphore", "rwbase.readers", FIELD(0, 4) },
		{ "struct rw_semaphore", "rwbase.rtmutex.owner", FIELD(8, 8) },
		{ 0 }
	};
	static const struct {
		uint32_t readers;
		uint64_t owner;
		enum status st;
		enum rwsem_state state;
		uint64_t task;
	} cases[] = {
		{ 0x80000000, 0, ST_OK, RWSEM_FREE, 0 },
		{ 0x80000003, 0, ST_OK, RWSEM_READER, 0 },
		{ 0x40000000, 0x9001, ST_OK, RWSEM_WRITER, 0x9000 },
		/* A writer that waits for two readers has the mutex. */
		{ 2, 0x9001, ST_OK, RWSEM_READER, 0 },
		{ 0, 0x9000, ST_OK, RWSEM_WRITER, 0x9000 },
		{ 0xc0000000, 0x9000, ST_CORRUPT, 0, 0 },
	};
	const struct stub_memory locked[] = { { 0x1020, &lock, sizeof(lock) }, { 0 } };
	STUB(s, .memory = locked, .members = rt_members);
	struct mmap_locks locks;

	CHECK(mmap_locks_open(&s.dump, &locks) == ST_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum rwsem_state state = RWSEM_FREE;
		uint64_t task = 0;

		lock.readers = cases[i].readers;
		lock.owner = cases[i].owner;
		CHECK(read_lock(&locks, 0x1000, &state, &task) == cases[i].st);
		CHECK(cases[i].st != ST_OK || (state == cases[i].state && task == cases[i].task));
	}
}

static void what_functions_wait_for(void)
{
	bool takes_page = false;

	CHECK(wait_of("__percpu_down_read") == WAIT_LOCK);
	CHECK(wait_of("__pv_queued_spin_lock_slowpath") == WAIT_LOCK);
	CHECK(wait_of("queued_write_lock_slowpath") == WAIT_LOCK);
	/* A page is being taken, and cleared: nothing is reclaimed, unless further out. */
	CHECK(wait_of_frame("clear_highpages_kasan_tagged", &takes_page) == WAIT_NONE);
	CHECK(wait_of_frame("__alloc_pages_slowpath.constprop.0", &takes_page) == WAIT_RECLAIM);
	CHECK(wait_of_frame("get_page_from_freelist", &takes_page) == WAIT_NONE);
	CHECK(wait_of_frame("__alloc_pages_slowpath.constprop.0", &takes_page) == WAIT_NONE);
	CHECK(wait_of_frame("try_to_free_pages", &takes_page) == WAIT_RECLAIM);
	/* Until kswapd has freed memory. */
	CHECK(wait_of("throttle_direct_reclaim") == WAIT_RECLAIM);
	CHECK(wait_of("mem_cgroup_handle_over_high") == WAIT_MEMORY_HIGH);
	CHECK(wait_of("__mem_cgroup_handle_over_high") == WAIT_MEMORY_HIGH);
	CHECK(!strcmp(wait_name(WAIT_MEMORY_HIGH), "memory_high"));
	CHECK(wait_of("percpu_rwsem_wait") == WAIT_LOCK);
	/* A page that is being written, and one that is locked, are waited for in one function. */
	CHECK(wait_of("folio_wait_bit_common") == WAIT_PAGE_LOCK);
	CHECK(wait_is_writeback("folio_wait_writeback") &&
	      wait_is_writeback("wait_on_page_writeback") &&
	      !wait_is_writeback("folio_wait_bit_common") &&
	      !wait_is_writeback("fuse_wait_on_page_writeback"));
	/* 4.18 to 5.2: one function sleeps, unless the compiler has it in those that call it. */
	CHECK(wait_lock_kind("__rwsem_down_read_failed_common") == LOCK_RWSEM);
	CHECK(wait_lock_kind("__rwsem_down_write_failed_common") == LOCK_RWSEM);
	CHECK(wait_of("__down_killable") == WAIT_LOCK && wait_of("___down_common") == WAIT_LOCK);
	CHECK(wait_of("wait_on_page_bit_killable") == WAIT_PAGE_LOCK &&
	      wait_of("folio_wait_bit_killable") == WAIT_PAGE_LOCK);
	CHECK(wait_of("__fuse_get_req") == WAIT_FUSE);
	CHECK(wait_is_scheduler("___preempt_schedule") &&
	      place_of("__do_page_fault") == PLACE_PAGE_FAULT);
	CHECK(wait_is_completion("wait_for_completion_io"));
	CHECK(wait_of("__rwbase_read_lock") == WAIT_LOCK);
	CHECK(wait_of("rtlock_slowlock_locked.isra.0") == WAIT_LOCK);
	CHECK(wait_is_scheduler("schedule_rtlock") && wait_is_scheduler("rt_mutex_schedule"));
	/* Both are on the stack: what is further in is what it waits for. */
	CHECK(wait_of("migration_entry_wait") > wait_of("do_swap_page"));
	CHECK_TEXT(wait_name(wait_of("migration_entry_wait")), "migration");
	CHECK_TEXT(wait_name(wait_of("do_swap_page")), "swap_in");
	CHECK_TEXT(wait_name(wait_of("request_wait_answer")), "fuse");
	CHECK_TEXT(wait_name(wait_of("io_schedule")), "io");
	CHECK(wait_is_completion("wait_for_completion.isra.0") &&
	      !wait_is_completion("qsafe_write"));
}

TESTS({ "faults of two layouts", faults_of_two_layouts },
      { "structures that disagree", structures_that_disagree },
      { "owners of mmap_lock", owners_of_mmap_lock },
      { "owners of mmap_lock with CONFIG_PREEMPT_RT", owners_of_rt_locks },
      { "what functions wait for", what_functions_wait_for })
