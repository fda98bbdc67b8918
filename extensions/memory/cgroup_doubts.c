// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory cgroups: counters that the pages contradict. A vendor's kernel may have the arrays of one
 * release and charge the counters of another.
 */
#include "cgroups.h"

#include "vm/swap_cache.h"

/* 4 MiB: more than CPUs are about to count at the same time. */
#define SLACK 1024

static bool root_pages(const struct cgroups_view *c, enum cgroup_stat stat, uint64_t *ret)
{
	if (!cgroup_stat_bytes(c, &c->cgroups[0], stat, ret))
		return false;
	*ret >>= c->v->page_shift;
	return true;
}

/*
 * The counters of LRU lists are per memory cgroup since 5.2 ("mm: memcontrol: replace node summing
 * with memcg_page_state()"); before, all of them stay 0 in an array that has room for them.
 */
static void leave_out_lru(struct cgroups_view *c)
{
	static const enum cgroup_stat lists[] = { STAT_INACTIVE_ANON, STAT_ACTIVE_ANON,
						  STAT_INACTIVE_FILE, STAT_ACTIVE_FILE,
						  STAT_UNEVICTABLE };
	uint64_t sum = 0, anon, file, pages;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!root_pages(c, lists[i], &pages))
			return;
		sum += pages;
	}
	if (sum || !root_pages(c, STAT_ANON, &anon) || !root_pages(c, STAT_FILE, &file) ||
	    !(anon | file))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		c->tree.counted[lists[i]] = false;
	decoder_trace(c->v->dump, "decide LRU lists are not counted for a memory cgroup");
}

/* What CPUs hold back of a counter, up to 5.12. */
static uint64_t slack_of(const struct cgroups_view *c)
{
	return SLACK + (c->tree.batched ? (uint64_t)MEMCG_BATCH * c->tree.cpus * c->n : 0);
}

static void doubt(struct cgroups_view *c, enum cgroup_stat stat, uint64_t counted, uint64_t found,
		  struct strbuf *s)
{
	strbuf_add(s, "%s%s of all cgroups would be %s, but pages of %s are charged",
		   strbuf_between(s, ", "), cgroup_stats[stat].name,
		   SIZE_TEXT(counted << c->v->page_shift), SIZE_TEXT(found << c->v->page_shift));
	c->doubt[stat] = true;
}

/* least, most: pages that the counter of the root may have. */
static void compare(struct cgroups_view *c, enum cgroup_stat stat, uint64_t least, uint64_t most,
		    struct strbuf *s)
{
	uint64_t counted, slack = slack_of(c);

	if (!root_pages(c, stat, &counted))
		return;
	if (counted > 2 * most + slack)
		doubt(c, stat, counted, most, s);
	else if (least > 2 * counted + slack)
		doubt(c, stat, counted, least, s);
}

/*
 * Of anonymous pages those in the swap cache may not be counted (NR_ANON_MAPPED), or be counted as
 * page cache too (NR_FILE_PAGES); those that no process maps are not counted, for the machine neither.
 */
void cgroups_doubt(struct cgroups_view *c)
{
	uint64_t pages, anon, shmem, file, mapped, cached;
	struct strbuf s = STRBUF_OF(512);

	if (!c->n)
		return;
	leave_out_lru(c);
	if (!cgroup_pages(c, &c->cgroups[0], &pages))
		return;
	anon = c->cgroups[0].all.pages[MEMCG_PAGES_ANON];
	shmem = c->cgroups[0].all.pages[MEMCG_PAGES_SHMEM];
	file = c->cgroups[0].all.pages[MEMCG_PAGES_FILE] + shmem;
	mapped = swap_cache_pages(c->v->dump, &cached) == ST_OK && cached < anon ? anon - cached
										 : 0;
	if (c->mapped_anon.known && c->mapped_anon.n < mapped)
		mapped = c->mapped_anon.n;
	compare(c, STAT_ANON, mapped, anon, &s);
	compare(c, STAT_FILE, file, file + anon, &s);
	compare(c, STAT_SHMEM, shmem, shmem, &s);
	if (s.len)
		c->doubts = dump_strdup(c->v->dump, s.buf);
}
