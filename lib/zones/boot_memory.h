/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reserved memory that every machine has: the image of the kernel, a struct page for each page,
 * and what crashkernel= sets aside (kernel/crash_core.c, crashk_res and crashk_low_res).
 */
#pragma once

#include "dump/dump.h"

/* Pages of these, at ram pages of System RAM; a part that is unknown counts 0. */
uint64_t boot_memory_pages(struct dump *d, uint64_t ram);
