/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ftrace ring buffer (kernel/trace/ring_buffer.c): per CPU a ring of sub-buffers and, outside
 * of the ring, the reader page.
 *
 * What is to be read, oldest first: the reader page from buffer_page.read on, then the ring from
 * its head to the commit page. The head is the page that its predecessor's link points to with
 * bit 0 set (bit 1: the writer was moving it); head_page may be behind. Each CPU is apart: what
 * is damaged in one spoils no other.
 */
#pragma once

#include "dump/structure.h"

struct ring_layout {
	struct field buffers, record_disabled, order; /* of struct trace_buffer */
	struct layout_buffer buffer;		      /* what is read of it */
	struct structure cpu, page;		      /* ring_buffer_per_cpu, buffer_page */
	struct field back;			      /* of a CPU to its buffer */
	struct field stamp, commit, start;	      /* of struct buffer_data_page */
};

/* A struct buffer_page; the low bits of next mark the page that it leads to. */
struct buffer_page {
	uint64_t next, prev, write, read, entries, data;
};

/* ST_UNKNOWN: a layout that is not known. */
enum status ring_layout_open(struct dump *d, struct ring_layout *ret);

struct ring_buffer {
	struct dump *dump;
	const struct ring_layout *layout;
	uint64_t address;
	uint32_t subbuf;    /* bytes of a sub-buffer, header and all */
	unsigned int ncpus; /* entries of the table of CPUs: nr_cpu_ids */
	uint64_t cpus;	    /* the table */
	bool off;	    /* tracing_on is 0: RB_BUFFER_OFF of record_disabled */
	uint32_t disabled;  /* record_disabled without that bit */
};

/* address is of struct trace_buffer (struct ring_buffer before 5.6). */
enum status ring_buffer_open(struct dump *d, const struct ring_layout *layout, uint64_t address,
			     struct ring_buffer *ret);
