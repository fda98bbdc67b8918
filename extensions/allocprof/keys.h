/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What allocation sites are filtered and grouped by. */
#pragma once

#include "cli/rows.h"

enum site_key {
	SITE_MODULE,
	SITE_FUNCTION,
	SITE_FILE,
	SITE_DIR,
	SITE_LINE,
	SITE_SIZE,
	SITE_CALLS,
	SITE_ACCURATE,
	SITE_LOADED,
	SITE_KEYS
};

extern const struct key site_keys[SITE_KEYS];
/* Terms of the help texts, for "-g help". */
extern const struct term site_terms[];

/* Cells of a struct site, with the struct site_view; and the columns of the keys. */
struct cell site_dir_cell(const void *record, void *view);
struct cell site_accurate_cell(const void *record, void *view);
extern const struct view_column site_columns[SITE_KEYS];
