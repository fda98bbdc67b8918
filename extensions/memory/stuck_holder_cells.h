/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has the lock of a thread of memowner stuck. Nothing proves the name of a doubted owner, which may have the task_struct
 * of who exited with the lock: a reader sees none, and why in the warning; JSON has it with lock_holder_doubtful.
 */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"

/* Of records of struct stuck_task; of an answer on a socket the holder is the process. */
struct cell stuck_holder_cell(const void *record, void *view);
struct cell stuck_holder_comm_cell(const void *record, void *view);
struct cell stuck_doubtful_cell(const void *record, void *view);
struct cell stuck_readers_cell(const void *record, void *view);

/* "reader (1 of 3)", "kworker/0:1 (evt_work [evt])", "ops (doubtful)" of one that waits for what it has itself */
struct cell stuck_held_by_cell(const void *record, void *view);
