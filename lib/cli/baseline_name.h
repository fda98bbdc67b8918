/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names by which rows of two sides are the same. */
#pragma once

#include "cli/baseline_pairs.h"

/* "node 0 DMA32", in buf, of BASELINE_NAME bytes; NULL: the row has none of the columns. */
const char *baseline_name(const struct baseline_diff *d, const struct baseline_side *s,
			  const struct baseline_row *row, char *buf);

/*
 * Bytes of a name that tell it from others. Of text that no symbol names it is the address: whose init text it was is
 * known only while the module is there to compare with.
 */
size_t baseline_name_bytes(const char *name);

/* Whether this name of the same row tells more. */
bool baseline_name_is_better(const char *name, const char *known);
