/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two tracing instances. The top one has two CPUs and a second buffer:
 *   CPU 0: a wrapped ring of three sub-buffers, head b, then c, then a, where the writer is;
 *   a reader has taken the first of two records on the reader page.
 *   CPU 1: the writer is on the reader page: a time extend, a long record, a discarded one, an
 *   absolute time stamp, and a record that was reserved but not committed.
 * "late" has a ring of two sub-buffers that the writer has not wrapped, and another clock.
 */
#include "common.h"
#include "ring.h"

#ifdef OLD_NAMES
#ifdef CASE_perf
/* As where gdb knows by this name the buffer of perf: no name leads to that of ftrace. */
struct ring_buffer {
	atomic_t refcount;
	s32 nr_pages;
	u64 head;
} keep_perf;
#define RING ring_buffer_of_ftrace
#else
#define RING ring_buffer
#endif
#define HOLDER trace_buffer
#define MAIN trace_buffer
#else
#define RING trace_buffer
#define HOLDER array_buffer
#define MAIN array_buffer
#endif
#ifndef SNAPSHOT
#define SNAPSHOT max_buffer
#endif

struct RING {
	u32 flags;
#ifdef HAS_CPUS
	s32 cpus;
#endif
	atomic_t record_disabled;
	struct ring_buffer_per_cpu **buffers;
#ifdef ORDER
	u64 range_addr_start;
	u32 subbuf_order;
#endif
};
struct ring_buffer_per_cpu {
	s32 cpu;
	atomic_t record_disabled;
	struct RING *buffer;
	u64 nr_pages;
	struct list_head *pages;
	struct buffer_page *head_page, *tail_page, *commit_page, *reader_page;
	u64 lost_events;
	local_t entries, overrun, commit_overrun, dropped_events;
	u64 read;
};
struct trace_array;
struct HOLDER {
	struct trace_array *tr;
	struct RING *buffer;
	u64 time_start;
};
struct trace_array {
	struct list_head list;
	char *name;
	struct HOLDER MAIN;
	struct HOLDER SNAPSHOT;
	u8 allocated_snapshot;
#ifdef ORDER
	s64 text_delta;
#endif
	s32 buffer_disabled, stop_count, clock_id;
	struct list_head events;
};

/* The sub-buffers. Times are of the log's clock: the panic is at 10 s. */
#define SECOND 1000000000UL
static struct subbuf reader0_data = { 2 * SECOND, 2 * FAULT_BYTES,
				      { FAULT(0, USER_ID, 55, 0x1000), FAULT(100, USER_ID, 55, 0x2000) } };
#ifdef CASE_outside
#define COMM_AT 30
#else
#define COMM_AT 20
#endif
static struct subbuf b0_data = { 3 * SECOND, FAULT_BYTES + 16 + VICTIM_BYTES + 4,
				 { FAULT(0, KERNEL_ID, 56, 0x3000), DISCARDED(1000), VICTIM(50, 55, COMM_AT), END } };
#ifdef CASE_corrupt
#define C_LENGTH 0xfffffffc
#else
#define C_LENGTH 12
#endif
static struct subbuf c0_data = { 4 * SECOND, FAULT_BYTES + 16 + FAULT_BYTES,
				 { FAULT(0, USER_ID, 55, 0x4000), HEADER(0, 0), C_LENGTH, 0, 0,
				   FAULT(7, USER_ID, 0, 0x5000) } };
#ifdef CASE_beyond
#define A_COMMIT 100000
#elif defined(CASE_missed)
#define A_COMMIT (FAULT_BYTES | 1L << 31)
#else
#define A_COMMIT FAULT_BYTES
#endif
static struct subbuf a0_data = { 5 * SECOND, A_COMMIT, { FAULT(0, USER_ID, 57, 0x6000) } };
static struct subbuf reader1_data = {
	3 * SECOND + 10,
	4 * FAULT_BYTES + LONG_BYTES + 8 + 16 + 8,
	{ FAULT(0, USER_ID, 58, 0x7000), EXTEND(2, 5), LONG_FAULT(0, USER_ID, 58, 0x8000),
	  DISCARDED(99), FAULT(1, KERNEL_ID, 58, 0xffff888000000000),
	  STAMP(7 * SECOND >> 27, 7 * SECOND & 0x7ffffff), FAULT(0, USER_ID, 58, 0x9000),
	  FAULT(3, USER_ID, 58, 0xa000), FAULT(4, USER_ID, 58, 0xb000) }
};
static struct subbuf empty1_data;
static struct subbuf s0_data = { SECOND, FAULT_BYTES, { FAULT(0, USER_ID, 55, 0xc000) } };
static struct subbuf s1_data, l0_data, lr_data;
/* Of the instance "late": a clock that counts, or CLOCK_MONOTONIC. */
#ifdef CASE_mono
#define LATE_CLOCK 2
#define LATE_TIME 2500000000
#else
#define LATE_CLOCK 1
#define LATE_TIME 500
#endif
#if defined(ORDER) && ORDER > 0
/* Its second record crosses the first 4 KiB. */
static struct subbuf l1_data = { LATE_TIME, 4120 + FAULT_BYTES,
				 { HEADER(0, 0), 4116, [1030] = FAULT(5, USER_ID, 55, 0xd000) } };
#else
static struct subbuf l1_data = { LATE_TIME, FAULT_BYTES, { FAULT(0, USER_ID, 55, 0xd000) } };
#endif

extern struct buffer_page reader0, a0, b0, c0, reader1, a1, s0, sr, l0, l1, lr;
#define NOWHERE ((char *)0xffff88ffff000000UL)
#ifdef CASE_no_head
#define TO_B LINK(b0)
#elif defined(CASE_moving)
#define TO_B MOVING(b0)
#else
#define TO_B HEAD(b0)
#endif
#ifdef CASE_moving
#define TO_C HEAD(c0)
#elif defined(CASE_broken)
#define TO_C NOWHERE
#elif defined(CASE_loop)
#define TO_C LINK(b0)
#elif defined(CASE_short)
#define TO_C LINK(a0)
#else
#define TO_C LINK(c0)
#endif
#ifdef CASE_disagree
#define BACK_OF_C DIRECT(&a0)
#else
#define BACK_OF_C DIRECT(&b0)
#endif
struct buffer_page reader0 = BUFFER_PAGE(DIRECT(&b0), DIRECT(&a0), reader0_data, 2 * FAULT_BYTES, .read = FAULT_BYTES);
struct buffer_page a0 = BUFFER_PAGE(TO_B, DIRECT(&c0), a0_data, FAULT_BYTES);
struct buffer_page b0 = BUFFER_PAGE(TO_C, DIRECT(&a0), b0_data, 4080);
struct buffer_page c0 = BUFFER_PAGE(DIRECT(&a0), BACK_OF_C, c0_data, 4080);
/* 12 bits above the 20 of the position count nested writers. */
struct buffer_page reader1 = BUFFER_PAGE(DIRECT(&a1), DIRECT(&a1), reader1_data, (3 << 20) + 5 * FAULT_BYTES + LONG_BYTES + 8 + 16 + 8);
struct buffer_page a1 = BUFFER_PAGE(HEAD(a1), DIRECT(&a1), empty1_data, 0);
struct buffer_page s0 = BUFFER_PAGE(HEAD(s0), DIRECT(&s0), s0_data, FAULT_BYTES);
struct buffer_page sr = BUFFER_PAGE(DIRECT(&s0), DIRECT(&s0), s1_data, 0);
struct buffer_page l0 = BUFFER_PAGE(LINK(l1), DIRECT(&l1), l0_data, 0);
struct buffer_page l1 = BUFFER_PAGE(HEAD(l0), DIRECT(&l0), l1_data, FAULT_BYTES);
struct buffer_page lr = BUFFER_PAGE(DIRECT(&l0), DIRECT(&l1), lr_data, 0);

#define RING_CPU(n, pages_, list_, head_, commit_, reader_, ...) \
	{                                                        \
		.cpu = n, .nr_pages = pages_, .pages = DIRECT(&list_.list), .head_page = DIRECT(&head_), \
		.tail_page = DIRECT(&commit_), .commit_page = DIRECT(&commit_),  \
		.reader_page = DIRECT(&reader_), __VA_ARGS__     \
	}
#ifdef CASE_commit
#define COMMIT0 s0
#else
#define COMMIT0 a0
#endif
/* head_page is behind: the link of a tells. */
static struct ring_buffer_per_cpu cpu0 =
	RING_CPU(0, 3, a0, a0, COMMIT0, reader0, .entries = { 13 }, .overrun = { 5 }, .dropped_events = { 2 }, .read = 1);
static struct ring_buffer_per_cpu cpu1 = RING_CPU(1, 1, a1, a1, reader1, reader1, .entries = { 5 });
static struct ring_buffer_per_cpu snap0 = RING_CPU(0, 1, s0, s0, s0, sr, .entries = { 1 });
static struct ring_buffer_per_cpu late1 = RING_CPU(1, 2, l0, l0, l1, lr, .entries = { 1 });
static struct ring_buffer_per_cpu *cpus[2] = { DIRECT(&cpu0), DIRECT(&cpu1) };
static struct ring_buffer_per_cpu *snap_cpus[2] = { DIRECT(&snap0) };
static struct ring_buffer_per_cpu *late_cpus[2] = { 0, DIRECT(&late1) };

#ifdef ORDER
#define HAS_ORDER , .subbuf_order = ORDER
#else
#define HAS_ORDER
#endif
#ifndef EMPTY_ENTRIES
#define EMPTY_ENTRIES 0
#endif
#ifdef CASE_empty
#define NO_CPUS(table) DIRECT(no_cpus)
static struct ring_buffer_per_cpu nothing = RING_CPU(0, 1, a1, a1, a1, lr, .entries = { EMPTY_ENTRIES }, .read = EMPTY_ENTRIES);
static struct ring_buffer_per_cpu *no_cpus[2] = { DIRECT(&nothing) };
#else
#define NO_CPUS(table) DIRECT(table)
#endif
static struct RING main_ring = { .buffers = NO_CPUS(cpus) HAS_ORDER };
static struct RING snapshot_ring = { .buffers = NO_CPUS(snap_cpus) HAS_ORDER };
/* tracing_on is 0. */
static struct RING late_ring = { .record_disabled = { 1 << 20 }, .buffers = NO_CPUS(late_cpus) HAS_ORDER };

#ifndef FLAGS
#define FLAGS (EVENT_FILE_FL_ENABLED | EVENT_FILE_FL_WAS_ENABLED)
#endif
extern struct trace_array global_trace, late;
extern struct trace_event_file files[3], late_files[3];
#define HEAD_OF(array) DIRECT(&(array).events)
#define GLOBAL_HEAD (&global_trace.events)
struct trace_event_file files[3] = {
	{ { DIRECT(&files[1]), GLOBAL_HEAD }, DIRECT(&call_other), 0 },
	{ { DIRECT(&files[2]), DIRECT(&files[0]) }, DIRECT(&call_user), FLAGS },
	{ { (void *)GLOBAL_HEAD, DIRECT(&files[1]) }, DIRECT(&call_kernel), FLAGS | (FLAGS ? EVENT_FILE_FL_FILTERED : 0) },
};
struct trace_event_file late_files[3] = {
	{ { DIRECT(&late_files[1]), HEAD_OF(late) }, DIRECT(&call_other), 0 },
	{ { DIRECT(&late_files[2]), DIRECT(&late_files[0]) }, DIRECT(&call_user), FLAGS },
	{ { HEAD_OF(late), DIRECT(&late_files[1]) }, DIRECT(&call_kernel), FLAGS ? EVENT_FILE_FL_WAS_ENABLED : 0 },
};
extern struct list_head ftrace_trace_arrays;
struct trace_array global_trace = {
	.list = { DIRECT(&late.list), &ftrace_trace_arrays },
	.MAIN = { .buffer = DIRECT(&main_ring) },
	.SNAPSHOT = { .buffer = DIRECT(&snapshot_ring) },
	.allocated_snapshot = 1,
	.events = { DIRECT(&files[0]), DIRECT(&files[2]) },
};
struct trace_array late = {
	.list = { &ftrace_trace_arrays, (void *)&global_trace.list },
	.name = DIRECT("late"),
	.MAIN = { .buffer = DIRECT(&late_ring) },
	.SNAPSHOT = { .buffer = DIRECT(&snapshot_ring) },
	.clock_id = LATE_CLOCK,
	.events = { DIRECT(&late_files[0]), DIRECT(&late_files[2]) },
};
struct list_head ftrace_trace_arrays = { (void *)&global_trace.list, DIRECT(&late.list) };
