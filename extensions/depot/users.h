/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who uses handles of the stack depot, as rows. */
#pragma once

#include "records.h"

extern const struct view depot_users_view;

/* References of each user to n handles, or with none to all; and the end of the report. */
enum status depot_users_show(const struct record_source *from, const uint32_t *handles, size_t n);
