/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own list of what memory.stat tells: memory_stats[] of mm/memcontrol.c, since 5.9. */
#pragma once

#include "dump/dump.h"

/* Whether the list has that name; false where the list is not known. */
bool memcg_lines_have(struct dump *d, const char *name);
