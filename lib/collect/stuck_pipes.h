/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for a pipe or for a child, where that will not end: in a circle, or writing to a full pipe whose
 * readers are stopped or wait for something else themselves. A reader without data, and a shell that waits for its
 * command, are on every machine: they are told in a circle alone.
 */
#pragma once

#include "collect/stuck.h"

/*
 * Sets holders of these threads, and is_on_pipe. Behind the holders of
 * locks and servers. NULL, or why one may be missing.
 */
const char *stuck_find_pipes(struct dump *d, struct stuck_task *all, bool has_all_tasks);

/*
 * The same of threads in vfork(): their child has their memory until it calls exec() or ends, and its task_struct has where
 * they wait. Before the roots. NULL, or why one may be missing.
 */
const char *stuck_find_vforks(struct dump *d, struct stuck_task *all);
