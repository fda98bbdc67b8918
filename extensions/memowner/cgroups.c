// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups that are at their limit, that the OOM killer was invoked for, or that have much. */
#include "memory/cgroups.h"
#include "case.h"
#include "pass.h"
#include "verdict_words.h"

#define TEXT 640
#define CGROUP "cgroup " /* before the path of one that has used up a limit */

/* Events of the cgroup itself; before 5.2 there are only those with descendants. */
static uint64_t oom_events(const struct memcg_states *m, const struct memcg_state *g)
{
	if (m->event[MEMCG_OOM_EVENT] < 0 || !g->has_events)
		return 0;
	return g->has_local ? g->local[MEMCG_OOM_EVENT] : g->events[MEMCG_OOM_EVENT];
}

/* One of them, with what those below it have that have a row; pages. */
struct group {
	struct group *before; /* its parent, or another one */
	const struct memcg_counts *counts;
	uint64_t usage, ooms, kills, told;
	uint64_t removed, live, empty; /* below it; empty: live, and no task is there */
	struct maybe_u64 populated;    /* what has tasks of it and of those below */
	struct maybe_u64 max, high, swap, swap_max, memsw, memsw_max, min, low, effective_min,
		effective_low;
	enum memcg_version version;
	bool has_ooms, waits_for_oom;
};

static struct maybe_u64 value(const struct memcg_state *state, enum memcg_value which)
{
	return (struct maybe_u64){ state->value[which], state->has[which] };
}

static bool is_at(struct maybe_u64 usage, struct maybe_u64 max)
{
	return usage.known && max.known && limit_fills_cgroup(usage.n, max.n);
}

/* Sets of tasks, and children that have some: cgroup_is_populated(). 7.3 has those of the cgroup itself in its css (not 6.12). */
static struct maybe_u64 read_populated(struct dump *d, uint64_t cgroup)
{
	static const char *const forms[][3] = {
		{ "nr_populated_csets", "nr_populated_domain_children",
		  "nr_populated_threaded_children" },
		{ "self.nr_populated_csets", "self.nr_populated_children",
		  "nr_populated_threaded_children" },
	};
	struct maybe_u64 sum = { 0, false };

	for (size_t form = 0; form < ARRAY_SIZE(forms) && cgroup && !sum.known; form++) {
		sum = (struct maybe_u64){ 0, true };
		for (size_t i = 0; i < ARRAY_SIZE(forms[0]) && sum.known; i++) {
			struct field f;
			uint32_t n = 0;

			sum.known = dump_ask(d, member, "struct cgroup", forms[form][i], &f) ==
					    ST_OK &&
				    f.size == sizeof(n) &&
				    dump_u32(d, cgroup + f.offset, &n, "struct cgroup") == ST_OK;
			sum.n += n;
		}
	}
	d->error[0] = '\0';
	return sum;
}

static enum status read_group(struct memcg_states *m, struct hash_u64 *groups, struct group **last,
			      const struct memcg_counts *c)
{
	struct memcg_state state;
	struct group *g;
	enum status st;

	if (!c->parent)
		return ST_OK;
	st = memcg_state_read(m, c->address, &state);
	if (st != ST_OK)
		return st;
	g = hash_u64_get(groups, c->address, NULL);
	*g = (struct group){ .before = *last,
			     .counts = c,
			     .populated = read_populated(m->dump, c->cgroup),
			     /* Its own counter keeps what has moved to the parent. */
			     .usage = c->removed && m->reparents_all ? 0 : state.value[MEMCG_USAGE],
			     .max = value(&state, MEMCG_MAX_LIMIT),
			     .high = value(&state, MEMCG_HIGH_LIMIT),
			     .swap = value(&state, MEMCG_SWAP_USAGE),
			     .swap_max = value(&state, MEMCG_SWAP_MAX_LIMIT),
			     .memsw = value(&state, MEMCG_MEMSW_USAGE),
			     .memsw_max = value(&state, MEMCG_MEMSW_LIMIT),
			     .min = value(&state, MEMCG_MIN),
			     .low = value(&state, MEMCG_LOW_LIMIT),
			     .effective_min = value(&state, MEMCG_EFFECTIVE_MIN),
			     .effective_low = value(&state, MEMCG_EFFECTIVE_LOW),
			     .has_ooms = m->event[MEMCG_OOM_EVENT] >= 0 && state.has_events,
			     .ooms = oom_events(m, &state),
			     .kills = m->event[MEMCG_OOM_KILL_EVENT] >= 0 && state.has_events
					      ? state.events[MEMCG_OOM_KILL_EVENT]
					      : 0,
			     .waits_for_oom = value(&state, MEMCG_OOM_KILL_DISABLE).n &&
					      value(&state, MEMCG_UNDER_OOM).n,
			     .version = state.version };
	*last = g;
	return ST_OK;
}

static bool is_full(const struct group *g)
{
	return is_at((struct maybe_u64){ g->usage, !g->counts->removed }, g->max);
}

static bool is_high(const struct group *g)
{
	return !is_full(g) && is_at((struct maybe_u64){ g->usage, !g->counts->removed }, g->high);
}

/* Whether it is the one whose limit ended the machine. */
static bool is_limit(const struct summary *s, const struct group *g)
{
	return s->limit_path && g->counts->path && !strcmp(g->counts->path, s->limit_path);
}

/* The limit of the kernel that it has used up, of processes; NULL: none. */
static const struct used_limit *named_by(const struct summary *s, const struct group *g)
{
	const struct used_limits *l = s->of_case ? &s->of_case->used : NULL;

	for (unsigned int i = 0; l && g->counts->path && i < l->n; i++)
		if (l->all[i].refused && !strncmp(l->all[i].whose, CGROUP, strlen(CGROUP)) &&
		    !strcmp(l->all[i].whose + strlen(CGROUP), g->counts->path))
			return &l->all[i];
	return NULL;
}

/* Behind those below it. */
static bool has_row(const struct summary *s, const struct group *g)
{
	bool is_large = s->ram_pages &&
			summary_reaches_of(s, LIMIT_HOLDER, g->usage, g->counts->path) &&
			!limit_covers_cgroup(g->told, g->usage);

	return is_full(g) || is_high(g) || is_large || named_by(s, g) || is_limit(s, g) ||
	       (g->ooms && !g->counts->removed);
}

/* What those with a row, or without one for what is below them, have of the one above. */
static void tell_parents(const struct summary *s, struct hash_u64 *groups, struct group *last)
{
	for (struct group *g = last; g; g = g->before) {
		struct group *parent = (struct group *)hash_u64_find(groups,
								     g->counts->parent->address);

		if (parent)
			parent->removed += g->removed + g->counts->removed;
		if (parent) {
			parent->live += g->live + !g->counts->removed;
			parent->empty += g->empty + (!g->counts->removed && g->populated.known &&
						     !g->populated.n);
		}
		if (parent)
			parent->told += has_row(s, g) || limit_covers_cgroup(g->told, g->usage)
						? g->usage
						: g->told;
	}
}

struct part {
	const char *name;
	bool known;
	uint64_t pages;
};

/* "shmem 140.8M, anon 78.2M": counters of the kernel, which are no more than what it has. */
static void add_parts(const struct summary *s, const struct group *g, struct strbuf *b)
{
	const struct memcg_counts *c = g->counts;
	const uint64_t shmem = c->known[STAT_SHMEM] ? c->counts[STAT_SHMEM] : 0;
	const struct part parts[] = { { "shmem", c->known[STAT_SHMEM], shmem },
				      { "anon", c->known[STAT_ANON], c->counts[STAT_ANON] },
				      { "file", c->known[STAT_SHMEM] && c->known[STAT_FILE],
					c->counts[STAT_FILE] - shmem },
				      { "kernel", c->known[STAT_KERNEL], c->counts[STAT_KERNEL] } };
	struct largest largest = { .room = ARRAY_SIZE(parts) };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].known && parts[i].pages <= g->usage &&
		    units_tenths(parts[i].pages, g->usage) >= limit(LIMIT_SHOWN))
			largest_add(&largest, parts[i].pages, &parts[i]);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct part *part = largest.of[i].item;

		strbuf_add(b, "%s%s %s", i ? ", " : "; ", part->name, summary_size(s, part->pages));
	}
}

/* What of the one that is told for its waits is page cache. */
static void tell_cache(struct summary *s, const struct group *g)
{
	const struct memcg_counts *c = g->counts;
	struct throttled *t = &s->throttled;

	if (!t->path || t->path != c->path)
		return;
	t->no_oom = g->has_ooms && !g->ooms && !g->kills;
	t->cache = c->known[STAT_FILE] && c->known[STAT_SHMEM] &&
				   c->counts[STAT_FILE] <= g->usage &&
				   c->counts[STAT_SHMEM] <= c->counts[STAT_FILE]
			   ? c->counts[STAT_FILE] - c->counts[STAT_SHMEM]
			   : 0;
}

/* What the kernel counts in bytes; in pages. */
static struct maybe_u64 percpu_of(const struct summary *s, const struct group *g)
{
	return (struct maybe_u64){ g->counts->counts[STAT_PERCPU] >> s->dump->page_shift,
				   g->counts->known[STAT_PERCPU] };
}

/* What no process of it has, if that is most: of one that is not told whole. */
static void add_most(const struct summary *s, const struct group *g, struct strbuf *b)
{
	const struct memcg_counts *c = g->counts;
	const uint64_t shmem = c->known[STAT_SHMEM] ? c->counts[STAT_SHMEM] : 0;
	const struct part parts[] = {
		{ "kernel", c->known[STAT_KERNEL], c->counts[STAT_KERNEL] },
		{ "file", c->known[STAT_SHMEM] && c->known[STAT_FILE],
		  c->counts[STAT_FILE] - shmem },
		{ "shmem", c->known[STAT_SHMEM], shmem },
		{ "reclaimable slab", c->known[STAT_SLAB_RECLAIMABLE],
		  c->counts[STAT_SLAB_RECLAIMABLE] >> s->dump->page_shift },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const uint64_t pages = parts[i].pages;

		if (!parts[i].known || pages > g->usage || pages <= g->usage / 2 ||
		    !summary_reaches(s, LIMIT_SHOWN, pages))
			continue;
		strbuf_add(b, "%s%s %s", strbuf_between(b, ", "), parts[i].name,
			   summary_size(s, pages));
		if (!i && percpu_of(s, g).n > pages / 2)
			strbuf_add(b, ", mostly per-CPU memory");
	}
}

/* Quota, which sk_forward_alloc takes by whole pages: mem_cgroup_charge_skmem(). */
static uint64_t sockets_of(const struct summary *s, const struct group *g)
{
	const uint64_t pages = g->counts->counts[STAT_SOCK];

	return g->counts->known[STAT_SOCK] && pages <= g->usage &&
			       summary_reaches(s, LIMIT_SHOWN, pages)
		       ? pages
		       : 0;
}

/* Cgroups that have a page of a file system. */
struct keeper {
	uint64_t cgroups;
	const struct cached_file *file;
};

/* Of removed ones below a cgroup those whose pages of files are of one file system. */
static struct keeper find_keeper(struct summary *s, const struct hash_u64 *groups,
				 const struct group *top)
{
	const struct file_pages *pages = &s->pass->files.pages;
	struct keeper most = { 0 };
	struct hash_u64 supers, seen;
	struct memcg_owner of;

	hash_u64_init(&supers, s->dump->arena, sizeof(struct keeper));
	hash_u64_init(&seen, s->dump->arena, 0);
	for (const struct hash_u64_entry *e = pages->charged.first; e; e = e->next) {
		const uint64_t mapping = *(const uint64_t *)e->value;
		const struct group *g = NULL;
		const struct memcg_counts *up = NULL;
		const struct cached_file *file;
		struct keeper *k;
		bool is_new;

		if (mapping && memcgs_owner(&s->view->memcgs, e->key, &of) == ST_OK)
			g = hash_u64_find(groups, of.memcg);
		for (up = g && g->counts->removed ? g->counts->parent : NULL;
		     up && up != top->counts;)
			up = up->parent;
		if (!up)
			continue;
		hash_u64_get(&seen, of.memcg, &is_new);
		file = cached_file_at(&s->pass->files.files, mapping);
		if (!is_new || file->status != ST_OK)
			continue;
		k = hash_u64_get(&supers, file->inode.sb, NULL);
		k->file = file;
		k->cgroups++;
		most = k->cgroups > most.cgroups ? *k : most;
	}
	return most;
}

/* "6,316 removed cgroups below it, 6,290 of them kept by pages of /run/results" */
static void add_removed(struct summary *s, const struct hash_u64 *groups, const struct group *g,
			bool is_part, struct strbuf *b)
{
	const char *path = NULL;
	struct keeper k = { 0 };

	if (g->removed < limit(LIMIT_REMOVED))
		return;
	s->has_removed = true;
	strbuf_add(b, "%s%s%s below it", strbuf_between(b, ", "), is_part ? "at least " : "",
		   COUNT_OF(g->removed, "removed cgroup"));
	if (s->pass && s->view->has_memcgs && s->pass->files.problem.status == ST_OK)
		k = find_keeper(s, groups, g);
	if (k.cgroups < limit(LIMIT_REMOVED))
		return;
	summary_failed(s, "mount points",
		       summary_mount_path(s, &s->pass->files, &k.file->inode, &path));
	strbuf_add(b, ", ");
	if (k.cgroups < g->removed)
		strbuf_add(b, "of %s of them ", COUNT_TEXT(k.cgroups));
	strbuf_add(b, "which pages of files in %.200s keep", path);
}

/* "7,688 cgroups below it, 7,687 of them without a task"; NULL: few are without. */
static const char *empty_text(struct summary *s, const struct group *g, bool is_part)
{
	if (g->empty < limit(LIMIT_EMPTY))
		return NULL;
	s->empty_cgroups = g->empty > s->empty_cgroups ? g->empty : s->empty_cgroups;
	if (g->empty == g->live && !is_part)
		return dump_text(s->dump,
				 "%s below it that were not removed, none of which has a task",
				 COUNT_OF(g->live, "cgroup"));
	return dump_text(s->dump, "%s%s below it that were not removed, %s of them without a task",
			 is_part ? "at least " : "", COUNT_OF(g->live, "cgroup"),
			 COUNT_TEXT(g->empty));
}

/* By what the last reclaim granted: mem_cgroup_below_min(), mem_cgroup_below_low(). */
static const char *protection_of(struct summary *s, const struct group *g)
{
	const struct {
		struct maybe_u64 granted, setting;
		const char *name, *until;
	} kinds[] = { { g->effective_min, g->min, "memory.min", "" },
		      { g->effective_low, g->low, "memory.low", " as long as others have some" } };

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !g->counts->removed && g->usage; i++) {
		uint64_t pages = kinds[i].granted.n;

		if (!kinds[i].granted.known || g->usage > pages)
			continue;
		/* Of one without a setting those above it grant it. */
		if (kinds[i].setting.known && kinds[i].setting.n >= g->usage)
			pages = kinds[i].setting.n;
		return dump_text(
			s->dump, "%s of %s protects all of it from reclaim%s", kinds[i].name,
			pages <= s->ram_pages ? summary_size(s, pages) : "more than there is",
			kinds[i].until);
	}
	return NULL;
}

/* A setting, which those above it may not have granted. */
static bool is_within(const struct group *g, struct maybe_u64 setting)
{
	return !g->counts->removed && setting.known && setting.n && g->usage <= setting.n;
}

/* Below the one whose limit was reached: it has a smaller one of its own, and has not reached that. */
static bool is_within_limit(const struct summary *s, const struct group *g)
{
	return summary_is_limited(s, g->counts->path) && !is_limit(s, g) && !g->counts->removed &&
	       g->max.known && g->max.n < s->limit_pages && g->usage < g->max.n && !is_full(g);
}

/* "memory.low of 124.0M, limit 136.0M": who has what it was granted has it on purpose. */
static const char *granted_of(struct summary *s, const struct group *g)
{
	const struct {
		struct maybe_u64 pages;
		const char *name;
	} kinds[] = { { g->min, "memory.min of" },
		      { g->low, "memory.low of" },
		      { g->max, "limit" } };
	struct strbuf b = STRBUF_OF(128);

	if (g->counts->removed ||
	    !((g->min.known && g->min.n) || (g->low.known && g->low.n) || is_within_limit(s, g)))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].pages.known && kinds[i].pages.n && kinds[i].pages.n <= s->ram_pages)
			strbuf_add(&b, "%s%s %s", strbuf_between(&b, ", "), kinds[i].name,
				   summary_size(s, kinds[i].pages.n));
	return b.len ? dump_strdup(s->dump, b.buf) : NULL;
}

static void put_group(struct summary *s, const struct hash_u64 *groups, const struct group *g,
		      bool is_part)
{
	/* The counter of cgroup v1 alone. */
	const char *events = g->memsw.known ? "memory.oom_control" : "memory.events";
	bool is_limited = g->max.known && g->max.n <= s->ram_pages;
	const char *protection = protection_of(s, g), *empty = empty_text(s, g, is_part);
	const struct used_limit *named = named_by(s, g);
	const struct maybe_u64 kernel = { g->counts->counts[STAT_KERNEL],
					  g->counts->known[STAT_KERNEL] };
	struct strbuf b = STRBUF_OF(TEXT);

	if (g->counts->removed && summary_joins_removed(s, g->counts->path, g->usage, kernel))
		return;
	if (g->counts->removed)
		strbuf_add(&b, "removed, its counter still has that");
	else if (is_full(g) || is_limited)
		strbuf_add(&b, is_full(g) ? "at its limit of %s" : "limit %s",
			   summary_size(s, g->max.n));
	/* No process is killed there. */
	if (is_high(g))
		strbuf_add(&b, "%s%s its memory.high of %s, beyond which it is throttled",
			   strbuf_between(&b, ", "), g->usage > g->high.n ? "over" : "at",
			   summary_size(s, g->high.n));
	if (g->swap.known && !g->counts->removed && summary_reaches(s, LIMIT_SHOWN, g->swap.n))
		strbuf_add(&b, "%sin swap %s", strbuf_between(&b, ", "),
			   summary_size(s, g->swap.n));
	if (is_at(g->memsw, g->memsw_max))
		strbuf_add(&b, "%smemory and swap together %s, at their limit",
			   strbuf_between(&b, ", "), summary_size(s, g->memsw.n));
	if (is_full(g) && g->swap_max.n && is_at(g->swap, g->swap_max))
		strbuf_add(&b, ", swap at its limit of %s", summary_size(s, g->swap_max.n));
	if (g->ooms)
		strbuf_add(&b, "%soom %lu%s in %s", strbuf_between(&b, ", "), g->ooms,
			   g->kills && g->kills != g->ooms
				   ? dump_text(s->dump, " and oom_kill %lu", g->kills)
				   : "",
			   events);
	else if (is_full(g) && g->has_ooms)
		strbuf_add(&b, ", no oom in %s", events);
	if (is_full(g) && g->waits_for_oom) {
		strbuf_add(&b, ", whose oom_kill_disable is on: tasks wait for memory");
		s->oom_off = dump_text(
			s->dump,
			"cgroup %s is at its limit of %s, and what asks for more there waits, as its OOM "
			"killer is off (oom_kill_disable in memory.oom_control)",
			g->counts->path ?: "of unknown name", summary_size(s, g->max.n));
	}
	if (protection)
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), protection);
	if (s->swap.known && s->swap.pages && g->swap_max.known && !g->swap_max.n)
		strbuf_add(&b, "%smemory.swap.max 0", strbuf_between(&b, ", "));
	if (named && named->noun)
		strbuf_add(&b, "%s%s of %s %s that %s allows", strbuf_between(&b, ", "),
			   COUNT_TEXT(named->used), COUNT_TEXT(named->limit), named->noun,
			   named->setting);
	add_removed(s, groups, g, is_part, &b);
	if (empty)
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), empty);
	/* Of memory.high they were not asked for. */
	if (is_limit(s, g) && !throttled_is_limit(s)) {
		add_parts(s, g, &b);
		s->limit_usage = (struct maybe_u64){ g->usage, true };
		s->limit_kernel = kernel;
	} else if (protection) {
		add_parts(s, g, &b);
	} else {
		add_most(s, g, &b);
	}
	if (sockets_of(s, g))
		strbuf_add(&b, "%s%s of it is a quota of sockets, charged by whole pages",
			   strbuf_between(&b, ", "), summary_size(s, sockets_of(s, g)));
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "cgroup", .name = g->counts->path,
		    .is_named = named != NULL, .is_removed = g->counts->removed,
		    .pages = { g->usage, true }, .sockets = sockets_of(s, g), .kernel = kernel,
		    .percpu = percpu_of(s, g),
		    .swapped = { g->swap.n, g->swap.known && !g->counts->removed },
		    .protection = protection, .granted = granted_of(s, g),
		    .is_within_grant = is_within(g, g->min) || is_within(g, g->low) ||
				       is_within_limit(s, g),
		    .brief = "", .empty = empty,
		    .removed = { g->removed, g->removed >= limit(LIMIT_REMOVED) },
		    .remark = b.len ? dump_strdup(s->dump, b.buf) : NULL);
	if (is_full(g) || is_high(g) || g->ooms || protection)
		s->next_holder = "memowner cgroups";
	if (is_full(g) && g->usage > s->full_usage) {
		s->full_path = g->counts->path ?: "";
		s->full_usage = g->usage;
		s->full_limit = g->max.n;
	}
}

/* The OOM killer did what it is for in a cgroup, which has room again at the end. */
static bool limit_is_over(const struct summary *s)
{
	return s->has_panic && s->ran_out && oom_report_is_of_cgroup(s->ran_out) &&
	       s->ran_out->outcome == OOM_KILLED && s->limit_path && s->limit_usage.known &&
	       s->limit_usage.n < s->limit_pages &&
	       units_tenths(s->limit_pages - s->limit_usage.n, s->limit_pages) >=
		       limit(LIMIT_PLENTY);
}

/* Most of swap is free, and the largest that may have no more of it has much. */
static void tell_no_swap(struct summary *s, const struct hash_u64 *groups)
{
	const struct group *most = NULL;

	if (!s->swap.known || !s->swap.pages || s->swap.used > s->swap.pages / 2)
		return;
	hash_u64_for_each(const struct group, g, groups)
		if (g->swap_max.known && !g->counts->removed && g->counts->path &&
		    (!g->swap_max.n || is_at(g->swap, g->swap_max)) &&
		    summary_reaches(s, LIMIT_HOLDER, g->usage) && (!most || g->usage > most->usage))
			most = g;
	if (most)
		s->no_swap = dump_text(
			s->dump,
			"cgroup %s, to which %s is charged, may have no more of it (memory.swap.max %s)",
			most->counts->path, summary_size(s, most->usage),
			most->swap_max.n ? summary_size(s, most->swap_max.n) : "0");
}

/*
 * What the cgroup of the report and those above it leave to it of free swap.  Those of v1 have one limit of memory and
 * swap, and each a swappiness.
 */
static void find_swap_left(struct summary *s, const struct hash_u64 *groups)
{
	const char *path = s->ran_out_in_cgroup ? s->ran_out->oom_memcg : "";
	uint64_t left = s->swap.known ? s->swap.pages - s->swap.used : 0;
	const struct memcg_counts *at = NULL;

	hash_u64_for_each(const struct group, g, groups)
		if (*path && !g->counts->removed && g->counts->path &&
		    !strcmp(g->counts->path, path) && g->version == MEMCG_V2)
			at = g->counts;
	if (!at)
		return;
	for (; at->parent; at = at->parent) {
		const struct group *g = hash_u64_find(groups, at->address);

		if (!g || !g->swap.known || !g->swap_max.known || is_at(g->swap, g->swap_max))
			return;
		left = g->swap_max.n - g->swap.n < left ? g->swap_max.n - g->swap.n : left;
	}
	s->limit_swap = (struct maybe_u64){ left, true };
}

enum status summary_cgroups(struct summary *s)
{
	struct memcg_states m;
	struct first_problem problem = { 0 };
	struct hash_u64 groups;
	struct memcg_tree tree;
	struct group *last = NULL;
	enum status st = memcg_counts_read(s->dump, cgroup_counters, CGROUP_STATS,
					   s->swap.known ? (s->ram_pages + s->swap.pages)
								   << s->dump->page_shift
							 : 0,
					   &tree)
				 ?: memcg_states_open(s->dump, &m);

	if (st != ST_OK)
		return st;
	if (!tree.complete)
		summary_unknown(s, "cgroups", NOT_IN_DUMP, "%s", tree.why);
	s->has_cgroups = tree.first != NULL;
	s->memcgs = tree.first;
	s->memcgs_problem = tree.complete ? NULL : tree.why;
	hash_u64_init(&groups, s->dump->arena, sizeof(struct group));
	for (const struct memcg_counts *c = tree.first; c && st == ST_OK; c = c->next)
		st = first_problem_keep(s->dump, &problem, read_group(&m, &groups, &last, c));
	hash_u64_for_each(const struct group, g, &groups)
		if (st == ST_OK && (is_high(g) || is_full(g))) {
			throttled_add(s, g->counts->path, g->usage,
				      is_full(g) ? g->max.n : g->high.n, is_full(g));
			tell_cache(s, g);
		}
	throttled_take(s);
	tell_parents(s, &groups, last);
	hash_u64_for_each(const struct group, g, &groups)
		if (st == ST_OK && has_row(s, g))
			put_group(s, &groups, g, problem.text || !tree.complete);
	tell_no_swap(s, &groups);
	find_swap_left(s, &groups);
	s->limit_is_over = limit_is_over(s);
	return st == ST_OK ? first_problem_end(s->dump, &problem) : st;
}
