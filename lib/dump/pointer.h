/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in memory that is what the kernel has a pointer to. */
#pragma once

#include "dump/dump.h"

/*
 * what: as a message has it, "the buffer of a packet".  ST_CORRUPT with a message: it is not mapped; ST_UNREADABLE
 * with one: a page table of it is not in this dump, so that whether it is mapped is unknown.
 */
enum status dump_pointer_phys(struct dump *d, uint64_t addr, const char *what, uint64_t *ret);
