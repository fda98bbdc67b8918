// SPDX-License-Identifier: GPL-2.0-or-later
/* What the newest OOM report of the log says of the processes, beside what they have at the panic. */
#include <stdlib.h>

#include "processes.h"

#include "cli/table_empty.h"

/* The table is that of the report: no other report began between them. */
static bool is_of_report(const struct processes *p)
{
	return p->report && p->table.ts_ns >= p->report->ts_ns &&
	       (!p->report->has_caller || !p->table.has_caller ||
		p->report->caller == p->table.caller);
}

/* Of the log and of the start of a process the clocks differ by milliseconds; no pid comes again within that. */
#define CLOCKS_NS 1000000000ULL

/* Whether the process had its pid when a record was written. */
static bool was_there(const struct process *q, uint64_t ts_ns)
{
	return q->task.start_ns <= ts_ns || q->task.start_ns - ts_ns < CLOCKS_NS;
}

/* The table has the name of a thread that had the memory then. */
const struct oom_task *process_row(const struct processes *p, const struct process *q)
{
	const struct oom_task *row;

	if (!p->has_table || !q->has_task || !was_there(q, p->table.ts_ns))
		return NULL;
	row = hash_u64_find(&p->table.rows, q->task.tgid);
	return row && (!strcmp(row->comm, q->task.comm) ||
		       (q->thread_comm && !strcmp(row->comm, q->thread_comm)))
		       ? row
		       : NULL;
}

enum row_fate process_row_fate(const struct processes *p, const struct oom_task *row)
{
	const uint64_t tgid = row->value[OOM_TASK_TGID];
	const struct process *const *q = hash_u64_find(&p->by_tgid, tgid);

	if (!q)
		return ROW_EXITED;
	if ((uint64_t)(*q)->task.tgid != tgid)
		return ROW_SHARED_MEMORY;
	return was_there(*q, p->table.ts_ns) ? ROW_OTHER_NAME : ROW_EXITED;
}

static bool counts_are(const struct processes *p, const struct oom_task *row,
		       const struct mm_counts *n)
{
	const bool *has = p->table.has;

	return row->value[OOM_TASK_RSS] == mm_counts_rss(n) &&
	       (!has[OOM_TASK_SWAP] || row->value[OOM_TASK_SWAP] == n->swap) &&
	       (!has[OOM_TASK_ANON] || row->value[OOM_TASK_ANON] == n->anon) &&
	       (!has[OOM_TASK_FILE] || row->value[OOM_TASK_FILE] == n->file) &&
	       (!has[OOM_TASK_SHMEM] || row->value[OOM_TASK_SHMEM] == n->shmem);
}

/*
 * Since 6.2 kernels differ: some read the counters without the deltas of CPUs, others sum them up.
 * The rows of the log tell, as those of processes that did not change are equal to one of the two.
 */
static void decide_reads(struct processes *p)
{
	size_t shared = 0, sum = 0;

	p->reads = p->mms.counters.is_percpu ? READS_UNKNOWN : READS_SHARED;
	for (size_t i = 0; p->reads == READS_UNKNOWN && i < p->n; i++) {
		const struct process *q = p->all[i];
		bool is_shared, is_sum;

		if (!q->logged || !q->has_exact)
			continue;
		is_shared = counts_are(p, q->logged, &q->task.read);
		is_sum = counts_are(p, q->logged, &q->exact);
		shared += is_shared && !is_sum;
		sum += is_sum && !is_shared;
	}
	if (shared && !sum)
		p->reads = READS_SHARED;
	else if (sum && !shared)
		p->reads = READS_SUM;
	decoder_trace(p->v->dump, "decide the OOM killer reads %s (%zu rows of the log, %zu)",
		      p->reads == READS_SHARED ? "counters without deltas of CPUs"
		      : p->reads == READS_SUM  ? "sums over CPUs"
					       : "counters in an unknown form",
		      shared, sum);
}

static void find_report(struct processes *p, const struct kernel_log *log)
{
	struct dump *d = p->v->dump;
	struct oom_reports all;

	if (oom_reports_read(d, log, &all) == ST_OK)
		p->report = oom_reports_last(&all, OOM_REPORT_OOM);
	p->has_table = oom_tasks_read(d, log, &p->table) == ST_OK && is_of_report(p);
}

/*
 * The report that tells whom the OOM killer looks at; NULL: all. After a report that did not end the kernel
 * it ran on, and a cgroup's limit of then says nothing of the others.
 */
static const struct oom_report *scope_of(const struct processes *p)
{
	const struct oom_report *r = p->report;

	return r && (r->outcome == OOM_PANICKED || r->outcome == OOM_OUTCOME_UNKNOWN) ? r : NULL;
}

void processes_log(struct processes *p)
{
	struct dump *d = p->v->dump;
	struct kernel_log log = { 0 };
	enum status st = kernel_log_read(d, &log);
	uint64_t nodes;

	/* A kernel without printk has no reports. */
	if (st != ST_ABSENT && (st != ST_OK || log.is_cut))
		p->log_problem = st != ST_OK ? dump_strdup(d, d->error)
					     : "a part of the log is not in this dump";
	find_report(p, &log);
	p->has_one_node = node_ids_read(d, &nodes) == ST_OK && nodes == 1;
	for (size_t i = 0; i < p->n; i++)
		p->all[i]->logged = process_row(p, p->all[i]);
	decide_reads(p);
	/* The constraint of a report that is missing may be another. */
	p->has_total = !p->log_problem && oom_total_read(d, scope_of(p), &p->total) == ST_OK;
	if (!p->has_total)
		p->total_problem = p->log_problem ? "the report that decides may be missing"
						  : dump_strdup(d, d->error);
	p->has_log_total = !p->log_problem && oom_total_read(d, p->report, &p->log_total) == ST_OK;
}

/* Counters of a process as the OOM killer reads them; false: unknown. */
static bool process_counts(const struct processes *p, const struct process *q,
			   struct mm_counts *ret)
{
	const struct mm_counts *read = q->has_task ? &q->task.read : &q->info.read;

	if (!q->has_exact)
		return false;
	/* The rows that would tell may be in a part of the log that is missing. */
	if (p->reads == READS_UNKNOWN && p->log_problem &&
	    (read->anon != q->exact.anon || read->file != q->exact.file ||
	     read->shmem != q->exact.shmem || read->swap != q->exact.swap))
		return false;
	*ret = p->reads == READS_SHARED ? *read : q->exact;
	return true;
}

/* Of an ADJ of 0 no total is needed. */
static bool has_badness(const struct processes *p, int64_t adj)
{
	return !adj || p->has_total;
}

/* Up to 4.20 the report names no constraint. */
static bool is_of_memcg(const struct oom_report *r)
{
	return r && (r->scope == OOM_SCOPE_MEMCG || !strcmp(r->constraint, "CONSTRAINT_MEMCG"));
}

/* Of several nodes some processes may have none in common with the request: oom_cpuset_eligible(). */
static bool is_by_nodes(const struct processes *p)
{
	const struct oom_report *r = scope_of(p);

	return r && !p->has_one_node && strcmp(r->constraint, "CONSTRAINT_NONE");
}

/* The kernel's table lists those that have, whatever they may use now. */
static bool is_left_out(const struct processes *p, const struct process *q)
{
	return p->has_table && !p->table.is_cut && q->has_task &&
	       q->task.start_ns <= p->table.ts_ns && !hash_u64_find(&p->table.rows, q->task.tgid);
}

/*
 * Where a cgroup ran out of memory, the OOM killer looks at its processes alone.  The newest report may be in
 * a part of the log that is missing.
 */
static bool is_known_outside(const struct processes *p, const struct process *q)
{
	const struct oom_report *r = scope_of(p);

	if (p->log_problem || !is_of_memcg(r))
		return !p->log_problem && is_by_nodes(p) && is_left_out(p, q);
	return *r->oom_memcg && q->paths.memcg && !cgroup_is_below(q->paths.memcg, r->oom_memcg);
}

static bool is_known_inside(const struct processes *p, const struct process *q)
{
	const struct oom_report *r = scope_of(p);

	if (p->log_problem)
		return false;
	if (!is_of_memcg(r))
		return !is_by_nodes(p) || q->logged;
	return *r->oom_memcg && q->paths.memcg && cgroup_is_below(q->paths.memcg, r->oom_memcg);
}

enum oom_standing process_standing(const struct processes *p, const struct process *q)
{
	enum oom_standing s;

	if (!q->has_oom || !q->has_mm)
		return OOM_STANDING_UNKNOWN;
	s = oom_standing(&q->oom, &q->info, &q->task);
	if (s != OOM_ELIGIBLE || is_known_inside(p, q))
		return s;
	return is_known_outside(p, q) ? OOM_OUTSIDE : OOM_STANDING_UNKNOWN;
}

bool process_badness(const struct processes *p, const struct process *q, int64_t *ret)
{
	struct mm_counts n;
	enum oom_standing s;

	if (!q->has_oom || !q->has_mm || !q->info.has_pgtables || !process_counts(p, q, &n) ||
	    !has_badness(p, q->oom.adj) || !is_known_inside(p, q))
		return false;
	s = process_standing(p, q);
	if (s != OOM_ELIGIBLE && s != OOM_VICTIM)
		return false;
	*ret = oom_badness(&n, q->info.pgtables_bytes, q->oom.adj, p->total.pages,
			   p->v->page_shift);
	return oom_score_of(&p->scores, ret);
}

bool process_log_badness(const struct processes *p, const struct oom_task *row, int64_t *ret)
{
	const int64_t *v = row->value;
	const struct mm_counts n = { .anon = v[OOM_TASK_RSS], .swap = v[OOM_TASK_SWAP] };

	if (!p->table.has[OOM_TASK_SWAP] || !p->table.has[OOM_TASK_PGTABLES] ||
	    !p->table.has[OOM_TASK_ADJ] || v[OOM_TASK_ADJ] < -1000 || v[OOM_TASK_ADJ] > 1000 ||
	    v[OOM_TASK_ADJ] == OOM_ADJ_MIN || (v[OOM_TASK_ADJ] && !p->has_log_total))
		return false;
	*ret = oom_badness(&n, v[OOM_TASK_PGTABLES], v[OOM_TASK_ADJ], p->log_total.pages,
			   p->v->page_shift);
	return oom_score_of(&p->scores, ret);
}

/* Whether a process has at the panic what its row says. */
static bool is_same(const struct processes *p, const struct process *q)
{
	const struct oom_task *row = q->logged;
	bool shared = counts_are(p, row, &q->task.read), sum = counts_are(p, row, &q->exact);

	if (!(p->reads == READS_SHARED ? shared : p->reads == READS_SUM ? sum : shared || sum))
		return false;
	return (!p->table.has[OOM_TASK_TOTAL_VM] ||
		row->value[OOM_TASK_TOTAL_VM] == (int64_t)q->info.total_vm) &&
	       (!p->table.has[OOM_TASK_PGTABLES] ||
		row->value[OOM_TASK_PGTABLES] == (int64_t)q->info.pgtables_bytes) &&
	       (!p->table.has[OOM_TASK_ADJ] || !q->has_oom ||
		row->value[OOM_TASK_ADJ] == q->oom.adj);
}

struct comparison {
	uint64_t same, changed, unknown, fates[ROW_SHARED_MEMORY + 1];
	const struct process *most; /* changed most in rss and swap */
	int64_t growth;		    /* pages */
};

static void compare(const struct processes *p, struct comparison *c)
{
	struct hash_u64 matched;

	hash_u64_init(&matched, p->v->dump->arena, 0);
	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];
		struct mm_counts n;
		int64_t growth;

		if (!q->logged)
			continue;
		hash_u64_add(&matched, q->task.tgid);
		if (!q->has_mm || !process_counts(p, q, &n)) {
			c->unknown++;
			continue;
		}
		if (is_same(p, q)) {
			c->same++;
			continue;
		}
		c->changed++;
		growth = mm_counts_rss(&n) + n.swap - q->logged->value[OOM_TASK_RSS] -
			 q->logged->value[OOM_TASK_SWAP];
		if (!c->most || llabs(growth) > llabs(c->growth)) {
			c->most = q;
			c->growth = growth;
		}
	}
	hash_u64_for_each(const struct oom_task, row, &p->table.rows)
		if (!hash_u64_has(&matched, row->value[OOM_TASK_TGID]))
			c->fates[process_row_fate(p, row)]++;
}

static void put_comparison(struct processes *p)
{
	struct sink *out = p->v->out;
	struct comparison c = { 0 };

	compare(p, &c);
	sink_printf(out, "the log's table lists %s",
		    PLURAL_TEXT(p->table.rows.n, "process", "processes"));
	if (c.same)
		sink_printf(out, "; %lu have the same counters at the %s", c.same,
			    end_name(&p->v->report.info));
	if (c.changed)
		sink_printf(out, "; %lu changed since", c.changed);
	/* What changed may be other counters than those of memory. */
	if (c.changed && c.growth)
		sink_printf(out, ", %s (pid %d) most: %s%s", c.most->task.comm, c.most->task.tgid,
			    c.growth < 0 ? "-" : "+",
			    SIZE_TEXT((uint64_t)llabs(c.growth) << p->v->page_shift));
	if (c.unknown)
		sink_printf(out, "; %lu with an unknown size now", c.unknown);
	if (c.fates[ROW_EXITED])
		sink_printf(out, "; %lu %s", c.fates[ROW_EXITED],
			    p->tasks_problem ? "not found among the tasks" : "exited since");
	if (c.fates[ROW_OTHER_NAME])
		sink_printf(out, "; %lu with another name now", c.fates[ROW_OTHER_NAME]);
	if (c.fates[ROW_SHARED_MEMORY])
		sink_printf(out, "; %lu with the memory of another process",
			    c.fates[ROW_SHARED_MEMORY]);
	sink_text(out, "\n");
}

static void put_victim(struct processes *p)
{
	const struct oom_victim *k = &p->report->victim;
	const struct process *const *q;

	if (!k->pid.known)
		return;
	q = hash_u64_find(&p->by_tgid, k->pid.value);
	sink_printf(p->v->out, "victim of the OOM killer: pid %lu%s%s%s", k->pid.value,
		    k->has_comm ? " (" : "", k->has_comm ? k->comm : "", k->has_comm ? ")" : "");
	if (k->anon_rss_kib.known)
		sink_printf(p->v->out, ", anon %s when it was killed",
			    SIZE_TEXT(k->anon_rss_kib.value << 10));
	if (q && was_there(*q, p->report->ts_ns))
		sink_text(p->v->out, "; it still has its memory");
	else if (q || !p->tasks_problem)
		sink_text(p->v->out, "; it has exited");
	sink_text(p->v->out, "\n");
}

/* Whether a row has one that is shown: of those that are not killed it is unknown. */
static bool has_value(const struct table *t, enum column_id id)
{
	const size_t column = table_index(t, id);

	return table_tells(t, id) && ANY_OF(r, t->n, t->rows[r][column].kind != CELL_NULL);
}

static void put_badness(const struct processes *p)
{
	const struct table *t = &p->v->in->table;
	struct strbuf b = STRBUF_OF(512);

	if (has_value(t, COLUMN_badness_pages) || has_value(t, COLUMN_log_badness_pages))
		strbuf_add(&b, "BADNESS: pages of rss, swap and page tables by the kernel's "
			       "counters, to which CPUs or threads may have some to add");
	if (has_value(t, COLUMN_oom_score_adj))
		strbuf_add(&b, "%sADJ in thousandths of %s pages, %s", strbuf_between(&b, "; "),
			   COUNT_TEXT(p->total.pages), p->total.of);
	if (has_value(t, COLUMN_badness_pages))
		strbuf_add(&b, "; a BADNESS below 0 is killed last");
	if (b.len)
		sink_printf(p->v->out, "%s\n", b.buf);
}

void processes_put_log(struct processes *p)
{
	struct sink *out = p->v->out;
	char age[AGE_TEXT];

	if (p->has_total)
		put_badness(p);
	if (p->report && age_text(&p->v->report.info, p->report->ts_ns, age))
		sink_printf(out, "OOM report in the log, %s%s%s%s%s%s\n", age,
			    p->report->constraint[0] ? ": " : "", p->report->constraint,
			    p->report->constraint_derived ? " (derived)" : "",
			    *p->report->oom_memcg ? ", memory cgroup " : "", p->report->oom_memcg);
	if (p->has_table)
		put_comparison(p);
	if (p->report)
		put_victim(p);
}
