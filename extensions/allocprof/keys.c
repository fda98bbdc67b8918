// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include "sites.h"

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key site_keys[SITE_KEYS] = {
	[SITE_MODULE] = { COLUMN_module, "module that contains the site, or vmlinux", BOTH },
	[SITE_FUNCTION] = { COLUMN_function, "function that contains the site", BOTH },
	[SITE_FILE] = { COLUMN_file, "source file; mm/* matches every file below mm", BOTH },
	[SITE_DIR] = { COLUMN_dir, "directory of the file", BOTH },
	[SITE_LINE] = { COLUMN_line, "line number in the file", KEY_FILTERS },
	[SITE_SIZE] = { COLUMN_bytes, "bytes counted at the site; ..-1 selects negative sums",
			KEY_FILTERS, .quantity = RANGE_BALANCE },
	[SITE_CALLS] = { COLUMN_calls, "allocations counted at the site, less those freed",
			 KEY_FILTERS },
	[SITE_ACCURATE] = { COLUMN_accurate,
			    "whether the kernel counted every allocation (6.18 and later)",
			    KEY_FILTERS, .choices = key_yes_no },
	[SITE_LOADED] = { COLUMN_loaded, "whether the module of the site is loaded", KEY_FILTERS,
			  .choices = key_yes_no },
};

#define ROW struct site

struct cell site_dir_cell(const void *record, void *view)
{
	const struct site *site = record;
	const struct site_view *v = view;
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;

	if (!site->file)
		return cell_text(NULL);
	if (!slash || slash == site->file)
		return cell_text(slash ? "/" : ".");
	return cell_text(dump_text(v->dump, "%.*s", (int)(slash - site->file), site->file));
}

struct cell site_accurate_cell(const void *record, void *view)
{
	const struct site *site = record;
	const struct site_view *v = view;

	return cell_if(codetags_have_flag(v->dump, &v->tags),
		       cell_bool(!(site->flags & SITE_INACCURATE)));
}

CELL_FROM(loaded_cell, ROW, cell_if(r->loaded || r->unloaded, cell_bool(r->loaded)))

const struct view_column site_columns[SITE_KEYS] = {
	[SITE_MODULE] = { COLUMN_module, 0, TEXT_OF(ROW, module) },
	[SITE_FUNCTION] = { COLUMN_function, 0, TEXT_OF(ROW, function) },
	[SITE_FILE] = { COLUMN_file, 0, TEXT_OF(ROW, file) },
	[SITE_DIR] = { COLUMN_dir, 0, CELL_BY(site_dir_cell) },
	[SITE_LINE] = { COLUMN_line, 0, UINT_OF(ROW, line) },
	[SITE_SIZE] = { COLUMN_bytes, 0, INT_IF(ROW, bytes, readable) },
	[SITE_CALLS] = { COLUMN_calls, 0, UINT_IF(ROW, calls, readable) },
	[SITE_ACCURATE] = { COLUMN_accurate, 0, CELL_BY(site_accurate_cell) },
	[SITE_LOADED] = { COLUMN_loaded, 0, CELL_BY(loaded_cell) },
};
