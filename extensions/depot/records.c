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

static const struct view_column columns[COLUMNS] = {
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH | KNOWN },
	[COL_POOL] = { COLUMN_pool, IN_BOTH | KNOWN },
	[COL_OFFSET] = { COLUMN_offset, IN_BOTH | KNOWN, "of the pool" },
	[COL_FRAMES] = { COLUMN_frames, IN_BOTH | KNOWN },
	[COL_COUNT] = { COLUMN_count, IN_BOTH, "raw refcount; null: no user counts" },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH, "that page_owner counts here (6.9 and later)" },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH | KNOWN, "of the stack_record" },
	[COL_STACK] = { COLUMN_stack, IN_BOTH | KNOWN },
};

const struct view depot_view = { "records", "HANDLE", COLUMNS_OF(columns),
				 .takes_arguments = true };

/* Saturated counts and counts that were never set mean nothing (include/linux/refcount.h). */
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
