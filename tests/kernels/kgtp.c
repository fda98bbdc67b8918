// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with KGTP's symbols and the rings of two CPUs as bytes: three pages each.
 * CPU 0 has three frames, the second over all of its pages; CPU 1 one that is cut by CASE_x:
 *	locked	  its lock is held in the middle of an entry
 *	torn	  a link of the ring of CPU 0 leads nowhere
 *	wild	  an entry of CPU 0 has a size beyond its page
 *	stale	  a frame of CPU 0 has an id that was never given
 *	taken	  the oldest page of CPU 0 is at a reader
 *	empty	  there are no pages
 *	file	  the rings are empty, a trace file is there
 *	simple ftrace	other frame stores
 *	gprs	  the kernel's own driver that is called gtp: no such symbols
 *	unnamed	  the kernel keeps no symbols of data
 *	nowhere	  symbols of the module are not in the dump
 *	unset	  CPU 1 never got pages: r and w are the size of a link
 *	renumbered  the ring of CPU 1 has the number of another CPU
 *	overwritten  pages of older frames were overwritten
 *	counters  its counters have values that none can have
 *	zeros	  page 1 of CPU 0 has only zeros between its links
 *	pointer	  $current_task was collected
 *	shifted	  struct gtp_rb_s is another one, without debug information
 */
#define RELEASE "6.12.0-kgtp"
#include "common.h"

typedef struct {
	s32 counter;
} atomic_t;
struct qspinlock {
	atomic_t val;
};
struct raw_spinlock {
	struct qspinlock raw_lock;
};
struct spinlock {
	struct raw_spinlock rlock;
} keep_spinlock;
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs,
		flags, sp, ss;
} keep_regs;

void handle_mm_fault(void) {}

/* The list of modules, with the symbols of one. */
struct mod_kallsyms {
	void *symtab;
	u32 num_symtab;
	char *strtab;
};
struct module_memory {
	void *base;
	u32 size;
};
enum module_state { MODULE_STATE_LIVE, MODULE_STATE_UNFORMED = 3 } keep_state;
struct module {
	enum module_state state;
	struct list_head list;
	char name[56];
	struct module_memory mem[2];
	struct mod_kallsyms *kallsyms;
};
struct elf_sym {
	u32 name;
	u8 info, other;
	u16 shndx;
	u64 value, size;
};

/* Pages: a link, 4080 bytes of data, a link. */
#define PACKED __attribute__((packed))
struct head {
	u32 fid;
	u64 id, number;
	void *previous;
} PACKED;
struct reg {
	u32 fid;
	struct pt_regs regs;
} PACKED;
struct var {
	u32 fid, number, hole;
	s64 value;
} PACKED;
struct begin {
	u32 fid;
	u64 id;
} PACKED;
#define MEM(bytes_)               \
	struct {                  \
		u32 fid;          \
		u64 addr;         \
		u64 size;         \
		u8 bytes[bytes_]; \
	} PACKED
#define SMALL 12
#define LAST 48
/* What is left of page 0 behind two heads, registers and two variables. */
#define FIRST (4080 - 2 * 28 - 172 - 2 * 20 - 20 - SMALL - 20)
#define WHOLE (4080 - 12 - 20)

struct page0 {
	void *prev;
	struct head head1;
	struct reg reg1;
	struct var clock1, pid1;
	MEM(SMALL) small;
	struct head head2;
	MEM(FIRST) first;
	void *next;
} PACKED;
struct page1 {
	void *prev;
	struct begin begin;
	MEM(WHOLE) whole;
	void *next;
} PACKED;
struct page2 {
	void *prev;
	struct begin begin;
	MEM(LAST) last;
	struct head head3;
	u8 rest[4080 - 12 - 20 - LAST - 28];
	void *next;
} PACKED;
struct plain {
	void *prev;
	struct head head;
	MEM(SMALL) small;
	u8 rest[4080 - 28 - 20 - SMALL];
	void *next;
} PACKED;
_Static_assert(sizeof(struct page0) == 4096 && sizeof(struct page1) == 4096 &&
		       sizeof(struct page2) == 4096 && sizeof(struct plain) == 4096,
	       "pages");

extern struct page0 page0;
extern struct page1 page1;
extern struct page2 page2;
extern struct plain other[3];
#define DATA(page) ((char *)DIRECT(&page) + 8)
#define WHERE 0xffffc90000123000UL /* that the memory of frame 2 was collected from */
#ifdef CASE_torn
#define AFTER_PAGE1 ((char *)0xffff88ffff000008UL)
#else
#define AFTER_PAGE1 DATA(page2)
#endif
#ifdef CASE_taken
#define BEFORE_PAGE1 DATA(page2)
#define OLDEST DATA(page1)
#else
#define BEFORE_PAGE1 DATA(page0)
#define OLDEST DATA(page0)
#endif
#ifdef CASE_wild
#define WHOLE_SIZE 0xfffffffffffffff0UL
#else
#define WHOLE_SIZE WHOLE
#endif
#ifdef CASE_stale
#define THIRD_ID 900
#else
#define THIRD_ID 4
#endif

struct page0 page0 __attribute__((aligned(4096))) = {
	DATA(page2),
	{ 0, 1, 7, 0 },
	{ 1, { .ip = (u64)handle_mm_fault, .si = 0x7f0000001000, .sp = 0xabc } },
	{ 3, 5, 0, 1500000 },
#ifdef CASE_pointer
	{ 3, 3, 0, (s64)0xffff987912345680 },
#elif defined(CASE_step)
	{ 3, 45, 0, 2 }, /* $step_id */
#else
	{ 3, 26, 0, 321 },
#endif
	{ 2, 0xffff888000001000UL, SMALL, "hello world" },
	{ 0, 2, 8, DIRECT(&page0.head1) },
	{ 2, WHERE, FIRST, { 'a', [FIRST - 1] = 'b' } },
	DATA(page1),
};
struct page1 page1 __attribute__((aligned(4096))) = {
	BEFORE_PAGE1,
#ifdef CASE_zeros
	.next = AFTER_PAGE1,
};
#else
	{ 5, 2 },
	{ 2, WHERE + FIRST, WHOLE_SIZE, { 'c', [WHOLE - 1] = 'd' } },
	AFTER_PAGE1,
};
#endif
struct page2 page2 __attribute__((aligned(4096))) = {
	DATA(page1),
	{ 5, 2 },
	{ 2, WHERE + FIRST + WHOLE, LAST, { 'e', [LAST - 1] = 'f' } },
	{ 0, THIRD_ID, 7, DIRECT(&page0.head2) },
	.next = OLDEST,
};
struct plain other[3] __attribute__((aligned(4096))) = {
	{ DATA(other[2]), { 0, 3, 7, 0 }, { 2, 0x1000, SMALL, "cpu one" }, .next = DATA(other[1]) },
	{ DATA(other[0]), .next = DATA(other[2]) },
	{ DATA(other[1]), .next = DATA(other[0]) },
};

struct ring {
	struct spinlock lock;
#ifdef CASE_shifted
	u64 others[2];
#define OTHERS { 0x5a5a5a5a5a5a5a5a, 0x5a5a5a5a5a5a5a5a },
#else
#define OTHERS
#endif
	void *prev_frame, *w, *prev_w, *r, *rp;
	u64 rp_id;
	s32 cpu;
};
#ifdef CASE_file
#define END0 page0.head1
#define END1 other[0].head
#else
#define END0 page2.rest
#define END1 other[0].rest
#endif
#ifdef CASE_locked
#define LOCK                      \
	{                         \
		{                 \
			{         \
				1 \
			}         \
		}                 \
	}
#else
#define LOCK                      \
	{                         \
		{                 \
			{         \
				0 \
			}         \
		}                 \
	}
#endif
struct area {
	char pad[64];
	struct ring ring;
};
static struct area area0 = { .ring = { { { { 0 } } },
				       OTHERS DIRECT(&page2.head3),
				       DIRECT(&END0),
				       DIRECT(&page2.head3),
				       OLDEST,
				       0,
				       0,
				       0 } };
#ifdef CASE_unset
static struct area area1 = { .ring = { LOCK, 0, (void *)8, 0, (void *)8, 0, 0, 1 } };
#else
#ifdef CASE_renumbered
#define CPU1 0
#else
#define CPU1 1
#endif
static struct area area1 = { .ring = { LOCK, OTHERS DIRECT(&other[0].head), DIRECT(&END1),
				       DIRECT(&other[0].small), DIRECT(&other[0].head), 0, 0,
				       CPU1 } };
#endif
void *__per_cpu_offset[2] = { DIRECT(&area0), DIRECT(&area1) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

/* Trace state variables, as KGTP links them. */
struct variable {
	struct list_head node;
	u32 type, num;
	s64 initial_val;
	char *src;
	u64 u[2];
};
extern struct variable clock, user;
struct list_head variables = { DIRECT(&clock.node), DIRECT(&user.node) };
static char clock_source[] = "1:636c6f636b", user_source[] = "0:6d696e65";
struct variable clock = {
	{ DIRECT(&user.node), DIRECT(&variables) }, 0, 5, 0, DIRECT(clock_source)
};
struct variable user = {
	{ DIRECT(&variables), DIRECT(&clock.node) }, 0, 60, -4, DIRECT(user_source)
};

/* Variables of the module, with other names than its symbols have. */
static void *rings = (void *)__builtin_offsetof(struct area, ring);
#ifdef CASE_empty
static u32 page_count;
#else
static u32 page_count = 3;
#endif
static u64 newest = 4;
#ifdef CASE_overwritten
static s32 created = 6, discarded = 3, circular = 1, start = 1;
#elif defined(CASE_counters)
static s32 created = -7, discarded = -1, circular, start = 1;
#else
static s32 created = 6, discarded, circular, start = 1;
#endif
#ifdef CASE_taken
static s32 pipe_pid = 77;
#else
static s32 pipe_pid = -1;
#endif
static char file_text[] = "\x7fTRACE0\nR 94\n\n\0";
static char *file = DIRECT(file_text);
static u64 file_size = sizeof(file_text);

static char names[] = "\0gtp_rb\0gtp_rb_page_count\0gtp_rb_count\0gtp_frame_create\0"
		      "gtp_rb_discard_page_number\0gtp_circular\0gtp_start\0gtp_gtpframe_pipe_pid\0"
		      "gtp_var_list\0gtp_frame_file\0gtp_frame_file_size\0__this_module\0"
		      "gtp_frame\0gtp_frame_r_start\0gtp_frame_iter\0gtp_dev_xmit\0";
enum {
	N_RB = 1,
	N_PAGE_COUNT = N_RB + sizeof("gtp_rb"),
	N_COUNT = N_PAGE_COUNT + sizeof("gtp_rb_page_count"),
	N_CREATE = N_COUNT + sizeof("gtp_rb_count"),
	N_DISCARD = N_CREATE + sizeof("gtp_frame_create"),
	N_CIRCULAR = N_DISCARD + sizeof("gtp_rb_discard_page_number"),
	N_START = N_CIRCULAR + sizeof("gtp_circular"),
	N_PIPE = N_START + sizeof("gtp_start"),
	N_VARS = N_PIPE + sizeof("gtp_gtpframe_pipe_pid"),
	N_FILE = N_VARS + sizeof("gtp_var_list"),
	N_FILE_SIZE = N_FILE + sizeof("gtp_frame_file"),
	N_THIS = N_FILE_SIZE + sizeof("gtp_frame_file_size"),
	N_FRAME = N_THIS + sizeof("__this_module"),
	N_R_START = N_FRAME + sizeof("gtp_frame"),
	N_ITER = N_R_START + sizeof("gtp_frame_r_start"),
	N_XMIT = N_ITER + sizeof("gtp_frame_iter"),
};
#define SYM(name, object)                              \
	{                                              \
		name, 1, 0, 5, (u64)DIRECT(&object), 8 \
	}
extern struct module gtp;
static struct elf_sym symbols[] = {
	{ 0 },
#ifndef CASE_unnamed
	SYM(N_THIS, gtp),
#endif
#if defined(CASE_gprs) || defined(CASE_unnamed)
	SYM(N_XMIT, gtp),
#elif defined(CASE_simple)
	SYM(N_FRAME, file),
	SYM(N_R_START, file),
#elif defined(CASE_ftrace)
	SYM(N_FRAME, file),
	SYM(N_ITER, file),
#else
	SYM(N_RB, rings),
	SYM(N_PAGE_COUNT, page_count),
	SYM(N_COUNT, newest),
	SYM(N_CREATE, created),
	SYM(N_DISCARD, discarded),
	SYM(N_CIRCULAR, circular),
	SYM(N_START, start),
	SYM(N_PIPE, pipe_pid),
	SYM(N_VARS, variables),
#ifdef CASE_file
	SYM(N_FILE, file),
	SYM(N_FILE_SIZE, file_size),
#endif
#endif
};
#ifdef CASE_nowhere
#define SYMTAB (void *)0xffff88ffff000000UL
#else
#define SYMTAB DIRECT(symbols)
#endif
static struct mod_kallsyms kallsyms = { SYMTAB, sizeof(symbols) / sizeof(symbols[0]),
					DIRECT(names) };
extern struct list_head modules;
struct module gtp = { MODULE_STATE_LIVE,
		      { &modules, &modules },
		      "gtp",
		      { { (void *)0xffffffffc0000000UL, 4096 } },
		      DIRECT(&kallsyms) };
struct list_head modules = { DIRECT(&gtp.list), DIRECT(&gtp.list) };
