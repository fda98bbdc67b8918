/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MemAvailable as a test sets it, in pages, in place of that of the dump. */
#pragma once

#include "zones/zones.h"

static uint64_t available;

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	(void)d;
	*ret = (struct mem_available){ .pages = available };
	return ST_OK;
}
