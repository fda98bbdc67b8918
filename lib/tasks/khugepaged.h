/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transparent huge pages of anonymous memory: whether processes get them (enabled of
 * /sys/kernel/mm/transparent_hugepage), and what khugepaged, which makes them of small pages, has done and does
 * (pages_collapsed and full_scans of its folder khugepaged).
 */
#pragma once

#include "dump/dump.h"
#include "util/maybe.h"

struct khugepaged {
	const char *enabled; /* "always", "madvise", "never"; NULL: unknown, or not built in */
	const char *state;   /* "asleep", "runs", "none": there is no such thread; NULL: unknown */
	struct maybe_u64 collapsed, scans; /* huge pages; times that all processes were looked at */
};

/* ST_ABSENT: built without CONFIG_TRANSPARENT_HUGEPAGE. */
enum status khugepaged_read(struct dump *d, struct khugepaged *ret);
