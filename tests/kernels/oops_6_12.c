// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A log of 6.12 that ends with an oops, the frame of that exception on the stack of a task,
 * page tables of 4 levels. Without a case, a read of address 8. Others:
 *	rodata user gp double stack	the exception
 *	oom	a panic that is no fault, behind an oops that the kernel survived
 *	panicked	a panic that is no fault, alone
 *	cut	the panic alone: the records of its oops were overwritten
 *	torn	the text of the headline is not in the dump, nor is that of the panic
 *	between	the text of the headline of a second oops alone is not
 *	init signal exited	the first process is killed, with and without its line in the log, or exits
 *	forged	lines of an oops from /dev/kmsg before and inside of the true one
 *	memcg	a cgroup that ran out of memory and lost a task, before a panic of another reason
 *	fake	the same from /dev/kmsg
 *	lost	the same, but the line that names the cgroup and the victim is not in the dump
 *	quiet	neither a panic nor an oops
 *	gone	the descriptors of the ring are not in the dump
 *	5_4	the log of 5.1 to 5.9, records in log_buf, around its end
 *	4_19	that without the task of a record, of the case memcg
 */
#define RELEASE "6.12.0-oops"
#define OWN_TASKS
struct list_head {
	struct list_head *next, *prev;
};
#include "common.h"

#include "tasktypes.h"

struct mm_struct {
	u64 users, total_vm;
	struct percpu_counter rss_stat[NR_MM_COUNTERS];
} keep_mm;
struct signal_struct {
	struct list_head thread_head;
	u64 min_flt, maj_flt, cmin_flt, cmaj_flt;
};
struct task_struct {
	u32 __state, flags;
	TASK_MEMBERS
};
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs,
		flags, sp, ss;
};
#define STACK_WORDS 2048
union thread_union {
	u64 stack[STACK_WORDS];
} keep_thread_union;

/*
 * The stack of the task, from a place that the texts of the log can name. The exception left
 * its registers at 0xffffc90001102f00, below the stack pointer of what it interrupted.
 */
#define STACK 0xffffc90001100000
#define REGS_AT 0x2f00
/* Below are those of another exception, while the oops was printed. */
#define OTHER_AT 0x2800
#define SP 0xffffc90001103000
#define SP_TEXT "ffffc90001103000"
static struct {
	char below[OTHER_AT];
	struct pt_regs other;
	char between[REGS_AT - OTHER_AT - sizeof(struct pt_regs)];
	struct pt_regs regs;
	char above[STACK_WORDS * 8 - REGS_AT - sizeof(struct pt_regs)];
} stack __attribute__((section(".heap"), aligned(4096))) = {
	.other = { .ip = IN(free_pages),
		   .cs = 0x10,
		   .flags = 0x282,
		   .sp = STACK + 0x2900,
		   .ss = 0x18 },
	.regs = { .orig_ax = ~0UL,
		  .ip = IN(leak_first),
		  .cs = 0x10,
		  .flags = 0x282,
		  .sp = SP,
		  .ss = 0x18 },
};

extern struct task_struct init_task, victim;
struct signal_struct victim_signal = { { DIRECT(&victim.thread_node),
					 DIRECT(&victim.thread_node) } };
struct task_struct init_task = { .tasks = { DIRECT(&victim.tasks), DIRECT(&victim.tasks) },
				 .comm = "swapper" };
struct task_struct victim = {
	.stack = (void *)STACK,
	.tasks = { (void *)&init_task.tasks, (void *)&init_task.tasks },
	.pid = 45,
	.tgid = 45,
	.real_parent = DIRECT(&init_task),
	.thread_node = { DIRECT(&victim_signal.thread_head), DIRECT(&victim_signal.thread_head) },
	.comm = "victim",
	.signal = DIRECT(&victim_signal),
};

/* The first GiB of RAM, in the direct map, where vmalloc areas are, and in the image. */
#define TABLE(t) ((char *)(t)-LINK_BASE + 0x67)
#define GIANT (void *)0xe3
static void *direct_pud[512] __attribute__((aligned(4096))) = { [0] = GIANT };
static void *image_pud[512] __attribute__((aligned(4096))) = { [510] = GIANT };
void *init_top_pgt[512] __attribute__((aligned(4096))) = {
	[273] = TABLE(direct_pud), [402] = TABLE(direct_pud), [511] = TABLE(image_pud)
};

const char read_only[16] = "read-only data";

#define DEAD "Kernel panic - not syncing: Fatal exception"
#define END "---[ end trace 0000000000000000 ]---"
#define CPU "CPU: 1 UID: 0 PID: 45 Comm: victim Not tainted 6.12.0-oops #1"
#define TRACE(X, at) X(at, 0, "Call Trace:") X(at + 1, 0, " startup_64+0x2/0x10")
/* Lines of every oops; that one record holds two lines is what the console of 6.12 has, too. */
#define BODY(X, at)                                                                            \
	X(at, 0, CPU)                                                                          \
	X(at + 1, 0, "RIP: 0010:leak_first+0x2/0x7\nCode: 90")                                 \
	X(at + 2, 0, "RSP: 0018:" SP_TEXT " EFLAGS: 00000282")                                 \
	TRACE(X, at + 3)                                                                       \
	X(at + 5, 0, "RIP: 0033:0x47b7a0")                                                     \
	X(at + 6, 0, "RSP: 002b:00007ffe831334c8 EFLAGS: 00000202 ORIG_RAX: 0000000000000001") \
	X(at + 7, 0, END)
#define PAGE_FAULT(X, at, headline, code)         \
	X(at, 0, headline)                        \
	X(at + 1, 0, "#PF: error_code(" code ")") \
	BODY(X, at + 2)
#define NULL_POINTER "BUG: kernel NULL pointer dereference, address: 0000000000000008"
#define OF_USER "BUG: unable to handle page fault for address: 00007f0000001000"

#define INIT "Kernel panic - not syncing: Attempted to kill init! exitcode="
#define SEGFAULT \
	"an init[1]: segfault at 10 ip 401e1d sp 7ffe83133530 error 6 in work[401000+b1000]"

/* mem_cgroup_out_of_memory(); f is of all its lines but the one that names the cgroup. */
#define MEMCG(X, f, of_line)                                                                      \
	X(0, f, "eater invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0") \
	X(1, f, "memory: usage 102400kB, limit 102400kB, failcnt 58")                             \
	X(2, of_line,                                                                             \
	  "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"         \
	  "oom_memcg=/box,task_memcg=/box/in,task=eater,pid=90,uid=0")                            \
	X(3, f,                                                                                   \
	  "Memory cgroup out of memory: Killed process 90 (eater) total-vm:52268kB, "             \
	  "anon-rss:22936kB, file-rss:0kB, shmem-rss:4kB, UID:0 pgtables:136kB")                  \
	X(4, f, "some line")

#ifdef CASE_rodata
#define LOG(X)                                                                             \
	PAGE_FAULT(X, 0, "BUG: unable to handle page fault for address: ffffffff81001008", \
		   "0x0003")                                                               \
	X(10, 0, DEAD)
#elif defined(CASE_user)
#define LOG(X) PAGE_FAULT(X, 0, OF_USER, "0x0001") X(10, 0, DEAD)
#elif defined(CASE_gp)
#define LOG(X)                                                                                                    \
	X(0, 0,                                                                                                   \
	  "Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] SMP") \
	BODY(X, 1) X(9, 0, DEAD)
#elif defined(CASE_double)
#define LOG(X)                                                 \
	X(0, 0, "traps: PANIC: double fault, error_code: 0x0") \
	X(1, 0, "Oops: double fault: 0000 [#1] SMP")           \
	BODY(X, 2)                                             \
	X(10, 0, "CR2: 0000000000001234 CR3: 0")               \
	X(11, 0, "Kernel panic - not syncing: Fatal exception in interrupt")
#elif defined(CASE_stack)
#define LOG(X)                                                                                                    \
	X(0, 0,                                                                                                   \
	  "BUG: TASK stack guard page was hit at 00000000fc6b66f1 (stack is 000000006c76b8bd..000000004c225d93)") \
	X(1, 0, "Oops: stack guard page: 0000 [#1] SMP")                                                          \
	X(2, 0, "CR2: ffffc900010ffff8 CR3: 0")                                                                   \
	BODY(X, 3) X(11, 0, "Kernel panic - not syncing: Fatal exception in interrupt")
#elif defined(CASE_oom)
#define LOG(X)                                   \
	PAGE_FAULT(X, 0, NULL_POINTER, "0x0000") \
	X(10, 0, "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled")
#elif defined(CASE_panicked)
#define LOG(X) X(0, 0, "some line") X(1, 0, "Kernel panic - not syncing: sysrq triggered crash")
#elif defined(CASE_cut)
#define LOG(X) X(0, 0, CPU) X(1, 0, DEAD)
#elif defined(CASE_torn)
#define LOG(X) PAGE_FAULT(X, 0, NULL_POINTER, "0x0000") X(10, HOLE, OF_USER) X(11, HOLE, DEAD)
#elif defined(CASE_between)
#define LOG(X) PAGE_FAULT(X, 0, NULL_POINTER, "0x0000") X(10, HOLE, OF_USER) X(11, 0, DEAD)
#elif defined(CASE_init)
#define LOG(X) X(0, 0, SEGFAULT) X(1, 0, INIT "0x0000000b")
#elif defined(CASE_signal)
#define LOG(X) X(0, 0, "some line") X(1, 0, INIT "0x0000000b")
#elif defined(CASE_exited)
#define LOG(X) X(0, 0, SEGFAULT) X(1, 0, INIT "0x00000100")
#elif defined(CASE_forged)
#define LOG(X)                                                    \
	X(0, 8, OF_USER)                                          \
	X(1, 8, CPU)                                              \
	X(2, 0, NULL_POINTER)                                     \
	X(3, 8, "#PF: error_code(0x0007)")                        \
	X(4, 8, "CPU: 9 UID: 0 PID: 99 Comm: forger Not tainted") \
	X(5, 0, "#PF: error_code(0x0000)") BODY(X, 6) X(14, 0, DEAD)
#elif defined(CASE_memcg) || defined(CASE_4_19)
#define LOG(X) MEMCG(X, 0, 0) X(5, 0, "Kernel panic - not syncing: sysrq triggered crash")
#elif defined(CASE_fake)
#define LOG(X) MEMCG(X, 8, 8) X(5, 0, "Kernel panic - not syncing: sysrq triggered crash")
#elif defined(CASE_lost)
#define LOG(X) MEMCG(X, 0, HOLE) X(5, 0, "Kernel panic - not syncing: sysrq triggered crash")
#elif defined(CASE_quiet)
#define LOG(X) X(0, 0, "some line") X(1, 8, OF_USER) X(2, 8, DEAD)
#else
#define LOG(X) PAGE_FAULT(X, 0, NULL_POINTER, "0x0000") X(10, 0, DEAD)
#endif

#define BLOCK 256
#define COUNT(i, f, text) +1
#if defined(CASE_5_4) || defined(CASE_4_19)
enum log_flags { LOG_NEWLINE = 2, LOG_CONT = 8 } keep_log_flags;
struct printk_log {
	u64 ts_nsec;
	u16 len, text_len, dict_len;
	u8 facility, flags : 5, level : 3;
#ifdef CASE_5_4
	u32 caller_id;
#define CALLER 45
#else
#define CALLER
#endif
} __attribute__((packed, aligned(4)));
#define ROOM (BLOCK - sizeof(struct printk_log))
#define RECORD(i, f, text)                                                              \
	[((i) + BEHIND) % 32] = { { 10000000000 + (i)*1000000, BLOCK, sizeof(text) - 1, \
				    ROOM - (sizeof(text) - 1), f, 2, 6, CALLER },       \
				  text },
/* The first three stand at the end, before the mark that sends to the start. */
#define BEHIND 29
static struct {
	struct {
		struct printk_log head;
		char text[ROOM];
	} records[32];
	struct printk_log wrap;
} log_data = { { LOG(RECORD) } };
static char *log_buf = DIRECT(&log_data);
static u32 log_buf_len = sizeof(log_data);
static u32 log_first_idx = BEHIND * BLOCK, log_next_idx = (LOG(COUNT) - 32 + BEHIND) * BLOCK;
static u64 log_first_seq = 9, log_next_seq = 9 + LOG(COUNT);
void *keep_log[] = { &log_buf,	    &log_buf_len,   &log_first_idx,
		     &log_next_idx, &log_first_seq, &log_next_seq };
#else
#include "printktypes.h"

#define FIRST_ID 32
/* In place of a facility: the block of text is far behind what the dump has. */
#define HOLE 255
#define FAR(f) ((f) == HOLE ? 1UL << 30 : 0)
#define DESC(i, f, text) \
	[i] = { 2UL << 62 | FIRST_ID + (i), { FAR(f) + (i)*BLOCK, FAR(f) + ((i) + 1) * BLOCK } },
#define INFO(i, f, text)                   \
	[i] = { FIRST_ID + 32 + (i),       \
		10000000000 + (i)*1000000, \
		sizeof(text) - 1,          \
		(f) == HOLE ? 0 : (f),     \
		0,                         \
		45 },
#define DATA(i, f, text) [i] = { FIRST_ID + (i), text },
static struct prb_desc log_descs[32] = { LOG(DESC) };
static struct printk_info log_infos[32] = { LOG(INFO) };
static struct {
	u64 id;
	char text[BLOCK - 8];
} log_data[32] = { LOG(DATA) };
#ifdef CASE_gone
#define DESCS (void *)0xffff88ffff000000
#else
#define DESCS DIRECT(log_descs)
#endif
static struct printk_ringbuffer log_ring = {
	{ 5, DESCS, DIRECT(log_infos), FIRST_ID - 1 + LOG(COUNT), FIRST_ID },
	{ 31, DIRECT(log_data) },
};
struct printk_ringbuffer *prb = DIRECT(&log_ring);
#endif
