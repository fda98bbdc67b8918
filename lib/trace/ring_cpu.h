/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sub-buffers of one CPU of a ring buffer, in the order in which they were written. */
#pragma once

#include "dump/structure.h"

/*
 * A ftrace ring buffer (kernel/trace/ring_buffer.c): per CPU a ring of sub-buffers and, outside
 * of the ring, the reader page.
 *
 * What is to be read, oldest first: the reader page from buffer_page.read on, then the ring from
 * its head to the commit page. The head is the page that its predecessor's link points to with
 * bit 0 set (bit 1: the writer was moving it); head_page may be behind. Each CPU is apart: what
 * is damaged in one spoils no other.
 */

struct ring_layout {
	struct field buffers, record_disabled, order; /* of struct trace_buffer */
	struct layout_buffer buffer;		      /* what is read of it */
	struct structure cpu, page;		      /* ring_buffer_per_cpu, buffer_page */
	struct field back;			      /* of a CPU to its buffer */
	struct field stamp, commit, start;	      /* of struct buffer_data_page */
};

/* A struct buffer_page; the low bits of next mark the page that it leads to. */
struct buffer_page {
	uint64_t next, prev, write, read, data;
};

/* ST_UNKNOWN: a layout that is not known. */
enum status ring_layout_open(struct dump *d, struct ring_layout *ret);

struct ring_buffer {
	struct dump *dump;
	const struct ring_layout *layout;
	uint32_t subbuf;    /* bytes of a sub-buffer, header and all */
	unsigned int ncpus; /* entries of the table of CPUs: nr_cpu_ids */
	uint64_t cpus;	    /* the table */
	bool off;	    /* tracing_on is 0: RB_BUFFER_OFF of record_disabled */
	uint32_t disabled;  /* record_disabled without that bit */
};

/* address is of struct trace_buffer (struct ring_buffer before 5.6). */
enum status ring_buffer_open(struct dump *d, const struct ring_layout *layout, uint64_t address,
			     struct ring_buffer *ret);

/* What is not in order in the list of sub-buffers; a bit each. */
enum ring_damage {
	RING_BROKEN = 1, /* it ends early, or does not close after nr_pages */
	RING_DISAGREES =
		2,	  /* links back differ from those forth, as while a reader swaps its page */
	RING_NO_HEAD = 4, /* no link is marked: the page behind the commit page is taken */
	RING_NO_COMMIT = 8, /* the commit page is not in it */
	RING_HOLE = 16,	    /* a struct buffer_page is not in this dump: the list is incomplete */
};

struct ring_place {
	uint64_t page;	  /* struct buffer_page */
	bool past_commit; /* behind the commit page: no record on it was finished */
};

struct ring_cpu {
	const struct ring_buffer *buffer;
	unsigned int cpu;
	uint64_t address;
	uint64_t nr_pages;	   /* of the ring, by the kernel; the reader page is one more */
	struct ring_place *places; /* the reader page first */
	size_t nplaces;
	size_t found;	/* pages of the ring that were found */
	uint64_t *ring; /* those: struct buffer_page, in no order of time */
	uint64_t spare; /* a sub-buffer that is kept for a reader of whole ones; 0: none */
	uint64_t pages, head, tail, commit, reader; /* struct buffer_page: one of the ring, ... */
	unsigned int damage;			    /* enum ring_damage */
	bool off;				    /* record_disabled of this CPU */
	/* Events since the buffer was made or cleared, by the kernel's counters. */
	uint64_t entries;	 /* committed */
	uint64_t overrun;	 /* overwritten by later ones */
	uint64_t commit_overrun; /* not recorded: the writer met its own commit page */
	uint64_t dropped;	 /* not recorded: the buffer was full, without overwriting */
	uint64_t read;		 /* taken by a reader */
};

/*
 * Whether the list may show sub-buffers that were overwritten, or in another order, for another reason
 * than that a part of it is not in this dump.
 */
static inline bool ring_cpu_is_damaged(const struct ring_cpu *c)
{
	return c->damage & RING_BROKEN ||
	       (c->damage & (RING_NO_HEAD | RING_NO_COMMIT) && !(c->damage & RING_HOLE));
}

/*
 * ST_ABSENT: this CPU never had a buffer. Damage of the list is no failure: what could be reached
 * is there.
 */
enum status ring_cpu_open(const struct ring_buffer *b, unsigned int cpu, struct ring_cpu *ret);

/* Events that the kernel counts as recorded and neither overwritten nor read. */
static inline uint64_t ring_cpu_expected(const struct ring_cpu *c)
{
	uint64_t gone = c->overrun + c->read;

	return c->entries > gone ? c->entries - gone : 0;
}
