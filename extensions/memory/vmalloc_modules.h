/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Areas of vmalloc with memory of modules. */
#pragma once

#include "vm/vmalloc.h"
#include "symbols/symbolize.h"

struct module_areas {
	const struct modules *modules;
	uint64_t start, end; /* what memory of all modules of the list lies in */
	/* The same since boot, where a module of the list is missing; else both are 0. */
	uint64_t bounds_start, bounds_end;
};

void module_areas_open(struct dump *d, const struct symbolizer *s, struct module_areas *ret);

/* Several modules share an area of execmem_alloc() (6.10 and later). */
bool module_areas_have(const struct module_areas *m, const struct vm_area *area);
/* An area of vmalloc() may be memory of a module that is missing from the list. */
bool module_areas_may_have(const struct module_areas *m, const struct vm_area *area);
