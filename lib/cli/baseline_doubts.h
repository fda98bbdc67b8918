/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two sides lack, and what makes them differ beside what is compared: warnings, and what is unknown. */
#pragma once

#include "cli/baseline_pairs.h"

/* What a side tells of itself. */
void baseline_tell_side(struct report *r, const struct baseline_side *s);

void baseline_tell_doubts(struct report *r, const struct baseline_diff *d);
