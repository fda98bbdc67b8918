// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen: processes by all that ends with them, a line each. */
#include "cgroup/cgroup.h"
#include "collect/held.h"
#include "dying.h"
#include "groups.h"
#include "screen.h"
#include "summary.h"

#define TEXT 2048
#define BESIDE 250   /* tenths of a percent of RAM: who has more may be another cause */
#define FIRST_PIDS 2 /* init and kthreadd: whoever started it has ended, or is the kernel */
#define SHORT 48     /* of a path: there are figures beside it */

/*
 * What is less is as large as the next.  Of a log the processes of a report on a cgroup are those of it, of whose limit
 * alone shares are; where no whole is known nothing is little.
 */
static bool is_worth(const struct summary *s, const struct statement *row, uint64_t pages)
{
	if (s->dump->log_file && s->limit_pages)
		return units_tenths(pages, s->limit_pages) >= limit(LIMIT_SHOWN);
	if (!s->ram_pages && !s->limit_pages)
		return pages;
	return summary_reaches_of(s, LIMIT_SHOWN, pages, row->cgroup);
}

static bool is_short(const char *path)
{
	return path && strlen(path) <= SHORT;
}

/* Whether a path says more than the name of a thread, which is cut and may have been changed. */
static bool says_more(const char *path, const char *comm)
{
	const char *name = strrchr(path, '/');

	return !comm || !name || strcmp(name + 1, comm);
}

void summary_add_parent(const struct summary *s, int32_t pid, const char *before, struct strbuf *b)
{
	struct tasks *tasks = dump_alloc(s->dump, sizeof(*tasks));
	struct task task = { 0 }, parent;

	if (s->dump->log_file || !pid || tasks_open(s->dump, tasks) != ST_OK)
		return;
	if (tasks_find(tasks, pid, &task) == ST_OK && task.has_ppid && task.ppid > FIRST_PIDS &&
	    tasks_find(tasks, task.ppid, &parent) == ST_OK && strcmp(parent.comm, task.comm) != 0)
		strbuf_add(b, "%schild of %s (%d)", before, parent.comm, parent.pid);
	s->dump->error[0] = '\0';
}

void summary_place(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	if (is_short(row->executable) && says_more(row->executable, row->comm) &&
	    !summary_is_named_as(row->cgroup, row->comm))
		strbuf_add(b, " running %s", row->executable);
	summary_add_parent(s, row->pid.known ? (int32_t)row->pid.n : 0, ", ", b);
	if (is_short(row->cgroup) && strcmp(row->cgroup, "/") != 0)
		strbuf_add(b, " in %s", row->cgroup);
	else if (s->limit_path && !s->limit_is_over && row->cgroup)
		strbuf_add(b, " in %s",
			   summary_is_limited(s, row->cgroup) ? summary_last_of(s->limit_path)
			   : !strcmp(row->cgroup, "/")	      ? "the root cgroup"
							      : "another cgroup");
}

/* Whether a row among the users has all of it. */
static bool tells_why(const struct summary *s, const struct statement *group, const char *why)
{
	return why && group->fate_why == why &&
	       summary_reaches_of(s, LIMIT_HOLDER, group->pages.n + group->swapped.n,
				  group->cgroup);
}

/* Of a log a table may have the sum alone. */
static struct maybe_u64 part_of(const struct statement *row, int64_t pages)
{
	return (struct maybe_u64){ (uint64_t)pages, row->has_parts && pages >= 0 };
}

/* Rings that a process maps count as pages of files in its rss, and are told as what they are. */
static int64_t mapped_rings(const struct summary *s, const struct statement *row)
{
	const struct held_process *held = s->held ? held_by(s->held, (int32_t)row->pid.n) : NULL;
	int64_t pages = 0;

	if (held)
		pages = (int64_t)((held->bytes[HELD_PACKET_RINGS] + held->bytes[HELD_PERF] +
				   held->bytes[HELD_IO_RINGS]) >>
				  s->dump->page_shift);
	return pages <= row->rss_file ? pages : 0;
}

/* What is free when it is gone: what KSM merged, and what fork() shares, others have as well. */
static int64_t own_anon(const struct statement *row)
{
	const int64_t of_others = (int64_t)(row->merged + row->shared);

	return row->rss_anon > of_others ? row->rss_anon - of_others : 0;
}

/* "anon 40.0K, swap 112.0M": parts as other rows have them; what is shared counts in each. */
static void add_parts(const struct summary *s, const struct statement *row, struct strbuf *sizes)
{
	const struct {
		const char *name;
		struct maybe_u64 pages;
	} parts[] = {
		{ "anon", part_of(row, own_anon(row)) },
		{ "shared KSM pages", { row->merged, row->merged != 0 } },
		{ "shared anon", { row->shared, row->shared != 0 } },
		{ "shared memory", part_of(row, row->rss_shmem) },
		{ "mapped files", part_of(row, row->rss_file - mapped_rings(s, row)) },
		{ "page tables", { row->tables.n >> s->dump->page_shift, row->tables.known } },
		{ row->keeps_rings ? "rings of io_setup()" : "deleted files", row->kept_files }
	};
	const struct held_process *held = row->kept_other.known && s->held
						  ? held_by(s->held, (int32_t)row->pid.n)
						  : NULL;
	if (!row->has_parts)
		strbuf_add(sizes, "rss %s", SIZE_TEXT((int64_t)row->bytes.n));
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].pages.known && is_worth(s, row, parts[i].pages.n))
			strbuf_add(sizes, "%s%s %s", strbuf_between(sizes, ", "), parts[i].name,
				   summary_size(s, parts[i].pages.n));
	if (held && is_worth(s, row, row->kept_other.n))
		strbuf_add(sizes, "%s%s", strbuf_between(sizes, ", "),
			   held_text(s->dump, held, held->all / HELD_FEW));
	if (row->locked.n >> s->dump->page_shift)
		strbuf_add(sizes, "%smlocked %s", strbuf_between(sizes, ", "),
			   SIZE_TEXT((int64_t)row->locked.n));
	if (row->has_mm && row->swap > 0)
		strbuf_add(sizes, "%sswap %s", strbuf_between(sizes, ", "),
			   summary_size(s, (uint64_t)row->swap));
}

bool summary_is_worth(const struct summary *s, const struct statement *row)
{
	struct strbuf sizes = STRBUF_OF(256);

	if (!is_worth(s, row, summary_process_pages(s, row)))
		return false;
	add_parts(s, row, &sizes);
	return sizes.len;
}

/* "archived (109) in /shop: anon 40.0K, swap 112.0M" */
static void process_text(const struct summary *s, const struct statement *row, struct strbuf *b)
{
	struct strbuf sizes = STRBUF_OF(256);
	const bool is_told = summary_tells_why(s, row) ||
			     ANY_NEXT(g, s->first[SECTION_GROUP], tells_why(s, g, row->fate_why));

	strbuf_add(b, "%s%s", SUMMARY_TASK(row->pid, row->comm),
		   summary_was_killed(s, row) ? ", which was killed" : "");
	summary_place(s, row, b);
	add_parts(s, row, &sizes);
	strbuf_add(b, ": %s", sizes.len ? sizes.buf : "no part of it is much");
	summary_fate(row, "; ", !is_told, b);
}

/* "none has more than 2.3M": the name of who has most of little would blame it.  Of a cgroup at its limit the processes of others are not asked. */
static void put_no_process(const struct screen *sc, const struct statement *row)
{
	const char *path = summary_is_of_limit(sc->s) ? sc->s->limit_path : NULL;
	const bool is_part = summary_lacks_processes(sc->s) || sc->s->table.may_lack_rows;
	char text[512];

	snprintf(text, sizeof(text), "%s%.200s%s%snone has more than %s%s", path ? "in " : "",
		 path ?: "", path ? ": " : "", is_part ? "of those that are known " : "",
		 summary_size(sc->s, summary_process_pages(sc->s, row)),
		 is_part ? "; others unknown" : "");
	screen_put(sc, "processes", text);
}

static bool is_of_several(const struct statement *most)
{
	return most->of && !most->pid.known && most->of->processes.known &&
	       most->of->processes.n > 1 && most->comm;
}

/* One of several processes that are the holder has a part of what they have together, and no more than the others. */
static bool is_one_of_holder(const struct summary *s, const struct statement *row)
{
	return ANY_NEXT(most, s->first[SECTION_MOST],
			is_of_several(most) && row->comm && !strcmp(most->comm, row->comm));
}

/* Many that have much together, where none of them has half of it, and the line of the holder is of others. */
static bool is_crowd(const struct summary *s, const struct statement *g)
{
	const uint64_t all = g->pages.n + g->swapped.n;

	return !s->dump->log_file && g->processes.known && g->processes.n > 1 && g->comm &&
	       g->most_pages + g->most_swapped <= all / 2 &&
	       summary_reaches_of(s, LIMIT_SHOWN, all, g->cgroup) &&
	       !ANY_NEXT(most, s->first[SECTION_MOST],
			 most->of == g || (most->comm && !strcmp(most->comm, g->comm)));
}

/* It has no more than what the line of many has, of which it is one. */
static bool is_one_of(const struct summary *s, const struct statement *g,
		      const struct statement *row)
{
	return is_crowd(s, g) && row->comm && !strcmp(g->comm, row->comm) && g->cgroup &&
	       row->cgroup && !strcmp(g->cgroup, row->cgroup) &&
	       summary_process_pages(s, row) <= g->pages.n + g->swapped.n;
}

/* Those that are to be shown, the largest first: processes, and many of a name in one line. */
static struct largest lines_of(const struct screen *sc)
{
	const struct summary *s = sc->s;
	struct largest ret = { .room = sc->extent.processes };

	for (const struct statement *row = s->first[SECTION_PROCESS]; row; row = row->next)
		if (!is_one_of_holder(s, row) &&
		    !ANY_NEXT(g, s->first[SECTION_GROUP], is_one_of(s, g, row)))
			largest_add(&ret,
				    summary_rank(s, summary_process_pages(s, row), row->cgroup),
				    row);
	for (const struct statement *g = s->first[SECTION_GROUP]; g; g = g->next)
		if (is_crowd(s, g))
			largest_add(&ret, summary_rank(s, g->pages.n + g->swapped.n, g->cgroup), g);
	/* Those with little say nothing beside one that has much. */
	for (unsigned int i = 1; i < ret.n; i++) {
		const struct statement *row = ret.of[i].item;

		if (row->section == SECTION_PROCESS && !summary_is_worth(s, row))
			ret.n = i;
	}
	return ret;
}

/* Whether a holder that is named has to do with a process: it is one of it, uses it, or is in its cgroup. */
static bool is_of_holder(const struct statement *most, const struct statement *row)
{
	const struct statement *of = most->of;

	return (most->comm && row->comm && !strcmp(most->comm, row->comm)) ||
	       (most->pid.known && most->pid.n == row->pid.n) ||
	       (of->cgroup && of->cgroup[1] && row->cgroup && !strcmp(of->cgroup, row->cgroup)) ||
	       (of->alike && summary_is_of_these(of->alike, row->cgroup)) ||
	       (of->charged && row->cgroup && !strcmp(of->charged, row->cgroup)) ||
	       (of->by && !strcmp(of->by, "cgroup") && of->name && row->cgroup &&
		cgroup_is_below(row->cgroup, of->name));
}

/* The holder is another, and each of these has little beside it. */
static bool are_beside(const struct summary *s, const struct largest *lines)
{
	if (!s->first[SECTION_MOST] || !s->ram_pages || s->dump->log_file)
		return false;
	for (unsigned int i = 0; i < lines->n; i++) {
		const struct statement *row = lines->of[i].item;
		const uint64_t pages = row->section == SECTION_GROUP
					       ? row->pages.n + row->swapped.n
					       : summary_process_pages(s, row);

		if (units_tenths(pages, s->ram_pages) >= BESIDE ||
		    ANY_NEXT(most, s->first[SECTION_MOST], !most->of || is_of_holder(most, row)))
			return false;
	}
	return true;
}

/* "15 processes worker in /system.slice/api.service: anon 79.3M" */
static void crowd_text(const struct summary *s, const struct statement *g, struct strbuf *b)
{
	summary_group_name(g, b);
	summary_place(s, g, b);
	strbuf_add(b, ": anon %s%s", g->is_least ? "at least " : "", summary_size(s, g->pages.n));
	if (g->swapped.n)
		strbuf_add(b, ", swap %s", summary_size(s, g->swapped.n));
}

void screen_put_processes(const struct screen *sc)
{
	const struct summary *s = sc->s;
	const struct largest lines = lines_of(sc);
	const struct statement *row = lines.n ? lines.of[0].item : NULL;

	if (row && s->ram_pages && row->section == SECTION_PROCESS && !summary_is_worth(s, row)) {
		/* Of many that are the holder it is told what the largest has: another than these is innocent. */
		if (!ANY_NEXT(most, s->first[SECTION_MOST], is_of_several(most)))
			put_no_process(sc, row);
		return;
	}
	for (unsigned int i = 0; i < lines.n; i++) {
		struct strbuf b = STRBUF_OF(TEXT);

		row = lines.of[i].item;
		if (!i && are_beside(s, &lines))
			strbuf_add(&b, "beside the holder: ");
		if (row->section == SECTION_GROUP)
			crowd_text(s, row, &b);
		else
			process_text(s, row, &b);
		if (i + 1 == lines.n && summary_lacks_processes(s))
			strbuf_add(&b, "; others unknown");
		screen_put(sc, i ? "" : "processes", b.buf);
	}
	if (lines.n && s->ram_pages && s->rss_pages > s->ram_pages &&
	    !ANY_NEXT(most, s->first[SECTION_MOST], most->of && most->of->counted.known))
		screen_put(sc, "",
			   dump_text(s->dump,
				     "rss of %s adds up to %s: what they share counts in each",
				     s->tasks_missing ? "the processes that are known"
						      : "all processes",
				     summary_size(s, s->rss_pages)));
}
