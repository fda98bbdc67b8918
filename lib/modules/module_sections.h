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

/*
 * Variables and types of what a kernel has in vmlinux or as a module: debug information of a module is
 * there if the reader of the dump has loaded its object file.
 */

/*
 * Address of a variable, by vmlinux, by the object file, or by the kernel's own symbols of the module.
 * ST_ABSENT: it is not in vmlinux, and the module is not loaded.  ST_UNKNOWN: it is loaded, and has no
 * symbol of that name; any other: the list of modules cannot be read.
 */
enum status module_object_symbol(struct dump *d, const char *module, const char *name,
				 uint64_t *ret);

/* Whether a type ("struct zram") is known; ST_UNKNOWN: what to load. */
enum status module_object_type(struct dump *d, const char *module, const char *type);
