// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

enum { D_HANDLE, D_POOL, D_OFFSET, D_FRAMES, D_COUNT, D_PAGES, D_ADDRESS, D_STACK, D_COLUMNS };

static const struct column columns[D_COLUMNS] = {
	[D_HANDLE] = { "handle", "HANDLE", .shown = IN_BOTH,
		       .help = "as page_owner and others store it" },
	[D_POOL] = { "pool", "POOL", .shown = IN_BOTH, .help = "number of the pool" },
	[D_OFFSET] = { "offset", "OFFSET", .shown = IN_BOTH, .help = "bytes in the pool" },
	[D_FRAMES] = { "frames", "FRAMES", .shown = IN_BOTH, .help = "length of the stack" },
	[D_COUNT] = { "count", "COUNT", .shown = IN_BOTH,
		      .help = "raw refcount; unknown if nobody uses it" },
	[D_PAGES] = { "pages", "PAGES", .shown = IN_BOTH,
		      .help = "pages that page_owner holds through it (6.9 and later)" },
	[D_ADDRESS] = { "address", "RECORD", .shown = IN_BOTH,
			.help = "address of the stack_record" },
	[D_STACK] = { "stack", NULL, .shown = IN_BOTH, .help = "the frames, innermost first" },
};

const struct view depot_view = { "records", "a", .columns = columns, .ncolumns = D_COLUMNS };

/* Saturated counts and those that nobody set say nothing (include/linux/refcount.h). */
static bool is_count(const struct depot_stack *s)
{
	return s->has_count && s->count < DEPOT_COUNT_UNUSED / 2;
}

enum status depot_view_add(struct dump *d, struct table *t, struct stacks *stacks,
			   struct stack_list *users, uint32_t handle, struct report *r)
{
	struct known_stack *k = stacks_get(stacks, handle);
	const struct depot_stack *s;
	struct cell *row;

	if (!k)
		return DUMP_NOMEM;
	if (!k->decoded) {
		struct depot_stack again;

		/* For its message. */
		depot_fetch(&stacks->depot, handle, &again);
		report_warn(r, "%s", d->error);
		return DUMP_OK;
	}
	s = &k->record;
	row = table_add(t);
	if (!row)
		return DUMP_NOMEM;
	row[D_HANDLE] = cell_hex(handle);
	row[D_POOL] = cell_uint(s->pool);
	row[D_OFFSET] = cell_uint(s->offset);
	row[D_FRAMES] = cell_uint(s->n);
	row[D_COUNT] = cell_if(is_count(s), cell_uint(s->count));
	row[D_PAGES] = cell_if(is_count(s) && stack_list_has(users, s->record),
			       cell_uint(s->count - 1));
	row[D_ADDRESS] = cell_hex(s->record);
	row[D_STACK] = cell_stack(stacks_frames(stacks, k));
	return DUMP_OK;
}
