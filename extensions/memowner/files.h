/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The largest files of page cache and shared memory, in the pass over the pages. */
#pragma once

#include "files/cached_file.h"
#include "files/open_files.h"
#include "classes/file_pages.h"
#include "summary.h"

struct summary_files {
	struct file_pages pages;
	struct cached_files files;
	struct first_problem problem; /* why files are not known */
	bool lacks_swapped;	      /* some of them in swap are not: what they have is more */
	struct hash_u64 supers;	      /* file systems in memory, of summary_mounts_find() */
};

/* *ret must stay where it is.  ST_STOPPED; any other is kept in problem. */
enum status summary_files_open(struct dump *d, struct page_types *types, struct summary_files *ret);

/* As file_pages_add(). */
static inline enum status summary_files_add(struct summary_files *f, uint64_t pfn,
					    const struct page_info *info, enum page_class class)
{
	return f->problem.status == ST_OK ? file_pages_add(&f->pages, pfn, info, class) : ST_OK;
}

/* After the last page: a row for each file that explains where memory is. */
enum status summary_files_put(struct summary *s, struct summary_files *f);

/*
 * Sums files up by file system, where these have their memory alone: mm/shmem.c, ramfs. named: gets the inodes that
 * their rows name.
 */
enum status summary_mounts_find(struct summary *s, struct summary_files *f, struct hash_u64 *named);

/* Finds whose files most of what waits to be written is of: s->throttled.writes. (overview/unwritten.c) */
void summary_find_unwritten(struct summary *s, struct summary_files *f);

/* ", mounted with size=512.0M", ", full: mounted with size=801.5M", of a tmpfs with a limit. */
struct super_space;
void summary_add_size(const struct super_space *space, struct strbuf *b);

/*
 * ", mounted with size=512.0M, above the limit of 112.0M that its cgroup has": how much the tmpfs of a file may grow; those of
 * the kernel itself have no path.
 */
void summary_add_size_limit(struct summary *s, const struct inode *inode, const char *path,
			    const char *charged, struct strbuf *b);

/* The name of the row of a file system; NULL: it has none. */
const char *summary_mounts_path(const struct summary_files *f, uint64_t super);

/* Whether the row of its file system has a file: none of these has most of it. */
bool summary_mounts_have(const struct summary_files *f, const struct cached_file *file);

/*
 * A row for each of them that has much; told: of inodes that have a row of their own; o: of those that are named, NULL:
 * unknown.
 */
void summary_mounts_put(struct summary *s, struct summary_files *f, const struct hash_u64 *told,
			const struct open_files *o);

/* A row of the segments of System V that no process has attached, if they have much; told gets their inodes. */
enum status summary_segments_put(struct summary *s, struct summary_files *f, struct hash_u64 *told);

/* Where its file system is mounted: "[tmpfs 0:37]", if that is unknown. */
enum status summary_mount_path(struct summary *s, struct summary_files *f,
			       const struct inode *inode, const char **ret);

/* Processes that use a file; NULL: unknown. alone, if not NULL: the only one that does; it is left as it is where none is. */
const struct text_list *summary_file_users(struct summary *s, const struct cached_file *file,
					   const struct open_files *o,
					   const struct file_user **alone);

/* The cgroup that most pages of a struct file_use are charged to; NULL: none, or it is unknown. */
const char *summary_file_charge(struct owner_view *v, const void *use);

/* A row for each process that alone keeps deleted files which have no row of their own. */
enum status summary_deleted_put(struct summary *s, struct summary_files *f,
				const struct hash_u64 *told);

/* The same of each that has files locked. */
enum status summary_locked_put(struct summary *s, struct summary_files *f);
