/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that sleep until kswapd of a node has freed pages, where it does not get on itself. */
#pragma once

#include "collect/stuck.h"

/* Sets the holder of such threads; tasks: of struct stuck_task * by task_struct. NULL, or why one may be missing. */
const char *stuck_find_kswapd(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks);
