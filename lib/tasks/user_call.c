// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_call.h"

/* __USER_CS and __USER_DS, which the instruction SYSCALL demands of each other (arch/x86/include/asm/segment.h). */
#define USER_CODE 0x33
#define USER_STACK 0x2b

/* PSTATE of arm64: EL0, of 64-bit code (arch/arm64/include/uapi/asm/ptrace.h). */
#define PSTATE_MODE 0x1f

/* How an architecture has them; numbers of system calls, and which argument is the number of files. */
static const struct user_abi {
	const char *number, *first, *second, *third, *fourth, *code, *stack;
	uint64_t second_at, third_at, fourth_at; /* bytes behind the member */
	uint32_t futex;				 /* its number */
	struct user_call {
		uint32_t number;
		bool is_second;
	} calls[4]; /* select, pselect6, poll, ppoll */
} abis[] = {
	{ "orig_ax",
	  "di",
	  "si",
	  "dx",
	  "r10",
	  "cs",
	  "ss",
	  0,
	  0,
	  0,
	  202,
	  { { 23, false }, { 270, false }, { 7, true }, { 271, true } } },
	{ "syscallno",
	  "orig_x0",
	  "regs",
	  "regs",
	  "regs",
	  "pstate",
	  "pstate",
	  8,
	  16,
	  24,
	  98,
	  { { 72, false }, { 73, true } } },
};

static bool has(struct dump *d, const char *name, struct field *ret)
{
	return dump_ask(d, member, "struct pt_regs", name, ret) == ST_OK && ret->present;
}

void user_calls_open(struct dump *d, struct user_calls *ret)
{
	*ret = (struct user_calls){ .dump = d };
	for (const struct user_abi *abi = abis; abi < abis + ARRAY_SIZE(abis); abi++)
		if (has(d, abi->number, &ret->number) && has(d, abi->first, &ret->first) &&
		    has(d, abi->second, &ret->second) && has(d, abi->third, &ret->third) &&
		    has(d, abi->fourth, &ret->fourth) && has(d, abi->code, &ret->code) &&
		    has(d, abi->stack, &ret->stack)) {
			ret->abi = abi;
			ret->second.offset += abi->second_at;
			ret->third.offset += abi->third_at;
			ret->fourth.offset += abi->fourth_at;
			break;
		}
	if (!ret->abi || dump_ask(d, type_size, "struct pt_regs", &ret->bytes) != ST_OK)
		ret->bytes = 0;
}

static bool is_of_user(const struct user_calls *x, uint64_t code, uint64_t stack)
{
	if (x->abi != abis)
		return !(code & PSTATE_MODE);
	return (uint16_t)code == USER_CODE && (uint16_t)stack == USER_STACK;
}

/* Above the registers x86-64 keeps 16 bytes for FRED, since 6.9. */
static const uint64_t padding[] = { 0, 16 };

/* Where they are; 0: no registers of user mode are there. */
static uint64_t find_registers(const struct user_calls *x, const struct task_stack *stack)
{
	const size_t n = x->abi == abis ? ARRAY_SIZE(padding) : 1;

	for (size_t i = 0; x->bytes && i < n; i++) {
		const uint64_t regs = stack->base + stack->size - padding[i] - x->bytes;
		uint64_t code, data;

		if (task_stack_word(stack, regs + x->code.offset, &code) &&
		    task_stack_word(stack, regs + x->stack.offset, &data) &&
		    is_of_user(x, code, data))
			return regs;
	}
	return 0;
}

static bool take(const struct task_stack *stack, uint64_t regs, const struct field *f,
		 uint64_t *ret)
{
	return regs && task_stack_word(stack, regs + f->offset, ret);
}

#define FUTEX_WAIT 0
#define FUTEX_PRIVATE_FLAG 128
#define LOCKED_AND_WAITED_FOR 2

bool user_call_locks(const struct user_calls *x, const struct task_stack *stack)
{
	const uint64_t regs = find_registers(x, stack);
	uint64_t number, op, value, timeout;

	return take(stack, regs, &x->number, &number) && take(stack, regs, &x->second, &op) &&
	       take(stack, regs, &x->third, &value) && take(stack, regs, &x->fourth, &timeout) &&
	       (uint32_t)number == x->abi->futex &&
	       ((uint32_t)op & ~FUTEX_PRIVATE_FLAG) == FUTEX_WAIT &&
	       (uint32_t)value == LOCKED_AND_WAITED_FOR && !timeout;
}

enum user_files user_call_files(const struct user_calls *x, const struct task_stack *stack)
{
	const uint64_t regs = find_registers(x, stack);
	uint64_t number, first, second;

	if (!take(stack, regs, &x->number, &number) || !take(stack, regs, &x->first, &first) ||
	    !take(stack, regs, &x->second, &second))
		return USER_FILES_UNKNOWN;
	/* An int, and an unsigned int. */
	for (size_t k = 0; k < ARRAY_SIZE(x->abi->calls); k++)
		if (x->abi->calls[k].number && x->abi->calls[k].number == (uint32_t)number)
			return (uint32_t)(x->abi->calls[k].is_second ? second : first)
				       ? USER_FILES_SOME
				       : USER_FILES_NONE;
	return USER_FILES_UNKNOWN;
}
