// SPDX-License-Identifier: GPL-2.0-or-later
/* ORC tables, frame records, the frames of a stack, the time of a task's last run. */
#include "tasks/unwind.h"
#include "stub.h"
#include "test.h"

#define TEXT 0xffffffff81000000ULL
#define TABLE 0xffffffff82000000ULL
#define ENTRIES 0xffffffff82001000ULL
#define STACK 0xffffc90000000000ULL
#define TASK 0xffff888000001000ULL

#define THUNK 0xe00

/* Functions of 256 bytes. */
enum { SCHEDULE, HANDLER, FAULT, ENTRY, AFTER, FUNCTIONS };
#define IN(f) (TEXT + (f)*0x100 + 0x20) /* a return address */

static uint8_t text[0x2000];
static int32_t ips[FUNCTIONS];
static uint8_t entries[FUNCTIONS * 6];
static uint64_t stack[0x800];
static uint64_t task[64];

/* struct pt_regs of 21 words: bp is the fifth, then ip, cs, flags, sp, ss from the 17th. */
#define REGS_WORDS 21
#define ON_STACK(word) (STACK + (word)*8)
#define USER_REGS (0x800 - REGS_WORDS)

#define ORC_MEMBERS(type_bits)                                       \
	{ "struct orc_entry", "sp_offset", FIELD(0, 2) },            \
		{ "struct orc_entry", "bp_offset", FIELD(2, 2) },    \
		{ "struct orc_entry", "sp_reg", BITS(4, 4, 0, 4) },  \
		{ "struct orc_entry", "bp_reg", BITS(4, 4, 4, 4) },  \
	{                                                            \
		"struct orc_entry", "type", BITS(4, 4, 8, type_bits) \
	}
#define X86_MEMBERS                                                         \
	{ "struct task_struct", "stack", FIELD(0, 8) },                     \
		{ "struct task_struct", "on_cpu", FIELD(8, 1) },            \
		{ "struct task_struct", "thread.sp", FIELD(16, 8) },        \
		{ "struct inactive_task_frame", "bp", FIELD(40, 8) },       \
		{ "struct inactive_task_frame", "ret_addr", FIELD(48, 8) }, \
		{ "struct pt_regs", "ip", FIELD(128, 8) },                  \
		{ "struct pt_regs", "cs", FIELD(136, 2) },                  \
		{ "struct pt_regs", "sp", FIELD(152, 8) },                  \
	{                                                                   \
		"struct pt_regs", "bp", FIELD(32, 8)                        \
	}

static const struct stub_member new_members[] = { ORC_MEMBERS(3), X86_MEMBERS, { 0 } };
static const struct stub_member old_members[] = {
	ORC_MEMBERS(2), X86_MEMBERS, { "struct orc_entry", "end", BITS(4, 4, 11, 1) }, { 0 }
};

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
	{ .name = "__softirqentry_text_end", .addr = TEXT + THUNK }, /* of two the first is found */
	{ .name = "__x86_indirect_thunk_rax", .addr = TEXT + THUNK },
	{ .name = "__pi___x86_indirect_thunk_rdx", .addr = TEXT + THUNK + 0x20 }, /* 7.3 */
	{ .name = "_etext", .addr = TEXT + 0x1000 },
	{ .name = "_sinittext", .addr = TEXT + 0x1a00 },
	{ .name = "_einittext", .addr = TEXT + 0x1c00 },
	{ .name = "_end", .addr = TEXT + sizeof(text) },
	{ .name = "__start_orc_unwind_ip", .addr = TABLE },
	{ .name = "__stop_orc_unwind_ip", .addr = TABLE + sizeof(ips) },
	{ .name = "__start_orc_unwind", .addr = ENTRIES },
	{ .name = "__stop_orc_unwind", .addr = ENTRIES + sizeof(entries) },
	{ 0 },
};

static const struct stub_memory memory[] = {
	{ TEXT, text, sizeof(text) },	       { TABLE, ips, sizeof(ips) },
	{ ENTRIES, entries, sizeof(entries) }, { STACK, stack, sizeof(stack) },
	{ TASK, task, sizeof(task) },	       { 0 },
};

#define BEHIND_SCHEDULE ((SCHEDULE + 1) * 0x100)
static const struct stub_memory without_schedule[] = {
	{ TEXT + BEHIND_SCHEDULE, text + BEHIND_SCHEDULE, sizeof(text) - BEHIND_SCHEDULE },
	{ TABLE, ips, sizeof(ips) },
	{ ENTRIES, entries, sizeof(entries) },
	{ STACK, stack, sizeof(stack) },
	{ TASK, task, sizeof(task) },
	{ 0 },
};

struct numbers {
	unsigned int sp, bp, prev_sp, call, regs, end;
};
static const struct numbers of_6_12 = { 5, 4, 1, 2, 3, 1 };
static const struct numbers of_7_3 = { 3, 4, 8, 2, 3, 1 };
static const struct numbers of_5_10 = { 5, 4, 1, 0, 1, 0 };

static void entry(int f, int sp_offset, int bp_offset, unsigned int sp, unsigned int bp,
		  unsigned int type)
{
	uint8_t *e = entries + f * 6;

	ips[f] = (int32_t)(TEXT + f * 0x100 - (TABLE + f * 4));
	e[0] = sp_offset;
	e[1] = (unsigned int)sp_offset >> 8;
	e[2] = bp_offset;
	e[3] = (unsigned int)bp_offset >> 8;
	e[4] = sp | bp << 4;
	e[5] = type;
}

/* handle_mm_fault() saved bp 16 bytes below its caller's frame; exc_page_fault() goes from bp. */
static void fill(const struct numbers *n)
{
	memset(text, 0, sizeof(text));
	memset(stack, 0, sizeof(stack));
	entry(SCHEDULE, 0x18, 0, n->sp, 0, n->call);
	entry(HANDLER, 0x80, -16, n->sp, n->prev_sp, n->call);
	entry(FAULT, 16, -16, n->bp, n->prev_sp, n->call);
	entry(ENTRY, 0, 0, n->sp, 0, n->regs);
	entry(AFTER, 8, 0, n->sp, 0, n->call);
	task[0] = STACK;
	task[1] = 0;
	task[2] = ON_STACK(0x700);
	stack[0x705] = 0x1234; /* bp */
	stack[0x706] = IN(SCHEDULE);
	/* schedule(): from 0x707, its caller's frame from 0x70a */
	stack[0x709] = IN(HANDLER);
	/* handle_mm_fault(): 16 words from 0x70a */
	stack[0x718] = ON_STACK(0x730);
	stack[0x719] = IN(FAULT);
	/* exc_page_fault(): up to bp + 16 */
	stack[0x730] = 0x5678;
	stack[0x731] = IN(ENTRY);
	memset(stack + 0x732, 0, sizeof(stack[0]));
}

/* The registers of user space right behind the frame of exc_page_fault(). */
static void enter_from_user(void)
{
	memmove(stack + USER_REGS - 0x32, stack + 0x700, 0x32 * 8);
	task[2] = ON_STACK(USER_REGS - 0x32);
	stack[USER_REGS - 0x32 + 0x18] = ON_STACK(USER_REGS - 2);
	stack[USER_REGS + 16] = 0x401000;
	stack[USER_REGS + 17] = 0xabcd000000000033;
	stack[USER_REGS + 19] = 0x7fff0000;
}

static enum status run_on(const struct stub_memory *of, const struct stub_member *members,
			  struct unwind *w)
{
	STUB(s, .memory = of, .symbols = symbols, .members = members, .sizes = sizes);
	struct task_stacks stacks;
	struct task_stack one;
	struct unwinder u;
	enum status st;

	st = task_stacks_open(&s.dump, &stacks);
	if (st == ST_OK)
		st = unwinder_open(&s.dump, stacks.is_arm64, NULL, &u);
	if (st == ST_OK)
		st = task_stack_read(&stacks, TASK, &one);
	if (st == ST_OK)
		st = unwind(&u, &one, w);
	return st;
}

static enum status run(const struct stub_member *members, struct unwind *w)
{
	return run_on(memory, members, w);
}

static void check_frames(const struct unwind *w)
{
	uint64_t base = ON_STACK(USER_REGS - 0x32);

	CHECK(w->n == 4 && w->end == UNWIND_TO_USER && w->user_regs == ON_STACK(USER_REGS));
	CHECK(w->f[0].ip == IN(SCHEDULE) && w->f[0].sp == base + 56 && w->f[0].end == base + 80);
	CHECK(w->f[1].ip == IN(HANDLER) && w->f[1].sp == base + 80 &&
	      w->f[1].end == base + 80 + 0x80);
	CHECK(w->f[2].ip == IN(FAULT) && w->f[2].end == ON_STACK(USER_REGS));
	CHECK(w->f[3].ip == IN(ENTRY) && w->f[3].sp == ON_STACK(USER_REGS));
}

static void frames_by_orc(void)
{
	static const struct {
		const struct numbers *n;
		const struct stub_member *members;
	} forms[] = { { &of_6_12, new_members },
		      { &of_7_3, new_members },
		      { &of_5_10, old_members } };

	for (unsigned int i = 0; i < 3; i++) {
		struct unwind w;

		fill(forms[i].n);
		enter_from_user();
		CHECK(run(forms[i].members, &w) == ST_OK);
		check_frames(&w);
	}
}

static void frames_of_an_aligned_function(void)
{
	static const struct {
		const struct numbers *n;
		unsigned int indirect; /* a word at an offset from bp */
	} forms[] = { { &of_6_12, 8 }, { &of_7_3, 10 } };

	for (unsigned int i = 0; i < 2; i++) {
		struct unwind w;

		fill(forms[i].n);
		entry(FAULT, -8, 0, forms[i].indirect, forms[i].n->bp, forms[i].n->call);
		stack[0x72f] = ON_STACK(0x732);
		CHECK(run(new_members, &w) == ST_OK && w.n >= 4 && w.f[3].ip == IN(ENTRY));
		stack[0x72f] = 0x4141414141414140;
		CHECK(run(new_members, &w) == ST_OK && w.n == 3 && w.end == UNWIND_CUT);
	}
}

static void frames_of_an_interrupted_function(void)
{
	struct unwind w;

	fill(&of_6_12);
	/* Registers of the kernel behind exc_page_fault(): it interrupted code further out. */
	stack[0x732 + 16] = TEXT + AFTER * 0x100;
	stack[0x732 + 17] = 0x10;
	stack[0x732 + 19] = ON_STACK(0x760);
	CHECK(run(new_members, &w) == ST_OK);
	CHECK(w.n == 5 && w.f[4].regs == ON_STACK(0x732) && w.f[4].ip == TEXT + AFTER * 0x100 &&
	      w.f[4].sp == ON_STACK(0x760) && w.end == UNWIND_CUT);
	/* It cannot have interrupted what is further in. */
	stack[0x732 + 19] = ON_STACK(0x700);
	CHECK(run(new_members, &w) == ST_OK && w.n == 4 && w.end == UNWIND_CUT);
	/* Registers of user space are at the top of the stack alone. */
	stack[0x732 + 17] = 0x33;
	CHECK(run(new_members, &w) == ST_OK && w.n == 4 && w.end == UNWIND_CUT && !w.user_regs);
}

/* A call of an address that is no text: the instruction fetch faulted, the return address is pushed. */
static void frames_of_a_call_to_data(void)
{
	struct unwind w;

	fill(&of_6_12);
	stack[0x732 + 16] = TABLE;
	stack[0x732 + 17] = 0x10;
	stack[0x732 + 19] = ON_STACK(0x760);
	stack[0x760] = IN(SCHEDULE);
	CHECK(run(new_members, &w) == ST_OK);
	CHECK(w.n == 6 && w.f[4].ip == TABLE && w.f[4].regs == ON_STACK(0x732) &&
	      w.f[4].end == ON_STACK(0x761) && w.f[5].ip == IN(SCHEDULE) &&
	      w.f[5].sp == ON_STACK(0x761) && !w.f[5].regs);
	/* Data of the image, which the table covers with its last rule; the text of init is none. */
	entry(AFTER, 16, 0, of_6_12.sp, 0, of_6_12.call);
	stack[0x732 + 16] = TEXT + 0x1800;
	CHECK(run(new_members, &w) == ST_OK && w.n == 6 && w.f[5].ip == IN(SCHEDULE));
	stack[0x732 + 16] = TEXT + 0x1a00;
	CHECK(run(new_members, &w) == ST_OK && w.n == 5);
	stack[0x732 + 16] = TABLE;
	/* What was pushed is in no text either. */
	stack[0x760] = TABLE + 1;
	CHECK(run(new_members, &w) == ST_OK && w.n == 5 && w.end == UNWIND_CUT);
}

static void stacks_that_are_damaged(void)
{
	struct unwind w;

	fill(&of_6_12);
	stack[0x709] = 0x4141414141414141;
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	stack[0x709] = 0;
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	/* A frame pointer to below, and off the stack. */
	fill(&of_6_12);
	stack[0x718] = ON_STACK(0x700);
	CHECK(run(new_members, &w) == ST_OK && w.n == 3 && w.end == UNWIND_CUT);
	stack[0x718] = ON_STACK(0x7ff);
	CHECK(run(new_members, &w) == ST_OK && w.n == 3 && w.end == UNWIND_CUT);
	fill(&of_6_12);
	task[2] = STACK + sizeof(stack) - 48;
	CHECK(run(new_members, &w) == ST_CORRUPT);
	task[0] = STACK + 0x1000000;
	CHECK(run(new_members, &w) == ST_UNREADABLE);
	task[0] = 0;
	CHECK(run(new_members, &w) == ST_ABSENT);
}

static const struct stub_member fp_members[] = { X86_MEMBERS,
						 { "struct unwind_state", "orig_sp", FIELD(8, 8) },
						 { 0 } };

/* Such a kernel has no type of ORC. */
static const struct stub_number *sizes_without_orc(void)
{
	static struct stub_number fewer[sizeof(sizes) / sizeof(sizes[0])];

	for (size_t i = 0, n = 0; sizes[i].name; i++)
		if (!strstr(sizes[i].name, "orc"))
			fewer[n++] = sizes[i];
	return fewer;
}

static enum status run_without_orc(const struct stub_member *members, struct unwind *w)
{
	struct stub_symbol fewer[sizeof(symbols) / sizeof(symbols[0])];
	STUB(s, .memory = memory, .symbols = fewer, .members = members,
	     .sizes = sizes_without_orc());
	struct task_stacks stacks;
	struct task_stack one;
	struct unwinder u;
	enum status st;

	memset(fewer, 0, sizeof(fewer));
	for (size_t i = 0, n = 0; symbols[i].name; i++)
		if (!strstr(symbols[i].name, "orc"))
			fewer[n++] = symbols[i];
	st = task_stacks_open(&s.dump, &stacks);
	if (st == ST_OK)
		st = unwinder_open(&s.dump, false, NULL, &u);
	if (st == ST_OK)
		st = task_stack_read(&stacks, TASK, &one);
	if (st == ST_OK)
		st = unwind(&u, &one, w);
	return st;
}

/* The same frames with frame pointers: each function pushes that of its caller below its own. */
#define TOP (USER_REGS - 0x32)
static void fill_frame_pointers(void)
{
	fill(&of_6_12);
	enter_from_user();
	stack[TOP + 5] = ON_STACK(TOP + 8);	  /* of schedule() */
	stack[TOP + 8] = ON_STACK(TOP + 0x18);	  /* of handle_mm_fault() */
	stack[TOP + 0x18] = ON_STACK(TOP + 0x30); /* of exc_page_fault() */
	stack[TOP + 0x30] = ON_STACK(USER_REGS) + 1;
}

static void frames_by_frame_pointers(void)
{
	struct unwind w;

	fill_frame_pointers();
	CHECK(run_without_orc(fp_members, &w) == ST_OK);
	check_frames(&w);
	/* A system call: no frame pointer leads to the registers, they are where the stack begins. */
	stack[TOP + 0x30] = 0x7f0012345678;
	CHECK(run_without_orc(fp_members, &w) == ST_OK);
	check_frames(&w);
	/* Those of a kernel thread are empty. */
	stack[USER_REGS + 17] = 0;
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 4 && w.end == UNWIND_TO_END);
	/* The last function has aligned its stack, and its return address once more below it. */
	fill_frame_pointers();
	stack[TOP + 0x18] = ON_STACK(TOP + 0x2f);
	stack[TOP + 0x2f] = 0;
	stack[TOP + 0x30] = IN(ENTRY);
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 4 && w.end == UNWIND_TO_USER);
	stack[TOP + 0x30] = IN(FAULT);
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.end == UNWIND_CUT);
	/* Neither ORC nor frame pointers. */
	CHECK(run_without_orc(new_members, &w) == ST_ABSENT);
}

static void frame_pointers_that_are_damaged(void)
{
	struct unwind w;

	fill_frame_pointers();
	stack[TOP + 0x19] = 0x4141414141414141; /* no return address */
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 2 && w.end == UNWIND_CUT);
	/* To itself, downwards, off the stack, between words. */
	fill_frame_pointers();
	stack[TOP + 8] = ON_STACK(TOP + 8);
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 2 && w.end == UNWIND_CUT);
	stack[TOP + 8] = ON_STACK(0x7ff);
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 2 && w.end == UNWIND_CUT);
	stack[TOP + 8] = ON_STACK(TOP + 0x18) + 4;
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.n == 2 && w.end == UNWIND_CUT);
	/* Registers of user space are at the top of the stack alone. */
	fill_frame_pointers();
	stack[TOP + 0x18] = ON_STACK(TOP + 0x1a) + 1;
	stack[TOP + 0x1a + 17] = 0x33;
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.end == UNWIND_CUT && !w.user_regs);
	/* Those of the kernel lead on, by the frame pointer of what was interrupted. */
	stack[TOP + 0x1a + 16] = TEXT + AFTER * 0x100;
	stack[TOP + 0x1a + 17] = 0x10;
	stack[TOP + 0x1a + 19] = ON_STACK(TOP + 0x2f);
	stack[TOP + 0x1a + 4] = ON_STACK(TOP + 0x30);
	CHECK(run_without_orc(fp_members, &w) == ST_OK && w.end == UNWIND_TO_USER);
	CHECK(w.f[3].regs == ON_STACK(TOP + 0x1a) && w.f[3].ip == TEXT + AFTER * 0x100);
}

static void tables_that_are_no_orc(void)
{
	struct unwind w;

	/* Neither numbering of the registers. */
	fill(&of_6_12);
	for (int f = 0; f < FUNCTIONS; f++)
		entry(f, 8, 0, 7, 0, 2);
	CHECK(run(new_members, &w) == ST_UNKNOWN);
	/* Undefined, the end, and a rule that makes no progress. */
	fill(&of_6_12);
	entry(SCHEDULE, 0x18, 0, 5, 0, 0);
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	entry(SCHEDULE, 0x18, 0, 5, 0, 1);
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_TO_END);
	entry(SCHEDULE, 0, 0, 5, 0, 2);
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	entry(SCHEDULE, -8, 0, 5, 0, 2);
	CHECK(run(new_members, &w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
}

/* call rel32 before the return address in a function. */
static void call(int from, int to)
{
	uint8_t *at = text + from * 0x100 + 0x20 - 5;
	int32_t distance = (to - from) * 0x100 - 0x20;

	at[0] = 0xe8;
	memcpy(at + 1, &distance, sizeof(distance));
}

static void run_on_a_cpu(void)
{
	task[1] = 1;
	call(SCHEDULE, AFTER);
	call(HANDLER, SCHEDULE);
	call(FAULT, HANDLER);
	call(ENTRY, FAULT);
}

static void frames_of_a_task_on_a_cpu(void)
{
	struct unwind w;

	fill(&of_6_12);
	enter_from_user();
	run_on_a_cpu();
	CHECK(run(new_members, &w) == ST_OK && !w.lacks_inner);
	check_frames(&w);
	fill_frame_pointers();
	run_on_a_cpu();
	CHECK(run_without_orc(fp_members, &w) == ST_OK && !w.lacks_inner);
	check_frames(&w);
	fill(&of_6_12);
	enter_from_user();
	run_on_a_cpu();
	/* Without the text of schedule() the frame of its caller may be the innermost one, or not. */
	CHECK(run_on(without_schedule, new_members, &w) == ST_OK && w.lacks_inner);
	CHECK(w.n == 3 && w.f[0].ip == IN(HANDLER));
	/* What an earlier call left: a return address whose caller called something else. */
	stack[USER_REGS - 0x32 + 3] = IN(AFTER);
	stack[USER_REGS - 0x32 + 4] = IN(HANDLER);
	call(AFTER, AFTER);
	CHECK(run(new_members, &w) == ST_OK);
	check_frames(&w);
	/* The compiler made a jump of the last call. */
	call(HANDLER, AFTER);
	CHECK(run(new_members, &w) == ST_OK && w.n == 3 && w.f[0].ip == IN(HANDLER));
	text[AFTER * 0x100 + 0x40] = 0xe9;
	/* Then by a register, through the thunk for it. */
	for (int32_t to = SCHEDULE * 0x100; to <= THUNK + 0x20; to += to < THUNK ? THUNK : 0x20) {
		memcpy(text + AFTER * 0x100 + 0x41, &(int32_t){ to - AFTER * 0x100 - 0x45 }, 4);
		CHECK(run(new_members, &w) == ST_OK && w.f[0].ip == IN(SCHEDULE));
	}
	/* No call leads into the entry. */
	text[ENTRY * 0x100 + 0x20 - 5] = 0x90;
	CHECK(run(new_members, &w) == ST_ABSENT);
}

/* arm64: records of frame pointer and return address; registers are 36 words. */
static const struct stub_member arm64_members[] = {
	{ "struct task_struct", "stack", FIELD(0, 8) },
	{ "struct task_struct", "on_cpu", FIELD(8, 4) },
	{ "struct task_struct", "thread.cpu_context.sp", FIELD(16, 8) },
	{ "struct task_struct", "thread.cpu_context.fp", FIELD(24, 8) },
	{ "struct task_struct", "thread.cpu_context.pc", FIELD(32, 8) },
	{ "struct pt_regs", "pc", FIELD(256, 8) },
	{ "struct pt_regs", "sp", FIELD(248, 8) },
	{ "struct pt_regs", "regs", KINDED(KIND_ARRAY, 0, 248) },
	{ "struct pt_regs", "stackframe", KINDED(KIND_ARRAY, 272, 16) },
	{ 0 },
};

static const struct stub_symbol arm64_symbols[] = {
	{ .name = "schedule", .addr = TEXT },
	{ .name = "do_page_fault", .addr = TEXT + 0x100 },
	{ .name = "el0t_64_sync", .addr = TEXT + 0x200 },
	{ .name = "el1h_64_sync", .addr = TEXT + 0x300 },
	{ .name = "copy", .addr = TEXT + 0x400 },
	{ .name = "kthread", .addr = TEXT + 0x500 },
	{ .name = "ret_from_fork", .addr = TEXT + 0x600 },
	{ .name = "el1_irq", .addr = TEXT + 0x700 },
	{ 0 },
};

/* The frames of the task, which schedule() has called its last record from. */
static enum status run_records(struct unwind *ret)
{
	STUB(s, .memory = memory, .symbols = arm64_symbols, .members = arm64_members,
	     .sizes = sizes);
	struct task_stacks stacks;
	struct task_stack one;
	struct unwinder u;

	CHECK(task_stacks_open(&s.dump, &stacks) == ST_OK && stacks.is_arm64);
	CHECK(unwinder_open(&s.dump, true, NULL, &u) == ST_OK);
	CHECK(task_stack_read(&stacks, TASK, &one) == ST_OK && one.on_cpu == (task[1] != 0));
	return unwind(&u, &one, ret);
}

static void fill_records(void)
{
	memset(stack, 0, sizeof(stack));
	task[0] = STACK;
	task[1] = 0;
	task[2] = ON_STACK(0x600);
	task[3] = ON_STACK(0x608);
	task[4] = TEXT + 0x20;
	stack[0x620 + 29] = ON_STACK(0x6a0);
	stack[0x620 + 31] = ON_STACK(0x698);
}

static void frames_by_records(void)
{
	struct unwind w;

	fill_records();
	/* schedule() <- do_page_fault() <- el1h_64_sync, which interrupted copy() */
	stack[0x608] = ON_STACK(0x610);
	stack[0x609] = TEXT + 0x120;
	stack[0x610] = ON_STACK(0x620 + 34);
	/* Signed by pointer authentication. */
	stack[0x611] = (TEXT + 0x320) & ~(0x7fULL << 48);
	stack[0x620 + 32] = TEXT + 0x410;
	stack[0x6a0] = ON_STACK(0x700 + 34);
	stack[0x6a1] = TEXT + 0x220;
	CHECK(run_records(&w) == ST_OK);
	CHECK(w.n == 5 && w.end == UNWIND_TO_USER && w.user_regs == ON_STACK(0x700));
	CHECK(w.f[1].ip == TEXT + 0x120 && w.f[1].sp == ON_STACK(0x608) &&
	      w.f[1].end == ON_STACK(0x610));
	CHECK(w.f[2].ip == TEXT + 0x320 && w.f[3].regs == ON_STACK(0x620) &&
	      w.f[3].ip == TEXT + 0x410);
	/* A record that leads back. */
	stack[0x608] = ON_STACK(0x608);
	CHECK(run_records(&w) == ST_OK && w.n == 1 && w.end == UNWIND_CUT);
	/* Of a task on a CPU nothing is known. */
	task[1] = 1;
	CHECK(run_records(&w) == ST_ABSENT);
}

/* arm64 up to 5.13: a kernel thread begins without a record of its own; an interrupt took the CPU from this one. */
static void frames_by_records_up_to_5_13(void)
{
	struct unwind w;

	fill_records();
	/* schedule() <- el1_irq, which interrupted kthread() */
	stack[0x608] = ON_STACK(0x620 + 34);
	stack[0x609] = TEXT + 0x720;
	stack[0x620 + 32] = TEXT + 0x510;
	stack[0x6a1] = TEXT + 0x610;
	CHECK(run_records(&w) == ST_OK && w.n == 4 && w.end == UNWIND_TO_END);
	CHECK(w.f[2].regs == ON_STACK(0x620) && w.f[3].ip == TEXT + 0x610 &&
	      w.f[3].end > w.f[3].sp);
	/* Another function without a caller is no start of a thread. */
	stack[0x6a1] = TEXT + 0x420;
	CHECK(run_records(&w) == ST_OK && w.end == UNWIND_CUT);
}

TESTS({ "frames by ORC", frames_by_orc },
      { "functions that align their stack: do_madvise() of 6.12, __fsnotify_parent() of 7.3",
	frames_of_an_aligned_function },
      { "frames of an interrupted function", frames_of_an_interrupted_function },
      { "frames of a call to data", frames_of_a_call_to_data },
      { "stacks that are damaged", stacks_that_are_damaged },
      { "frames by frame pointers", frames_by_frame_pointers },
      { "frame pointers that are damaged", frame_pointers_that_are_damaged },
      { "tables that are no ORC", tables_that_are_no_orc },
      { "frames of a task on a CPU", frames_of_a_task_on_a_cpu },
      { "frames by records", frames_by_records },
      { "frames by records, up to 5.13", frames_by_records_up_to_5_13 })
