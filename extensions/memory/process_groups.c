// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner processes -g: processes with the same values of the keys, in a row. */
#include "cli/rows.h"
#include "processes.h"

/* A sum over the members is known where it is of each of them. */
struct sum {
	int64_t n;
	uint64_t missing; /* members of which it is unknown */
};

struct group {
	struct row_group keys;
	uint64_t processes;
	struct maybe_u64 threads;
	struct sum pages[4], swap; /* by enum rss_kind */
	struct sum pgtables, pss;
	uint64_t oldest_ns; /* start of the first one, if has_start */
	bool has_start;
};

#define ROW struct group
#define VIEW const struct processes

enum rss_kind { RSS_ALL, RSS_ANON, RSS_FILE, RSS_SHMEM };

static struct cell sum_cell(const struct sum *s, unsigned int shift)
{
	return cell_if(!s->missing, cell_int((int64_t)((uint64_t)s->n << shift)));
}

static struct cell rss_cell(const void *record, void *view, unsigned int kind)
{
	return sum_cell(&((const ROW *)record)->pages[kind], ((VIEW *)view)->v->page_shift);
}

static struct cell memory_cell(const void *record, void *view)
{
	const ROW *g = record;
	unsigned int shift = ((VIEW *)view)->v->page_shift;
	const struct sum all = {
		(int64_t)((uint64_t)(g->pages[RSS_ALL].n + g->swap.n) << shift) + g->pgtables.n,
		g->pages[RSS_ALL].missing + g->swap.missing + g->pgtables.missing
	};

	return sum_cell(&all, 0);
}

CELL_WITH(swap_cell, ROW, VIEW, sum_cell(&r->swap, v->v->page_shift))
CELL_FROM(pgtables_cell, ROW, cell_if(!r->pgtables.missing, cell_uint((uint64_t)r->pgtables.n)))
CELL_FROM(pss_cell, ROW, cell_if(!r->pss.missing, cell_uint((uint64_t)r->pss.n)))

static struct cell life_cell(const void *record, void *view)
{
	const ROW *g = record;

	return g->has_start ? report_age(&((VIEW *)view)->v->report, g->oldest_ns)
			    : cell_text(NULL);
}

#define EACH "of each: what several share is in it several times"

static const struct view_column columns[] = {
	{ COLUMN_pid, 0 },
	{ COLUMN_processes, IN_BOTH | KNOWN, UINT_OF(ROW, processes) },
	{ COLUMN_threads, IN_JSON, "null: the list of one of them has a hole",
	  UINT_MAYBE(ROW, threads) },
	{ COLUMN_process_bytes, IN_JSON, EACH, CELL_BY(memory_cell) },
	{ COLUMN_rss_bytes, IN_BOTH, EACH, CELL_OF(rss_cell, RSS_ALL) },
	{ COLUMN_pss_bytes, IN_BOTH, "null: of one of them it is unknown", CELL_BY(pss_cell) },
	{ COLUMN_rss_anon_bytes, IN_BOTH, EACH, CELL_OF(rss_cell, RSS_ANON) },
	{ COLUMN_rss_file_bytes, IN_BOTH, EACH, CELL_OF(rss_cell, RSS_FILE) },
	{ COLUMN_rss_shmem_bytes, IN_BOTH, EACH, CELL_OF(rss_cell, RSS_SHMEM) },
	{ COLUMN_swap_bytes, IN_BOTH, CELL_BY(swap_cell) },
	{ COLUMN_pgtables_bytes, IN_JSON, CELL_BY(pgtables_cell) },
	{ COLUMN_locked_bytes, 0 },
	{ COLUMN_life_ns, IN_BOTH, "of the first one", CELL_BY(life_cell) },
	{ COLUMN_oom_state, 0, .choices = oom_standing_names + 1 },
	{ COLUMN_memcg, 0 },
	{ COLUMN_uid, 0 },
	{ COLUMN_ppid, 0 },
	{ COLUMN_comm, 0, .width = 15 },
	{ COLUMN_cgroup, 0 },
	BASIS(derived),
};

static void prepare(struct cmdline *in)
{
	rows_show_groups(in, (const enum column_id[]){ COLUMN_NONE });
}

static void add(struct sum *s, bool known, int64_t n)
{
	if (known)
		s->n = (int64_t)((uint64_t)s->n + (uint64_t)n);
	else
		s->missing++;
}

static void add_process(struct group *g, const struct process *q)
{
	const struct mm_counts *c = &q->exact;

	g->processes += q->groups;
	g->threads.n += q->threads;
	g->threads.known &= q->has_threads;
	add(&g->pages[RSS_ALL], q->has_exact, mm_counts_rss(c));
	add(&g->pages[RSS_ANON], q->has_exact, c->anon);
	add(&g->pages[RSS_FILE], q->has_exact, c->file);
	add(&g->pages[RSS_SHMEM], q->has_exact, c->shmem);
	add(&g->swap, q->has_exact, c->swap);
	add(&g->pgtables, q->has_mm && q->info.has_pgtables, (int64_t)q->info.pgtables_bytes);
	add(&g->pss, q->has_pss, (int64_t)q->pss_bytes);
	if (q->has_task && (!g->has_start || q->task.start_ns < g->oldest_ns)) {
		g->oldest_ns = q->task.start_ns;
		g->has_start = true;
	}
}

static enum status show_groups(void *arg)
{
	struct owner_view *v = arg;
	struct processes *p = v->own;
	struct cmdline *in = v->in;
	struct row_groups groups;
	bool is_new;

	row_groups_init(&groups, p->v->dump, sizeof(struct group));
	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		struct group *g;

		if (!rows_keep_member(in, process_columns, PROCESS_COLUMNS, q, p))
			continue;
		g = row_groups_get(&groups, in, process_columns, PROCESS_COLUMNS, q, p, &is_new);
		g->threads.known |= is_new;
		add_process(g, q);
	}
	for (struct hash_bytes_entry *e = groups.groups.first; e; e = e->next)
		row_add_group(in, e->value, p);
	return processes_put(p);
}

static const struct view groups_view = {
	"processes_groups",
	"-g comm",
	COLUMNS_OF(columns),
	KEYS_OF(process_keys),
	.command = "memowner",
	.prepare = prepare,
	.filters_rows = true,
	.open = processes_open,
	.show = show_groups,
	ROWS_ARE("group", "groups", "process_bytes,processes", 10),
	MEMBERS_ARE("process", "processes"),
};

const struct view owner_procs_view = {
	"processes",
	"",
	process_columns,
	PROCESS_COLUMNS,
	KEYS_OF(process_keys),
	.grouped = &groups_view,
	.filters_rows = true,
	ROWS_ARE("process", "processes", "process_bytes,pid", 10),
	.open = processes_open,
	.show = processes_show,
};
