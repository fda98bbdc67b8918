/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that map a file: the interval tree of its address_space has a VMA of each mapping,
 * at vm_area_struct.shared.rb (mm/interval_tree.c).
 */
#pragma once

#include "files/cached_file.h"
#include "files/open_files.h"
#include "kernel/rb_tree.h"

enum file_map_field { MAP_NODE, MAP_MM, MAP_FLAGS, MAP_FILE, FILE_MAP_FIELDS };

struct file_maps {
	struct dump *dump;
	struct field f[FILE_MAP_FIELDS];
	struct rb_types rb;
	/* Set behind file_maps_open(). */
	uint64_t flags; /* that a mapping must have, as VMA_LOCKED */
	uint64_t file;	/* the struct file that it must be of; 0: any */
};

/* ret is for file_maps_all() with the status, whatever that is. */
enum status file_maps_open(struct dump *d, struct file_maps *ret);

/*
 * Processes that map a file; mm_structs that no task has are not among them, as those of kernel
 * threads that use one.  ST_CORRUPT: no tree; ST_UNREADABLE: a VMA is not in this dump; ST_STOPPED.
 */
enum status file_maps_users(const struct file_maps *m, const struct mapping *mapping,
			    const struct open_files *o, struct file_users *ret);

/* Who uses a file. */
struct file_all_users {
	struct file_users opened, mapped;
	struct file_users both;		    /* those that map it or have it open */
	bool opened_complete, all_complete; /* no process is missing in opened; in any */
};

/*
 * status: of file_maps_open(), what is not ST_OK makes mapped incomplete.  ST_STOPPED; any
 * other status: of the tree of VMAs, and the result is filled nevertheless.
 */
enum status file_maps_all(const struct file_maps *m, enum status status,
			  const struct cached_file *file, const struct open_files *o,
			  struct file_all_users *ret);

/* The same of a mapping, where the caller knows who has it open; NULL: no process of those that were found. */
enum status file_maps_with(const struct file_maps *m, enum status status,
			   const struct mapping *mapping, const struct file_users *opened,
			   const struct open_files *o, struct file_all_users *ret);
