// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

enum {
	COL_HANDLE,
	COL_POOL,
	COL_OFFSET,
	COL_FRAMES,
	COL_COUNT,
	COL_PAGES,
	COL_ADDRESS,
	COL_STACK,
	COLUMNS
};

static const struct column columns[COLUMNS] = {
	[COL_HANDLE] = { "handle", "HANDLE", .shown = IN_BOTH,
			 .help = "as page_owner and others store it" },
	[COL_POOL] = { "pool", "POOL", .shown = IN_BOTH, .help = "number of the pool" },
	[COL_OFFSET] = { "offset", "OFFSET", .shown = IN_BOTH, .help = "bytes in the pool" },
	[COL_FRAMES] = { "frames", "FRAMES", .shown = IN_BOTH, .help = "length of the stack" },
	[COL_COUNT] = { "count", "COUNT", .shown = IN_BOTH,
			.help = "raw refcount; unknown if nobody uses it" },
	[COL_PAGES] = { "pages", "PAGES", .shown = IN_BOTH,
			.help = "pages that page_owner holds through it (6.9 and later)" },
	[COL_ADDRESS] = { "address", "RECORD", .shown = IN_BOTH,
			  .help = "address of the stack_record" },
	[COL_STACK] = { "stack", NULL, .shown = IN_BOTH, .help = "the frames, innermost first" },
};

const struct view depot_view = { "records", "a", .columns = columns, .ncolumns = COLUMNS };

/* Saturated counts and those that nobody set say nothing (include/linux/refcount.h). */
static bool is_count(const struct depot_stack *s)
{
	return s->has_count && s->count < DEPOT_COUNT_UNUSED / 2;
}

enum status depot_view_add(struct dump *d, struct table *t, struct stack_cache *stacks,
			   struct stack_list *users, uint32_t handle, struct report *r)
{
	struct cached_stack *k = stack_cache_get(stacks, handle);
	const struct depot_stack *s;
	struct cell *row;

	if (!k)
		return ST_NOMEM;
	if (!k->decoded) {
		struct depot_stack again;

		/* For its message. */
		depot_fetch(&stacks->depot, handle, &again);
		report_warn(r, "%s", d->error);
		return ST_OK;
	}
	s = &k->record;
	row = table_add(t);
	if (!row)
		return ST_NOMEM;
	row[COL_HANDLE] = cell_hex(handle);
	row[COL_POOL] = cell_uint(s->pool);
	row[COL_OFFSET] = cell_uint(s->offset);
	row[COL_FRAMES] = cell_uint(s->n);
	row[COL_COUNT] = cell_if(is_count(s), cell_uint(s->count));
	row[COL_PAGES] = cell_if(is_count(s) && stack_list_has(users, s->record),
				 cell_uint(s->count - 1));
	row[COL_ADDRESS] = cell_hex(s->record);
	row[COL_STACK] = cell_stack(stack_cache_frames(stacks, k));
	return ST_OK;
}
