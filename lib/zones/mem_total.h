/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that the page allocator manages: MemTotal of /proc/meminfo. */
#ifndef MEMOWNER_ZONES_MEM_TOTAL_H
#define MEMOWNER_ZONES_MEM_TOTAL_H

#include "dump/dump.h"

enum status mem_total_read(struct dump *d, uint64_t *pages);

#endif
