// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/scan_stats.h"

const struct coverage_part coverage_parts[COVERAGE_PARTS] = {
	{ "scanned", offsetof(struct coverage, scanned) },
	{ "live", offsetof(struct coverage, live) },
	{ "freed", offsetof(struct coverage, freed) },
	{ "empty", offsetof(struct coverage, empty) },
	{ "skipped", offsetof(struct coverage, skipped) },
	{ "unreadable", offsetof(struct coverage, unreadable) },
	{ "undecodable", offsetof(struct coverage, undecodable) },
	{ "ram_pages", offsetof(struct coverage, ram_pages) },
};
