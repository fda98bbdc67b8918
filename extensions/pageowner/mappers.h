/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes map a page, by name. */
#pragma once

#include "files/open_files.h"
#include "vm/rmap.h"
#include "util/sink.h"

struct mappers {
	struct dump *dump;
	struct rmap rmap;
	struct hash_u64 names; /* of struct mapper_name by mm_struct */
	const char *problem;   /* NULL, or why a process may be without a name */
	uint64_t asked;	       /* pages so far */
	uint64_t unknown;      /* of these, pages of which a mapping may be missing */
	/* Of the page that was asked for last. */
	struct rmap_user *users;
	size_t room;
	struct file_users named;
	struct text_lists lists;
};

struct mapper_name {
	struct file_user process; /* tgid 0: no task uses the mm_struct, or it was not reached */
	uint64_t asked,
		listed; /* number of the page that it was found to map, and listed with, last */
	bool is_leader; /* the name is that of the process, not of another thread */
};

#define MAPPERS_KEPT 65536 /* mappings of a page: more are counted, as a file may have any number */

/* users and what mappers_list() names are those of the page that was asked for last. */
struct page_mappers {
	const struct rmap_user *users; /* the first MAPPERS_KEPT */
	size_t mappings;	       /* page tables that have the page, each entry */
	size_t processes;	       /* distinct mm_structs */
	size_t unnamed;		       /* of these, that may be of a process that is missing */
	size_t taskless;	       /* and that no task uses */
	enum status st;		       /* ST_OK: these are all */
};

enum status mappers_open(struct dump *d, struct memmap *memmap, struct page_types *types,
			 struct mappers *ret);

/* ST_ABSENT: the page is none of anon, file or shmem; ret->st as rmap_walk().  ST_STOPPED. */
enum status mappers_find(struct mappers *m, uint64_t pfn, struct page_mappers *ret);

/* "55(postgres)", "3 processes", "[not mapped]"; NULL: unknown. */
const char *mappers_text(struct mappers *m, const struct page_mappers *p, char *buf, size_t size);

/* For filters: the text, and if these are several each of the processes; NULL: none is known. */
const struct text_list *mappers_list(struct mappers *m, const struct page_mappers *p);

/* The same of a word for pages of another kind. */
const struct text_list *mappers_list_of(struct mappers *m, const char *word);

/* "  mapped by 55(postgres) at 0x7f..." */
void mappers_put(struct mappers *m, const struct page_mappers *p, struct sink *out);
