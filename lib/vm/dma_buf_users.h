/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All buffers of DMA-BUF that can be found, and the processes that have their file open or map it: from the
 * kernel's list, or, where it keeps none, from the tables of file descriptors.
 */
#pragma once

#include "files/dma_buf.h"
#include "vm/file_maps.h"

struct found_buf {
	struct found_buf *next;
	struct dma_buf buf;
};

struct dma_buf_users {
	struct dump *dump;
	struct dma_bufs bufs;
	struct found_buf *first, **last;
	uint64_t n, bytes;
	bool is_partial;     /* the list is not all in this dump */
	const char *problem; /* why, or NULL */
	bool by_files;	     /* there is no list: what no process has open is missing */
	/* Of the processes. */
	struct cached_files files;
	struct open_files open;
	struct hash_u64 opened; /* of struct file_users by address of struct file */
	struct file_maps maps;
	bool has_users;		   /* false: their layouts are not known */
	const char *users_problem; /* NULL, or why some may be missing */
};

/*
 * *ret must stay where it is.  As dma_bufs_open(); what is missing is told in problem.  Processes are
 * looked for if the buffers of the list have at least that size together.
 */
enum status dma_buf_users_read(struct dump *d, uint64_t bytes, struct dma_buf_users *ret);

/* false: nothing is known.  ST_STOPPED in *st, else ST_OK. */
bool dma_buf_users_of(struct dma_buf_users *u, const struct dma_buf *buf,
		      struct file_all_users *ret, enum status *st);

/* false: a buffer, or a process of those that dma_buf_users_of() told, may be missing. */
static inline bool dma_buf_users_complete(const struct dma_buf_users *u)
{
	return !u->by_files && !u->is_partial && !u->users_problem;
}
