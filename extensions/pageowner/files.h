/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of "pageowner -t files" share: the rows and where their cells come from. */
#ifndef MEMOWNER_PAGEOWNER_FILES_H
#define MEMOWNER_PAGEOWNER_FILES_H

#include "class_counters.h"
#include "files/cached_file.h"
#include "files/open_files.h"
#include "vm/file_maps.h"
#include "classes/file_pages.h"
#include "view.h"

enum {
	COL_PAGES,
	COL_BYTES,
	COL_RAM,
	COL_SWAPPED,
	COL_TOTAL,
	COL_CLASS,
	COL_FS,
	COL_KIND,
	COL_DELETED,
	COL_DEVICE,
	COL_INODE,
	COL_FILE_BYTES,
	COL_NLINK,
	COL_DIRTY,
	COL_WRITEBACK,
	COL_MLOCKED,
	COL_MAPPED,
	COL_COUNTED,
	COL_DIFF,
	COL_INODE_ADDRESS,
	COL_ADDRESS,
	COL_OPENED_BY,
	COL_MAPPED_BY,
	COL_USED_BY,
	COL_FILE,
	FILE_COLUMNS
};

struct files_view {
	struct owner_view *v;
	struct scan_stats cov;
	struct file_pages pages;
	struct class_pages found;
	struct cached_files files;
	struct open_files open; /* of the files that are shown */
	struct file_maps maps;
	const char *users_problem;  /* NULL, or why users of files may be missing */
	const char *swap_problem;   /* NULL, or why files in swap may be missing */
	uint64_t unknown, nunknown; /* pages of no known inode, and address_spaces of these */
	uint64_t ndiffer;	    /* files that the kernel counts other pages of */
	uint64_t nnameless;	    /* of the rows that are shown: the path could not be read */
};

/* Cells that need no path and no list of processes.  file NULL: pages truncated from their file. */
void file_row_numbers(struct files_view *f, uint64_t key, const struct file_use *u,
		      struct cached_file *file, struct cell *row);

/* Path, kind and whether it is deleted; *row has the numbers. */
void file_row_names(struct files_view *f, struct cell *row);

/* Reads who uses the files of the first rows of the table, and fills their cells. */
enum status file_rows_users(struct files_view *f, size_t rows);

#endif
