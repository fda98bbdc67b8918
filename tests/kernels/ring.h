/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all kernels with trace buffers share: words of records, the list of events with the two
 * of page faults, names of tasks. A kernel defines RING_TYPES before, and builds its rings of
 * 4 KiB sub-buffers with these.
 */
#include "printk.h"

typedef struct {
	s64 counter;
} local_t;
typedef struct {
	s32 counter;
} atomic_t;

/* A header, and records of a page fault: trace_entry, address, ip, error code. */
#define HEADER(type_len, delta) ((u32)(type_len) | (u32)(delta) << 5)
#define USER_ID 101
#define KERNEL_ID 102
#define ENTRY(id, pid) (u32)(id) | 1U << 16, (u32)(pid)
#define WORDS64(v) (u32)(v), (u32)((u64)(v) >> 32)
#define FAULT(delta, id, pid, address)                                                        \
	HEADER(8, delta), ENTRY(id, pid), WORDS64(address), WORDS64(0x401000), 6, 0
#define FAULT_BYTES 36
/* The same with its length in the array. */
#define LONG_FAULT(delta, id, pid, address) \
	HEADER(0, delta), 36, ENTRY(id, pid), WORDS64(address), WORDS64(0x401000), 6, 0
#define LONG_BYTES 40
#define EXTEND(high, low) HEADER(30, low), high
#define STAMP(high, low) HEADER(31, low), high
#define DISCARDED(delta) HEADER(29, delta), 12, 0, 0
#define END HEADER(29, 0)

struct buffer_data_page {
	u64 time_stamp;
	local_t commit;
	unsigned char data[];
};
#ifdef ORDER
#define SUBBUF (4096 << ORDER)
#else
#define SUBBUF 4096
#endif
struct subbuf {
	u64 time_stamp;
	s64 commit;
	u32 words[(SUBBUF - 16) / 4];
} __attribute__((aligned(SUBBUF)));

struct buffer_page {
	struct list_head list;
	local_t write;
	u32 read;
	local_t entries;
	u64 real_end;
#ifdef ORDER
	u32 order;
	u32 id : 30;
	u32 range : 1;
#endif
	struct buffer_data_page *page;
};
#define BUFFER_PAGE(next, prev, subbuf, bytes, ...)                                       \
	{                                                                                 \
		{ (void *)(next), (void *)(prev) }, { bytes }, .page = (void *)DIRECT(&subbuf), \
			__VA_ARGS__                                                       \
	}
/* A link forth to the head of the ring. */
#define HEAD(p) ((char *)DIRECT(&(p)) + 1)
#define MOVING(p) ((char *)DIRECT(&(p)) + 2)
#define LINK(p) ((char *)DIRECT(&(p)))

/* Events. */
struct ftrace_event_field {
	struct list_head link;
	const char *name, *type;
	s32 filter_type, offset, size;
#ifdef SIGNED_BITS
	u32 is_signed : 1;
	u32 needs_test : 1;
#else
	s32 is_signed;
#endif
	s32 len;
};
struct trace_event_class {
	const char *system;
	struct list_head fields;
};
struct tracepoint {
	const char *name;
};
struct trace_event {
	s32 type;
};
struct trace_event_call {
	struct list_head list;
	struct trace_event_class *class;
	union {
		const char *name;
		struct tracepoint *tp;
	};
	struct trace_event event;
	s32 flags;
};
struct trace_event_file {
	struct list_head list;
	struct trace_event_call *event_call;
	u64 flags;
};
#ifndef TRACEPOINT_BIT
#define TRACEPOINT_BIT 3
#endif
enum { TRACE_EVENT_FL_TRACEPOINT = 1 << TRACEPOINT_BIT, TRACE_EVENT_FL_CUSTOM = 1 << 9 } keep_flags;
enum {
	EVENT_FILE_FL_ENABLED = 1,
	EVENT_FILE_FL_FILTERED = 8,
	EVENT_FILE_FL_SOFT_DISABLED = 64,
	EVENT_FILE_FL_PID_FILTER = 512,
	EVENT_FILE_FL_WAS_ENABLED = 1024
} keep_file_flags;

#define FIELD(own, after, before, n, t, o, s, sign)                                  \
	struct ftrace_event_field own = { .link = { (void *)(after), (void *)(before) }, \
					  .name = DIRECT(n),                         \
					  .type = DIRECT(t),                         \
					  .offset = o,                               \
					  .size = s,                                 \
					  .is_signed = sign }
extern struct ftrace_event_field f_type, f_flags, f_count, f_pid, f_address, f_ip, f_code;
extern struct list_head ftrace_common_fields, ftrace_events;
extern struct trace_event_class fault_class;
extern struct trace_event_call call_other, call_user, call_kernel;
#ifdef CASE_fields
/* The lists of fields are in a hole: the types of the records have them, and vmlinux the class. */
#define fault_class event_class_x86_exceptions
#define NOWHERE ((void *)(DIRECT_BASE + (64UL << 30)))
extern struct trace_event_class fault_class;
struct trace_entry {
	u16 type;
	u8 flags, preempt_count;
	s32 pid;
};
struct trace_event_raw_x86_exceptions {
	struct trace_entry ent;
	u64 address, ip, error_code;
	char __data[];
} keep_raw_type;
#define FAULT_CLASS (&fault_class)
#define FIRST(field) NOWHERE
#else
#define FAULT_CLASS DIRECT(&fault_class)
#define FIRST(field) DIRECT(&(field))
#endif
/* The one declared last is the first. Heads are reached as vmlinux links them. */
struct list_head ftrace_common_fields = { FIRST(f_pid), DIRECT(&f_type) };
FIELD(f_pid, DIRECT(&f_count), &ftrace_common_fields, "common_pid", "int", 4, 4, 1);
FIELD(f_count, DIRECT(&f_flags), DIRECT(&f_pid), "common_preempt_count", "unsigned char", 3, 1, 0);
FIELD(f_flags, DIRECT(&f_type), DIRECT(&f_count), "common_flags", "unsigned char", 2, 1, 0);
FIELD(f_type, &ftrace_common_fields, DIRECT(&f_flags), "common_type", "unsigned short", 0, 2, 0);
FIELD(f_code, DIRECT(&f_ip), DIRECT(&fault_class.fields), "error_code", "unsigned long", 24, 8, 0);
FIELD(f_ip, DIRECT(&f_address), DIRECT(&f_code), "ip", "unsigned long", 16, 8, 0);
FIELD(f_address, DIRECT(&fault_class.fields), DIRECT(&f_ip), "address", "unsigned long", 8, 8, 0);
struct trace_event_class fault_class = { DIRECT("exceptions"), { FIRST(f_code), DIRECT(&f_address) } };

/* An event of its own name with a dynamic text, a signed number and a relative text. */
extern struct ftrace_event_field g_text, g_number, g_relative;
struct trace_event_class other_class = { DIRECT("oom"), { DIRECT(&g_relative), DIRECT(&g_text) } };
FIELD(g_relative, DIRECT(&g_number), DIRECT(&other_class.fields), "where", "__rel_loc char[]", 16, 4, 0);
FIELD(g_number, DIRECT(&g_text), DIRECT(&g_relative), "score", "short", 12, 2, 1);
FIELD(g_text, DIRECT(&other_class.fields), DIRECT(&g_number), "comm", "__data_loc char[]", 8, 4, 0);
#define OTHER_ID 100
/* comm "killed" at 20, score -5, where "zone" at 28, behind the fields. */
#define VICTIM(delta, pid, comm_at)                                                            \
	HEADER(8, delta), ENTRY(OTHER_ID, pid), 7U << 16 | (comm_at), 0xfffb, 4U << 16 | 8,        \
		0x6c6c696b, 0x00006465, 0x656e6f7a
#define VICTIM_BYTES 36

static struct tracepoint tp_user = { DIRECT("page_fault_user") }, tp_kernel = { DIRECT("page_fault_kernel") };
struct list_head ftrace_events = { DIRECT(&call_other), DIRECT(&call_kernel) };
struct trace_event_call call_other = { { DIRECT(&call_user), (void *)&ftrace_events },
				       DIRECT(&other_class),
				       { .name = DIRECT("mark_victim") },
				       { OTHER_ID },
				       TRACE_EVENT_FL_CUSTOM | TRACE_EVENT_FL_TRACEPOINT };
struct trace_event_call call_user = { { DIRECT(&call_kernel), DIRECT(&call_other) },
				      FAULT_CLASS,
				      { .tp = DIRECT(&tp_user) },
				      { USER_ID },
				      TRACE_EVENT_FL_TRACEPOINT };
struct trace_event_call call_kernel = { { (void *)&ftrace_events, DIRECT(&call_user) },
					FAULT_CLASS,
					{ .tp = DIRECT(&tp_kernel) },
					{ KERNEL_ID },
					TRACE_EVENT_FL_TRACEPOINT };

/* Names: pid 55 has one, the entry of 56 is another's. */
struct saved_cmdlines_buffer {
	u32 map_pid_to_cmdline[4097];
	u32 *map_cmdline_to_pid;
	u32 cmdline_num;
	s32 cmdline_idx;
#ifdef NAMES_POINTER
	char *saved_cmdlines;
#else
	char saved_cmdlines[2][16];
#endif
};
static u32 pids_of_names[2] = { 55, 4152 };
#ifdef NAMES_POINTER
static char names_of_tasks[2][16] = { "eater", "other" };
#endif
static struct saved_cmdlines_buffer saved = {
	.map_pid_to_cmdline = { [0 ... 4096] = ~0U, [55] = 0, [56] = 1 },
	.map_cmdline_to_pid = DIRECT(pids_of_names),
	.cmdline_num = 2,
#ifdef NAMES_POINTER
	.saved_cmdlines = DIRECT(names_of_tasks),
#else
	.saved_cmdlines = { "eater", "other" },
#endif
};
struct saved_cmdlines_buffer *savedcmd = DIRECT(&saved);

static u64 trace_clock_local(void)
{
	return 0;
}
static struct {
	u64 (*func)(void);
	const char *name;
	s32 in_ns;
} trace_clocks[3] = { { trace_clock_local, DIRECT("local"), 1 },
		      { trace_clock_local, DIRECT("counter"), 0 },
		      { trace_clock_local, DIRECT("mono"), 1 } };
u32 nr_cpu_ids = 2;
