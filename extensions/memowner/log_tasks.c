// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of the table that a report of the OOM killer has: where there is no dump, or that lacks some of them. */
#include "cgroup/cgroup.h"
#include "groups.h"
#include "log/log_file.h"
#include "summary.h"
#include "verdict_words.h"

#define ROWS 3
#define GROUPS 4

struct group {
	const char *comm;
	uint64_t processes, pages, swap;
	uint64_t tables;   /* bytes */
	int64_t tgid;	   /* of the first one */
	int64_t most_tgid; /* of the one that has most, and what that has */
	uint64_t most, most_swap;
};

static int64_t swap_of(const struct oom_task *t)
{
	return t->value[OOM_TASK_SWAP];
}

#define BY_REPORT "by the report in the log"

/* Of a dump the cgroup of a process that is there: the table has none. NULL: unknown. */
static const char *cgroup_of(const struct summary *s, uint64_t tgid, const char *comm)
{
	if (!s->groups)
		return NULL;
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		if (!strcmp(g->comm, comm) &&
		    ANY_OF(i, g->processes, (uint64_t)g->members[i][0] == tgid))
			return g->cgroup;
	return NULL;
}

/* Pages that are charged to a cgroup; 0: it has no row. */
static uint64_t charged_to(const struct summary *s, const char *path)
{
	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (!strcmp(row->by ?: "", "cgroup") && row->name && !strcmp(row->name, path))
			return row->pages.known ? row->pages.n : 0;
	return 0;
}

/*
 * Of several the cgroup that those of the dump are below, if that has as much as all of them: the others are there as
 * well. NULL: there is none, or unknown.
 */
static const char *cgroup_of_all(struct summary *s, const struct group *of)
{
	char path[1024] = "";

	if (!s->groups)
		return NULL;
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups) {
		if (strcmp(g->comm, of->comm) != 0 || !g->cgroup)
			continue;
		if (!*path)
			snprintf(path, sizeof(path), "%s", g->cgroup);
		else if (strcmp(path, g->cgroup) != 0)
			summary_keep_common(path, g->cgroup);
		if (!*path)
			return NULL;
	}
	return path[0] && path[1] && charged_to(s, path) >= of->pages ? dump_strdup(s->dump, path)
								      : NULL;
}

static void put_again(struct summary *s, const struct statement *row)
{
	struct statement copy = *row;

	copy.next = NULL;
	summary_add(s, &copy);
}

/* The dump has all of that name: it says more of them. */
static bool put_known(struct summary *s, const struct group *of)
{
	uint64_t n = 0;

	for (const struct statement *row = s->table.groups; row; row = row->next)
		n += !strcmp(row->comm, of->comm) ? row->processes.n : 0;
	for (const struct statement *row = n == of->processes ? s->table.groups : NULL; row;
	     row = row->next)
		if (!strcmp(row->comm, of->comm))
			put_again(s, row);
	return n == of->processes;
}

static bool put_known_process(struct summary *s, const struct oom_task *of)
{
	const struct statement *row = s->table.processes;

	while (row && (row->pid.n != (uint64_t)of->value[OOM_TASK_TGID] ||
		       strcmp(row->comm, of->comm) != 0))
		row = row->next;
	if (row)
		put_again(s, row);
	return row;
}

static void put_process(struct summary *s, const struct oom_tasks *t, const struct oom_task *of)
{
	SUMMARY_ADD(s, .section = SECTION_PROCESS,
		    .pid = { (uint64_t)of->value[OOM_TASK_TGID], true }, .comm = of->comm,
		    .cgroup = cgroup_of(s, (uint64_t)of->value[OOM_TASK_TGID], of->comm),
		    .remark = s->table.is_beside ? BY_REPORT : NULL,
		    .has_mm = t->has[OOM_TASK_SWAP],
		    .has_parts = t->has[OOM_TASK_ANON] && t->has[OOM_TASK_FILE] &&
				 t->has[OOM_TASK_SHMEM],
		    .rss = of->value[OOM_TASK_RSS], .rss_anon = of->value[OOM_TASK_ANON],
		    .rss_file = of->value[OOM_TASK_FILE], .rss_shmem = of->value[OOM_TASK_SHMEM],
		    .swap = swap_of(of),
		    .tables = { (uint64_t)of->value[OOM_TASK_PGTABLES], t->has[OOM_TASK_PGTABLES] },
		    .bytes = { (uint64_t)of->value[OOM_TASK_RSS] << s->dump->page_shift, true });
}

static bool is_victim(const struct summary *s, uint64_t pid)
{
	const struct oom_report *r = s->last_report;

	return s->dump->log_file && r && r->outcome == OOM_KILLED && r->victim.pid.known &&
	       pid == (s->table.victim ?: r->victim.pid.value);
}

/* The line of the kill has the pid of a thread where the first one has exited; a row has that, and the tgid. */
static uint64_t tgid_of_victim(const struct summary *s, const struct oom_tasks *t)
{
	const struct oom_victim *v = &s->last_report->victim;
	const struct oom_task *of = v->pid.known ? oom_tasks_find(t, v->pid.value) : NULL;

	return of ? (uint64_t)of->value[OOM_TASK_TGID] : 0;
}

/* As the line of its kill has it, in which swap is not. */
static void put_victim(struct summary *s, const struct oom_report *r)
{
	const struct oom_victim *v = &r->victim;
	const unsigned int shift = s->dump->page_shift - 10;
	const uint64_t anon = v->anon_rss_kib.value, file = v->file_rss_kib.value,
		       shmem = v->shmem_rss_kib.value, most = INT64_MAX >> 20;
	const bool has_parts = v->file_rss_kib.known && v->shmem_rss_kib.known;

	if (!v->has_comm || !v->anon_rss_kib.known || anon > most || file > most || shmem > most)
		return;
	SUMMARY_ADD(s, .section = SECTION_PROCESS, .pid = log_maybe(v->pid), .comm = v->comm,
		    .remark = "by the line of its kill", .has_parts = has_parts,
		    .rss = (int64_t)((anon + file + shmem) >> shift),
		    .rss_anon = (int64_t)(anon >> shift), .rss_file = (int64_t)(file >> shift),
		    .rss_shmem = (int64_t)(shmem >> shift),
		    .tables = { v->pgtables_kib.value << 10,
				v->pgtables_kib.known && v->pgtables_kib.value <= most },
		    .bytes = { (anon + file + shmem) << 10, has_parts });
}

/* With memory.oom.group the table has the tasks of the cgroup, all of which are killed. */
static bool is_of_group(const struct summary *s)
{
	const struct oom_report *r = s->last_report;

	return s->dump->log_file && r && r->outcome == OOM_KILLED && r->is_group;
}

bool summary_was_killed(const struct summary *s, const struct statement *row)
{
	return row->pid.known && is_victim(s, row->pid.n);
}

/*
 * What a cgroup has of anonymous memory and the others of it cannot have, each at most its rss: these have it. Without
 * that it is unknown: files, and what fork shares, are in the rss of each.
 */
static struct maybe_u64 least_of(const struct summary *s, const struct oom_tasks *t,
				 const struct group *g, uint64_t rows)
{
	const struct maybe_u64 anon = s->parts.anon;
	const uint64_t others = rows - g->pages;

	return (struct maybe_u64){ anon.n - others,
				   !t->has[OOM_TASK_ANON] && g->processes > 1 &&
					   s->last_report->scope == OOM_SCOPE_MEMCG && anon.known &&
					   !t->is_cut && anon.n > others &&
					   anon.n - others <= g->pages };
}

/* All anonymous memory of the machine, as its lists of pages have it. */
static struct maybe_u64 anon_of_machine(const struct summary *s)
{
	static const unsigned int lists[] = { MEM_active_anon, MEM_inactive_anon, MEM_unevictable };
	const struct oom_report *r = s->last_report;
	const struct log_number *pages = r->mem.pages;
	struct maybe_u64 ret = { 0, r->has_mem_info && pages[MEM_shmem].known };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		ret.known &= pages[lists[i]].known;
		ret.n += pages[lists[i]].value;
	}
	ret.known &= ret.n >= pages[MEM_shmem].value && (!s->ram_pages || ret.n <= s->ram_pages);
	ret.n -= ret.known ? pages[MEM_shmem].value : 0;
	return ret;
}

/* Of processes that count more than there is, what the other rows leave of it: what fork shares counts in each. */
static struct maybe_u64 left_of(const struct summary *s, const struct oom_tasks *t,
				const struct group *g, uint64_t rows)
{
	const bool is_of_cgroup = s->last_report->scope == OOM_SCOPE_MEMCG;
	const struct maybe_u64 anon = is_of_cgroup ? s->parts.anon : anon_of_machine(s);
	const uint64_t others = rows - g->pages;
	const uint64_t left = anon.n > others + g->most ? anon.n - others : g->most;

	return (struct maybe_u64){ left, t->has[OOM_TASK_ANON] && g->processes > 1 && anon.known &&
						 !t->is_cut && g->pages > anon.n };
}

/* Of the largest what the others of its name cannot have either, if it says much: 0, it does not. */
static uint64_t most_of(const struct group *g, uint64_t least)
{
	const uint64_t rest = g->pages - g->most;

	return least > rest && least - rest > least / 2 ? least - rest : 0;
}

static const char *by_report(struct summary *s, const char *text)
{
	return dump_text(s->dump, "%s%s", text ? BY_REPORT "; " : "anon, " BY_REPORT, text ?: "");
}

/* Without a column of anonymous memory, files and shared memory are in each of several processes. */
static void put_group(struct summary *s, const struct oom_tasks *t, const struct group *g,
		      uint64_t rows)
{
	static const char left_text[] = "what the other rows leave of all anon";
	const bool is_anon = t->has[OOM_TASK_ANON];
	const bool is_alone = is_anon || g->processes == 1;
	const bool is_much = !s->ram_pages || summary_reaches(s, LIMIT_HOLDER, g->pages);
	const struct maybe_u64 least = least_of(s, t, g, rows), left = left_of(s, t, g, rows);
	const uint64_t most = least.known ? most_of(g, least.n) : g->most;
	/* More than there is was counted more than once. */
	const bool has_swap = t->has[OOM_TASK_SWAP] &&
			      (g->processes == 1 || !s->swap.known || g->swap <= s->swap.used);
	const char *each = g->processes == 1 ? NULL
			   : has_swap && g->swap
				   ? "anon and swap as each counts them, what fork shares too"
				   : "anon as each counts it, what fork shares too";

	if (!is_alone && !least.known && is_much)
		summary_unknown(
			s, dump_text(s->dump, "memory of %s %s", COUNT_TEXT(g->processes), g->comm),
			NOT_IN_DUMP,
			"their rss is %s together, in which what they share is once for "
			"each: the table has no column of their own",
			summary_size(s, g->pages));
	/* The first one may be a row that is missing. */
	if (!is_alone && !least.known && !s->untold_first && (is_much || !s->tasks_missing))
		s->untold_first = dump_text(
			s->dump, "%s %s (%s together, of these %s %s)", COUNT_TEXT(g->processes),
			g->comm, summary_size(s, g->pages),
			SUMMARY_TASK(((struct maybe_u64){ (uint64_t)g->most_tgid, true }), g->comm),
			summary_size(s, g->most));
	SUMMARY_ADD(
		s, .section = SECTION_GROUP, .by = "command", .comm = g->comm,
		.cgroup = g->processes == 1 ? cgroup_of(s, (uint64_t)g->tgid, g->comm)
					    : cgroup_of_all(s, g),
		.pages = left.known ? left
			 : is_alone ? (struct maybe_u64){ g->pages, true }
				    : least,
		.counted = { g->pages, left.known },
		.forked = left.known
				  ? dump_text(s->dump,
					      "they sum up to %s with what they share since fork",
					      summary_size(s, g->pages))
				  : NULL,
		.is_least = least.known, .swapped = { g->swap, has_swap },
		.processes = { g->processes, true },
		.pid = { (uint64_t)g->tgid, g->processes == 1 },
		.most_pid = { (uint64_t)g->most_tgid, g->processes > 1 && most },
		.most_pages = most, .most_swapped = has_swap ? g->most_swap : 0,
		.remark =
			s->table.is_beside ? by_report(s, left.known ? left_text : each)
			: left.known	   ? left_text
			: is_anon	   ? each
			: least.known	   ? dump_text(s->dump,
						       "at least: anon of the cgroup without the "
							    "rss of all others; rss %s together",
						       summary_size(s, g->pages))
			: each && has_swap && g->swap
				? "files and shared memory among it, swap as each counts it, what fork shares too"
				: "files and shared memory among it",
		.owner = is_of_group(s) || (g->processes == 1 && is_victim(s, (uint64_t)g->tgid))
				 ? NULL
				 : "live");
}

static bool is_sane(const struct oom_task *t)
{
	return !ANY_OF(i, OOM_TASK_COLUMNS,
		       i != OOM_TASK_ADJ && (t->value[i] < 0 || t->value[i] > INT64_MAX >> 20));
}

/* What of it is as much as a holder is told for. */
static void put_tables(struct summary *s, const struct group *g)
{
	const uint64_t whole = s->ran_out_in_cgroup ? s->limit_pages : s->ram_pages;
	const uint64_t pages = g->tables >> s->dump->page_shift;
	const char *name = g->processes == 1
				   ? SUMMARY_TASK(((struct maybe_u64){ (uint64_t)g->tgid, true }),
						  g->comm)
				   : g->comm;

	if (!whole || units_tenths(pages, whole) < limit(LIMIT_HOLDER))
		return;
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "held", .name = dump_strdup(s->dump, name),
		    .pages = { pages, true }, .memory = 1U << CLASS_PGTABLE, .comm = g->comm,
		    .pid = { (uint64_t)g->tgid, g->processes == 1 },
		    .remark = g->processes == 1
				      ? "page tables"
				      : dump_text(s->dump,
						  "page tables of %s processes of this name",
						  COUNT_TEXT(g->processes)));
}

/* The whole name, which another line of the report has, of a row that lost characters of it. */
static void complete(struct oom_tasks *t, uint64_t pid, const char *name)
{
	const struct oom_task *of = hash_u64_find(&t->rows, pid);
	const size_t kept = of ? oom_task_name_kept(of->comm) : 0;

	if (of && strlen(name) > kept &&
	    (!strncmp(of->comm, name, kept) || oom_task_name_is_of(of->comm, name)))
		strcpy(((struct oom_task *)hash_u64_get(&t->rows, pid, NULL))->comm, name);
}

/* The last line of a table may have lost the end of its name, which the first line of the report has too. */
static void complete_name(const struct summary *s, struct oom_tasks *t)
{
	const struct oom_report *r = s->last_report;

	if (r->has_head && r->pid.known)
		complete(t, r->pid.value, r->comm);
	if (r->victim.pid.known && r->victim.has_comm)
		complete(t, r->victim.pid.value, r->victim.comm);
}

/* A row that has more than RAM, where the line of the kill, of the same moment, has much less, is damaged. */
static void correct_victim(const struct summary *s, struct oom_tasks *t)
{
	const struct oom_victim *v = &s->last_report->victim;
	const struct log_number *ram = &s->last_report->mem.ram;
	const unsigned int shift = s->dump->page_shift - 10;
	const uint64_t anon = v->anon_rss_kib.value >> shift, file = v->file_rss_kib.value >> shift,
		       shmem = v->shmem_rss_kib.value >> shift;
	struct oom_task *of;

	if (!v->pid.known || !hash_u64_has(&t->rows, v->pid.value) || !v->anon_rss_kib.known ||
	    !v->file_rss_kib.known || !v->shmem_rss_kib.known || !ram->known)
		return;
	of = hash_u64_get(&t->rows, v->pid.value, NULL);
	if (of->value[OOM_TASK_RSS] <= (int64_t)ram->value ||
	    anon + file + shmem > (uint64_t)of->value[OOM_TASK_RSS] / 2)
		return;
	of->value[OOM_TASK_RSS] = (int64_t)(anon + file + shmem);
	of->value[OOM_TASK_ANON] = t->has[OOM_TASK_ANON] ? (int64_t)anon : 0;
	of->value[OOM_TASK_FILE] = t->has[OOM_TASK_FILE] ? (int64_t)file : 0;
	of->value[OOM_TASK_SHMEM] = t->has[OOM_TASK_SHMEM] ? (int64_t)shmem : 0;
}

/* A row has more in swap than all swap, as the report has that: which of both is damaged is not known. */
static void leave_swap(const struct summary *s, struct oom_tasks *t)
{
	if (!s->last_report->mem.swap_differs)
		return;
	t->has[OOM_TASK_SWAP] = false;
	hash_u64_for_each(struct oom_task, of, &t->rows)
		of->value[OOM_TASK_SWAP] = 0;
}

/* As of a dump: what it has for itself, in swap too. */
static void take_asker(struct summary *s, const struct oom_tasks *t)
{
	const struct oom_report *r = s->last_report;
	const struct oom_task *of = r->has_head && r->pid.known ? oom_tasks_find(t, r->pid.value)
								: NULL;
	const bool has_own = t->has[OOM_TASK_ANON] && t->has[OOM_TASK_SHMEM];

	s->table.lacks_asker = !of && r->has_head && r->pid.known;
	if (!of || !is_sane(of))
		return;
	s->table.has_asker = true;
	s->asker_rss = (struct maybe_u64){ (uint64_t)of->value[OOM_TASK_RSS], !has_own };
	s->asker_pages = (struct maybe_u64){ (uint64_t)(of->value[OOM_TASK_ANON] + swap_of(of)),
					     has_own };
	s->asker_shmem = has_own ? (uint64_t)of->value[OOM_TASK_SHMEM] : 0;
	s->asker_swap = has_own ? (uint64_t)swap_of(of) : 0;
	s->asker_tgid = (int32_t)of->value[OOM_TASK_TGID];
}

/* dump_tasks() leaves out pid 1, which is never killed, and where nodes are given those that have none of them. */
static void put_left_out(struct summary *s, const struct oom_tasks *t, uint64_t rows)
{
	const struct oom_report *r = s->last_report;
	const struct log_number *pages = r->mem.pages;
	const uint64_t lists = pages[MEM_active_anon].value + pages[MEM_inactive_anon].value;
	const uint64_t anon = lists - pages[MEM_shmem].value;
	const bool is_of_nodes = !strcmp(r->constraint, "CONSTRAINT_CPUSET") ||
				 !strcmp(r->constraint, "CONSTRAINT_MEMORY_POLICY");

	if (r->scope == OOM_SCOPE_MEMCG || !r->has_mem_info || !s->ram_pages ||
	    summary_lacks_processes(s) || !pages[MEM_active_anon].known ||
	    !pages[MEM_inactive_anon].known || !pages[MEM_shmem].known ||
	    lists < pages[MEM_shmem].value || lists > s->ram_pages || rows > anon / 2 ||
	    !summary_reaches(s, LIMIT_HOLDER, anon - rows))
		return;
	/* One that is lost leaves no trace. */
	s->table.may_lack_rows = true;
	summary_unknown(
		s,
		is_of_nodes ? "memory of pid 1, of tasks of other nodes, or of rows that are lost"
			    : "memory of pid 1, or of rows that are lost",
		NOT_IN_DUMP,
		"the table of processes leaves %s out, and its %zu rows have %s of the %s of anon",
		is_of_nodes ? "the former" : "pid 1", t->rows.n, summary_size(s, rows),
		summary_size(s, anon));
}

static void take_most(struct group *g, const struct oom_task *of, enum oom_task_column column)
{
	const uint64_t pages = (uint64_t)of->value[column], swap = (uint64_t)swap_of(of);

	if (g->processes && pages + swap <= g->most + g->most_swap)
		return;
	g->most_tgid = of->value[OOM_TASK_TGID];
	g->most = pages;
	g->most_swap = swap;
}

static void put(struct summary *s, const struct oom_tasks *t)
{
	uint64_t rows = 0, swap = 0, tables = 0;
	struct largest tasks = { .room = ROWS }, groups = { .room = GROUPS };
	struct hash_bytes by_name;
	enum oom_task_column column = t->has[OOM_TASK_ANON] ? OOM_TASK_ANON : OOM_TASK_RSS;

	hash_bytes_init(&by_name, s->dump->arena, sizeof(struct group));
	hash_u64_for_each(const struct oom_task, of, &t->rows) {
		bool is_new;
		struct group *g;

		if (!is_sane(of))
			continue;
		largest_add(&tasks, (uint64_t)(of->value[OOM_TASK_RSS] + swap_of(of)), of);
		g = hash_bytes_get(&by_name, of->comm, strlen(of->comm), &is_new)->value;
		if (is_new) {
			g->comm = of->comm;
			g->tgid = of->value[OOM_TASK_TGID];
		}
		take_most(g, of, column);
		rows += (uint64_t)of->value[column];
		swap += (uint64_t)swap_of(of);
		tables += (uint64_t)of->value[OOM_TASK_PGTABLES];
		g->processes++;
		g->pages += (uint64_t)of->value[column];
		g->swap += (uint64_t)swap_of(of);
		g->tables += (uint64_t)of->value[OOM_TASK_PGTABLES];
	}
	for (unsigned int i = 0; i < tasks.n; i++)
		if (!put_known_process(s, tasks.of[i].item))
			put_process(s, t, tasks.of[i].item);
	hash_bytes_for_each(const struct group, g, &by_name) {
		if (!s->table.is_beside)
			put_tables(s, g);
		largest_add(&groups, g->pages + g->swap, g);
	}
	for (unsigned int i = 0; i < groups.n; i++)
		if (!put_known(s, groups.of[i].item))
			put_group(s, t, groups.of[i].item, rows);
	if (by_name.n > groups.n)
		s->untold_each = groups.of[groups.n - 1].size;
	s->table.no_swap = (struct maybe_u64){ s->swap.used - swap, t->has[OOM_TASK_SWAP] &&
									    s->swap.known &&
									    s->swap.used >= swap };
	s->table.rows = t->rows.n;
	s->table.tables = tables >> s->dump->page_shift;
	s->table.anon = (struct maybe_u64){ rows, t->has[OOM_TASK_ANON] };
	s->table.rss = (struct maybe_u64){ rows, !t->has[OOM_TASK_ANON] };
	put_left_out(s, t, rows);
}

/* The rows of a section, which has none then. */
static const struct statement *take_rows(struct summary *s, enum section section)
{
	const struct statement *rows = s->first[section];

	s->first[section] = s->last[section] = NULL;
	return rows;
}

/* Its rows are in pages, and no line tells how large those are. */
static void tell_unsized(struct summary *s, const struct oom_tasks *t)
{
	const struct oom_task *most = NULL;

	hash_u64_for_each(const struct oom_task, of, &t->rows)
		if (is_sane(of) && (!most || of->value[OOM_TASK_RSS] > most->value[OOM_TASK_RSS]))
			most = of;
	if (!most)
		return;
	s->table.unsized = dump_text(s->dump, "%s (%ld), rss of %s", most->comm,
				     most->value[OOM_TASK_TGID],
				     COUNT_OF((uint64_t)most->value[OOM_TASK_RSS], "page"));
	summary_unknown(s, "sizes of processes", NOT_IN_DUMP,
			"no line tells the size of a page; first of the table of %s is %s",
			PLURAL_TEXT(t->rows.n, "process", "processes"), s->table.unsized);
}

/*
 * Where threads of a dump are missing the table of the report with which it ended has all: its rows are told then in place
 * of those that are known.  What a kernel before 6.10 has there is rss, of which files and what is shared are a part.
 */
enum status summary_report_tasks(struct summary *s)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(s, &older);
	struct oom_tasks *t;
	struct kernel_log log;

	if ((s->has_tasks && !s->tasks_missing) || !r || r != s->last_report ||
	    r->outcome != OOM_PANICKED || r->scope == OOM_SCOPE_MEMCG)
		return ST_OK;
	t = dump_alloc(s->dump, sizeof(*t));
	if (kernel_log_read(s->dump, &log) != ST_OK || oom_tasks_read(s->dump, &log, t) != ST_OK ||
	    !oom_tasks_are_of(s->dump, t, s->last_report) || t->is_cut || !t->has[OOM_TASK_ANON]) {
		s->dump->error[0] = '\0';
		return ST_OK;
	}
	s->table.groups = take_rows(s, SECTION_GROUP);
	s->table.processes = take_rows(s, SECTION_PROCESS);
	s->table.is_beside = s->has_tasks = true;
	complete_name(s, t);
	if (!s->asker_pages.known)
		take_asker(s, t);
	put(s, t);
	return ST_OK;
}

enum status summary_log_tasks(struct summary *s)
{
	struct oom_tasks *t = dump_alloc(s->dump, sizeof(*t));
	struct kernel_log log = s->dump->log_file->log;

	if (s->last_report)
		log = oom_report_log(&s->reports, s->last_report, &log);
	if (oom_tasks_read(s->dump, &log, t) != ST_OK ||
	    !oom_tasks_are_of(s->dump, t, s->last_report))
		return ST_OK;
	if (!s->dump->page_shift) {
		tell_unsized(s, t);
		return ST_OK;
	}
	s->table.lacks_victim = oom_tasks_lack_victim(t, s->last_report);
	if (t->is_guessed && !t->rows.n)
		summary_unknown(s, "processes", NOT_IN_DUMP,
				"no row of their table could be read as a whole");
	else if (t->is_guessed)
		summary_unknown(
			s, "more processes", NOT_IN_DUMP,
			"the log lacks the beginning of their table: its columns are told by the "
			"form of %s",
			COUNT_OF(t->rows.n, "row"));
	else if (t->is_cut)
		summary_unknown(s, "more processes", NOT_IN_DUMP,
				"the log lacks the end of their table, or records in it");
	else if (s->table.lacks_victim)
		summary_unknown(
			s, "more processes", NOT_IN_DUMP,
			"their table has no row of %s, which was killed: rows of it are lost",
			SUMMARY_TASK(log_maybe(s->last_report->victim.pid),
				     s->last_report->victim.has_comm ? s->last_report->victim.comm
								     : NULL));
	t->is_cut |= s->table.lacks_victim;
	s->tasks_missing = t->is_cut;
	s->has_tasks = true;
	s->lacks_anon = !t->has[OOM_TASK_ANON];
	s->lacks_tables = !t->has[OOM_TASK_PGTABLES];
	complete_name(s, t);
	correct_victim(s, t);
	leave_swap(s, t);
	if (s->table.lacks_victim)
		put_victim(s, s->last_report);
	s->table.victim = tgid_of_victim(s, t);
	take_asker(s, t);
	put(s, t);
	return ST_OK;
}
