/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has pages of class direct by lists or counters of the kernel: buffers of ftrace and of perf, rings of
 * packet sockets, pipes, io_uring, packets in queues of sockets, DMA pools, buffers of XFS and ZFS, RAM disks, what is
 * mapped by vmap(); what TTM and z3fold count, items of /proc/vmstat.  What they list may be of other classes, such as a ring in an area of vmalloc: each page is
 * asked for its class, and is of the first that lists it.
 */
#pragma once

#include "classes/page_class.h"
#include "collect/session.h"
#include "page_owner/page_owner.h"
#include "util/maybe.h"
#include "util/text_list.h"

enum counted_kind {
	COUNTED_FTRACE,
	COUNTED_PERF,
	COUNTED_PACKET,
	COUNTED_BPF, /* ring buffers */
	COUNTED_DMA_POOL,
	COUNTED_PIPE,
	COUNTED_IO_URING,
	COUNTED_SOCKET,
	COUNTED_XFS,
	COUNTED_ZFS,
	COUNTED_BRD,   /* RAM disks */
	COUNTED_VMAP,  /* mapped by vmap() */
	COUNTED_TTM,   /* buffers of display drivers */
	COUNTED_KVM,   /* page tables, of kernels without an item for them */
	COUNTED_ZSWAP, /* pools of z3fold, which lists no page but those that have room */
	COUNTED_VMSTAT,
	COUNTED_SLAB, /* of large kmalloc, without a page type of its own: who has a class of each page adds it */
	COUNTED_KINDS
};

extern const char *const counted_kind_names[]; /* NULL behind the last */

struct counted_row {
	enum counted_kind kind;
	const char *name;	  /* NULL: it has none, or it is unknown */
	const char *counter;	  /* NULL: the kernel has none */
	uint64_t address, sock;	  /* of its structure, its struct sock; 0: of several, none */
	uint64_t holders;	  /* structures that the row sums up */
	bool is_listed;		  /* false: its pages are counted, and in no list */
	bool has_pages;		  /* the class of each of them is known: the next two are true */
	uint64_t pages;		  /* of class direct */
	uint64_t other_pages;	  /* of other classes */
	struct maybe_u64 counted; /* pages */
	struct maybe_u64 size;	  /* pages, or counted where no list has them */
	bool has_difference;
	int64_t difference;		 /* all pages that it lists - counted */
	const struct text_list *used_by; /* NULL: unknown */
	const char *release;		 /* as in struct memory_holder */
};

struct counted {
	struct counted_row *all;
	size_t n;
	uint64_t pages, only_counted; /* of all rows: listed; counted, and in no list */
	const char *problem;	      /* the first reason why some may be missing; NULL: none */
	struct gaps gaps;
	bool has_classes;  /* of all pages that are listed */
	bool has_counters; /* only_counted is true */
	bool is_partial;   /* interrupted */
};

struct counted_from {
	const struct session *session; /* its types are known */
	struct page_classes *classes;
	struct page_owner *owner; /* NULL: it has no records */
	struct text_lists *lists; /* of users */
};

enum status counted_collect(const struct counted_from *from, struct counted *ret);

/* The row of pages that are counted and in no list. */
void counted_add(struct dump *d, struct counted *c, enum counted_kind kind, const char *name,
		 const char *counter, uint64_t pages);
