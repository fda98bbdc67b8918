/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that the page allocator manages: MemTotal of /proc/meminfo. */
#pragma once

#include "dump/dump.h"

enum status mem_total_read(struct dump *d, uint64_t *pages);
