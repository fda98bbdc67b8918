/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of struct list_head, from both ends where a part is not in this dump. */
#pragma once

#include "dump/dump.h"

/*
 * As list_walk(); where that meets a defect, the list_heads at the other end of the list are visited from
 * there, each once, and ST_UNREADABLE or ST_CORRUPT says that an unknown number of them was not visited.
 * ST_CORRUPT also: more than max.
 */
enum status list_walk_ends(struct dump *d, uint64_t head, uint64_t max, const char *what,
			   enum status (*visit)(void *arg, uint64_t node), void *arg);
