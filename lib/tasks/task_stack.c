// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_stack.h"

#include "dump/layout.h"
#include "kernel/percpu.h"

#define MAX_STACK_PAGES 64ULL /* THREAD_SIZE is 8 to 64 KiB, more with KASAN */

static const struct layout_row rows[TASK_STACK_FIELDS] = {
	[STACK_TASK] = { "struct task_struct", { "stack" }, REQUIRED, "all" },
	[STACK_ON_CPU] = { "struct task_struct", { "on_cpu" }, OPTIONAL, "CONFIG_SMP" },
	[STACK_CURR] = { "struct rq", { "curr" }, OPTIONAL, "all" },
	[X86_SP] = { "struct task_struct", { "thread.sp" }, OPTIONAL, "x86" },
	[X86_BP] = { "struct inactive_task_frame", { "bp" }, OPTIONAL, "x86, 4.9" },
	[X86_RET] = { "struct inactive_task_frame", { "ret_addr" }, OPTIONAL, "x86, 4.9" },
	[ARM64_SP] = { "struct task_struct", { "thread.cpu_context.sp" }, OPTIONAL, "arm64" },
	[ARM64_FP] = { "struct task_struct", { "thread.cpu_context.fp" }, OPTIONAL, "arm64" },
	[ARM64_PC] = { "struct task_struct", { "thread.cpu_context.pc" }, OPTIONAL, "arm64" },
};

/* Of the type, where there is one, else of the first task's stack in the image. */
uint64_t thread_size(struct dump *d)
{
	static const char *const ends[][2] = {
		{ "__start_init_stack", "__end_init_stack" },
		{ "__start_init_task", "__end_init_task" }, /* up to 6.9 */
	};
	uint64_t size = 0, start, end;

	if (dump_ask(d, type_size, "union thread_union", &size) != ST_OK)
		size = 0;
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

	if (t->f[STACK_ON_CPU].present)
		return ST_OK;
	if (!t->f[STACK_CURR].present || !dump_has_symbol(d, "runqueues"))
		return dump_fail(d, ST_UNKNOWN, "unknown layout: which tasks are on a CPU");
	st = dump_symbol(d, "runqueues", &rq) ?: percpu_open(d, &cpus);
	if (st != ST_OK)
		return st;
	t->running = dump_alloc(d, cpus.n * sizeof(*t->running));
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++)
		st = dump_u64(d, rq + cpus.offset[i] + t->f[STACK_CURR].offset,
			      &t->running[t->nrunning++], "struct rq");
	return st;
}

static bool is_running(const struct task_stacks *t, uint64_t task)
{
	for (unsigned int i = 0; i < t->nrunning; i++)
		if (t->running[i] == task)
			return true;
	return false;
}

enum status task_stacks_open(struct dump *d, struct task_stacks *ret)
{
	struct task_stacks t = { .dump = d };
	enum status st = layout_resolve(d, rows, TASK_STACK_FIELDS, t.f);

	if (st != ST_OK)
		return st;
	t.is_arm64 = t.f[ARM64_FP].present && t.f[ARM64_PC].present && t.f[ARM64_SP].present;
	if (!t.is_arm64 &&
	    (!t.f[X86_SP].present || !t.f[X86_BP].present || !t.f[X86_RET].present ||
	     dump_ask(d, type_size, "struct inactive_task_frame", &t.switch_span) != ST_OK))
		return dump_fail(d, ST_UNKNOWN,
				 "unknown layout: where a task saves its stack pointer");
	t.size = thread_size(d);
	if (!t.size || t.size % 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no size of union thread_union");
	t.bytes = dump_alloc(d, t.size);
	st = find_running(&t);
	if (st == ST_OK)
		*ret = t;
	return st;
}

bool task_stack_word(const struct task_stack *s, uint64_t addr, uint64_t *ret)
{
	if (addr < s->base || addr - s->base > s->size - 8 || addr & 7)
		return false;
	*ret = le64(s->bytes + (addr - s->base));
	return true;
}

static enum status saved_x86(struct task_stacks *t, uint64_t task, struct task_stack *s)
{
	struct dump *d = t->dump;
	uint64_t sp;
	enum status st = dump_u64(d, task + t->f[X86_SP].offset, &sp, "task_struct");

	if (st != ST_OK)
		return st;
	if (!task_stack_word(s, sp + t->f[X86_BP].offset, &s->bp) ||
	    !task_stack_word(s, sp + t->f[X86_RET].offset, &s->ip))
		return dump_fail(d, ST_CORRUPT, "task at %#lx: thread.sp %#lx is not on its stack",
				 task, sp);
	s->sp = sp + t->switch_span;
	return ST_OK;
}

static enum status saved_arm64(struct task_stacks *t, uint64_t task, struct task_stack *s)
{
	struct dump *d = t->dump;
	uint64_t word;
	enum status st = dump_u64(d, task + t->f[ARM64_SP].offset, &s->sp, "task_struct") ?:
		dump_u64(d, task + t->f[ARM64_FP].offset, &s->bp, "task_struct") ?:
		dump_u64(d, task + t->f[ARM64_PC].offset, &s->ip, "task_struct");

	if (st == ST_OK && !task_stack_word(s, s->bp, &word))
		st = dump_fail(d, ST_CORRUPT,
			       "task at %#lx: the frame pointer %#lx is not on its stack", task,
			       s->bp);
	return st;
}

enum status task_stack_read(struct task_stacks *t, uint64_t task, struct task_stack *ret)
{
	struct dump *d = t->dump;
	struct task_stack s = { .size = t->size, .bytes = t->bytes };
	const struct field *on_cpu = &t->f[STACK_ON_CPU];
	uint8_t flag[8] = { 0 };
	enum status st = dump_u64(d, task + t->f[STACK_TASK].offset, &s.base, "task_struct");

	if (st == ST_OK && (!s.base || s.base & 7))
		st = dump_fail(d, ST_ABSENT, "task at %#lx has no stack any more", task);
	st = st ?: dump_read(d, s.base, t->bytes, t->size, "stack");
	/* An int, a byte in 7.3. */
	if (st == ST_OK && on_cpu->present && on_cpu->size <= sizeof(flag))
		st = dump_read(d, task + on_cpu->offset, flag, on_cpu->size, "task_struct");
	s.on_cpu = le_bytes(flag, on_cpu->size & 7) || is_running(t, task);
	if (st == ST_OK && !s.on_cpu)
		st = t->is_arm64 ? saved_arm64(t, task, &s) : saved_x86(t, task, &s);
	if (st == ST_OK)
		*ret = s;
	return st;
}
