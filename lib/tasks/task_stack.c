// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_stack.h"

#include "kernel/percpu.h"

#define MAX_STACK_PAGES 64ULL /* THREAD_SIZE is 8 to 64 KiB, more with KASAN */

/* A struct task_struct. */
struct saved {
	uint64_t stack, on_cpu, x86_sp, exit_state;
	bool has_exit_state;
	uint64_t sp, fp, pc; /* arm64 */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct task_stacks, task, "struct task_struct"),
	READS(struct saved, stack, REQUIRED, "all", "stack"),
	/* An int, a byte in 7.3. */
	READS(struct saved, on_cpu, OPTIONAL, "CONFIG_SMP", "on_cpu"),
	READS_IF(struct saved, exit_state, has_exit_state, OPTIONAL, "all", "exit_state"),
	FINDS(struct task_stacks, curr, "struct rq", OPTIONAL, "all", "curr"),
	READS(struct saved, x86_sp, OPTIONAL, "x86", "thread.sp"),
	FINDS(struct task_stacks, bp, "struct inactive_task_frame", OPTIONAL, "x86, 4.9", "bp"),
	FINDS(struct task_stacks, ret, "struct inactive_task_frame", OPTIONAL, "x86, 4.9",
	      "ret_addr"),
	READS(struct saved, sp, OPTIONAL, "arm64", "thread.cpu_context.sp"),
	READS(struct saved, fp, OPTIONAL, "arm64", "thread.cpu_context.fp"),
	READS(struct saved, pc, OPTIONAL, "arm64", "thread.cpu_context.pc"),
};

/* Of the type, where there is one, else of the first task's stack in the image. */
uint64_t thread_size(struct dump *d)
{
	static const char *const ends[][2] = {
		{ "__start_init_stack", "__end_init_stack" },
		{ "__start_init_task", "__end_init_task" }, /* up to 6.9 */
	};
	uint64_t size = dump_type_bytes(d, "union thread_union"), start, end;

	for (size_t i = 0; !size && i < ARRAY_SIZE(ends); i++)
		if (dump_symbol(d, ends[i][0], &start) == ST_OK &&
		    dump_symbol(d, ends[i][1], &end) == ST_OK && end > start)
			size = end - start;
	return size <= MAX_STACK_PAGES << d->page_shift ? size : 0;
}

/* Without SMP no task says that it runs: the runqueue does. */
static enum status find_running(struct task_stacks *t)
{
	struct dump *d = t->dump;
	struct percpu cpus;
	uint64_t rq;
	enum status st;

	if (STRUCT_HAS(&t->task, struct saved, on_cpu))
		return ST_OK;
	if (!t->curr.present || !dump_has_symbol(d, "runqueues"))
		return dump_unknown(d, "which tasks are on a CPU");
	st = dump_symbol(d, "runqueues", &rq) ?: percpu_open(d, &cpus);
	if (st != ST_OK)
		return st;
	t->running = dump_alloc(d, cpus.n * sizeof(*t->running));
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++)
		st = dump_u64(d, rq + cpus.offset[i] + t->curr.offset, &t->running[t->nrunning++],
			      "struct rq");
	return st;
}

static bool is_running(const struct task_stacks *t, uint64_t task)
{
	return ANY_OF(i, t->nrunning, t->running[i] == task);
}

#define MOST_CPUS 8192 /* CONFIG_NR_CPUS goes no higher */

static void read_cpus(struct task_stacks *t)
{
	struct cpu_registers one;
	enum status st = ST_OK;

	for (unsigned int i = 0; i < MOST_CPUS && st != ST_ABSENT; i++) {
		st = cpu_registers_read(t->dump, i, t->is_arm64, &one);
		if (st != ST_OK)
			continue;
		if (!t->cpus)
			t->cpus = dump_alloc(t->dump, MOST_CPUS * sizeof(*t->cpus));
		t->cpus[t->ncpus++] = one;
	}
}

enum status task_stacks_open(struct dump *d, struct task_stacks *ret)
{
	struct task_stacks t = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &t);

	if (st != ST_OK)
		return st;
	t.is_arm64 = STRUCT_HAS(&t.task, struct saved, sp) &&
		     STRUCT_HAS(&t.task, struct saved, fp) && STRUCT_HAS(&t.task, struct saved, pc);
	if (!t.is_arm64 &&
	    (!STRUCT_HAS(&t.task, struct saved, x86_sp) || !t.bp.present || !t.ret.present ||
	     dump_ask(d, type_size, "struct inactive_task_frame", &t.switch_span) != ST_OK))
		return dump_unknown(d, "where a task saves its stack pointer");
	t.size = thread_size(d);
	if (!t.size || t.size % 8)
		return dump_unknown(d, "no size of union thread_union");
	t.bytes = dump_alloc(d, t.size);
	read_cpus(&t);
	return RESULT(find_running(&t), ret, t);
}

bool task_stack_word(const struct task_stack *s, uint64_t addr, uint64_t *ret)
{
	if (addr < s->base || addr - s->base > s->size - 8 || addr & 7)
		return false;
	*ret = le64(s->bytes + (addr - s->base));
	return true;
}

static enum status saved_x86(const struct task_stacks *t, uint64_t task, uint64_t sp,
			     struct task_stack *s)
{
	if (!task_stack_word(s, sp + t->bp.offset, &s->bp) ||
	    !task_stack_word(s, sp + t->ret.offset, &s->ip))
		return dump_corrupt(t->dump, "task at %#lx: thread.sp %#lx is not on its stack",
				    task, sp);
	s->sp = sp + t->switch_span;
	return ST_OK;
}

static enum status saved_arm64(const struct task_stacks *t, uint64_t task,
			       const struct saved *saved, struct task_stack *s)
{
	uint64_t word;

	s->sp = saved->sp;
	s->bp = saved->fp;
	s->ip = saved->pc;
	if (!task_stack_word(s, s->bp, &word))
		return dump_corrupt(t->dump,
				    "task at %#lx: the frame pointer %#lx is not on its stack",
				    task, s->bp);
	return ST_OK;
}

#define IRQ_FRAMES 64 /* on a stack of interrupts */

/*
 * arm64: records of frames lead from the stack of interrupts back to where the CPU left this one
 * (call_on_irq_stack() in arch/arm64/kernel/entry.S).
 */
static bool leads_back(const struct task_stacks *t, const struct cpu_registers *r,
		       struct task_stack *s)
{
	uint64_t record[2] = { r->bp, r->ip }, word;

	for (unsigned int i = 0; i < IRQ_FRAMES && !(record[0] & 7); i++) {
		const uint64_t fp = record[0];

		if (task_stack_word(s, fp, &word)) {
			s->ip = record[1] | ARM64_PAC;
			s->sp = s->bp = fp;
			return true;
		}
		if (dump_try(t->dump, fp, record, sizeof(record)) != ST_OK)
			return false;
	}
	return false;
}

/*
 * Those of the CPU that was on this stack. Of one on its stack of interrupts, which is as large and aligned to that, the
 * last word is the stack pointer that it had before (arch/x86/include/asm/irq_stack.h).
 */
static void set_registers(const struct task_stacks *t, struct task_stack *s)
{
	uint64_t word, sp;

	for (unsigned int i = 0; i < t->ncpus && !s->has_registers && !s->irq_sp; i++) {
		const struct cpu_registers *r = &t->cpus[i];
		uint64_t last = (r->sp | (t->size - 1)) - 7;

		if (task_stack_word(s, r->sp, &word)) {
			s->ip = r->ip;
			s->sp = r->sp;
			s->bp = r->bp;
			s->has_registers = true;
			s->irqs_off = r->irqs_off;
		} else if (t->is_arm64) {
			s->has_registers = leads_back(t, r, s);
		} else if (r->sp && !(t->size & (t->size - 1)) &&
			   dump_u64(t->dump, last, &sp, "stack of interrupts") == ST_OK &&
			   task_stack_word(s, sp, &word)) {
			s->irq_sp = sp;
		}
	}
}

enum status task_stack_read(const struct task_stacks *t, uint64_t task, struct task_stack *ret)
{
	struct dump *d = t->dump;
	struct task_stack s = { .size = t->size, .bytes = t->bytes };
	struct saved saved = { 0 };
	enum status st = struct_read(&t->task, task, &saved);

	s.base = saved.stack;
	/* The last switch away from a task gives its stack back, behind exit_notify() (finish_task_switch()). */
	if (st == ST_OK && !s.base && saved.has_exit_state && !saved.exit_state)
		st = dump_corrupt(d, "task at %#lx has no stack, though it has not exited", task);
	if (st == ST_OK && (!s.base || s.base & 7))
		st = dump_absent(d, "task at %#lx has no stack any more", task);
	st = st ?: dump_read(d, s.base, t->bytes, t->size, "stack");
	s.on_cpu = saved.on_cpu || is_running(t, task);
	if (st == ST_OK && !s.on_cpu)
		st = t->is_arm64 ? saved_arm64(t, task, &saved, &s)
				 : saved_x86(t, task, saved.x86_sp, &s);
	else if (st == ST_OK)
		set_registers(t, &s);
	return RESULT(st, ret, s);
}
