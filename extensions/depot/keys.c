// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <string.h>

const struct key record_keys[RECORD_KEYS] = {
	[RECORD_STACK] = { COLUMN_stack,
			   "call stack; a filter matches when a function, module or address of it does",
			   KEY_FILTERS, .is_text = true },
	[RECORD_CALLER] = { COLUMN_caller,
			    "first function that is not part of the kernel's allocators",
			    KEY_FILTERS, .is_text = true },
	[RECORD_MODULE] = { COLUMN_module,
			    "first module of the stack, vmlinux without one; [gone]: text of no module",
			    KEY_FILTERS, .is_text = true },
	[RECORD_FRAMES] = { COLUMN_frames, "length of the stack", KEY_FILTERS,
			    .quantity = RANGE_NUMBER },
	[RECORD_COUNT] = { COLUMN_count, "raw refcount", KEY_FILTERS, .quantity = RANGE_NUMBER },
	[RECORD_PAGES] = { COLUMN_pages,
			   "pages that page_owner counts at the record (6.9 and later)",
			   KEY_FILTERS, .quantity = RANGE_NUMBER },
	[RECORD_POOL] = { COLUMN_pool, "number of the pool", KEY_FILTERS,
			  .quantity = RANGE_NUMBER },
	[RECORD_HANDLE] = { COLUMN_handle, "handle, hexadecimal", KEY_FILTERS,
			    .quantity = RANGE_HEX },
	[RECORD_ADDRESS] = { COLUMN_address, "address of the stack_record, hexadecimal",
			     KEY_FILTERS, .quantity = RANGE_HEX },
};

/* "leaky_rx_refill [leaky]" and its function alone. */
static const char *caller_part(void *arg, size_t i, bool whole)
{
	static char text[640];
	const struct frame *f = arg;

	(void)i;
	if (whole || !f->symbol)
		return function_text(f, text, sizeof(text));
	return f->symbol;
}

static bool keeps_number(const struct filter *f, bool known, uint64_t value)
{
	return known ? filter_keeps_number(f, value) : filter_keeps_unknown(f);
}

static bool keeps(const struct filter *f, const struct record_facts *r)
{
	const struct depot_stack *s = r->record;
	const struct frame *caller;

	switch (f->key) {
	case RECORD_STACK:
		return filter_keeps_stack(f, r->stack);
	case RECORD_CALLER:
		caller = r->stack ? stack_caller(r->stack) : NULL;
		return caller ? filter_keeps_any(f, caller_part, (void *)caller, 1)
			      : filter_keeps_unknown(f);
	case RECORD_MODULE:
		return filter_keeps_text(f, r->stack ? stack_module(r->stack) : NULL);
	case RECORD_FRAMES:
		return filter_keeps_number(f, s->n);
	case RECORD_COUNT:
		return keeps_number(f, r->has_count, s->count);
	case RECORD_PAGES:
		return keeps_number(f, r->has_pages, s->count - 1);
	case RECORD_POOL:
		return filter_keeps_number(f, s->pool);
	case RECORD_HANDLE:
		return filter_keeps_number(f, s->handle);
	default:
		return filter_keeps_number(f, s->record);
	}
}

bool record_keeps(const struct filters *filters, const struct record_facts *f)
{
	for (unsigned int i = 0; i < filters->n; i++)
		if (!keeps(&filters->filters[i], f))
			return false;
	return true;
}
