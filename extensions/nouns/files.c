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
	"  Deleted files that still have memory, by the process that alone keeps them;",
	"  file systems by the memory of their files:",
	"    memowner files -f deleted=yes -g process",
	"    memowner files -g mount",
	NULL
};

static const struct view *const views[] = { &owner_files_view };

static const struct command_option options[] = { VALUE('g', "dir deleted,process used_by"),
						 RANKED_ROWS("bytes=1M..", "pages", "+pages"),
						 LAST_OPTIONS };

OWNER_NOUN(files)
