/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files by the memory that they have: a row for each, and a row for each group. */
#pragma once

#include "pageowner/class_counters.h"
#include "classes/file_pages.h"
#include "files/inode.h"
#include "files/sysv_shm.h"
#include "pageowner/view.h"
#include "vm/file_maps.h"

/* A file. */
struct file_row {
	struct file_row *next;
	struct file_use use;
	enum file_class class;
	uint64_t address;	  /* of the address_space; 0: its pages were truncated */
	struct cached_file *file; /* NULL: they were, or the inode is unknown */
	const struct inode *inode;
	/* false: the kernel counts pages of the file, and this dump has the struct page of none. */
	bool has_pages;
	bool has_mapped, has_counted, has_difference;
	int64_t difference;
	struct maybe_u64 swapped, total;		      /* pages */
	bool was_named, was_used;			      /* looked up: its path; its users: */
	const struct text_list *opened_by, *mapped_by, *both; /* NULL: unknown */
	bool is_sure;					      /* no user of it is missing */
	struct maybe_u64 sole; /* tgid of the only process that uses it */
	const int32_t
		*tgids; /* all processes that use it; NULL: none, not known, or a device too */
	size_t ntgids;
	const struct text_list *process; /* that alone uses it, or how many do; NULL: unknown */
};

struct files_view {
	struct owner_view *v;
	struct file_row *first, **last; /* all files */
	struct scan_stats cov;
	struct file_pages pages;
	struct class_pages found;
	struct cached_files files;
	struct open_files open; /* of the files that are shown */
	struct file_maps maps;
	bool has_users;		    /* they were read */
	const char *users_problem;  /* NULL, or why users of files may be missing */
	const char *swap_problem;   /* NULL, or why files in swap may be missing */
	uint64_t unknown, nunknown; /* pages of no known inode, and address_spaces of these */
	uint64_t nshort;	    /* of these, those that the kernel counts more pages of */
	uint64_t ndiffer;	    /* files that the kernel counts other pages of */
	uint64_t nnameless;	    /* of those looked up: the path could not be read */
	uint64_t nmountless;	    /* the same: where its file system is mounted */
	bool has_shms;		    /* read for the columns of segments */
	struct sysv_shms shms;
	struct task_index tasks; /* who made them */
	struct maybe_u64 end_s;	 /* of the machine, seconds since 1970 */
	struct births births;
};

/* Columns of one file, which have the keys. */
#define FILE_COLUMNS 38
extern const struct view_column file_columns[FILE_COLUMNS];
enum file_key_index {
	FILE_BY_PROCESS = 3,
	FILE_BY_USERS,
	FILE_BY_MEMCG,
	FILE_BY_MOST,
	FILE_KEYS = 12
};
extern const struct key file_keys[FILE_KEYS];
extern const char *const file_class_choices[];

/* Cells of the segment of a file. (file_segments.c) */
struct cell files_shm_id_cell(const void *record, void *view);
struct cell files_attaches_cell(const void *record, void *view);
struct cell files_created_cell(const void *record, void *view);

/* Whether -g or a filter names a key. */
static inline bool files_use_key(const struct cmdline *in, size_t key)
{
	return cmdline_groups_by(in, key) || cmdline_filters_by(in, key);
}

/* Users of files, for which the tables of all processes are read. */
static inline bool files_need_users(const struct cmdline *in)
{
	static const enum column_id of_users[] = { COLUMN_used_by, COLUMN_process, COLUMN_opened_by,
						   COLUMN_mapped_by };

	if (files_use_key(in, FILE_BY_PROCESS) || files_use_key(in, FILE_BY_USERS))
		return true;
	return in->ngroups && ANY_OF(i, ARRAY_SIZE(of_users),
				     table_needs(&in->table, of_users[i]) ||
					     cmdline_filters_column(in, of_users[i]));
}

/* Hooks of the view. */
enum status files_open(void *arg, enum availability *why);
enum status files_show(void *arg);

/* The files without the view: with classes of pages.  ST_STOPPED with what was found. */
enum status files_prepare(struct owner_view *v, struct files_view *f);
enum status files_collect(struct files_view *f);

/* What becomes of the pages of a file when a process is gone, behind files_read_users(). */
enum file_kept {
	FILE_KEPT_BY_OTHERS,  /* they stay: it has a name, or several processes use it */
	FILE_KEPT_BY_ONE,     /* they are free: tgid */
	FILE_KEPT_BY_SEVERAL, /* they are free when all that use it are: file_row.tgids */
	FILE_KEPT_UNKNOWN,
};
enum file_kept files_keeper(struct files_view *f, const struct file_row *r, int32_t *tgid);

/* Reads who has any of the files open. */
void files_read_users(struct files_view *f);

/* Behind the rows: that segments of System V are among what is asked for as deleted. (file_segments.c) */
void files_tell_segments(struct files_view *f);
/* In text: the unit of what stands beside sizes. */
void files_put_units(const struct files_view *f);
/* Of -f memcg: files that others are charged for too, of which the cgroup has most. */
void files_tell_shared(struct files_view *f);
