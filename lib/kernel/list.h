/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of struct list_head (include/linux/list.h). */
#pragma once

#include "dump/dump.h"

/*
 * Calls visit with the address of each list_head behind the one at head, in the order of the list;
 * a status of visit but ST_OK ends the walk and is returned.  what names the list in messages.
 * ST_CORRUPT: a link back does not lead to the list_head before, so no list is followed in a
 * circle; ST_UNREADABLE; ST_STOPPED.  Those in front of the defect were visited.
 */
enum status list_walk(struct dump *d, uint64_t head, const char *what,
		      enum status (*visit)(void *arg, uint64_t node), void *arg);
