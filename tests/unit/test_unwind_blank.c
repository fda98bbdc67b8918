// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of a task on a CPU, where the page that has the text, the ORC address or the ORC entry of its innermost
 * function is all zeros: what makes a dump writes that for what it cannot read.
 */
#include "tasks/unwind.h"
#include "stub.h"
#include "test.h"

#define PAGE 4096
/* The first function, its address and its entry are the last of a page; the others are in the next. */
#define TEXT 0xffffffff81000f00ULL
#define TABLE 0xffffffff82000ffcULL
#define ENTRIES 0xffffffff82010ffaULL
#define STACK 0xffffc90000000000ULL
#define TASK 0xffff888000001000ULL

/* Functions of 256 bytes. */
enum { SCHEDULE, HANDLER, FAULT, ENTRY, AFTER, FUNCTIONS };
#define IN(f) (TEXT + (f)*0x100 + 0x20) /* a return address */

static uint8_t text[2 * PAGE], ips[2 * PAGE], entries[2 * PAGE];
static uint64_t stack[0x800], task[8];

#define FIRST(address) ((address) & ~(PAGE - 1ULL))
#define ON_STACK(word) (STACK + (word)*8)
#define REGS_WORDS 21
#define REGS (0x800 - REGS_WORDS)

static const struct stub_member members[] = { { "struct orc_entry", "sp_offset", FIELD(0, 2) },
					      { "struct orc_entry", "bp_offset", FIELD(2, 2) },
					      { "struct orc_entry", "sp_reg", BITS(4, 4, 0, 4) },
					      { "struct orc_entry", "bp_reg", BITS(4, 4, 4, 4) },
					      { "struct orc_entry", "type", BITS(4, 4, 8, 3) },
					      { "struct task_struct", "stack", FIELD(0, 8) },
					      { "struct task_struct", "on_cpu", FIELD(8, 1) },
					      { "struct task_struct", "thread.sp", FIELD(16, 8) },
					      { "struct inactive_task_frame", "bp", FIELD(40, 8) },
					      { "struct inactive_task_frame", "ret_addr",
						FIELD(48, 8) },
					      { "struct pt_regs", "ip", FIELD(128, 8) },
					      { "struct pt_regs", "cs", FIELD(136, 2) },
					      { "struct pt_regs", "sp", FIELD(152, 8) },
					      { "struct pt_regs", "bp", FIELD(32, 8) },
					      { 0 } };

static const struct stub_number sizes[] = {
	{ "struct orc_entry", 6 },
	{ "struct inactive_task_frame", 56 },
	{ "struct pt_regs", REGS_WORDS * 8 },
	{ "union thread_union", sizeof(stack) },
	{ 0 },
};

static const struct stub_symbol symbols[] = {
	{ .name = "_stext", .addr = TEXT },
	{ .name = "schedule", .addr = TEXT + SCHEDULE * 0x100 },
	{ .name = "handle_mm_fault", .addr = TEXT + HANDLER * 0x100 },
	{ .name = "exc_page_fault", .addr = TEXT + FAULT * 0x100 },
	{ .name = "asm_exc_page_fault", .addr = TEXT + ENTRY * 0x100 },
	{ .name = "_end", .addr = TEXT + FUNCTIONS * 0x100 },
	{ .name = "__start_orc_unwind_ip", .addr = TABLE },
	{ .name = "__stop_orc_unwind_ip", .addr = TABLE + FUNCTIONS * 4ULL },
	{ .name = "__start_orc_unwind", .addr = ENTRIES },
	{ .name = "__stop_orc_unwind", .addr = ENTRIES + FUNCTIONS * 6ULL },
	{ 0 },
};

static const struct stub_memory memory[] = {
	{ FIRST(TEXT), text, sizeof(text) },
	{ FIRST(TABLE), ips, sizeof(ips) },
	{ FIRST(ENTRIES), entries, sizeof(entries) },
	{ STACK, stack, sizeof(stack) },
	{ TASK, task, sizeof(task) },
	{ 0 },
};

static uint8_t *at(uint8_t *page, uint64_t address)
{
	return page + (address & (PAGE - 1));
}

/* Registers have the numbers of 6.12; all rules but that of the entry from user space go from sp. */
static void rule(int f, unsigned int sp_offset, unsigned int type)
{
	const uint64_t address = TABLE + f * 4ULL, to = TEXT + f * 0x100ULL;
	const uint8_t entry[6] = { sp_offset, 0, 0, 0, 5, type };
	const uint32_t distance = (uint32_t)(to - address);

	memcpy(at(ips, TABLE) + (size_t)f * 4, &distance, sizeof(distance));
	memcpy(at(entries, ENTRIES) + (size_t)f * 6, entry, sizeof(entry));
}

/* call rel32 before the return address in a function. */
static void call(int from, int to)
{
	const int32_t distance = (to - from) * 0x100 - 0x20;
	uint8_t *b = at(text, TEXT) + (size_t)from * 0x100 + 0x20 - 5;

	b[0] = 0xe8;
	memcpy(b + 1, &distance, sizeof(distance));
}

static void fill(void)
{
	memset(text, 0, sizeof(text));
	memset(stack, 0, sizeof(stack));
	rule(SCHEDULE, 8, 2);
	rule(HANDLER, 8, 2);
	rule(FAULT, 8, 2);
	rule(ENTRY, 0, 3);
	rule(AFTER, 8, 2);
	call(SCHEDULE, AFTER);
	call(HANDLER, SCHEDULE);
	call(FAULT, HANDLER);
	call(ENTRY, FAULT);
	task[0] = STACK;
	task[1] = 1;
	for (int f = 0; f <= ENTRY; f++)
		stack[REGS - 4 + f] = IN(f);
	stack[REGS + 16] = 0x401000;
	stack[REGS + 17] = 0x33;
	stack[REGS + 19] = 0x7fff0000;
}

static enum status run(struct unwind *ret)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct task_stacks stacks;
	struct task_stack one;
	struct unwinder u;

	return task_stacks_open(&s.dump, &stacks)
		       ?: unwinder_open(&s.dump, false, NULL, &u)
		       ?: task_stack_read(&stacks, TASK, &one) ?: unwind(&u, &one, ret);
}

static void a_page_of_zeros(void)
{
	uint8_t *const pages[] = { text, ips, entries };
	struct unwind w;

	fill();
	CHECK(run(&w) == ST_OK && !w.lacks_inner && w.n == 4 && w.f[0].ip == IN(SCHEDULE));
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		fill();
		memset(pages[i], 0, PAGE);
		CHECK(run(&w) == ST_OK && w.n == 3 && w.f[0].ip == IN(HANDLER));
		CHECK(w.lacks_inner && w.end == UNWIND_TO_USER);
	}
}

static void a_task_that_sleeps(void)
{
	struct unwind w;

	fill();
	task[1] = 0;
	task[2] = ON_STACK(REGS - 10);
	CHECK(run(&w) == ST_OK && w.n == 4 && w.end == UNWIND_TO_USER);
	memset(entries, 0, PAGE);
	CHECK(run(&w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	/* What is no address of the kernel is no return address. */
	fill();
	task[1] = 0;
	stack[REGS - 3] = 0x401c3c80;
	CHECK(run(&w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
}

TESTS({ "a page of zeros", a_page_of_zeros }, { "a task that sleeps", a_task_that_sleeps })
