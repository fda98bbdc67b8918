// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_call.h"

/* __USER_CS and __USER_DS, which the instruction SYSCALL demands of each other (arch/x86/include/asm/segment.h). */
#define USER_CODE 0x33
#define USER_STACK 0x2b

/* PSTATE of arm64: EL0, of 64-bit code (arch/arm64/include/uapi/asm/ptrace.h). */
#define PSTATE_MODE 0x1f

/* How an architecture has them; numbers of system calls, and which argument is the number of files. */
static const struct user_abi {
	const char *number, *first, *second, *code, *stack;
	uint64_t second_at; /* bytes behind the member */
	struct user_call {
		uint32_t number;
		bool is_second;
	} calls[4]; /* select, pselect6, poll, ppoll */
} abis[] = {
	{ "orig_ax",
	  "di",
	  "si",
	  "cs",
	  "ss",
	  0,
	  { { 23, false }, { 270, false }, { 7, true }, { 271, true } } },
	{ "syscallno", "orig_x0", "regs", "pstate", "pstate", 8, { { 72, false }, { 73, true } } },
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
		    has(d, abi->second, &ret->second) && has(d, abi->code, &ret->code) &&
		    has(d, abi->stack, &ret->stack)) {
			ret->abi = abi;
			ret->second.offset += abi->second_at;
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

enum user_files user_call_files(const struct user_calls *x, const struct task_stack *stack)
{
	/* Above them x86-64 keeps 16 bytes for FRED, since 6.9. */
	static const uint64_t padding[] = { 0, 16 };
	const size_t n = x->abi == abis ? ARRAY_SIZE(padding) : 1;

	for (size_t i = 0; x->bytes && i < n; i++) {
		const uint64_t regs = stack->base + stack->size - padding[i] - x->bytes;
		uint64_t number, first, second, code, data;

		if (!task_stack_word(stack, regs + x->number.offset, &number) ||
		    !task_stack_word(stack, regs + x->first.offset, &first) ||
		    !task_stack_word(stack, regs + x->second.offset, &second) ||
		    !task_stack_word(stack, regs + x->code.offset, &code) ||
		    !task_stack_word(stack, regs + x->stack.offset, &data) ||
		    !is_of_user(x, code, data))
			continue;
		/* An int, and an unsigned int. */
		for (size_t k = 0; k < ARRAY_SIZE(x->abi->calls); k++)
			if (x->abi->calls[k].number && x->abi->calls[k].number == (uint32_t)number)
				return (uint32_t)(x->abi->calls[k].is_second ? second : first)
					       ? USER_FILES_SOME
					       : USER_FILES_NONE;
		break;
	}
	return USER_FILES_UNKNOWN;
}
