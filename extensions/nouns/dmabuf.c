// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner dmabuf",
	"DMA-BUF buffers by size",
	"",
	"  Exporter, devices that are attached, and the processes that have each buffer",
	"  open or mapped.",
	"EXAMPLES",
	"  All buffers; those of a megabyte or more:",
	"    memowner dmabuf",
	"    memowner dmabuf -f bytes=1M..",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_exporter, COLUMN_name }, { COLUMN_exporter } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_NONE, BASELINE_ROWS } },
	.many = "buffers",
};

static const struct view diff_view = { BASELINE_OF(baseline, "name", "names"), NO_KEYS };

static const struct view *const views[] = { &owner_dmabuf_view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "bytes", "+bytes"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(dmabuf)
