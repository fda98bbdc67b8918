/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel that kexec -l has loaded for the next boot, in pages that are marked as reserved. */
#pragma once

#include "dump/dump.h"

/*
 * Pages of its segments, no more than max; 0: none is loaded.  ST_ABSENT: this kernel has no kexec.
 * What kexec -p has loaded is in the crash kernel's own memory.
 */
enum status kexec_image_pages(struct dump *d, uint64_t max, uint64_t *pages);
