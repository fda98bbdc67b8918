/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defects of the stack depot as rows. */
#pragma once

#include "records.h"

extern const struct view depot_verify_view;

/* Checks every record and every chain: a row for each defect, and the end of the report. */
enum status depot_verify_show(const struct record_source *from);
