// SPDX-License-Identifier: GPL-2.0-or-later
/* All that one process has: anonymous memory, kernel stacks, page tables, objects of slab caches. */
#include "claim_kinds.h"
#include "claims.h"
#include "summary.h"

static bool is_of_process(const struct claim *c)
{
	return c->row && c->row->pid.known && c->row->comm && !claim_is_cgroup(c) &&
	       (c->row->section == SECTION_GROUP || c->row->section == SECTION_CACHE ||
		c->row->section == SECTION_HOLDER);
}

static bool is_worth(const struct claims *c, const struct claim *x)
{
	return units_tenths(x->pages, c->whole) >= limit(LIMIT_SHOWN);
}

/* Of what is there twice the larger row. */
static bool may_join(const struct claims *c, const struct claim *x, const struct claim *const *of,
		     unsigned int n)
{
	return is_of_process(x) && is_worth(c, x) && n < CLAIM_PARTS &&
	       !ANY_OF(i, n, claims_overlap(x, of[i]));
}

/* The largest of a process that may be joined to some; NULL: there is none. */
static const struct claim *next_part(const struct claims *c, uint64_t pid,
				     const struct claim *const *of, unsigned int n)
{
	const struct claim *most = NULL;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (may_join(c, x, of, n) && x->row->pid.n == pid &&
		    (!most || x->pages > most->pages))
			most = x;
	return most;
}

static void add_part(struct claim *joined, const struct claim *x)
{
	joined->parts[joined->nparts++] = (struct claim_part){ x->row, x->pages };
	joined->pages += x->pages;
	joined->swapped += x->swapped;
	joined->memory |= x->memory;
	/* Its cgroup is known. */
	if (!joined->row || x->row->section == SECTION_GROUP)
		joined->row = x->row;
}

static void join(struct claims *c, uint64_t pid)
{
	const struct claim *of[CLAIM_PARTS], *x;
	struct claim joined = { .depth = DEPTH_JOINED };
	unsigned int n = 0;

	while (n < CLAIM_PARTS && (x = next_part(c, pid, of, n))) {
		add_part(&joined, x);
		of[n++] = x;
	}
	/* Less beside the largest is as good as told by that. */
	if (n > 1 &&
	    units_tenths(joined.pages - joined.parts[0].pages, c->whole) * 2 >= limit(LIMIT_HOLDER))
		claims_add(c, &joined);
}

void claims_join(struct claims *c)
{
	const unsigned int rows = c->n;

	for (unsigned int i = 0; i < rows; i++) {
		const uint64_t pid = c->all[i].row ? c->all[i].row->pid.n : 0;

		if (is_of_process(&c->all[i]) && is_worth(c, &c->all[i]) &&
		    !ANY_OF(k, i,
			    is_of_process(&c->all[k]) && is_worth(c, &c->all[k]) &&
				    c->all[k].row->pid.n == pid))
			join(c, pid);
	}
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
