// SPDX-License-Identifier: GPL-2.0-or-later
#include "groups.h"

#include "cgroup/cgroup.h"
#include "summary.h"
#include "tasks/name_stem.h"

#define TEXT 256
#define GROUPS 4 /* of processes */

struct stems {
	struct hash_bytes *numbered, names;
};

static enum status add_name(void *arg, const struct task *t)
{
	struct stems *x = arg;
	struct stem_names *of;
	char stem[NAME_STEM];
	bool is_new;

	name_stem(t->comm, stem);
	if (t->pid != t->tgid || t->is_kthread || !strcmp(stem, t->comm))
		return ST_OK;
	hash_bytes_get(&x->names, t->comm, strlen(t->comm) + 1, &is_new);
	of = hash_bytes_get(x->numbered, stem, strlen(stem) + 1, NULL)->value;
	of->n += is_new;
	return ST_OK;
}

/* Processes of one program may each have a name with a number of its own: of those that are not known none is missed. */
static void find_numbered(struct process_groups *p)
{
	struct dump *d = p->s->dump;
	struct stems x = { .numbered = &p->numbered };
	struct tasks tasks;

	hash_bytes_init(&p->numbered, d->arena, sizeof(struct stem_names));
	hash_bytes_init(&x.names, d->arena, 0);
	if (tasks_open(d, &tasks) != ST_OK)
		return;
	tasks.identity_only = true;
	(void)tasks_walk(&tasks, add_name, &x);
}

/* Its name, or where many have one with another number what these have in common. */
static const char *name_of(const struct process_groups *p, const char *comm, char stem[NAME_STEM])
{
	const struct stem_names *of;

	name_stem(comm, stem);
	of = hash_bytes_find(&p->numbered, stem, strlen(stem) + 1);
	return of && of->n >= MANY_PROCESSES ? stem : comm;
}

void groups_open(struct summary *s, struct process_groups *ret)
{
	struct arena *arena = s->dump->arena;

	*ret = (struct process_groups){ .s = s };
	hash_u64_init(&ret->mms, arena, 0);
	hash_bytes_init(&ret->groups, arena, sizeof(struct process_group));
	hash_bytes_init(&ret->cgroups, arena, sizeof(struct cgroup_processes));
	hash_bytes_init(&ret->sleeps, arena, sizeof(struct process_sleep));
	hash_bytes_init(&ret->lacking, arena, 0);
	hash_u64_init(&ret->counted, arena, 0);
	hash_u64_init(&ret->threads, arena, sizeof(struct process_threads));
	hash_bytes_init(&ret->kthreads, arena, sizeof(struct kthread_group));
	if (s->has_classes && summary_may_hold(s, s->classes[CLASS_KSTACK]))
		ret->stack_pages = thread_size(s->dump) >> s->dump->page_shift;
	ret->structs_status = mm_structs_open(s->dump, &ret->structs);
	ret->has_scores = oom_scores_open(s->dump, &ret->scores) == ST_OK;
	find_numbered(ret);
	s->dump->error[0] = '\0';
}

static void add_score(struct process_groups *p, const struct task *t, struct process_group *g)
{
	struct oom_process oom;

	if (!p->has_scores || oom_process_read(&p->scores, t, &oom) != ST_OK)
		return;
	g->most_adj = g->scored++ && g->most_adj > oom.adj ? g->most_adj : oom.adj;
}

/* Shared memory and files are not theirs alone: files have rows of their own. */
struct process_group *groups_add(struct process_groups *p, const struct task *t, const char *cgroup)
{
	char key[TASKS_COMM + 1 + 512], stem[NAME_STEM];
	const char *name = name_of(p, t->comm, stem);
	struct process_group *g;
	struct mm_struct mm;
	bool is_new;
	int n;

	if (!t->has_mm || !t->has_memory || t->rss_anon < 0 || t->swap < 0) {
		/* Other threads have none of their own. */
		if (t->mm_unreadable || (t->has_mm && t->has_memory))
			hash_bytes_get(&p->lacking, t->comm, strlen(t->comm) + 1, NULL);
		return NULL;
	}
	/* Of vfork() and CLONE_VM two processes have one memory. */
	if (!hash_u64_add(&p->mms, t->mm))
		return NULL;
	p->s->rss_pages += t->rss > 0 ? (uint64_t)t->rss : 0;
	n = snprintf(key, sizeof(key), "%s\n%.500s", name, cgroup ?: "");
	g = hash_bytes_get(&p->groups, key, (size_t)n, &is_new)->value;
	if (is_new) {
		snprintf(g->comm, sizeof(g->comm), "%.*s", TASKS_COMM, name);
		g->cgroup = cgroup;
		g->tgid = t->tgid;
		g->first_ns = t->start_ns;
	}
	g->members = arena_more(p->s->dump->arena, g->members, g->processes, sizeof(*g->members));
	g->members[g->processes][0] = t->tgid;
	g->members[g->processes++][1] = t->has_ppid ? t->ppid : 0;
	add_score(p, t, g);
	g->lacks_first |= t->pid != t->tgid;
	if (t->has_ppid && t->ppid == g->parent)
		g->of_parent++;
	else if (g->of_parent)
		g->of_parent--;
	else if (t->has_ppid) {
		g->parent = t->ppid;
		g->of_parent = 1;
	}
	g->swap += (uint64_t)t->swap;
	g->mapped += t->total_vm;
	g->first_ns = t->start_ns < g->first_ns ? t->start_ns : g->first_ns;
	g->last_ns = t->start_ns > g->last_ns ? t->start_ns : g->last_ns;
	if (p->structs_status != ST_OK || mm_struct_read(&p->structs, t->mm, &mm) != ST_OK)
		mm = (struct mm_struct){ 0 };
	anon_sum_add(p->s->dump, &g->sum, t, mm.pgd);
	if (is_new || t->rss_anon + t->swap > g->largest.rss_anon + g->largest.swap)
		g->largest = *t;
	if (!mm.pgd) {
		g->lacks_tables = g->lacks_mm = g->lacks_data = true;
		return g;
	}
	g->tables += mm.pgtables_bytes;
	g->lacks_tables |= !mm.has_pgtables;
	g->locked += mm.locked_vm;
	g->data += mm.data_vm;
	g->lacks_data |= !mm.has_data;
	return g;
}

/*
 * Those that exit and have no memory as well. A zombie is in no cgroup.procs; where the first thread alone has ended the
 * process is there (css_task_iter_advance(), 5.2, "cgroup: Include dying leaders with live threads in PROCS iterations").
 */
static void add_to_cgroup(struct process_groups *p, const struct task *t, const char *cgroup)
{
	const bool is_dead = t->state && strchr(TASK_DEAD_LETTERS, t->state);
	struct cgroup_processes *of;

	if (is_dead ? t->pid != t->tgid : !hash_u64_add(&p->counted, (uint64_t)t->tgid))
		return;
	p->lacks_cgroups |= !cgroup;
	if (!cgroup)
		return;
	of = hash_bytes_get(&p->cgroups, cgroup, strlen(cgroup) + 1, NULL)->value;
	if (is_dead) {
		of->zombies += t->state == 'Z';
		return;
	}
	/* Its first thread came before it. */
	of->zombies -= t->pid != t->tgid && of->zombies;
	if (!of->n++ || t->start_ns < of->first_ns)
		of->first_ns = t->start_ns;
}

static void add_kthread(struct process_groups *p, const struct task *t)
{
	char stem[NAME_STEM];
	struct kthread_group *of;

	if (!p->stack_pages)
		return;
	name_stem(t->comm, stem);
	of = hash_bytes_get(&p->kthreads, stem, strlen(stem) + 1, NULL)->value;
	if (!of->n++)
		of->first = t->pid;
}

void groups_add_thread(struct process_groups *p, const struct task *t, const char *cgroup)
{
	struct process_threads *of;
	bool is_new;

	if (t->is_kthread)
		return add_kthread(p, t);
	add_to_cgroup(p, t, cgroup);
	if (!p->stack_pages)
		return;
	of = hash_u64_get(&p->threads, (uint64_t)t->tgid, &is_new);
	of->n++;
	if (is_new || t->pid == t->tgid)
		snprintf(of->comm, sizeof(of->comm), "%s", t->comm);
}

/* "archived (109)", "12 processes redis" */
static const char *group_name(struct summary *s, const struct process_group *g)
{
	struct strbuf b = STRBUF_OF(TEXT);

	summary_group_name(&(struct statement){ .comm = g->comm,
						.pid = { (uint64_t)g->tgid, true },
						.processes = { g->processes, true } },
			   &b);
	return dump_strdup(s->dump, b.buf);
}

/* What a zram stores is memory of processes that is in swap. */
static void remark_on_zram(struct summary *s, const struct process_group *g)
{
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		if (strcmp(row->by, "zram") || !s->swap.known || g->swap <= s->swap.used / 2)
			continue;
		row->comm = g->comm;
		row->pid = (struct maybe_u64){ (uint64_t)g->tgid, g->processes == 1 };
		row->remark = dump_text(s->dump, "%s%s%s: %s of %s in swap", row->remark ?: "",
					row->remark ? "; " : "", group_name(s, g),
					summary_size(s, g->swap), summary_size(s, s->swap.used));
	}
}

/* How many processes each cgroup has that is told, with those below it. */
static void count_in_cgroups(struct summary *s)
{
	const struct process_groups *p = s->groups;
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		/* Of one that was removed another cgroup may have its path now. */
		const bool is_part = !row->is_removed && (s->tasks_missing || p->lacks_cgroups);
		uint64_t n = 0, first_ns = 0, zombies = 0;

		if (strcmp(row->by, "cgroup") || !row->name)
			continue;
		for (const struct hash_bytes_entry *e = p->cgroups.first; e && !row->is_removed;
		     e = e->next) {
			const struct cgroup_processes *of = e->value;

			if (!cgroup_is_below((const char *)e->key, row->name))
				continue;
			if (of->n)
				first_ns = !n || of->first_ns < first_ns ? of->first_ns : first_ns;
			n += of->n;
			zombies += of->zombies;
		}
		if (n && !is_part)
			row->oldest = groups_age(p, first_ns);
		row->processes = (struct maybe_u64){ n, !is_part };
		if (!n && is_part)
			continue;

		row->brief = dump_text(s->dump, "%s%s", is_part ? "at least " : "",
				       n ? PLURAL_TEXT(n, "process", "processes") : "no process");
		/* What has ended says whose memory it was where hardly a process is left. */
		if (zombies && (zombies >= limit(LIMIT_ZOMBIES) || zombies >= n))
			row->brief = dump_text(s->dump, "%s, %s", row->brief,
					       COUNT_OF(zombies, "zombie"));
		row->remark = dump_text(s->dump, "%s%s%s", row->brief, row->remark ? ", " : "",
					row->remark ?: "");
		if (row->protection)
			row->brief = dump_text(s->dump, "%s, %s", row->brief, row->protection);
		if (row->removed.known)
			row->brief = dump_text(s->dump, "%s, %s", row->brief,
					       COUNT_OF(row->removed.n, "removed cgroup"));
		if (row->empty)
			row->brief = dump_text(s->dump, "%s, %s", row->brief, row->empty);
	}
}

/* Who has most of what is promised; NULL: unknown. */
static void put_data(struct summary *s, const struct process_group *g)
{
	if (!g)
		return;
	s->data_of = group_name(s, g);
	s->data_pages = g->data;
}

/* Whether processes count far more than there is: fork() or KSM made them share it. */
static bool are_shared(const struct summary *s)
{
	const uint64_t anon = s->has_classes ? s->classes[CLASS_ANON] : UINT64_MAX;
	uint64_t counted = 0;

	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		counted += g->sum.counted;
	return counted > anon && summary_reaches(s, LIMIT_SHOWN, counted - anon);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * What is mapped by no process that is there: whoever has a reference to the mm_struct of one that ended (mmget())
 * keeps all of its memory.
 */
static void find_orphans(struct summary *s)
{
	const struct process_groups *p = s->groups;
	/* What the swap cache alone has is not mapped. */
	uint64_t anon = s->has_classes && s->anon_mapped.known ? s->classes[CLASS_ANON] : 0;
	uint64_t counted = 0;

	hash_bytes_for_each(const struct process_group, g, &p->groups)
		counted += g->sum.counted;
	s->processes_anon = counted;
	s->mms = p->mms.n;
	anon = least(anon, s->anon_mapped.n);
	if (anon > counted && !s->tasks_missing && !p->lacking.n && !s->pages_missing &&
	    summary_reaches(s, LIMIT_HOLDER, anon - counted))
		s->orphan_anon = anon - counted;
}

static bool is_asked(const struct summary *s, const struct process_group *g, bool are_shared)
{
	if (g->processes == 1 && !are_shared)
		return false;
	return summary_reaches(s, LIMIT_SHOWN, g->sum.counted + g->swap) ||
	       (s->merged_pages && are_shared);
}

/* Of one process what it counts, unless it shares much of that. */
static void take_found(const struct summary *s, struct process_group *g,
		       const struct anon_found *found)
{
	const uint64_t own = found->pages < g->sum.counted ? found->pages : g->sum.counted;

	for (const struct anon_process *p = g->sum.first; p; p = p->next)
		g->merged += p->merged;
	if (g->processes > 1 || summary_reaches(s, LIMIT_SHOWN, g->sum.counted - own))
		g->anon = found->pages;
	else
		g->merged = 0;
}

/* What fork() or KSM made processes share is counted by each: page tables tell what is there. */
static enum status find_anon(struct summary *s, struct anon_sums *sums, struct process_group *g,
			     bool are_shared)
{
	struct anon_found found;
	enum status st;

	g->anon = g->sum.counted;
	if (!is_asked(s, g, are_shared))
		return ST_OK;
	st = anon_sum_read(s->dump, sums, &g->sum, &found);
	if (st == ST_STOPPED)
		return st;
	if (st == ST_OK) {
		take_found(s, g, &found);
	} else if (g->processes > 1 || summary_reaches(s, LIMIT_SHOWN, g->anon)) {
		g->anon = g->sum.largest;
		g->status = st;
		g->why = dump_strdup(s->dump, s->dump->error);
	}
	if (g->processes == 1) {
		if (g->why)
			g->remark = "anon, a part of which others may share";
		return ST_OK;
	}
	if (st == ST_OK)
		g->why = found.why_no_swap && g->sum.swap_counted ? found.why_no_swap
								  : found.why_least;
	if (st == ST_OK && g->why)
		g->status = ST_UNKNOWN;
	g->swap = found.swap.known ? found.swap.n : g->sum.swap_largest;
	g->remark = anon_sum_remark(s->dump, &g->sum, st == ST_OK, found.swap.known);
	return ST_OK;
}

/* What processes count together, where fork shares so much that it misleads. */
static struct maybe_u64 counted(const struct summary *s, const struct process_group *g)
{
	return (struct maybe_u64){
		g->sum.counted, !g->why && g->sum.counted > g->anon &&
					summary_reaches(s, LIMIT_SHOWN, g->sum.counted - g->anon)
	};
}

/* Of several processes none has them all. */
static void name_group(struct summary *s, struct statement *row, const struct process_group *g)
{
	if (row && g->processes > 1)
		summary_name_several(s, row, g->processes);
}

static void put_tables(struct summary *s, const struct process_group *g)
{
	const char *command =
		g->processes > 1 && strchr(g->comm, '*')
			? "memowner processes -g executable -s pgtables_bytes -o +pgtables_bytes"
		: g->processes > 1
			? "memowner processes -g comm -s pgtables_bytes -o +pgtables_bytes"
			: "memowner processes -s pgtables_bytes -n 3";
	struct statement *row = summary_held_of(
		s, 1U << CLASS_PGTABLE, g->processes > 1 ? g->comm : g->largest.comm, g->tgid,
		g->tables >> s->dump->page_shift, command,
		g->lacks_tables ? "page tables, and maybe more" : "page tables");

	if (row) {
		row->brief = dump_text(s->dump, "%s, for %s that %s", row->remark,
				       summary_size(s, g->mapped),
				       g->processes > 1 ? "they map" : "it maps");
		row->cgroup = g->cgroup;
	}
	name_group(s, row, g);
}

/* Threads of one process, or of the processes of a name. */
static void put_stacks(struct summary *s, const struct process_group *of, uint64_t threads)
{
	const char *command = of->processes > 1 ? "faults -g comm -s threads -n 5"
						: "faults -g tgid -s threads -n 5";

	name_group(s,
		   summary_held_of(s, 1U << CLASS_KSTACK, of->comm, of->tgid,
				   threads * s->groups->stack_pages, command,
				   dump_text(s->dump, "kernel stacks of %s%s",
					     COUNT_OF(threads, "thread"),
					     s->tasks_missing ? ", and maybe more" : "")),
		   of);
}

/* Many processes of a name have what one of them has little of. */
static void put_kstacks(struct summary *s)
{
	struct hash_bytes names;
	char stem[NAME_STEM];
	const char *name;

	hash_bytes_init(&names, s->dump->arena, sizeof(struct process_group));
	hash_u64_for_each(const struct process_threads, of, &s->groups->threads) {
		const int32_t tgid = (int32_t)hash_u64_entry_of(of)->key;
		struct process_group one = { .processes = 1, .tgid = tgid }, *sum;

		snprintf(one.comm, sizeof(one.comm), "%s", of->comm);
		put_stacks(s, &one, of->n);
		name = name_of(s->groups, of->comm, stem);
		sum = hash_bytes_get(&names, name, strlen(name) + 1, NULL)->value;
		snprintf(sum->comm, sizeof(sum->comm), "%.*s", TASKS_COMM, name);
		sum->processes++;
		sum->threads += of->n;
		sum->most_threads = of->n > sum->most_threads ? of->n : sum->most_threads;
	}
	hash_bytes_for_each(const struct process_group, g, &names)
		if (g->processes >= MANY_PROCESSES && g->most_threads < g->threads / 2)
			put_stacks(s, g, g->threads);
}

static void put_kthreads(struct summary *s)
{
	for (const struct hash_bytes_entry *e = s->groups->kthreads.first; e; e = e->next) {
		const struct kthread_group *g = e->value;
		struct statement *row =
			g->n < MANY_PROCESSES
				? NULL
				: summary_held_of_name(
					  s, 1U << CLASS_KSTACK, (const char *)e->key, g->n,
					  g->first, g->n * s->groups->stack_pages,
					  "memowner stuck -a -g function,waits_for -n 5",
					  s->tasks_missing ? "kernel stacks, and maybe more"
							   : "kernel stacks");

		if (!row)
			continue;
		row->name = dump_text(s->dump, "%s kernel threads %s", COUNT_TEXT(g->n),
				      (const char *)e->key);
		row->release = NULL;
		row->are_kthreads = true;
	}
}

/* The one whose children all others are; 0: none is. */
static int32_t first_of(const struct process_group *g)
{
	const unsigned int n = g->processes > FEW_PROCESSES ? 0 : (unsigned int)g->processes;

	for (unsigned int i = 0; n > 1 && i < n; i++) {
		const int32_t of = g->members[i][0];

		if (of && !ANY_OF(k, n, k != i && g->members[k][1] != of))
			return of;
	}
	return 0;
}

/* "the other is a child of quotestore (105)"; NULL: they are no such family. */
static const char *family_of(struct summary *s, const struct process_group *g)
{
	const int32_t of = first_of(g);

	return of ? dump_text(s->dump, "%s of %s",
			      g->processes > 2 ? "the others are children" : "the other is a child",
			      SUMMARY_TASK(((struct maybe_u64){ (uint64_t)of, true }), g->comm))
		  : NULL;
}

/* Of the processes that are told, and of who asked last, what is of others too. */
static void tell_shared(struct summary *s)
{
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups) {
		for (const struct anon_process *p = g->sum.first; p; p = p->next) {
			const uint64_t all = p->merged + p->shared;

			if (!summary_reaches(s, LIMIT_SHOWN, all))
				continue;
			for (struct statement *row = s->first[SECTION_PROCESS]; row;
			     row = row->next)
				if (row->pid.n == (uint64_t)p->tgid) {
					row->merged = p->merged;
					row->shared = p->shared;
				}
			if (s->asker_pages.known && s->asker_tgid == p->tgid)
				s->asker_shared = all < s->asker_pages.n ? all : 0;
		}
	}
}

/* One that is alone in its cgroup has its own name, whatever others elsewhere have in common with it. */
static void name_single(struct process_groups *p)
{
	hash_bytes_for_each(struct process_group, g, &p->groups)
		if (g->processes == 1)
			snprintf(g->comm, sizeof(g->comm), "%s", g->largest.comm);
}

enum status summary_groups(struct summary *s)
{
	struct process_groups *p = s->groups;
	struct largest largest = { .room = GROUPS };
	struct anon_sums sums = { 0 };
	const struct process_group *most = NULL;
	bool shared;

	if (!p || !s->has_tasks)
		return ST_OK;
	shared = are_shared(s);
	find_orphans(s);
	hash_bytes_for_each(struct process_group, g, &p->groups) {
		if (find_anon(s, &sums, g, shared) == ST_STOPPED)
			return ST_STOPPED;
		most = !g->lacks_data && g->data > (most ? most->data : 0) ? g : most;
		put_tables(s, g);
		largest_add(&largest, summary_rank(s, g->anon + g->swap, g->cgroup), g);
	}
	summary_put_instances(s);
	tell_shared(s);
	count_in_cgroups(s);
	summary_alike_cgroups(s);
	name_single(p);
	put_data(s, most);
	put_kstacks(s);
	put_kthreads(s);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct process_group *g = largest.of[i].item;

		if (g->why)
			summary_unknown(s, "memory that fork shares", availability_of(g->status),
					"%s: %s", g->comm, g->why);
		remark_on_zram(s, g);
		SUMMARY_ADD(
			s, .section = SECTION_GROUP, .by = "command", .comm = g->comm,
			.cgroup = g->cgroup, .pages = { g->anon, true }, .remark = g->remark,
			.swapped = { g->swap, true },
			.locked = { g->locked << s->dump->page_shift, !g->lacks_mm },
			.processes = { g->processes, true }, .is_least = g->processes > 1 && g->why,
			.pid = { (uint64_t)g->tgid, g->processes == 1 },
			.lacks_first = g->lacks_first && g->processes == 1,
			.most_pid = { (uint64_t)g->largest.tgid, g->processes > 1 },
			.most_pages = least((uint64_t)g->largest.rss_anon, g->anon),
			.most_swapped = least((uint64_t)g->largest.swap, g->swap),
			.shares_swap = g->sum.swap_counted / 11 * 10 > g->swap,
			.counted = counted(s, g), .merged = g->merged,
			.oldest = groups_age(p, g->first_ns), .youngest = groups_age(p, g->last_ns),
			.children_of = summary_group_form(s, g),
			.sleeps = summary_group_sleep(s, g), .family = family_of(s, g),
			.forked = counted(s, g).known ? summary_group_forked(s, g) : NULL,
			.hold = groups_hold(s, g), .few = summary_few_of(s, g), .owner = "live");
	}
	return ST_OK;
}
