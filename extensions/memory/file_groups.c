// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner files -g: files with the same values of the keys, in a row. */
#include "files.h"

static const struct view_column columns[] = {
	{ COLUMN_files, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_pages, IN_BOTH, "null: of one of them it is unknown", SUM_OF(COLUMN_pages) },
	{ COLUMN_bytes, IN_BOTH, SUM_OF(COLUMN_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, SUM_SHARE_OF(COLUMN_pages) },
	{ COLUMN_swapped_pages, IN_BOTH, SUM_OF(COLUMN_swapped_pages) },
	{ COLUMN_total_bytes, IN_JSON, SUM_OF(COLUMN_total_bytes) },
	{ COLUMN_mlocked_pages, IN_JSON, "null: of one of them it is unknown",
	  SUM_OF(COLUMN_mlocked_pages) },
	{ COLUMN_born_ns, IN_BOTH, "of the oldest one of which it is known",
	  MOST_OF(COLUMN_born_ns) },
	{ COLUMN_age_min_ns, IN_JSON, "of the file that was made last", LEAST_OF(COLUMN_born_ns) },
	{ COLUMN_member_times, IN_BOTH | IF_ROOM, "when files were made",
	  TIMES_OF(COLUMN_born_ns) },
	{ COLUMN_first_written_ns, IN_BOTH, MOST_OF(COLUMN_written_ns) },
	{ COLUMN_written_ns, IN_BOTH, "of the one that was written last",
	  LEAST_OF(COLUMN_written_ns) },
	{ COLUMN_class, 0, .choices = file_class_choices },
	{ COLUMN_fs_type, 0 },
	{ COLUMN_file_kind, 0, .choices = file_kind_names + 1 },
	{ COLUMN_deleted, 0 },
	{ COLUMN_memcg, 0 },
	{ COLUMN_most_memcg, 0 },
	{ COLUMN_process, 0 },
	{ COLUMN_used_by, 0 },
	{ COLUMN_mount, 0 },
	{ COLUMN_dir, 0 },
	{ COLUMN_file, 0 },
	BASIS(derived),
};

/* Records behind the rows of both: each class beside the counter of /proc/meminfo. */
static const struct view_column total_columns[] = { CLASS_TOTAL_COLUMNS };

static const struct view total_view = { "files-total", "", COLUMNS_OF(total_columns) };
static const struct view groups_total_view = { "files_groups-total", "",
					       COLUMNS_OF(total_columns) };

static const struct view groups_view = {
	"files_groups",
	"-g dir",
	COLUMNS_OF(columns),
	KEYS_OF(file_keys),
	.has_groups = true,
	.prepare = cmdline_show_keys,
	.below = &groups_total_view,
	.open = files_open,
	.show = files_show,
	ROWS_ARE("group", "groups", "total_bytes,pages", 10),
	MEMBERS_ARE("file", "files"),
	SUMS_UP(file_columns),
};

const struct view owner_files_view = {
	"files",
	"",
	file_columns,
	FILE_COLUMNS,
	KEYS_OF(file_keys),
	.grouped = &groups_view,
	.has_groups = true,
	.below = &total_view,
	.open = files_open,
	.show = files_show,
	ROWS_ARE("file", "files", "total_bytes,pages", 10),
};
