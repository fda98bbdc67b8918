// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/commit.h"

#include <stdlib.h>

#include "kernel/percpu_counter.h"
#include "kernel/sysctl.h"
#include "pages/hugetlb.h"
#include "zones/mem_total.h"
#include "zones/reclaim.h"

#define MOST_PAGES (1ULL << 52) /* no memory has more: sums of more would wrap */

static enum status read_committed(struct dump *d, struct maybe_u64 *ret)
{
	uint64_t pages = 0;
	enum status st = percpu_counter_value(d, "vm_committed_as", &pages);

	if (st == ST_OK && pages >= MOST_PAGES)
		st = dump_corrupt(d, "vm_committed_as: %lu pages", pages);
	return RESULT(st, ret, ((struct maybe_u64){ pages, true }));
}

struct settings {
	struct dump *dump;
	struct maybe_u64 mode, ratio, kbytes;
};

static enum status find_setting(void *arg, const struct sysctl *s)
{
	struct settings *x = arg;
	const struct {
		const char *name;
		struct maybe_u64 *to;
	} wanted[] = {
		{ "overcommit_memory", &x->mode },
		{ "overcommit_ratio", &x->ratio },
		{ "overcommit_kbytes", &x->kbytes },
	};
	char text[SYSCTL_TEXT];

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strcmp(s->name, wanted[i].name) && sysctl_value(x->dump, s, 0, text) == ST_OK)
			*wanted[i].to = (struct maybe_u64){ strtoull(text, NULL, 10), true };
	return ST_OK;
}

static enum status add_huge(void *arg, const struct hugetlb_pool *pool)
{
	*(uint64_t *)arg += pool->total << pool->order;
	return ST_OK;
}

/* vm_commit_limit() in mm/util.c */
static enum status read_limit(struct dump *d, const struct settings *x, struct maybe_u64 *ret)
{
	struct swap_totals swap = { 0 };
	uint64_t ram, huge = 0, allowed;
	enum status st;

	if (!x->kbytes.known || !x->ratio.known || x->ratio.n > INT32_MAX)
		return dump_fail(d, ST_UNKNOWN,
				 "vm.overcommit_ratio or overcommit_kbytes is not known");
	/* A kernel without huge pages, or without swap, has none. */
	st = hugetlb_walk(d, add_huge, &huge);
	if (st == ST_OK || st == ST_ABSENT)
		st = swap_totals_read(d, &swap);
	if (st == ST_OK || st == ST_ABSENT)
		st = mem_total_sure(d, &ram);
	if (st != ST_OK)
		return st;
	if (ram >= MOST_PAGES || huge > ram || swap.total >= MOST_PAGES)
		return dump_corrupt(d, "%lu pages, %lu of them huge, %lu of swap", ram, huge,
				    swap.total);
	allowed = x->kbytes.n ? x->kbytes.n >> (d->page_shift - 10)
			      : (uint64_t)((unsigned __int128)(ram - huge) * x->ratio.n / 100);
	*ret = (struct maybe_u64){ allowed + swap.total, true };
	return ST_OK;
}

void commit_collect(struct dump *d, struct commit *ret)
{
	struct settings x = { .dump = d };
	enum status st;

	*ret = (struct commit){ 0 };
	st = sysctl_walk(d, "vm", find_setting, &x) ?: read_limit(d, &x, &ret->limit);
	ret->mode = x.mode;
	if (st != ST_OK)
		dump_lacks(d, "commit limit", st, "%s", d->error);
	st = read_committed(d, &ret->committed);
	if (st != ST_OK)
		dump_lacks(d, "memory that was promised", st, "%s", d->error);
}
