// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner files",
	"files by their page cache and shared memory",
	"",
	"  Path, pages in memory and in swap, size, device, and the processes that have",
	"  the file open or mapped. The last line has all files beside the kernel's",
	"  counters.",
	"EXAMPLES",
	"  Deleted files that still have memory, by the process that alone keeps them,",
	"  without segments, which need none; file systems by the memory of their files:",
	"    memowner files -f deleted=yes -X file_kind=sysv_shm -g process",
	"    memowner files -g mount",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_file } },
	.amounts = { { COLUMN_total_bytes }, { COLUMN_bytes } },
	.counts = { { COLUMN_files, BASELINE_ROWS } },
	.many = "files",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_file, "path"),
	BASELINE_KEY(COLUMN_fs_type, "type of the file system"),
	BASELINE_KEY(COLUMN_class, "file or shmem"),
	BASELINE_KEY(COLUMN_deleted, "yes or no"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "file", "files"), KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_files_view, &diff_view };

static const struct command_option options[] = { VALUE('g', "dir deleted,process used_by"),
						 RANKED_ROWS("bytes=1M..", "pages", "+pages"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(files)
