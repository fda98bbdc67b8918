/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pages with an owner are grouped and filtered by.
 *
 * The value of a key for a page is 64 bits: a number, the handle of a stack, or
 * the address of an interned text (intern()).  Equal numbers are
 * equal values; VALUE_UNKNOWN is none.
 */
#pragma once

#include "cli/cmdline.h"
#include "page_owner/page_owner.h"
#include "slab/slab_caches.h"

struct owner_view;
struct saved_pages;

enum owner_key {
	KEY_STACK,
	KEY_CALLER,
	KEY_MODULE,
	KEY_PID,
	KEY_TGID,
	KEY_COMM,
	KEY_ORDER,
	KEY_GFP,
	KEY_MIGRATETYPE,
	KEY_BLOCK_MIGRATETYPE,
	KEY_NODE,
	KEY_ZONE,
	KEY_MEMCG,
	KEY_CLASS,
	KEY_CACHE,
	KEY_FILE,
	KEY_MAPPER,
	KEY_HOLDER,
	KEY_AGE,
	KEY_OWNER,
	KEY_STATE,
	KEY_CALLEE, /* of the tree: its root */
	KEY_PFN,
	KEY_PHYS,
	KEY_TS,
	KEY_HANDLE,
	KEY_SIZE,
	OWNER_KEYS
};

#define VALUE_UNKNOWN UINT64_MAX

extern const struct key owner_keys[OWNER_KEYS];
/* The same at the same places; those that struct page does not tell are of no use. */
extern const struct key owner_page_keys[OWNER_KEYS];
/* Terms of the help texts, for "-g help". */
extern const struct term owner_terms[];
/* The values that the keys owner and state accept. */
extern const char *const owner_life_choices[], *const owner_state_choices[];

/* The keys of one page; of a free page those of its last free. */
struct page_facts {
	struct owner_view *v;
	const struct owner_page *page;
	uint32_t handle;
	uint64_t ts_ns;
	const struct saved_pages *saved; /* the record of a file; NULL: of the dump */
	/* One record of a saved scan stands for several pages. */
	uint64_t pages, allocs, ts_min, ts_max;
	bool has_record; /* record is filled */
	struct owner_record record;
	enum { INFO_UNTRIED, INFO_KNOWN, INFO_UNKNOWN } has_info;
	struct page_info info;
};

void page_facts_init(struct owner_view *v, const struct owner_page *page, struct page_facts *ret);
/* Its record. */
const struct owner_record *page_facts_record(struct page_facts *f);
/* What struct page has of it; NULL: unknown. */
const struct page_info *page_facts_info(struct page_facts *f);

/* Of KEY_CALLER; VALUE_UNKNOWN of NULL. */
uint64_t owner_caller_word(struct owner_view *v, const struct frame *caller);
struct stack_values;
/* Caller and module of a stack; VALUE_UNKNOWN both of NULL. */
void owner_stack_values(struct owner_view *v, const struct stack *stack, struct stack_values *ret);
/* The same of an allocation site, NULL: unknown. */
struct site;
void owner_site_values(struct owner_view *v, const struct site *site, struct stack_values *ret);

/* For grouping. */
uint64_t owner_value(struct page_facts *f, enum owner_key key);
/* For filtering: of a key with a range, the number that the range is compared with. */
uint64_t owner_measure(struct page_facts *f, enum owner_key key);
/* A value as a cell; not for KEY_STACK. */
struct cell owner_value_cell(struct owner_view *v, enum owner_key key, uint64_t word);
/* The same of one of n keys, by the values of all; null if it is none of them. */
struct cell owner_key_cell(struct owner_view *v, const size_t *keys, size_t n,
			   const uint64_t *words, enum owner_key key);

/* The cell of a key of what begins with struct page_facts. */
#define FACT(KEY) CELL_OF(owner_fact_cell, KEY)
struct cell owner_fact_cell(const void *facts, void *view, unsigned int key);

/* What keeps a page by pointers, and of WALK_WHOLE how sure that is; NULL: not asked for, or of no direct page. */
const char *owner_page_holder(struct page_facts *f, uint16_t *confidence);

/* Whether it is known of a page without a record of page_owner. */
bool owner_key_is_of_page(enum owner_key key);

/*
 * What rows of page_owner rest on: recorded; derived where a key that is shown, or chooses them, follows from
 * something else than its records.
 */
const char *owner_basis(struct owner_view *v);
#define BASIS_OF_RECORDS \
	"derived where class, file, cgroup or another key that its record does not have is shown or asked for"

/* ST_USAGE with the message: this kernel does not record it, or it is not in the file of -R. */
enum status owner_key_check(struct owner_view *v, enum owner_key key);

/* Names of slab caches that the kernel merged into others, for filters and for the table of caches. */

/* key.other_names of a key whose values are names of caches. */
void cache_other_names(struct dump *d, struct other_names *ret);
/* The same where rows are of objects, which large kmalloc has none of. */
void object_other_names(struct dump *d, struct other_names *ret);
