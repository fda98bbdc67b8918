/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffers that devices share, DMA-BUF (drivers/dma-buf/dma-buf.c): who exported each, and which devices
 * are attached to it.
 */
#pragma once

#include "dump/structure.h"
#include "util/text_list.h"

#define DMA_BUF_NAME 64

struct dma_bufs {
	struct dump *dump;
	struct structure buf, file, inode, attachment, device;
	struct field node, attachment_node; /* list_heads of dma_buf and dma_buf_attachment */
	uint64_t list;		    /* head of the kernel's list of buffers; 0: it keeps none */
	struct text_lists *devices; /* attached to buffers */
	uint64_t ops; /* address of dma_buf_fops, the f_op of their files; 0: unknown */
};

struct dma_buf {
	uint64_t address, file;
	uint64_t bytes; /* as the exporter says; need not be RAM */
	/* Addresses of inode and address_space of the file, i_ino; up to 5.2 those of all anonymous files. */
	uint64_t inode, mapping, number;
	bool has_references;
	uint64_t references;	     /* to its file */
	char exporter[DMA_BUF_NAME]; /* "": not in this dump */
	bool has_name;		     /* false: not in this dump */
	char name[DMA_BUF_NAME];     /* "": none was given */
	bool has_devices;	     /* false: some attachments are not in this dump */
	uint64_t ndevices;
	const struct text_list *devices; /* those that were found */
};

/* ST_ABSENT: built without CONFIG_DMA_SHARED_BUFFER; ST_UNKNOWN: a layout that this build does not know. */
enum status dma_bufs_open(struct dump *d, struct dma_bufs *ret);

/* ST_CORRUPT: its file is of something else. */
enum status dma_buf_read(const struct dma_bufs *b, uint64_t address, struct dma_buf *ret);

/* The buffer that a struct file with dma_bufs.ops is of. */
enum status dma_buf_of_file(const struct dma_bufs *b, uint64_t file, uint64_t *ret);

/*
 * Calls visit for each buffer of the kernel's list.  ST_ABSENT: it keeps none; ST_UNREADABLE, ST_CORRUPT:
 * some buffers are missing, the others were visited.
 */
enum status dma_bufs_walk(const struct dma_bufs *b,
			  enum status (*visit)(void *arg, const struct dma_buf *buf), void *arg);
