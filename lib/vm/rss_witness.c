// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/rss_witness.h"

#include "tasks/task_rows.h"
#include "util/units.h"
#include "vm/pss.h"
#include "zones/vmstat.h"

#define MOST_PAGES (1U << 22) /* that are looked up: about a second */
#define LOST \
	256	/* pages that are no news: half a page table, which fork() counts when it is full */
#define PART 64 /* of what is mapped; the same */

struct process {
	uint64_t mm, rss;
	int32_t tgid;
};

struct witness {
	struct dump *dump;
	struct hash_u64 mms; /* struct process by its mm_struct */
	uint64_t anon;
	bool lacks_some;
};

static enum status add_process(void *arg, const struct task *t)
{
	struct witness *w = arg;
	struct process *p;
	bool is_new;

	w->lacks_some |= t->mm_unreadable;
	if (!t->has_mm || !t->has_memory)
		return ST_OK;
	p = hash_u64_get(&w->mms, t->mm, &is_new);
	if (!is_new)
		return ST_OK;
	*p = (struct process){ t->mm, t->rss > 0 ? (uint64_t)t->rss : 0, t->tgid };
	w->anon += t->rss_anon > 0 ? (uint64_t)t->rss_anon : 0;
	return ST_OK;
}

/* Whether processes count less than is mapped, all of them known. */
static bool counts_too_little(struct witness *w)
{
	struct dump *d = w->dump;
	struct tasks tasks;
	struct counters counters;
	int64_t mapped;

	if (tasks_open(d, &tasks) != ST_OK || tasks_walk(&tasks, add_process, w) != ST_OK ||
	    w->lacks_some || counters_open(d, &counters) != ST_OK ||
	    counter_read(&counters, "nr_anon_pages", &mapped) != ST_OK)
		return false;
	return w->anon + LOST + (uint64_t)mapped / PART < (uint64_t)mapped;
}

static bool is_less(uint64_t counted, uint64_t mapped)
{
	return mapped > counted + LOST && mapped - counted > mapped / PART;
}

/* What its page tables have; false: that cannot be told. */
static bool read_mapped(struct pss_reader *reader, const struct mm_structs *mms,
			const struct process *p, uint64_t *ret)
{
	struct mm_struct mm;
	struct pss pss;

	if (mm_struct_read(mms, p->mm, &mm) != ST_OK || !mm.pgd ||
	    pss_read(reader, mm.pgd, &pss) != ST_OK)
		return false;
	*ret = pss.pages;
	return true;
}

void rss_witness(struct dump *d)
{
	struct witness w = { .dump = d };
	struct mm_structs mms;
	struct pss_reader *reader;
	uint64_t read = 0, mapped;

	hash_u64_init(&w.mms, d->arena, sizeof(struct process));
	if (counts_too_little(&w)) {
		reader = dump_alloc(d, sizeof(*reader));
		if (pss_open(d, reader) != ST_OK || mm_structs_open(d, &mms) != ST_OK)
			read = MOST_PAGES;
		hash_u64_for_each(const struct process, p, &w.mms) {
			if (read >= MOST_PAGES || !read_mapped(reader, &mms, p, &mapped))
				continue;
			read += mapped;
			if (is_less(p->rss, mapped) && task_rows_lack_memory(d, p->mm))
				dump_lacks(d, "memory of processes", ST_CORRUPT,
					   "page tables of %d have %s pages, its counters %s",
					   p->tgid, COUNT_TEXT(mapped), COUNT_TEXT(p->rss));
		}
	}
	d->error[0] = '\0';
}
