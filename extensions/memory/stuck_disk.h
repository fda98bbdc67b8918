/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells on the disk that a thread of memowner stuck waits for. */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"

/* Where a thread waits for none, one of which nothing is known. */
const struct stuck_disk *stuck_disk_of(const struct stuck_task *s);

/* Of records of struct stuck_task: the disks below it, and who serves it. */
struct cell stuck_disk_on_cell(const void *record, void *view);
struct cell stuck_disk_server_cell(const void *record, void *view);
