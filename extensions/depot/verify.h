/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defects of the stack depot as rows. */
#ifndef MEMOWNER_DEPOT_VERIFY_H
#define MEMOWNER_DEPOT_VERIFY_H

#include "records.h"

extern const struct view depot_verify_view;

/* Checks every record and every chain: a row for each defect, and the end of the report. */
enum status depot_verify_show(const struct record_source *from);

#endif
