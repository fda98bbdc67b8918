/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file with debug information, a vmlinux or a module's object: whether it is of
 * what ran, by its build-id, and how its addresses relate to those of the dump.
 */
#pragma once

#include "kernel/build_id.h"
#include "symbols/dwarf_lines.h"
#include "modules/module_sections.h"

/* What the dump says of the image. */
struct debug_image {
	struct buildid id;
	uint64_t notes;			 /* of the kernel: address of its notes */
	struct module_sections sections; /* of a module; none: the kernel */
};

/* Of the loaded module whose struct module is there.  ST_ABSENT: it was linked without a build-id. */
enum status debug_image_of_module(struct dump *d, uint64_t module, struct debug_image *ret);

struct debug_file {
	struct dwarf_lines lines;
	uint64_t slide; /* an address of the dump less that of the file */
};

/*
 * The file is open until the arena is reset.  ST_UNREADABLE: it cannot be opened;
 * ST_CORRUPT: it is no file of that kind; ST_UNKNOWN: it is of another build;
 * ST_ABSENT: it is the right one, without debug information.  root as for
 * dwarf_lines_open().
 */
enum status debug_file_open(struct dump *d, const char *path, const struct debug_image *image,
			    const char *root, struct debug_file *ret);
