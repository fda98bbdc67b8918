// SPDX-License-Identifier: GPL-2.0-or-later
/* All that one process, or processes of one name, have: anonymous memory, kernel stacks, page tables, objects of slab caches. */
#include "claim_kinds.h"
#include "claims.h"
#include "summary.h"

static bool is_of_several(const struct statement *row)
{
	return !row->pid.known && row->processes.known && row->processes.n > 1;
}

/* Rows of processes of one name are of the same ones if they are of as many. */
static bool is_same_owner(const struct statement *a, const struct statement *b)
{
	return a->pid.known == b->pid.known &&
	       (a->pid.known ? a->pid.n == b->pid.n
			     : a->processes.n == b->processes.n && !strcmp(a->comm, b->comm));
}

static bool is_of_process(const struct claim *c)
{
	return c->row && c->row->comm && (c->row->pid.known || is_of_several(c->row)) &&
	       !claim_is_cgroup(c) &&
	       (c->row->section == SECTION_GROUP || c->row->section == SECTION_CACHE ||
		c->row->section == SECTION_HOLDER);
}

/* Rows of one owner so far, which share nothing. */
struct joining {
	struct claims *claims;
	claims_overlap *overlap;
	const struct statement *first;
	const struct claim *of[CLAIM_PARTS];
	unsigned int n;
};

static bool is_worth(const struct claims *c, const struct claim *x)
{
	return is_of_process(x) && units_tenths(x->pages, c->whole) >= limit(LIMIT_SHOWN);
}

static bool may_join(const struct joining *j, const struct claim *x)
{
	return is_worth(j->claims, x) && is_same_owner(x->row, j->first) &&
	       !ANY_OF(i, j->n, j->overlap(x, j->of[i]));
}

/* The largest that may be joined; NULL: there is none. */
static const struct claim *next_part(const struct joining *j)
{
	const struct claims *c = j->claims;
	const struct claim *most = NULL;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (may_join(j, x) && (!most || x->pages > most->pages))
			most = x;
	return most;
}

static void add_part(struct claim *joined, const struct claim *x)
{
	joined->parts[joined->nparts++] = (struct claim_part){ x->row, x->pages };
	joined->pages += x->pages;
	joined->swapped += x->swapped;
	joined->memory |= x->memory;
	joined->is_about |= x->is_about;
	/* Its cgroup is known. */
	if (!joined->row || x->row->section == SECTION_GROUP)
		joined->row = x->row;
}

static void join(struct joining *j)
{
	struct claim joined = { .depth = DEPTH_JOINED };
	const struct claim *x;
	uint64_t beside;

	while (j->n < CLAIM_PARTS && (x = next_part(j))) {
		add_part(&joined, x);
		j->of[j->n++] = x;
	}
	beside = j->n ? joined.pages - joined.parts[0].pages : 0;
	/* Less beside the largest is as good as told by that. */
	if (units_tenths(beside, j->claims->whole) * 2 >= limit(LIMIT_HOLDER))
		claims_add(j->claims, &joined);
}

void claims_join(struct claims *c, claims_overlap *overlap)
{
	const unsigned int rows = c->n;

	for (unsigned int i = 0; i < rows; i++) {
		struct joining j = { .claims = c, .overlap = overlap };

		if (!is_worth(c, &c->all[i]))
			continue;
		j.first = c->all[i].row;
		if (!ANY_OF(k, i, is_worth(c, &c->all[k]) && is_same_owner(c->all[k].row, j.first)))
			join(&j);
	}
}

/* A caller of vmalloc whose areas are nearly all maps of BPF: rows of these say whose they are. */
void claims_leave_maps(struct claims *c)
{
	uint64_t maps = 0;
	unsigned int n = 0;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		maps += x->row && x->row->by && !strcmp(x->row->by, "bpf") ? x->pages : 0;
	for (unsigned int i = 0; i < c->n; i++) {
		const struct statement *row = c->all[i].row;
		const bool is_caller = row && row->section == SECTION_HOLDER && row->by &&
				       !strcmp(row->by, "vmalloc") &&
				       strstr(row->name ?: "", "map");

		if (!is_caller || maps * 100 < c->all[i].pages * CLAIM_SAME ||
		    maps * CLAIM_SAME > c->all[i].pages * 100)
			c->all[n++] = c->all[i];
	}
	c->n = n;
}

static void add_words(const struct statement *row, struct strbuf *b)
{
	if (row->section == SECTION_GROUP)
		strbuf_add(b, "anon");
	else if (row->section == SECTION_CACHE)
		strbuf_add(b, "slab cache %s", row->name ?: "unknown");
	else
		strbuf_add(b, "%.200s", row->brief ?: row->remark ?: row->by);
}

void claim_add_parts(const struct summary *s, const struct claim *c, struct strbuf *b)
{
	const char *objects = NULL;

	for (unsigned int i = 0; i < c->nparts; i++) {
		strbuf_add(b, "%s", i ? ", " : "");
		add_words(c->parts[i].row, b);
		strbuf_add(b, " %s", summary_size(s, c->parts[i].pages));
		objects = objects ?: c->parts[i].row->objects;
	}
	if (objects && !strstr(b->buf, objects))
		strbuf_add(b, "; %s", objects);
}
