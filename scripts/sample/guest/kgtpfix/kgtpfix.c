// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kgtpfix: a fixture that fills rings as KGTP has them and keeps a ledger of it. It traces
 * nothing: registers, memory and variables are invented, rings and lists are real. Its symbols
 * and types have the names of KGTP's; the code is its own.
 *
 * insmod kgtpfix.ko scenario=NAME:
 *	plain	  not circular: whole frames, a full ring, a ring that starts inside of a page, a
 *		  page that a reader has taken out
 *	circular  wrapped rings, tails over several pages, one locked in the middle of a frame
 *	file	  empty rings and a trace file that was read from them
 *
 * /sys/kernel/debug/kgtpfix/ledger  what was written: frames with all their values
 * /sys/kernel/debug/kgtpfix/do	     write "panic"
 */
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "ring.h"

#define RING_PAGES 24
#define SOURCE_BYTES (128 << 10)
#define MEMS 4
#define VARS 6

static char *scenario = "plain";
module_param(scenario, charp, 0);

/* Variables of KGTP's; nothing here reads them, so the compiler is told to keep them. */
static __used struct gtp_rb_s __percpu *gtp_rb;
static __used unsigned int gtp_rb_page_count;
static __used atomic64_t gtp_rb_count;
static __used atomic_t gtp_rb_discard_page_number;
static __used atomic_t gtp_frame_create;
static __used int gtp_circular;
static __used int gtp_start;
static __used int gtp_disconnected_tracing;
static __used pid_t gtp_gtpframe_pipe_pid = -1;
static __used char *gtp_frame_file;
static __used size_t gtp_frame_file_size;
static LIST_HEAD(gtp_var_list);

enum gtp_entry_type { gtp_entry_kprobe, gtp_entry_uprobe, gtp_entry_watch_static };
enum gtp_stop_type { gtp_stop_normal, gtp_stop_frame_full, gtp_stop_efault };

struct gtpsrc {
	struct gtpsrc *next;
	char *src;
};

/* KGTP's starts with a union of kernel types, of another size in each kernel. */
struct gtp_entry {
	union {
		char probe[136];
		struct list_head node;
	} u;
	unsigned long flags;
	enum gtp_entry_type type;
	u64 num;
	u64 addr;
	int step;
	enum gtp_stop_type reason;
	struct gtp_entry *next;
	pid_t pid;
	int disable;
	int pass;
	struct gtpsrc *src;
	struct gtpsrc *action_cmd;
};

struct gtp_var {
	struct list_head node;
	enum { gtp_var_special } type;
	unsigned int num;
	int64_t initial_val;
	char *src;
	union {
		u64 words[2];
	} u;
};

static __used struct gtp_entry *gtp_list;

/* The ledger. */
struct part {
	u64 addr;
	size_t size;
	char *bytes;
};

struct written {
	struct list_head node;
	u64 id, number;
	int cpu;
	const char *state;
	void *head;
	bool has_regs;
	struct pt_regs regs;
	struct part mem[MEMS];
	unsigned int mems;
	u32 var[VARS];
	s64 value[VARS];
	unsigned int vars;
};

static LIST_HEAD(ledger);
static struct ring_state state;
static struct gtp_rb_s *locked;
static struct dentry *dir;
static char *source;

/* What frames are of. */
static struct gtpsrc at_fault = { NULL, "at:0:f:68616e646c655f6d6d5f6661756c74" };
static struct gtpsrc do_fault_regs = { NULL, "cmd:0:d:636f6c6c656374202472656773" };
static struct gtpsrc at_free = { NULL, "at:0:5:6b66726565" };
static struct gtp_entry on_fault = { .flags = 2, .num = 1, .src = &at_fault };
static struct gtp_entry on_free = { .flags = 2, .num = 2, .src = &at_free };
static struct gtp_entry on_full = { .flags = 2, .num = 3, .reason = gtp_stop_frame_full };

static struct gtp_var variables[] = {
	{ .num = 2, .src = "1:6370755f6964" },				   /* cpu_id */
	{ .num = 5, .src = "1:636c6f636b" },				   /* clock */
	{ .num = 26, .src = "1:63757272656e745f7461736b5f706964" },	   /* current_task_pid */
	{ .num = 49, .initial_val = -7, .src = "0:6d795f636f756e746572" }, /* my_counter */
};

static void lose_head(void *page)
{
	struct written *w;

	list_for_each_entry(w, &ledger, node) if (ring_page(w->head) == page)
		w->state = "head-lost";
}

static void fill_regs(struct pt_regs *regs, u64 number, u64 id)
{
	unsigned long *word = (unsigned long *)regs;
	size_t i;

	for (i = 0; i < sizeof(*regs) / sizeof(*word); i++)
		word[i] = id << 32 | number << 16 | i;
	instruction_pointer_set(regs, number == 1 ? (unsigned long)handle_mm_fault
						  : (unsigned long)kfree);
}

static void record_mem(struct written *w, u64 addr, const char *bytes, size_t size)
{
	struct part *p = &w->mem[w->mems];

	if (!size)
		return;
	p->bytes = vmalloc(size);
	if (!p->bytes)
		return;
	memcpy(p->bytes, bytes, size);
	p->addr = addr;
	p->size = size;
	w->mems++;
}

static void add_mem(struct gtp_rb_s *rb, struct written *w, const char *bytes, size_t size)
{
	record_mem(w, (unsigned long)bytes, bytes,
		   ring_mem(&state, rb, w->id, (unsigned long)bytes, bytes, size));
}

static void add_var(struct gtp_rb_s *rb, struct written *w, u32 num, s64 value)
{
	if (!ring_var(&state, rb, w->id, num, value))
		return;
	w->var[w->vars] = num;
	w->value[w->vars++] = value;
}

/* A frame on a CPU, with registers, variables and memory of that size; NULL: no room. */
static struct written *write_frame(int cpu, u64 number, size_t size)
{
	struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, cpu);
	struct written *w = kzalloc(sizeof(*w), GFP_KERNEL);

	if (!w)
		return NULL;
	w->id = ring_head(&state, rb, number);
	if (!w->id) {
		kfree(w);
		return NULL;
	}
	w->number = number;
	w->cpu = cpu;
	w->state = "whole";
	w->head = rb->prev_frame;
	list_add_tail(&w->node, &ledger);
	fill_regs(&w->regs, number, w->id);
	w->has_regs = ring_regs(&state, rb, w->id, &w->regs, sizeof(w->regs));
	add_var(rb, w, 5, local_clock());
	add_var(rb, w, 26, 1000 + cpu);
	add_var(rb, w, 49, -(s64)w->id);
	add_mem(rb, w, (char *)&gtp_var_list, sizeof(gtp_var_list));
	if (size)
		add_mem(rb, w, source + w->id % 61, size);
	return w;
}

static void cut_last(int cpu)
{
	struct written *w;

	list_for_each_entry_reverse(w, &ledger, node)
	{
		if (w->cpu != cpu)
			continue;
		w->state = "cut";
		return;
	}
}

/* The oldest page of a CPU goes to a reader: neighbours link past it. */
static void take_page(int cpu)
{
	struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, cpu);
	char *page = ring_page(rb->r);
	char *before = ring_page(ring_link(page, false)),
	     *behind = ring_page(ring_link(page, true));
	struct written *w;

	ring_link_pages(before, behind);
	rb->r = behind + WORD;
	lose_head(page);
	/* Whole frames of that page are not in the ring any more. */
	list_for_each_entry(w, &ledger, node)
	{
		struct written *next = list_next_entry(w, node);

		while (!list_entry_is_head(next, &ledger, node) && next->cpu != cpu)
			next = list_next_entry(next, node);
		if (w->cpu == cpu && ring_page(w->head) == page &&
		    !list_entry_is_head(next, &ledger, node) && ring_page(next->head) == page)
			w->state = "out";
	}
	gtp_gtpframe_pipe_pid = 4242;
}

/* A reader gave a page back that it has read in part. */
static void start_inside(int cpu)
{
	struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, cpu);
	struct written *w;
	unsigned int skip = 2;

	list_for_each_entry(w, &ledger, node)
	{
		if (w->cpu != cpu)
			continue;
		if (!skip--) {
			rb->r = w->head;
			return;
		}
		w->state = "out";
	}
}

static void fill_plain(void)
{
	static const size_t sizes[] = { 0, 1, 100, 6000, 10000, 20000, 4048, 4000, 3 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		write_frame(0, 1 + i % 2, sizes[i]);
		write_frame(2, 1, 50);
		write_frame(3, 2, 700);
	}
	/* Every way to cut a value of more than a page. */
	for (i = 0; i < 4; i++)
		write_frame(0, 2, 4060 + 4 * i);
	while (write_frame(1, 3, 6000))
		cond_resched();
	cut_last(1);
	start_inside(2);
	take_page(3);
}

static void fill_circular(void)
{
	struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, 1);
	struct written *w;
	unsigned int i;

	for (i = 0; i < 40; i++) {
		write_frame(0, 1 + i % 2, i % 3 ? 30 : 17000);
		write_frame(1, 1 + i % 2, 40 * i);
		write_frame(2, 2, 70);
	}
	/* Its head goes, its tail of pages stays. */
	write_frame(0, 2, 70000);
	write_frame(0, 1, 5);
	for (i = 0; i < 24; i++)
		write_frame(1, 2, 4000);
	/* An entry that has its room and not its bytes, with the lock held. */
	w = write_frame(1, 1, 0);
	if (!w)
		return;
	w->state = "in-progress";
	memset(ring_alloc(&state, rb, 64, w->id), 0xee, 64);
	locked = rb;
}

/* Frames of a trace file, and rings that the reader has emptied behind it. */
static void fill_file(void)
{
	static const char head[] = "\x7fTRACE0\nR 94\nstatus 0;tstop:0\ntp T1:10:E:0:0\n\n";
	static const char frame[] = "\x01\x00\x0d\x00\x00\x00V\x05\x00\x00\x00\x2a\0\0\0\0\0\0\0";
	size_t n = sizeof(head) - 1, m = sizeof(frame) - 1;
	int cpu;

	gtp_frame_file = vmalloc(n + m + 2);
	if (!gtp_frame_file)
		return;
	memcpy(gtp_frame_file, head, n);
	memcpy(gtp_frame_file + n, frame, m);
	memset(gtp_frame_file + n + m, 0, 2);
	gtp_frame_file_size = n + m + 2;
	write_frame(0, 1, 100);
	for_each_possible_cpu(cpu)
	{
		struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, cpu);

		if (rb->w > (void *)WORD)
			rb->w = rb->r = ring_page(rb->w) + WORD;
		rb->prev_frame = NULL;
	}
	while (!list_empty(&ledger))
		list_del(ledger.next);
}

static const struct {
	const char *name;
	bool circular;
	void (*fill)(void);
} scenarios[] = {
	{ "plain", false, fill_plain },
	{ "circular", true, fill_circular },
	{ "file", false, fill_file },
};

static int set_up_ring(int cpu)
{
	struct gtp_rb_s *rb = per_cpu_ptr(gtp_rb, cpu);
	char *pages[RING_PAGES];
	unsigned int i;

	spin_lock_init(&rb->lock);
	/* As older releases left a CPU that was not online. */
	if (cpu > 3) {
		rb->w = rb->r = (void *)WORD;
		return 0;
	}
	for (i = 0; i < RING_PAGES; i++) {
		pages[i] = (char *)__get_free_page(GFP_KERNEL | __GFP_ZERO);
		if (!pages[i])
			return -ENOMEM;
	}
	ring_setup(rb, cpu, pages, RING_PAGES);
	return 0;
}

static void set_up_lists(void)
{
	unsigned int i;

	on_fault.addr = (unsigned long)handle_mm_fault;
	on_free.addr = on_full.addr = (unsigned long)kfree;
	at_fault.next = &do_fault_regs;
	on_full.next = &on_free;
	on_free.next = &on_fault;
	gtp_list = &on_full;
	for (i = 0; i < ARRAY_SIZE(variables); i++)
		list_add_tail(&variables[i].node, &gtp_var_list);
	for (i = 0; i < SOURCE_BYTES; i++)
		source[i] = (i * 2654435761U) >> 13;
}

/* Settings that crash reads; the compiler must not think them constant. */
static void publish(void)
{
	WRITE_ONCE(gtp_rb_page_count, RING_PAGES);
	WRITE_ONCE(gtp_circular, state.circular);
	WRITE_ONCE(gtp_start, 1);
	WRITE_ONCE(gtp_disconnected_tracing, 1);
	atomic64_set(&gtp_rb_count, state.count);
	atomic_set(&gtp_frame_create, state.created);
	atomic_set(&gtp_rb_discard_page_number, state.discarded);
}

static void *ledger_start(struct seq_file *m, loff_t *pos)
{
	return seq_list_start(&ledger, *pos);
}

static void *ledger_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &ledger, pos);
}

static void ledger_stop(struct seq_file *m, void *v) {}

static void show_hex(struct seq_file *m, const void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		seq_printf(m, "%02x", ((const u8 *)bytes)[i]);
	seq_putc(m, '\n');
}

/*
 * frame ID CPU TRACEPOINT STATE, then its parts: regs HEX (struct pt_regs), var NUMBER VALUE,
 * mem ADDRESS SIZE HEX
 */
static int ledger_show(struct seq_file *m, void *v)
{
	const struct written *w = list_entry(v, struct written, node);
	unsigned int i;

	seq_printf(m, "frame %llu %d %llu %s\n", w->id, w->cpu, w->number, w->state);
	if (w->has_regs) {
		seq_puts(m, "regs ");
		show_hex(m, &w->regs, sizeof(w->regs));
	}
	for (i = 0; i < w->vars; i++)
		seq_printf(m, "var %u %lld\n", w->var[i], w->value[i]);
	for (i = 0; i < w->mems; i++) {
		seq_printf(m, "mem 0x%llx %zu ", w->mem[i].addr, w->mem[i].size);
		show_hex(m, w->mem[i].bytes, w->mem[i].size);
	}
	return 0;
}

static const struct seq_operations ledger_sops = {
	.start = ledger_start,
	.next = ledger_next,
	.stop = ledger_stop,
	.show = ledger_show,
};

static int ledger_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &ledger_sops);
}

static const struct file_operations ledger_fops = {
	.owner = THIS_MODULE,
	.open = ledger_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};

static ssize_t do_write(struct file *file, const char __user *ubuf, size_t len, loff_t *pos)
{
	char buf[16] = "";

	if (len >= sizeof(buf) || copy_from_user(buf, ubuf, len))
		return -EINVAL;
	if (strncmp(buf, "panic", 5))
		return -EINVAL;
	if (locked)
		spin_lock(&locked->lock);
	panic("kgtpfix: the rings are as the ledger says");
}

static const struct file_operations do_fops = {
	.owner = THIS_MODULE,
	.write = do_write,
};

static int __init kgtpfix_init(void)
{
	int cpu, i, err = -EINVAL;

	/* Four with a ring, one without. */
	if (num_possible_cpus() < 5)
		return -ENODEV;
	source = vmalloc(SOURCE_BYTES);
	gtp_rb = alloc_percpu(struct gtp_rb_s);
	if (!source || !gtp_rb)
		return -ENOMEM;
	set_up_lists();
	state.discard = lose_head;
	for_each_possible_cpu(cpu) if (set_up_ring(cpu)) return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (strcmp(scenarios[i].name, scenario))
			continue;
		state.circular = scenarios[i].circular;
		scenarios[i].fill();
		err = 0;
	}
	publish();
	dir = debugfs_create_dir("kgtpfix", NULL);
	debugfs_create_file("ledger", 0400, dir, NULL, &ledger_fops);
	debugfs_create_file("do", 0200, dir, NULL, &do_fops);
	return err;
}

/* There is no way back: what it keeps is for the dump. */
module_init(kgtpfix_init);
MODULE_DESCRIPTION("fills rings as KGTP has them and keeps a ledger of it");
MODULE_LICENSE("GPL");
