/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that map a file: the interval tree of its address_space has a VMA of each mapping,
 * at vm_area_struct.shared.rb (mm/interval_tree.c).
 */
#ifndef MEMOWNER_MM_FILE_MAPS_H
#define MEMOWNER_MM_FILE_MAPS_H

#include "kernel/inode.h"
#include "kernel/open_files.h"

enum file_map_field { MAP_NODE, MAP_MM, MAP_LEFT, MAP_RIGHT, FILE_MAP_FIELDS };

struct file_maps {
	struct dump *dump;
	struct field f[FILE_MAP_FIELDS];
};

enum status file_maps_open(struct dump *d, struct file_maps *ret);

/*
 * Processes that map a file; mm_structs that no task has are not among them, as those of kernel
 * threads that use one.  ST_CORRUPT: the tree loops; ST_UNREADABLE: a VMA is not in this dump;
 * ST_STOPPED.
 */
enum status file_maps_users(const struct file_maps *m, const struct mapping *mapping,
			    const struct open_files *o, struct file_users *ret);

#endif
