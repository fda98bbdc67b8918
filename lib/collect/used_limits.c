// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/used_limits.h"

#include "cgroup/cgroup.h"
#include "cgroup/pids.h"
#include "files/fd_bits.h"
#include "kernel/place.h"
#include "net/local_ports.h"
#include "tasks/user_counts.h"
#include "tasks/user_forks.h"
#include "util/strbuf.h"
#include "util/units.h"

#define MOST ((1ULL << 63) - 1) /* LONG_MAX: what is above was below 0, or is RLIM_INFINITY */
#define MOST_FDS (1U << 30)	/* as fs.nr_open may be at most */

#define WHOSE 64

/* One a row; of used and limit the first that the kernel has. */
static const struct {
	const char *whose, *noun, *setting;
	struct place used[2], limit[2];
	const char *counters; /* of struct neigh_table: a struct neigh_statistics of each CPU */
	uint64_t flags;	      /* bits of used that are not of the number */
	enum limit_counts counts;
} machine_limits[] = {
	{ "the IPv4 neighbour table",
	  "entries",
	  "net.ipv4.neigh.default.gc_thresh3",
	  { { "arp_tbl", "struct neigh_table", "gc_entries", 0 }, /* 5.0 */
	    { "arp_tbl", "struct neigh_table", "entries", 0 } },
	  { { "arp_tbl", "struct neigh_table", "gc_thresh3", 0 } },
	  "arp_tbl",
	  0,
	  LIMIT_COUNTS_OTHER },
	{ "the IPv6 neighbour table",
	  "entries",
	  "net.ipv6.neigh.default.gc_thresh3",
	  { { "nd_tbl", "struct neigh_table", "gc_entries", 0 },
	    { "nd_tbl", "struct neigh_table", "entries", 0 } },
	  { { "nd_tbl", "struct neigh_table", "gc_thresh3", 0 } },
	  "nd_tbl",
	  0,
	  LIMIT_COUNTS_OTHER },
	{ "this kernel",
	  "threads",
	  "kernel.threads-max",
	  { { "nr_threads", NULL, NULL, 4 } },
	  { { "max_threads", NULL, NULL, 4 } },
	  NULL,
	  0,
	  LIMIT_COUNTS_THREADS },
	{ "this kernel",
	  "PIDs",
	  "kernel.pid_max",
	  { { "init_pid_ns", "struct pid_namespace", "pid_allocated", 0 } }, /* 4.15 */
	  { { "init_pid_ns", "struct pid_namespace", "pid_max", 0 },	     /* 6.14 */
	    { "pid_max", NULL, NULL, 4 } },
	  NULL,
	  ~(uint64_t)INT32_MAX, /* PIDNS_ADDING is the sign */
	  LIMIT_COUNTS_THREADS },
	{ "this kernel",
	  "open files",
	  "fs.file-max",
	  { { "nr_files", PLACE_COUNTER, "count", 0 } },
	  { { "files_stat", "struct files_stat_struct", "max_files", 0 } },
	  NULL,
	  0,
	  LIMIT_COUNTS_FILES },
};

struct process {
	int32_t map_count;
	bool has_map_count;
	uint64_t total_vm, data_vm;
};

struct search {
	struct dump *dump;
	struct used_limits *to;
	struct structure mm;
	struct field task_mm;
	struct rlimits rlimits;
	bool has_rlimits, has_fds, has_forks;
	struct fd_bits fds;
	struct user_forks forks;
	uint64_t max_map_count; /* 0: this kernel has none */
	struct hash_u64 seen;	/* by address of mm_struct */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct search, mm, "struct mm_struct"),
	READS_IF(struct process, map_count, has_map_count, OPTIONAL, "all", "vma_count",
		 "map_count"),
	READS(struct process, total_vm, REQUIRED, "all", "total_vm"),
	READS(struct process, data_vm, OPTIONAL, "all", "data_vm"),
	FINDS(struct search, task_mm, "struct task_struct", REQUIRED, "all", "mm"),
};

/* What is below 0 is above MOST: a counter between two updates, or damage. */
static bool is_nearly_used(const struct used_limits *to, uint64_t used, uint64_t limit)
{
	return limit && limit <= MOST && used <= MOST &&
	       (unsigned __int128)used * 1000 >= (unsigned __int128)limit * to->tenths;
}

static uint64_t tenths_of(const struct used_limit *l)
{
	return (uint64_t)((unsigned __int128)l->used * 1000 / l->limit);
}

static void add(struct used_limits *to, const struct used_limit *l)
{
	unsigned int i = to->n;

	while (i && tenths_of(l) > tenths_of(&to->all[i - 1]))
		i--;
	if (to->n < USED_LIMITS)
		to->n++;
	else
		to->more++;
	if (i == USED_LIMITS)
		return;
	memmove(&to->all[i + 1], &to->all[i], (to->n - 1 - i) * sizeof(*l));
	to->all[i] = *l;
}

/* Requests that a table of neighbours refused, on all CPUs: table_fulls, 2.6.36. */
static enum status read_refused(struct dump *d, const char *table, uint64_t *ret)
{
	struct place stats = { table, "struct neigh_table", "stats", 0 };
	struct field f;
	struct percpu cpus;
	uint64_t at, sum = 0;
	enum status st;

	if (dump_ask(d, member, "struct neigh_statistics", "table_fulls", &f) != ST_OK ||
	    f.size != 8)
		return dump_unknown(d, "struct neigh_statistics has no table_fulls");
	st = place_read(d, (struct place[2]){ stats }, &at) ?: percpu_open(d, &cpus);
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++) {
		uint64_t part = 0;

		st = dump_u64(d, at + cpus.offset[i] + f.offset, &part, "neigh_statistics");
		sum += part;
	}
	return RESULT(st, ret, sum);
}

static void add_of_machine(struct dump *d, struct used_limits *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(machine_limits); i++) {
		struct used_limit l = { .whose = machine_limits[i].whose,
					.noun = machine_limits[i].noun,
					.setting = machine_limits[i].setting,
					.counts = machine_limits[i].counts,
					.one = "request",
					.many = "requests" };
		enum status st = place_read(d, machine_limits[i].limit, &l.limit)
					 ?: place_read(d, machine_limits[i].used, &l.used);

		l.used &= ~machine_limits[i].flags;
		if (st == ST_OK && !is_nearly_used(to, l.used, l.limit))
			continue;
		if (st == ST_OK && machine_limits[i].counters)
			st = read_refused(d, machine_limits[i].counters, &l.refused);
		if (st == ST_OK) {
			/* A full table that lets old entries go refuses nothing. */
			if (!machine_limits[i].counters || l.refused)
				add(to, &l);
		} else if (st != ST_ABSENT) {
			to->partial = true;
			dump_lacks(d, l.setting, st, "%s", d->error);
		}
	}
}

static enum status add_of_process(struct search *x, const struct task *t, uint64_t address)
{
	struct dump *d = x->dump;
	struct process p = { 0 };
	uint64_t as = UINT64_MAX, data = UINT64_MAX, nofile = UINT64_MAX, fds = 0;
	char whose[WHOSE];
	enum status st = struct_read(&x->mm, address, &p), of_fds = ST_OK;

	if (st == ST_OK && x->has_rlimits)
		st = rlimit_read(&x->rlimits, t, TASK_LIMIT_AS, &as)
			     ?: rlimit_read(&x->rlimits, t, TASK_LIMIT_DATA, &data)
			     ?: rlimit_read(&x->rlimits, t, TASK_LIMIT_NOFILE, &nofile);
	if (st != ST_OK)
		return st;
	if (x->has_fds && nofile <= MOST_FDS)
		of_fds = fd_bits_count(&x->fds, t->address, nofile, nofile * x->to->tenths / 1000,
				       &fds);
	const struct used_limit limits[] = {
		{ .noun = "mappings",
		  .setting = "vm.max_map_count",
		  .used = (uint64_t)p.map_count,
		  .limit = p.has_map_count ? x->max_map_count : 0 },
		{ .noun = "descriptors", .setting = "RLIMIT_NOFILE", .used = fds, .limit = nofile },
		{ .setting = "RLIMIT_AS", .used = p.total_vm << d->page_shift, .limit = as },
		{ .setting = "RLIMIT_DATA", .used = p.data_vm << d->page_shift, .limit = data },
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct used_limit l = limits[i];

		if (!is_nearly_used(x->to, l.used, l.limit))
			continue;
		snprintf(whose, sizeof(whose), "%s (%d)", t->comm, t->tgid);
		l.whose = dump_strdup(d, whose);
		l.tgid = t->tgid;
		add(x->to, &l);
	}
	return of_fds;
}

/* Threads, and what vfork() made, have one mm_struct. */
static enum status visit(void *arg, const struct task *t)
{
	struct search *x = arg;
	uint64_t mm;
	enum status st;

	if (t->is_kthread)
		return ST_OK;
	st = dump_u64(x->dump, t->address + x->task_mm.offset, &mm, "task_struct");
	if (st == ST_OK && mm && hash_u64_add(&x->seen, mm)) {
		st = add_of_process(x, t, mm);
		if (x->has_forks)
			first_problem_keep(x->dump, &x->problem, user_forks_add(&x->forks, t));
	}
	first_problem_keep(x->dump, &x->problem, st);
	return ST_OK;
}

/* A limit that is far below what the user has is meant to let a process fork nothing. */
static void add_of_users(struct search *x)
{
	struct dump *d = x->dump;

	hash_u64_for_each(const struct user_fork, f, &x->forks.all) {
		struct used_limit l = { .noun = "processes and threads",
					.setting = "RLIMIT_NPROC",
					.used = f->used,
					.limit = f->limit,
					.counts = LIMIT_COUNTS_THREADS,
					.of_user = true,
					.uid = f->uid };

		if (!is_nearly_used(x->to, l.used, l.limit) || l.used / 2 > l.limit)
			continue;
		l.whose = dump_text(d, "user %u", f->uid);
		if (l.used >= l.limit)
			l.effect = dump_text(d, "fork() by %s (%d) fails (EAGAIN)", f->comm,
					     f->tgid);
		add(x->to, &l);
	}
}

static enum status add_of_processes(struct dump *d, struct used_limits *to)
{
	static const struct place max_map_count[2] = { { "sysctl_max_map_count", NULL, NULL, 4 } };
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks tasks;
	enum status st = STRUCTS_OPEN(d, rows, x) ?: tasks_open(d, &tasks);

	if (st != ST_OK)
		return st;
	x->dump = d;
	x->to = to;
	hash_u64_init(&x->seen, d->arena, 0);
	st = rlimits_open(d, &x->rlimits);
	x->has_rlimits = st == ST_OK;
	if (st != ST_ABSENT)
		first_problem_keep(d, &x->problem, st);
	st = x->has_rlimits ? user_forks_open(d, &x->rlimits, &x->forks) : ST_ABSENT;
	x->has_forks = st == ST_OK;
	if (st != ST_ABSENT)
		first_problem_keep(d, &x->problem, st);
	st = fd_bits_open(d, &x->fds);
	x->has_fds = st == ST_OK;
	first_problem_keep(d, &x->problem, st);
	first_problem_keep(d, &x->problem, place_read(d, max_map_count, &x->max_map_count));
	tasks.identity_only = true;
	first_problem_keep(d, &x->problem, tasks_walk(&tasks, visit, x));
	if (x->has_forks)
		add_of_users(x);
	return first_problem_end(d, &x->problem);
}

/* What the controller for processes and threads has of a cgroup. */
struct pids_search {
	struct used_limits *to;
	struct cgroups cgroups;
	struct cgroup_tree tree;
	struct pids_groups groups;
	struct field refused;
	/*
	 * refused: forks of the tasks of a cgroup, by whatever limit, its own or one above: before 6.11 that is
	 * all that is counted.
	 */
	bool by_tasks;
	struct refused_fork *first, **last; /* of such, in the order of the tree */
};

/* Of one cgroup. */
struct refused_fork {
	struct refused_fork *next;
	const char *path;
	uint64_t n;
};

static enum status open_pids(struct dump *d, struct pids_search *x)
{
	static const char type[] = "struct pids_cgroup";
	int64_t max;
	enum status st = pids_groups_open(d, &x->groups);

	if (st != ST_OK)
		return st;
	/* 6.11: "cgroup/pids: Separate semantics of pids.events related to pids.max" */
	if (dump_ask(d, enumerator, "PIDCG_MAX", &max) == ST_OK && max >= 0 &&
	    dump_ask(d, member, type, "events", &x->refused) == ST_OK &&
	    (uint64_t)max < x->refused.size / 8)
		x->refused.offset += (uint32_t)max * 8;
	else if (dump_ask(d, member, type, "events_limit", &x->refused) != ST_OK ||
		 x->refused.size != 8)
		x->refused.present = false;
	else
		x->by_tasks = true;
	x->last = &x->first;
	return cgroups_open(d, &x->cgroups);
}

static enum status keep_refused(struct pids_search *x, uint64_t cgroup, uint64_t at)
{
	uint64_t n;
	const char *path;
	enum status st = dump_u64(x->tree.dump, at + x->refused.offset, &n, "pids_cgroup");

	if (st != ST_OK || !n || n > MOST)
		return st;
	path = cgroups_path(&x->cgroups, cgroup);
	if (!path)
		return dump_fail(x->tree.dump, ST_UNKNOWN, "the name of a cgroup is unknown");
	*x->last = dump_alloc(x->tree.dump, sizeof(**x->last));
	**x->last = (struct refused_fork){ NULL, path, n };
	x->last = &(*x->last)->next;
	return ST_OK;
}

#define REFUSED_SHOWN 3

static const struct refused_fork *next_most(const struct pids_search *x, const char *top,
					    const struct refused_fork *last)
{
	const struct refused_fork *most = NULL;
	bool is_behind = false;

	for (const struct refused_fork *r = x->first; r; r = r->next) {
		/* Of those as large the ones behind it in the tree. */
		const bool follows = !last || r->n < last->n || (r->n == last->n && is_behind);

		is_behind |= r == last;
		if (r != last && follows && cgroup_is_below(r->path, top) &&
		    (!most || r->n > most->n))
			most = r;
	}
	return most;
}

/* "81 in chat, 58 in web and 58 in cron" */
static void add_refused(struct pids_search *x, struct used_limit *l)
{
	const size_t top = strlen(l->cgroup);
	struct strbuf b = STRBUF_OF(512);
	uint64_t sum = 0, shown = 0;
	const struct refused_fork *r = NULL;
	bool is_below = false;

	for (r = x->first; r; r = r->next)
		if (cgroup_is_below(r->path, l->cgroup)) {
			sum += r->n;
			is_below |= strlen(r->path) > top;
		}
	if (!is_below)
		return;
	l->refused = sum;
	l->refused_partial = x->tree.problem.status != ST_OK;
	for (unsigned int i = 0; i < REFUSED_SHOWN && (r = next_most(x, l->cgroup, r)); i++) {
		strbuf_add(&b, "%s%s in %.100s", strbuf_between(&b, ", "), COUNT_TEXT(r->n),
			   strlen(r->path) > top ? r->path + top + 1 : "itself");
		shown += r->n;
	}
	if (sum > shown)
		strbuf_add(&b, ", %s in others", COUNT_TEXT(sum - shown));
	l->refused_in = arena_strdup(x->tree.dump->arena, b.buf);
}

static enum status add_pids(struct pids_search *x, uint64_t cgroup)
{
	struct dump *d = x->tree.dump;
	struct used_limit l = { .noun = "processes and threads",
				.setting = "pids.max",
				.one = "fork",
				.many = "forks",
				.counts = LIMIT_COUNTS_THREADS };
	struct pids_group g;
	const char *path;
	enum status st = pids_group_read(&x->groups, cgroup, &g);

	if (st != ST_OK || !g.address)
		return st;
	if (x->by_tasks)
		first_problem_keep(d, &x->tree.problem, keep_refused(x, cgroup, g.address));
	l.limit = g.limit;
	l.used = g.used;
	if (!is_nearly_used(x->to, l.used, l.limit))
		return ST_OK;
	if (x->refused.present)
		st = dump_u64(d, g.address + x->refused.offset, &l.refused, "pids_cgroup");
	if (st != ST_OK)
		return st;
	path = cgroups_path(&x->cgroups, cgroup);
	l.cgroup = path;
	if (!path)
		l.counts = LIMIT_COUNTS_OTHER;
	l.whose = dump_text(d, "cgroup %.200s", path ?: "of an unknown name");
	add(x->to, &l);
	return ST_OK;
}

/* On the default hierarchy; the root has no limit. */
static enum status add_of_cgroups(struct dump *d, struct used_limits *to)
{
	struct pids_search *x = dump_alloc(d, sizeof(*x));
	struct cgroup_tree *t = &x->tree;
	uint64_t cgroup;
	enum status st = dump_has_both(d, "cgrp_dfl_root", "struct cgroup") ?: open_pids(d, x);

	if (st != ST_OK)
		return st;
	x->to = to;
	cgroup_tree_begin(t, d);
	for (cgroup_tree_next(t, &cgroup); cgroup_tree_next(t, &cgroup);)
		if (!t->is_removed)
			first_problem_keep(d, &t->problem, add_pids(x, cgroup));
	for (unsigned int i = 0; x->by_tasks && i < to->n; i++)
		if (to->all[i].cgroup)
			add_refused(x, &to->all[i]);
	return cgroup_tree_end(t);
}

struct count_search {
	struct dump *dump;
	struct used_limits *to;
	const char *noun, *setting;
	enum limit_counts counts;
};

static void add_count(void *arg, const struct user_count *c)
{
	struct count_search *x = arg;
	struct used_limit l = { .noun = x->noun,
				.setting = x->setting,
				.used = c->used,
				.limit = c->limit,
				.counts = c->is_initial ? x->counts : LIMIT_COUNTS_OTHER };

	if (!is_nearly_used(x->to, l.used, l.limit))
		return;
	l.whose = dump_text(x->dump, "user %u%s", c->uid,
			    c->is_initial ? "" : " of a user namespace of its own");
	if (l.used >= l.limit && l.counts == LIMIT_COUNTS_INOTIFY)
		l.effect = "inotify_init() fails (EMFILE)";
	add(x->to, &l);
}

/* Each user has as many as the setting of its user namespace. */
static void add_of_counts(struct dump *d, struct used_limits *to)
{
	static const struct {
		const char *kind, *noun, *setting;
		enum limit_counts counts;
	} all[] = { { "UCOUNT_INOTIFY_INSTANCES", "inotify instances",
		      "fs.inotify.max_user_instances", LIMIT_COUNTS_INOTIFY },
		    { "UCOUNT_INOTIFY_WATCHES", "inotify watches", "fs.inotify.max_user_watches",
		      LIMIT_COUNTS_OTHER } };

	struct user_counts counts;
	const enum status opened = user_counts_open(d, &counts);

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct count_search x = { d, to, all[i].noun, all[i].setting, all[i].counts };
		enum status st = opened ?: user_counts_walk(&counts, all[i].kind, add_count, &x);

		if (st == ST_OK || st == ST_ABSENT || st == ST_STOPPED)
			continue;
		to->partial = true;
		dump_lacks(d, all[i].setting, st, "%s", d->error);
	}
}

struct port_search {
	struct dump *dump;
	struct used_limits *to;
};

static void add_ports(void *arg, const struct port_use *u)
{
	struct port_search *x = arg;
	struct arena *a = x->dump->arena;
	struct strbuf b = STRBUF_OF(160);
	struct used_limit l = { .noun = "local ports",
				.setting = "net.ipv4.ip_local_port_range",
				.used = u->used,
				.limit = u->limit,
				.counts = LIMIT_COUNTS_PORTS,
				.ports = u };

	if (!is_nearly_used(x->to, l.used, l.limit))
		return;
	l.whose = arena_text(a, "TCP to %s", u->remote);
	if (u->time_wait)
		strbuf_add(&b, "%s in TIME_WAIT",
			   u->time_wait == 1 ? "1 is"
					     : arena_text(a, "%s are", COUNT_TEXT(u->time_wait)));
	if (u->used >= u->limit)
		strbuf_add(&b, "%sconnect() to it fails (EADDRNOTAVAIL)", b.len ? ", and " : "");
	l.effect = b.len ? arena_strdup(a, b.buf) : NULL;
	add(x->to, &l);
}

void used_limits_add_ports(struct dump *d, struct used_limits *to)
{
	struct port_search x = { d, to };
	enum status st = port_uses_walk(d, to->tenths, add_ports, &x);

	if (st == ST_OK || st == ST_ABSENT || st == ST_STOPPED)
		return;
	to->partial = true;
	dump_lacks(d, "net.ipv4.ip_local_port_range", st, "%s", d->error);
}

void used_limits_collect(struct dump *d, uint64_t tenths, struct used_limits *ret)
{
	enum status st;

	*ret = (struct used_limits){ .tenths = tenths };
	st = add_of_processes(d, ret);
	if (st != ST_OK && st != ST_ABSENT) {
		ret->partial = true;
		dump_lacks(d, "limits of processes", st, "%s", d->error);
	}
	st = add_of_cgroups(d, ret);
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED) {
		ret->partial = true;
		dump_lacks(d, "pids.max of cgroups", st, "%s", d->error);
	}
	add_of_machine(d, ret);
	add_of_counts(d, ret);
}

void used_limit_text(const struct used_limit *l, struct strbuf *b)
{
	if (l->noun)
		strbuf_add(b, "%s has %s of %s %s that %s allows", l->whose, COUNT_TEXT(l->used),
			   COUNT_TEXT(l->limit), l->noun, l->setting);
	else
		strbuf_add(b, "%s has %s of %s of %s that its %s allows", l->whose,
			   SIZE_TEXT((int64_t)l->used), SIZE_TEXT((int64_t)l->limit),
			   !strcmp(l->setting, "RLIMIT_AS") ? "address space" : "data mappings",
			   l->setting);
	if (l->refused && !l->refused_in)
		strbuf_add(b, ", which refused %s since boot",
			   PLURAL_TEXT(l->refused, l->one, l->many));
	if (l->by)
		strbuf_add(b, ": %s", l->by);
	if (l->effect)
		strbuf_add(b, "%s%s", l->by ? ", " : ": ", l->effect);
	if (l->refused_in)
		strbuf_add(b, ", and %s%s in it %s refused since boot (%s)",
			   l->refused_partial ? "at least " : "",
			   PLURAL_TEXT(l->refused, l->one, l->many),
			   l->refused == 1 ? "was" : "were", l->refused_in);
}
