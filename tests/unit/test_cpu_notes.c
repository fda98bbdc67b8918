// SPDX-License-Identifier: GPL-2.0-or-later
/* The registers of CPUs by notes NT_PRSTATUS, and the frames that they lead to. */
#include "tasks/unwind.h"
#include "stub.h"
#include "test.h"

#define TEXT 0xffffffff81000000ULL
#define TASK 0x10000ULL
#define STACK 0xffffc90000004000ULL
#define SIZE 0x4000ULL
#define IRQ 0xffffc90000010000ULL
#define USER (STACK + SIZE - REGS_BYTES)
#define FRAME (STACK + 0x3000)
#define REGS_BYTES 168ULL

enum { BP = 4, IP = 16, CS, FLAGS, SP }; /* words of struct pt_regs, and of the note's registers */

static uint64_t stack[SIZE / 8], task[3] = { STACK, 1, STACK + 0x700 }, irq[8];
/* As struct elf_prstatus of x86_64, with its header; as that of arm64. */
static uint8_t notes[2][20 + 392];
static unsigned int nnotes;

static const uint8_t *note_of(void *priv NOT_USED, unsigned int i)
{
	return i < nnotes ? notes[i] : NULL;
}

static void set_note(unsigned int i, uint32_t bytes, uint32_t type)
{
	const uint32_t header[] = { sizeof("CORE"), bytes, type };

	memset(notes[i], 0, sizeof(notes[i]));
	memcpy(notes[i], header, sizeof(header));
	memcpy(notes[i] + sizeof(header), "CORE", sizeof("CORE"));
}

static void set_register(unsigned int i, unsigned int number, uint64_t value)
{
	memcpy(notes[i] + 20 + 112 + number * 8, &value, sizeof(value));
}

static uint64_t *word(uint64_t at)
{
	return &stack[(at - STACK) / 8];
}

/* A function at TEXT + 0x50, called by one that an exception in user space called. */
static void fill(void)
{
	memset(stack, 0, sizeof(stack));
	memset(irq, 0, sizeof(irq));
	*word(FRAME) = USER + 1;
	*word(FRAME + 8) = TEXT + 0x120;
	*word(USER + IP * 8) = 0x401000;
	*word(USER + CS * 8) = 0x33;
	*word(USER + SP * 8) = 0x7fff0000;
	nnotes = 2;
	set_note(0, 336, 1);
	set_note(1, 336, 1);
	set_register(0, SP, 0xffffc90000020000);
	set_register(1, IP, TEXT + 0x50);
	set_register(1, SP, STACK + 0x2f00);
	set_register(1, BP, FRAME);
}

static enum status read_all(struct task_stack *one, struct unwind *w)
{
	static const struct stub_member members[] = {
		{ "struct task_struct", "stack", FIELD(0, 8) },
		{ "struct task_struct", "on_cpu", FIELD(8, 4) },
		{ "struct task_struct", "thread.sp", FIELD(16, 8) },
		{ "struct inactive_task_frame", "bp", FIELD(40, 8) },
		{ "struct inactive_task_frame", "ret_addr", FIELD(48, 8) },
		{ 0 }
	};
	static const struct stub_number sizes[] = { { "struct inactive_task_frame", 56 },
						    { "union thread_union", SIZE },
						    { 0 } };
	const struct stub_memory memory[] = { { TASK, task, sizeof(task) },
					      { STACK, stack, sizeof(stack) },
					      { IRQ + SIZE - sizeof(irq), irq, sizeof(irq) },
					      { 0 } };
	STUB(s, .memory = memory, .members = members, .sizes = sizes,
	     .ops = { .cpu_note = note_of });
	struct unwinder u = { .dump = &s.dump,
			      .by_frame_pointer = true,
			      .start = TEXT,
			      .end = TEXT + 0x1000,
			      .ip = FIELD(IP * 8, 8),
			      .sp = FIELD(SP * 8, 8),
			      .bp = FIELD(BP * 8, 8),
			      .cs = FIELD(CS * 8, 2),
			      .regs_size = REGS_BYTES };
	struct task_stacks stacks;
	enum status st;

	st = task_stacks_open(&s.dump, &stacks) ?: task_stack_read(&stacks, TASK, one);
	return st ?: unwind(&u, one, w);
}

static void on_its_stack(void)
{
	struct task_stack one;
	struct unwind w;

	fill();
	CHECK(read_all(&one, &w) == ST_OK && one.on_cpu && one.has_registers && one.irqs_off);
	CHECK(w.n == 2 && w.end == UNWIND_TO_USER && w.user_regs == USER);
	CHECK(w.f[0].ip == TEXT + 0x50 && w.f[0].sp == STACK + 0x2f00 && w.f[1].ip == TEXT + 0x120);
	set_register(1, FLAGS, 1 << 9);
	CHECK(read_all(&one, &w) == ST_OK && one.has_registers && !one.irqs_off);
	/* What does not lead to the end tells nothing. */
	*word(FRAME) = 0;
	CHECK(read_all(&one, &w) == ST_ABSENT && one.has_registers);
}

static void on_the_stack_of_interrupts(void)
{
	const uint64_t left = STACK + 0x2000, regs = left + 0x20;
	struct task_stack one;
	struct unwind w;

	fill();
	set_register(1, SP, IRQ + SIZE - 0x40);
	irq[7] = left;
	*word(regs + IP * 8) = TEXT + 0x50;
	*word(regs + CS * 8) = 0x10;
	*word(regs + SP * 8) = regs + REGS_BYTES;
	*word(regs + BP * 8) = FRAME;
	CHECK(read_all(&one, &w) == ST_OK && !one.has_registers && one.irq_sp == left);
	CHECK(w.n == 2 && w.f[0].ip == TEXT + 0x50 && w.f[0].sp == regs + REGS_BYTES);
	/* Registers of user space, of another place, of no text. */
	*word(regs + CS * 8) = 0x33;
	CHECK(read_all(&one, &w) == ST_ABSENT);
	*word(regs + CS * 8) = 0x10;
	*word(regs + SP * 8) = regs;
	CHECK(read_all(&one, &w) == ST_ABSENT);
	*word(regs + SP * 8) = regs + REGS_BYTES;
	*word(regs + IP * 8) = STACK;
	CHECK(read_all(&one, &w) == ST_ABSENT);
	/* Of a CPU that was not on this stack before. */
	irq[7] = TASK;
	CHECK(read_all(&one, &w) == ST_ABSENT && !one.irq_sp);
}

static void notes_of_others(void)
{
	struct cpu_registers r;
	STUB(s, .ops = { .cpu_note = note_of });
	STUB(none);
	struct task_stack one;
	struct unwind w;

	fill();
	set_note(1, 335, 1);
	CHECK(read_all(&one, &w) == ST_ABSENT && !one.has_registers);
	CHECK(cpu_registers_read(&none.dump, 0, false, &r) == ST_ABSENT);
	CHECK(cpu_registers_read(&s.dump, 0, false, &r) == ST_OK && r.sp == 0xffffc90000020000);
	CHECK(cpu_registers_read(&s.dump, 0, true, &r) == ST_UNKNOWN);
	CHECK(cpu_registers_read(&s.dump, 1, false, &r) == ST_UNKNOWN);
	CHECK(cpu_registers_read(&s.dump, 2, false, &r) == ST_ABSENT);
	set_note(0, 392, 1);
	set_register(0, 31, 7);
	set_register(0, 32, 8);
	set_register(0, 29, 9);
	CHECK(cpu_registers_read(&s.dump, 0, true, &r) == ST_OK && r.sp == 7 && r.ip == 8 &&
	      r.bp == 9);
	set_note(0, 392, 2);
	CHECK(cpu_registers_read(&s.dump, 0, true, &r) == ST_UNKNOWN);
}

/* arm64: records of two frames there, and one that call_on_irq_stack() left on the stack of the task. */
static void on_the_stack_of_interrupts_of_arm64(void)
{
	static const struct stub_member members[] = {
		{ "struct task_struct", "stack", FIELD(0, 8) },
		{ "struct task_struct", "on_cpu", FIELD(8, 4) },
		{ "struct task_struct", "thread.cpu_context.sp", FIELD(16, 8) },
		{ "struct task_struct", "thread.cpu_context.fp", FIELD(16, 8) },
		{ "struct task_struct", "thread.cpu_context.pc", FIELD(16, 8) },
		{ 0 }
	};
	static const struct stub_number sizes[] = { { "union thread_union", SIZE }, { 0 } };
	const struct stub_memory memory[] = { { TASK, task, sizeof(task) },
					      { STACK, stack, sizeof(stack) },
					      { IRQ, irq, sizeof(irq) },
					      { 0 } };
	struct task_stack one;
	struct task_stacks stacks;
	STUB(s, .memory = memory, .members = members, .sizes = sizes,
	     .ops = { .cpu_note = note_of });

	fill();
	nnotes = 1;
	set_note(0, 392, 1);
	set_register(0, 29, IRQ);
	set_register(0, 31, IRQ);
	set_register(0, 32, TEXT + 0x10);
	irq[0] = IRQ + 16;
	irq[1] = TEXT + 0x20;
	irq[2] = FRAME;
	irq[3] = (TEXT + 0x30) & ~(0x7fULL << 48); /* signed */
	CHECK(task_stacks_open(&s.dump, &stacks) == ST_OK && stacks.is_arm64);
	CHECK(task_stack_read(&stacks, TASK, &one) == ST_OK && one.has_registers);
	CHECK(one.ip == TEXT + 0x30 && one.sp == FRAME && one.bp == FRAME);
	/* Of another task; records that lead in a circle, to no memory, to no record. */
	irq[2] = IRQ;
	CHECK(task_stack_read(&stacks, TASK, &one) == ST_OK && !one.has_registers);
	irq[2] = 0x20000;
	CHECK(task_stack_read(&stacks, TASK, &one) == ST_OK && !one.has_registers);
	irq[2] = FRAME + 4;
	CHECK(task_stack_read(&stacks, TASK, &one) == ST_OK && !one.has_registers);
}

TESTS({ "a CPU on the stack of a task", on_its_stack },
      { "a CPU on its stack of interrupts", on_the_stack_of_interrupts },
      { "a CPU of arm64 on its stack of interrupts", on_the_stack_of_interrupts_of_arm64 },
      { "notes of other machines and types", notes_of_others })
