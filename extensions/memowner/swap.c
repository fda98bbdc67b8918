// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap that is used, and pools of huge pages that lie idle. */
#include "huge_users.h"
#include "verdict_words.h"
#include "zones/mem_total.h"

enum status summary_swap(struct summary *s)
{
	return swap_areas_sum(s->dump, &s->swap);
}

/* What is reserved is promised to who has mapped it. */
static void add_idle(struct summary *s, const struct hugetlb_pool *pool)
{
	const uint64_t idle = pool->free > pool->reserved ? pool->free - pool->reserved : 0;

	if (idle * 2 < pool->total || !summary_reaches(s, LIMIT_IDLE_POOL, idle << pool->order))
		return;
	s->idle_pools = dump_text(
		s->dump, "%s%s%s of %s in huge pages of %s %s", s->idle_pools ?: "",
		s->idle_pools ? ", " : "", summary_size(s, idle << pool->order),
		summary_size(s, pool->total << pool->order), summary_size(s, 1ULL << pool->order),
		pool->reserved ? "are free and not reserved" : "lie free");
}

/* ", 64 of these reserved": no report of a log has it. */
static const char *reserved_text(struct summary *s, const struct hugetlb_pool *pool)
{
	return pool->reserved && pool->reserved <= pool->free
		       ? dump_text(s->dump, ", %s of these reserved", COUNT_TEXT(pool->reserved))
		       : "";
}

void summary_huge_pool(struct summary *s, const struct hugetlb_pool *pool)
{
	struct statement *row;
	const uint64_t pages = pool->total << pool->order;

	if (pool->free > pool->total || pool->order >= 32 || pages > s->ram_pages)
		return;
	add_idle(s, pool);
	row = summary_holder(s, "hugetlb",
			     dump_text(s->dump, "%s pages", summary_size(s, 1ULL << pool->order)),
			     pages, s->dump->log_file ? NULL : "memowner pools",
			     dump_text(s->dump, "%s of %s are free%s", COUNT_TEXT(pool->free),
				       COUNT_TEXT(pool->total), reserved_text(s, pool)));
	if (row)
		row->is_used_up = pool->total && !pool->free;
	/* How many are reserved no report of a log has. */
	if (row && !s->dump->log_file && pool->free > pool->reserved)
		row->release = dump_text(
			s->dump,
			"a lower vm.nr_hugepages, %s: those that are free and not reserved",
			summary_size(s, (pool->free - pool->reserved) << pool->order));
	s->huge_in_use += pool->free < pool->total;
	if (pool->free < pool->total)
		s->huge = s->huge_in_use == 1 ? row : NULL;
}

static enum status put_pool(void *arg, const struct hugetlb_pool *pool)
{
	summary_huge_pool(arg, pool);
	return ST_OK;
}

enum status summary_hugetlb(struct summary *s)
{
	return s->ram_pages ? hugetlb_walk(s->dump, put_pool, s) : ST_OK;
}

#define HARDLY \
	200 /* hundredths of a percent of the time: a machine that has enough waits as long */

/* The line of the machine's pressure of memory; NULL: as of the end it is not known. */
static const struct pressure_line *machine_pressure(struct summary *s)
{
	const struct pressure *p;
	const struct pressure_line *ret = summary_pressure(s, &p) == ST_OK
						  ? pressure_of(p, NULL, "PSI_MEM_SOME")
						  : NULL;

	s->dump->error[0] = '\0';
	return ret && pressure_is_of_end(ret) ? ret : NULL;
}

/* Where memory was not short: whose it is, and whether tasks waited for memory, says what that means. */
void verdict_add_full_swap(struct summary *s, struct strbuf *b)
{
	const struct swap_sum *swap = &s->swap;
	const struct pressure_line *pressure;
	const struct statement *most = NULL;

	if (!swap->known || swap->emptied || !swap->pages ||
	    units_tenths(swap->used, swap->pages) < limit(LIMIT_SWAP))
		return;
	for (const struct statement *g = s->first[SECTION_GROUP]; g; g = g->next)
		if (g->swapped.n > swap->used / 2 && g->swapped.n <= swap->used)
			most = g;
	verdict_add_swap(s, b);
	if (most) {
		strbuf_add(b, ", %s of that by ", summary_size(s, most->swapped.n));
		summary_group_name(most, b);
	}
	pressure = machine_pressure(s);
	if (pressure && pressure_avg10(pressure) < HARDLY)
		strbuf_add(b,
			   ", and tasks hardly waited for memory (PSI memory some avg10 %lu.%02lu)",
			   pressure_avg10(pressure) / 100, pressure_avg10(pressure) % 100);
	s->has_full_swap = true;
}

#define TOLD 2 /* processes */
#define TEXT 1024

struct huge_user {
	const char *comm;
	int32_t pid;
	uint64_t pages;
};

void huge_users_open(struct summary *s, struct huge_users *ret)
{
	*ret = (struct huge_users){ .s = s };
	if (!s->huge)
		return;
	hash_u64_init(&ret->mms, s->dump->arena, sizeof(struct huge_user));
	ret->wanted = mm_structs_open(s->dump, &ret->types) == ST_OK;
}

void huge_users_add(struct huge_users *u, const struct task *t)
{
	struct mm_struct mm;
	struct huge_user *user;
	bool is_new;

	if (!u->wanted || !t->has_memory)
		return;
	user = hash_u64_get(&u->mms, t->mm, &is_new);
	if (!is_new)
		return;
	if (mm_struct_read(&u->types, t->mm, &mm) != ST_OK || !mm.has_hugetlb) {
		u->unread++;
		return;
	}
	*user = (struct huge_user){ dump_strdup(u->s->dump, t->comm), t->tgid, mm.hugetlb };
}

void huge_users_end(struct huge_users *u)
{
	struct summary *s = u->s;
	struct largest largest = { .room = TOLD };
	struct strbuf b = STRBUF_OF(TEXT);
	unsigned int n = 0;

	if (!u->wanted)
		return;
	hash_u64_for_each(const struct huge_user, user, &u->mms) {
		n += user->pages != 0;
		if (user->pages)
			largest_add(&largest, user->pages, user);
	}
	strbuf_add(&b, "%s", s->huge->remark);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct huge_user *user = largest.of[i].item;

		strbuf_add(
			&b, "%s %s %s", i ? "," : "; mapped by",
			SUMMARY_TASK(((struct maybe_u64){ (uint64_t)user->pid, true }), user->comm),
			summary_size(s, user->pages));
	}
	if (n > largest.n)
		strbuf_add(&b, " and %u more", n - largest.n);
	/* A file of hugetlbfs keeps its pages without a process. */
	else if (!n && !u->unread)
		strbuf_add(&b, "; no process maps the others");
	if (s->huge_files)
		strbuf_add(&b, "; %s", s->huge_files);
	if (s->huge_files && !s->huge->release &&
	    ((!n && !u->unread) || s->huge_unused > s->huge->pages.n / 2))
		s->huge->release = dump_text(s->dump, "removing files of %s", s->huge_mount);
	s->huge->remark = dump_strdup(s->dump, b.buf);
}

enum status summary_total(struct summary *s)
{
	uint64_t managed;
	enum status st = mem_total_sure(s->dump, &managed);

	if (st == ST_OK)
		SUMMARY_ADD(s, .section = SECTION_RAM, .name = "MemTotal",
			    .pages = { managed, true });
	return st;
}
