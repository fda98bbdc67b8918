// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/stack.h"

#include <string.h>

#include "symbols/allocators.h"

bool stack_is_early(const struct stack *s)
{
	return s && s->n && s->frames[0]->symbol &&
	       !strcmp(s->frames[0]->symbol, "register_early_stack");
}

const char *stack_module(const struct stack *s)
{
	const char *module = s->n ? "vmlinux" : NULL;

	for (unsigned int i = s->n; i-- > 0;) {
		const struct frame *f = s->frames[i];

		if (f->label == LABEL_UNKNOWN)
			module = NULL;
		else if (f->module || f->label == LABEL_GONE)
			module = f->module ? f->module : "[gone]";
	}
	return module;
}

const struct frame *stack_caller(const struct stack *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (!s->frames[i]->symbol || !allocators_has(s->frames[i]->symbol))
			return s->frames[i];
	return NULL;
}
