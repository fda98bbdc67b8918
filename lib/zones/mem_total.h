/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MemTotal of /proc/meminfo, in pages, beside what zones manage: ST_CORRUPT where they differ, and dump_why() has both.
 * Of zones that cannot be read it is as mem_total_read() has it.
 */
#pragma once

#include <stdint.h>

#include "dump/dump.h"

enum status mem_total_sure(struct dump *d, uint64_t *pages);
