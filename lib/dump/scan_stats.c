// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/scan_stats.h"

const struct scan_stat scan_stat_names[SCAN_STATS] = {
	{ "scanned", offsetof(struct scan_stats, scanned) },
	{ "live", offsetof(struct scan_stats, live) },
	{ "freed", offsetof(struct scan_stats, freed) },
	{ "empty", offsetof(struct scan_stats, empty) },
	{ "skipped", offsetof(struct scan_stats, skipped) },
	{ "unreadable", offsetof(struct scan_stats, unreadable) },
	{ "undecodable", offsetof(struct scan_stats, undecodable) },
	{ "ram_pages", offsetof(struct scan_stats, ram_pages) },
};
