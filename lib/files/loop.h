/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loop devices (drivers/block/loop.c, 3.1 and later: loop_index_idr): each has a file open that no process need have.
 * Of struct loop_device, whose types the dump may lack, the words of its beginning are told: one of them is the
 * address of that struct file, which its inode makes certain.
 */
#pragma once

#include "dump/dump.h"

#define LOOP_WORDS 32u /* lo_backing_file is the 14th to 16th */

/* ST_ABSENT: built without, or the module is not loaded. */
enum status loop_walk(struct dump *d,
		      enum status (*visit)(void *arg, uint64_t index, const uint64_t *words,
					   unsigned int n),
		      void *arg);
