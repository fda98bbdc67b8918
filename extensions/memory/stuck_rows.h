/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of memowner stuck: the disk that a thread waits for, what it does in words; threads that are none. */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"

/* Where a thread waits for none, one of which nothing is known. */
const struct stuck_disk *stuck_disk_of(const struct stuck_task *s);

/* Of records of struct stuck_task: the disks below it, and who serves it. */
struct cell stuck_disk_on_cell(const void *record, void *view);
struct cell stuck_disk_server_cell(const void *record, void *view);

/* "waits on a unix socket for dbproxy (298)" */
struct cell stuck_does_cell(const void *record, void *view);

/* What became of a thread that is asked for and is no row. */
void stuck_others_by_pid(struct dump *d, struct other_names *ret);
void stuck_others_by_name(struct dump *d, struct other_names *ret);
