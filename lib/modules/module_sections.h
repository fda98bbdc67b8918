/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the sections of a loaded module are: what /sys/module/NAME/sections shows
 * (struct module_sect_attrs, kernel/module/sysfs.c).
 */
#pragma once

#include "dump/dump.h"

struct module_section {
	const char *name;
	uint64_t address;
};

struct module_sections {
	struct module_section *sections;
	unsigned int n;
};

/* Of the struct module at that address. ST_ABSENT: this kernel keeps none. */
enum status module_sections_read(struct dump *d, uint64_t module, struct module_sections *ret);

/* False: it has no section of that name. */
bool module_section_find(const struct module_sections *s, const char *name, uint64_t *ret);
