/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MemAvailable of /proc/meminfo, and what it is made of, in pages: si_mem_available() in mm/show_mem.c. */
#pragma once

#include "dump/dump.h"

struct mem_available {
	uint64_t free,
		reserve; /* of zones; totalreserve_pages, which no request of a user may have */
	uint64_t file,
		reclaimable; /* without the part that stays: half of it, at most the low watermarks */
	uint64_t pages;	     /* all of it */
};

enum status mem_available_read(struct dump *d, struct mem_available *ret);
