/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file with debug information, a vmlinux or a module's object: whether it is of
 * what ran, by its build-id, and how its addresses relate to those of the dump.
 */
#pragma once

#include "kernel/dump_info.h"
#include "modules/module_sections.h"
#include "symbols/dwarf_lines.h"

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

/* Files with debug information below a folder, found by their names. */

struct debug_path {
	struct debug_path *next; /* in the order found */
	const char *path;
	const char *module; /* name of the module, with '_'; NULL: a vmlinux */
};

struct debug_paths {
	struct dump *dump;
	struct debug_path *first, **last;
	unsigned int n;
	unsigned int entries; /* of folders, looked at so far */
	bool cut;	      /* a limit was reached: there may be more */
};

void debug_paths_init(struct debug_paths *p, struct dump *d);

/*
 * Adds what lies below: vmlinux, vmlinux-*, vmlinux.debug, NAME.ko and NAME.ko.debug.
 * Symbolic links to folders are not followed.  A folder that cannot be read adds nothing.
 */
enum status debug_paths_walk(struct debug_paths *p, const char *dir);

/*
 * ROOT/.build-id/xx/yyyy.debug, where packages of debug information have a link for each build-id.
 * NULL: it does not fit into buf.
 */
const char *debug_build_id_path(const char *root, const struct buildid *id, char *buf, size_t size);

/* Whether two names of a module are the same: '-' and '_' are. */
bool debug_module_same(const char *a, const char *b);
