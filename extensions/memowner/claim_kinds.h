/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How claims of memory are made: classes as bits, and what they have that no row has. */
#pragma once

#include "summary.h"

#define OF(class) (1U << CLASS_##class)
#define OF_PROCESSES (OF(ANON) | OF(FILE) | OF(SHMEM))
#define OF_LISTS (OF(SLAB) | OF(VMALLOC) | OF(PERCPU) | OF(DIRECT) | OF(PAGE_POOL) | OF(OFFLINE))

static inline bool claim_is_cgroup(const struct claim *c)
{
	return c->memory & CLAIM_CGROUP;
}

/* Its name is not in the dump: it says no more of who has the memory than its class does. */
static inline bool claim_is_nameless(const struct statement *row)
{
	return !row->name && !row->called && !row->comm && !row->keeper;
}

/* Cgroups beside each other that are one claim. */
static inline bool claim_is_of_alike(const struct claim *c)
{
	return c->row && c->row->alike && !claim_is_cgroup(c);
}

/* Whether compaction moves it. */
static inline bool claim_is_movable(const struct claim *c)
{
	return claim_is_cgroup(c) || !(c->memory & ~(OF_PROCESSES | OF(ZSMALLOC)));
}

/* What rows have not: to be called behind all of them. */
void claims_add_classes(struct claims *c);
void claims_add_unmapped(struct claims *c);
/* Of a log: what the lines of the nodes that ran out have. */
void claims_add_nodes(struct claims *c);
/* Of one whose tasks wait for its limit: files of which none is much. */
void claims_add_cache(struct claims *c);
/* "the limit"; of a log whose cgroup reached that of memory+swap, and the one of memory too: "its limit of memory". */
const char *claims_limit_name(const struct summary *s);

/* Of a log RAM without what was never given to the page allocator, of which none has a share; else all that is asked for. */
uint64_t claims_given(const struct claims *c);
/* Swap that rows may have which are missing beside these pages; 0: none, or it may be the victim's, whose row is one of them. */
uint64_t claims_lost_swap(const struct claims *c, uint64_t pages);
/* Of one who was killed. */
void claim_victim_detail(const struct summary *s, struct strbuf *b);
/* Of a cgroup at its limit. */
void claims_add_kernel(struct claims *c);

/* A claim without a row in words, and what is worth to be told of it. */
const char *claim_class_text(const struct summary *s, const struct claim *c);

/* Anonymous memory of processes that have ended; the cgroup that nearly all of it is charged to, NULL: of several, or unknown. */
bool claim_is_of_orphans(const struct summary *s, const struct claim *c);
const char *claim_orphans_in(const struct summary *s);
/* The same of that claim, or of one of pages that no process maps. */
const char *claim_charged_in(const struct summary *s, const struct claim *c);
void claim_class_detail(const struct summary *s, const struct claim *c, struct strbuf *b);
