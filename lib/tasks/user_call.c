// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_call.h"

/* __USER_CS and __USER_DS, which the instruction SYSCALL demands of each other (arch/x86/include/asm/segment.h). */
#define USER_CODE 0x33
#define USER_STACK 0x2b

/* Numbers of the ABI of x86-64, and which argument is the number of files. */
static const struct {
	uint64_t number;
	bool is_second;
} calls[] = {
	{ 23, false },	/* select */
	{ 270, false }, /* pselect6 */
	{ 7, true },	/* poll */
	{ 271, true },	/* ppoll */
};

void user_calls_open(struct dump *d, struct user_calls *ret)
{
	const struct {
		const char *name;
		struct field *f;
	} registers[] = { { "orig_ax", &ret->number },
			  { "di", &ret->first },
			  { "si", &ret->second },
			  { "cs", &ret->code },
			  { "ss", &ret->stack } };

	*ret = (struct user_calls){ .dump = d };
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if (dump_ask(d, member, "struct pt_regs", registers[i].name, registers[i].f) !=
			    ST_OK ||
		    !registers[i].f->present)
			return;
	if (dump_ask(d, type_size, "struct pt_regs", &ret->bytes) != ST_OK)
		ret->bytes = 0;
}

bool user_call_has_no_file(const struct user_calls *x, const struct task_stack *stack)
{
	/* Above them 16 bytes are kept for FRED, since 6.9. */
	static const uint64_t padding[] = { 0, 16 };

	for (size_t i = 0; x->bytes && i < ARRAY_SIZE(padding); i++) {
		const uint64_t regs = stack->base + stack->size - padding[i] - x->bytes;
		uint64_t number, first, second, code, data;

		if (!task_stack_word(stack, regs + x->number.offset, &number) ||
		    !task_stack_word(stack, regs + x->first.offset, &first) ||
		    !task_stack_word(stack, regs + x->second.offset, &second) ||
		    !task_stack_word(stack, regs + x->code.offset, &code) ||
		    !task_stack_word(stack, regs + x->stack.offset, &data) ||
		    (uint16_t)code != USER_CODE || (uint16_t)data != USER_STACK)
			continue;
		/* An int, and an unsigned int. */
		for (size_t k = 0; k < ARRAY_SIZE(calls); k++)
			if (calls[k].number == number)
				return !(uint32_t)(calls[k].is_second ? second : first);
		return false;
	}
	return false;
}
