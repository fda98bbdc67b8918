// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_growth.h"

#include "util/hash_bytes.h"
#include "util/largest.h"
#include "util/units.h"

#define SOON_NS \
	10000000000ULL /* a table is printed by its report, within lines of a slow console */
#define LEAST_BYTES (1ULL << 20) /* of less is no word */
#define PART 16 /* nor of a part of the growth of the first that is smaller than one of that many */
#define OF_ONE 80 /* percent of what a group grew: one process is told in its place */

/* A report that has a table, and the record of its header. */
struct table {
	const struct oom_report *report;
	const struct kernel_record *header, *end; /* end: where another report or the log is */
};

/* Of nodes that a request was bound to a table may leave processes out. */
static bool has_scope(const struct oom_report *r)
{
	if (r->kind != OOM_REPORT_OOM || r->is_mixed || r->is_doubtful || r->is_past)
		return false;
	if (r->scope == OOM_SCOPE_MEMCG)
		return *r->oom_memcg;
	return r->scope == OOM_SCOPE_GLOBAL && !strcmp(r->constraint, "CONSTRAINT_NONE");
}

static bool is_alike(const struct oom_report *a, const struct oom_report *b)
{
	return a->scope == b->scope && !strcmp(a->oom_memcg, b->oom_memcg);
}

/* The table behind the first record of a report, in front of the next report. */
static bool find_table(const struct kernel_log *log, const struct oom_reports *all, unsigned int i,
		       struct table *ret)
{
	const struct oom_report *r = &all->reports[i];
	struct kernel_log part;
	const struct kernel_record *end;

	if (!has_scope(r) || !r->first)
		return false;
	part = oom_report_log(all, r, log);
	end = part.records + part.n;
	ret->header = NULL;
	for (const struct kernel_record *rec = r->first; rec < end; rec++) {
		if (!rec->text || !oom_tasks_is_header(rec->text))
			continue;
		/* Of a report that is not kept; its first lines stand before it. */
		if (ret->header) {
			ret->end = rec - 1;
			break;
		}
		if (!r->has_caller || !rec->has_caller || rec->caller == r->caller)
			*ret = (struct table){ .report = r, .header = rec, .end = end };
	}
	return ret->header && ret->header->ts_ns - r->first->ts_ns <= SOON_NS;
}

static bool read_whole(struct dump *d, const struct kernel_log *log, const struct table *t,
		       struct oom_tasks *ret)
{
	/* What stands behind the last row says that it is the last. */
	const struct kernel_record *end = t->end < log->records + log->n ? t->end + 1 : t->end;
	const struct kernel_log part = { .records = log->records + (t->header - log->records),
					 .n = (size_t)(end - t->header) };

	return oom_tasks_read(d, &part, ret) == ST_OK && ret->first == t->header && !ret->is_cut &&
	       ret->rows.n && !oom_tasks_lack_victim(ret, t->report);
}

struct names {
	struct dump *dump;
	struct oom_tasks of[2];
	bool has_swap;
	struct hash_bytes by_name; /* of struct oom_grown */
	uint64_t least;
};

/*
 * Rows that the first table lost. Both are in the order in which processes began, see for_each_process(): of one that stands
 * before another which the first has, that has the row, too; those of a cgroup are in no order. So of who asked.
 */
static bool lacks_rows(const struct names *x, const struct oom_report *first)
{
	const struct hash_u64 *rows = &x->of[0].rows;
	bool is_missing = false;

	if (first->has_head && first->pid.known && !oom_tasks_find(&x->of[0], first->pid.value) &&
	    hash_u64_find(&x->of[1].rows, first->pid.value))
		return true;
	if (first->scope != OOM_SCOPE_GLOBAL)
		return false;
	hash_u64_for_each(const struct oom_task, t, &x->of[1].rows) {
		const bool was_there = hash_u64_find(rows, (uint64_t)t->value[OOM_TASK_TGID]);

		if (was_there && is_missing)
			return true;
		is_missing |= !was_there;
	}
	return false;
}

static uint64_t value_of(const struct oom_task *t, enum oom_task_column column)
{
	return t->value[column] > 0 && t->value[column] <= INT64_MAX >> 24
		       ? (uint64_t)t->value[column]
		       : 0;
}

static void add(const struct names *x, struct oom_grown *g, unsigned int i,
		const struct oom_task *t)
{
	g->processes[i]++;
	g->rss[i] += value_of(t, OOM_TASK_RSS);
	g->swap[i] += x->has_swap ? value_of(t, OOM_TASK_SWAP) : 0;
}

static uint64_t grown_by(const struct oom_grown *g)
{
	const uint64_t first = g->rss[0] + g->swap[0], last = g->rss[1] + g->swap[1];

	return last > first ? last - first : 0;
}

/* A number that a process of another name had is another process. */
static struct oom_grown one_of(const struct names *x, const struct oom_task *t)
{
	const struct oom_task *was = hash_u64_find(&x->of[0].rows,
						   (uint64_t)t->value[OOM_TASK_TGID]);
	struct oom_grown g = { .tgid = t->value[OOM_TASK_TGID] };

	snprintf(g.comm, sizeof(g.comm), "%s", t->comm);
	g.is_new = !was || strcmp(was->comm, t->comm) != 0;
	if (!g.is_new)
		add(x, &g, 0, was);
	add(x, &g, 1, t);
	return g;
}

/* One process that has nearly all of what those of its name grew says more than their sum. */
static void name_one(const struct names *x, struct oom_grown *g)
{
	struct oom_grown most = { 0 };

	hash_u64_for_each(const struct oom_task, t, &x->of[1].rows) {
		struct oom_grown one;

		if (strcmp(t->comm, g->comm) != 0)
			continue;
		one = one_of(x, t);
		if (grown_by(&one) > grown_by(&most))
			most = one;
	}
	if (grown_by(&most) * 100 >= grown_by(g) * OF_ONE)
		*g = most;
}

static void compare(struct names *x, struct oom_growth *ret)
{
	struct largest most = { .room = OOM_GROWN };

	hash_bytes_init(&x->by_name, x->dump->arena, sizeof(struct oom_grown));
	for (unsigned int i = 0; i < 2; i++)
		hash_u64_for_each(const struct oom_task, t, &x->of[i].rows) {
			struct oom_grown *g =
				hash_bytes_get(&x->by_name, t->comm, strlen(t->comm), NULL)->value;

			snprintf(g->comm, sizeof(g->comm), "%s", t->comm);
			add(x, g, i, t);
		}
	hash_bytes_for_each(struct oom_grown, g, &x->by_name)
		if (grown_by(g) >= x->least)
			largest_add(&most, grown_by(g), g);
	for (unsigned int i = 0; i < most.n; i++) {
		struct oom_grown g = *(const struct oom_grown *)most.of[i].item;

		if (grown_by(&g) * PART < most.of[0].size)
			break;
		name_one(x, &g);
		g.is_new = !g.processes[0];
		ret->all[ret->n++] = g;
	}
}

enum status oom_growth_read(struct dump *d, const struct kernel_log *log,
			    const struct oom_reports *reports, struct oom_growth *ret)
{
	struct names *x = dump_alloc(d, sizeof(*x));
	struct table first, last = { 0 };

	*ret = (struct oom_growth){ 0 };
	x->dump = d;
	x->least = d->page_shift ? LEAST_BYTES >> d->page_shift : UINT64_MAX;
	for (unsigned int i = reports->n; i-- && !last.header;) {
		if (dump_stopped(d))
			return ST_STOPPED;
		if (find_table(log, reports, i, &last) && read_whole(d, log, &last, &x->of[1]))
			break;
		last.header = NULL;
	}
	for (unsigned int i = 0; last.header && i < reports->n; i++) {
		if (dump_stopped(d))
			return ST_STOPPED;
		if (&reports->reports[i] == last.report)
			break;
		if (!find_table(log, reports, i, &first) || !is_alike(first.report, last.report) ||
		    !read_whole(d, log, &first, &x->of[0]) || lacks_rows(x, first.report))
			continue;
		x->has_swap = x->of[0].has[OOM_TASK_SWAP] && x->of[1].has[OOM_TASK_SWAP];
		ret->has_swap = x->has_swap;
		ret->table[0] = first.header;
		ret->table[1] = last.header;
		snprintf(ret->memcg, sizeof(ret->memcg), "%s", last.report->oom_memcg);
		compare(x, ret);
		break;
	}
	d->error[0] = '\0';
	return ST_OK;
}

static void add_time(const struct oom_growth *g, unsigned int i, bool has_times, struct strbuf *b)
{
	if (has_times)
		strbuf_add(b, " at %s s", STAMP_TEXT(g->table[i]->ts_ns));
	else
		strbuf_add(b, " at the %s", i ? "last" : "first");
}

static void add_one(const struct dump *d, const struct oom_growth *g, const struct oom_grown *of,
		    bool has_times, struct strbuf *b)
{
	const unsigned int shift = d->page_shift;

	if (of->tgid)
		strbuf_add(b, "%s (%ld): ", of->comm, (long)of->tgid);
	else if (of->processes[0] == of->processes[1] || of->is_new)
		strbuf_add(b, "%s processes %s: ", COUNT_TEXT(of->processes[1]), of->comm);
	else
		strbuf_add(b, "%s and then %s processes %s: ", COUNT_TEXT(of->processes[0]),
			   COUNT_TEXT(of->processes[1]), of->comm);
	if (of->is_new)
		strbuf_add(b, "not there");
	else
		strbuf_add(b, "rss %s", SIZE_TEXT(of->rss[0] << shift));
	add_time(g, 0, has_times, b);
	strbuf_add(b, ", %s%s", of->is_new ? "rss " : "", SIZE_TEXT(of->rss[1] << shift));
	add_time(g, 1, has_times, b);
	if (g->has_swap && (of->swap[0] || of->swap[1]))
		strbuf_add(b, ", in swap %s and then %s", SIZE_TEXT(of->swap[0] << shift),
			   SIZE_TEXT(of->swap[1] << shift));
}

void oom_growth_text(const struct dump *d, const struct oom_growth *g, bool has_times,
		     struct strbuf *b)
{
	for (unsigned int i = 0; i < g->n; i++) {
		strbuf_add(b, "%s", i ? "; " : "");
		add_one(d, g, &g->all[i], has_times, b);
	}
	if (g->n && *g->memcg)
		strbuf_add(b, "; by tables of cgroup %.200s", g->memcg);
}
