/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a log, as OOM reports are read from them. */
#pragma once

#include <string.h>

#include "oom/mixed_reports.h"

struct line {
	uint32_t caller;
	const char *text;
};

static struct oom_report room[OOM_REPORTS];

static void parse_lines(struct oom_reports *all, const struct line *lines, size_t n,
			bool has_caller)
{
	memset(all, 0, sizeof(*all));
	memset(room, 0xa5, sizeof(room));
	all->reports = room;
	for (size_t i = 0; i < n; i++) {
		struct kernel_record rec = { .ts_ns = i + 1,
					     .text = lines[i].text,
					     .has_caller = has_caller,
					     .caller = lines[i].caller };

		oom_reports_record(all, &rec);
	}
	oom_mix_doubtful(all);
}
