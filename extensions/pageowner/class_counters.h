/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own counter for each class of pages, and where a difference comes from. */
#pragma once

#include "classes/page_class.h"
#include "pages/page_mapcount.h"
#include "zones/system_ram.h"

struct owner_view;

/* Anonymous pages that no page table maps: AnonPages does not count them (NR_ANON_MAPPED). */
struct unmapped_pages {
	uint64_t swap_cache;
	/* Without an anon_vma: written by tmpfs, or read ahead and not yet anybody's. */
	uint64_t swap_alone;
	uint64_t
		last_reference; /* the others with a reference count of 1: a list that frees them, or a user, has it */
	uint64_t referenced;
	uint64_t partly; /* of compound pages with others that are mapped */
};

/* A compound page of anonymous memory, of which the pages up to now are these. */
struct anon_compound {
	uint64_t head; /* pfn */
	uint64_t flags;
	uint64_t mapped, unmapped;
	enum page_type state;
	int32_t refcount;
};

/* What was found in System RAM. */
struct class_pages {
	uint64_t pages[PAGE_CLASSES];
	struct unmapped_pages anon;
	struct anon_compound compound;	  /* that the last page belongs to; not yet in anon */
	struct page_mapcounts *mapcounts; /* NULL: not yet needed, or unknown */
	bool asked_mapcounts;
	/* Of CLASS_FILE and CLASS_SHMEM, without a file: Cached does not count them. */
	uint64_t truncated[PAGE_CLASSES];
	/* Of CLASS_OFFLINE, in memory that a driver added: it plugged its block, and not these. */
	uint64_t unplugged;
	uint64_t unreadable; /* without a struct page in this dump: of any class */
};

/* In rising order of pfns. */
void class_add_page(struct owner_view *v, struct class_pages *c, enum page_class class,
		    uint64_t pfn, const struct page_info *info);

/* Whether a share of RAM is told of it: of what is not online, or has crashkernel= within, none is. */
static inline bool class_has_share(enum page_class class, const struct ram *ram)
{
	return class != CLASS_REMOVED && (class != CLASS_RESERVED || !ram->capture);
}

/* As /proc/meminfo has it, of several "A + B - C"; NULL: the class has none. */
const char *class_counter(enum page_class class);

/* Bytes of a class of which the kernel has a part in reserve that are in use; false: it has none, or that is unknown. */
bool class_used_bytes(struct dump *d, enum page_class class, uint64_t *ret);

struct class_count {
	const char *counter; /* as /proc/meminfo has it; NULL: there is none */
	bool known;
	int64_t pages;
	/* NULL: no difference, or pages of no known class, which may be the difference */
	const char *cause;
};

/*
 * A cause has the known parts of the difference, and what is left as "unknown"; parts that exceed the
 * difference leave a negative number.  v->counters may be NULL.
 */
void class_count(const struct owner_view *v, const struct class_pages *found, enum page_class class,
		 struct class_count *ret);

/*
 * Pages of large kmalloc where it has no page type of its own, which are direct: Slab counts them, and they are of
 * no slab.  false: there are none, it has a type, or this is not known.
 */
bool class_large_kmalloc(const struct owner_view *v, const struct class_pages *found,
			 uint64_t *ret);
/* Why this is not known; NULL: it is. */
const char *class_large_kmalloc_problem(const struct owner_view *v,
					const struct class_pages *found);

/* A row of what was found beside what the kernel counts. */
struct class_total {
	const char *name;
	bool has_pages, has_difference;
	uint64_t pages;
	int64_t difference;
	struct class_count count; /* its cause is NULL without a difference */
};

/* Of a class, or a part of it that has a counter; has_pages: the number found is that of all. */
struct class_total class_total(const struct owner_view *v, const struct class_pages *found,
			       enum page_class class, const char *name, bool has_pages);
struct class_total class_part(const char *name, uint64_t pages, bool has_pages,
			      struct class_count count);

/* Columns of a table of them, for struct view_column[]. */
#define CLASS_TOTAL struct class_total
#define CLASS_TOTAL_COLUMNS                                                        \
	{ COLUMN_name, IN_BOTH | KNOWN, TEXT_OF(CLASS_TOTAL, name) },              \
		{ COLUMN_pages, IN_BOTH, UINT_IF(CLASS_TOTAL, pages, has_pages) }, \
		{ COLUMN_counted_pages, IN_BOTH | SIGNED,                          \
		  INT_IF(CLASS_TOTAL, count.pages, count.known) },                 \
		{ COLUMN_difference_pages, IN_BOTH,                                \
		  INT_IF(CLASS_TOTAL, difference, has_difference) },               \
		{ COLUMN_counter, IN_JSON, TEXT_OF(CLASS_TOTAL, count.counter) },  \
		{ COLUMN_cause, IN_BOTH, TEXT_OF(CLASS_TOTAL, count.cause) }, BASIS(derived),
