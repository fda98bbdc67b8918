// SPDX-License-Identifier: GPL-2.0-or-later
/* How the processes of a name that pile up are related, what most of them sleep in, and why the OOM killer took none. */
#include "memowner/groups.h"

#include "tasks/family.h"
#include "collect/stuck_peers.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"

#define OF_ONE_PERCENT 80u /* less those of others, of all */
#define SPARED (-500)	  /* oom_score_adj: others are killed in its place, though they have less */
#define CHAIN_PERCENT 50u /* of all */

/* Of "telemetry (317)" the name. */
static bool is_named(const char *process, const char *comm)
{
	const size_t n = strlen(comm);

	return !strncmp(process, comm, n) && !strncmp(process + n, " (", 2);
}

/* How many of them are children of one, with that one if it is among them. */
static uint64_t count_children(const struct process_group *g, int32_t parent)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->processes; i++)
		n += g->members[i][1] == parent || g->members[i][0] == parent;
	return n;
}

/* "jobrund (119)", whose children nearly all are, with how many where some are not; NULL: of several, or unknown. */
static const char *of_parent(struct summary *s, const struct process_group *g)
{
	const char *parent, *part = "";
	uint64_t n;

	if (g->of_parent * 100 < g->processes * OF_ONE_PERCENT || g->parent < 1)
		return NULL;
	parent = summary_process_name(s, g->parent);
	if (!parent)
		return NULL;
	n = count_children(g, g->parent);
	if (n < g->processes)
		part = dump_text(s->dump, "%s of them ", COUNT_TEXT(n));
	if (g->parent == 1)
		return dump_text(s->dump, "%schildren of %s, which started them or took them in",
				 part, parent);
	/* One of the same name may be one of them. */
	return dump_text(s->dump,
			 is_named(parent, g->comm) ? "%s%s and its children" : "%schildren of %s",
			 part, parent);
}

static const char *member_name(struct summary *s, const struct process_group *g,
			       const struct family_member *m)
{
	return dump_strdup(s->dump,
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)m->tgid, true }), g->comm));
}

/* Descendants of one of them: in a line, or in several. */
static const char *of_descent(struct summary *s, const struct process_group *g)
{
	struct arena *arena = s->dump->arena;
	const struct family_member *last = NULL, *first = NULL;
	struct family_member *all = arena_alloc(arena, g->processes * sizeof(*all));
	uint64_t *below = arena_alloc(arena, g->processes * sizeof(*below));
	size_t n = g->processes, most = 0;

	memset(below, 0, n * sizeof(*below));
	for (size_t i = 0; i < n; i++)
		all[i] = (struct family_member){ .tgid = g->members[i][0],
						 .parent = g->members[i][1] };
	family_find(arena, all, n);
	for (size_t i = 0; i < n; i++) {
		last = !last || all[i].depth > last->depth ? &all[i] : last;
		most = ++below[all[i].first] > below[most] ? all[i].first : most;
	}
	if (!last)
		return NULL;
	first = &all[last->first];
	if (last->depth >= MANY_PROCESSES && last->depth * 100ULL >= n * CHAIN_PERCENT)
		return arena_text(arena, "%s%seach the child of the one before, from %s to %s",
				  last->depth < n ? COUNT_TEXT(last->depth) : "",
				  last->depth < n ? " of them " : "", member_name(s, g, first),
				  member_name(s, g, last));
	if (below[most] * 100 >= n * OF_ONE_PERCENT)
		return arena_text(arena, "%s and its descendants", member_name(s, g, &all[most]));
	return NULL;
}

static enum status add_process(void *arg, const struct task *t)
{
	struct family_process *r;

	if (t->pid != t->tgid)
		return ST_OK;
	r = hash_u64_get(arg, (uint64_t)t->tgid, NULL);
	r->parent = t->has_ppid ? t->ppid : 0;
	snprintf(r->comm, sizeof(r->comm), "%s", t->comm);
	return ST_OK;
}

/* The name of all parents; NULL: they have several, or some are unknown. */
static const char *parents_comm(const struct hash_u64 *all, const struct process_group *g)
{
	const char *comm = NULL;

	for (size_t i = 0; i < g->processes; i++) {
		const struct family_process *r = hash_u64_find(all, (uint64_t)g->members[i][1]);

		if (!r || (comm && strcmp(comm, r->comm)))
			return NULL;
		comm = r->comm;
	}
	return comm;
}

/* "children of cc, which descend from ninja (295)": the nearest that nearly all have, where each has another parent. */
static const char *of_ancestor(struct summary *s, const struct process_group *g)
{
	struct tasks *tasks = dump_alloc(s->dump, sizeof(*tasks));
	int32_t *parents = dump_alloc(s->dump, g->processes * sizeof(*parents));
	struct hash_u64 all;
	struct family_ancestor of;
	const char *comm, *name;
	bool is_whole;

	hash_u64_init(&all, s->dump->arena, sizeof(struct family_process));
	is_whole = tasks_open(s->dump, tasks) == ST_OK &&
		   tasks_walk(tasks, add_process, &all) == ST_OK;
	s->dump->error[0] = '\0';
	for (size_t i = 0; i < g->processes; i++)
		parents[i] = g->members[i][1];
	if (!is_whole || !family_ancestor(s->dump->arena, &all, parents, g->processes, &of) ||
	    of.members * 100 < g->processes * OF_ONE_PERCENT)
		return NULL;
	comm = parents_comm(&all, g);
	name = dump_strdup(s->dump,
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)of.tgid, true }), of.comm));
	if (of.members < g->processes)
		return dump_text(s->dump, "%s of them descendants of %s", COUNT_TEXT(of.members),
				 name);
	return comm ? dump_text(s->dump, "children of %s, which descend from %s", comm, name)
		    : dump_text(s->dump, "descendants of %s", name);
}

/* "27 of them are children of systemd (1), as those are whose parent has ended": beside such as have another parent. */
static const char *of_orphans(struct summary *s, const struct process_group *g)
{
	const char *init = summary_process_name(s, 1);
	size_t n = 0;

	for (size_t i = 0; i < g->processes; i++)
		n += g->members[i][1] == 1;
	return init && n * 2 >= g->processes && n < g->processes
		       ? dump_text(s->dump,
				   "%s of them are children of %s, as those are whose parent has "
				   "ended",
				   COUNT_TEXT(n), init)
		       : NULL;
}

void groups_add_sleep(struct process_groups *p, const struct process_group *g, const char *function)
{
	struct {
		const struct process_group *of;
		char function[64];
	} key = { .of = g };
	struct process_sleep *sleep;

	snprintf(key.function, sizeof(key.function), "%.*s", (int)strcspn(function, "."), function);
	sleep = hash_bytes_get(&p->sleeps, &key, sizeof(key), NULL)->value;
	sleep->of = g;
	sleep->n++;
	if (!sleep->function)
		sleep->function = dump_strdup(p->s->dump, key.function);
}

/* "wait in epoll_wait() for its files", of several: what each asked for is not read. */
static const char *call_of_several(struct dump *d, const char *function)
{
	const char *call = wait_call(function, USER_FILES_UNKNOWN);
	const size_t verb = call ? strcspn(call, " ") : 0;

	return verb ? dump_text(d, "%.*s%s", (int)verb - 1, call, call + verb) : NULL;
}

const char *summary_group_sleep(struct summary *s, const struct process_group *g)
{
	static const char *const words[PIPE_FUNCTIONS] = {
		[PIPE_WRITES] = "wait to write to a pipe",
		[PIPE_READS] = "wait to read from a pipe",
		[PIPE_CHILD] = "wait for a child",
	};
	const struct process_sleep *most = NULL;
	const char *what;

	hash_bytes_for_each(const struct process_sleep, sleep, &s->groups->sleeps)
		most = sleep->of == g && (!most || sleep->n > most->n) ? sleep : most;
	if (g->processes < MANY_PROCESSES || !most || most->n * 2 < g->processes)
		return NULL;
	/* What asks for nothing does not tell why there are many. */
	if (wait_rest_of(most->function) == WAIT_RESTS &&
	    pipe_function_of(most->function) != PIPE_CHILD &&
	    !stuck_is_futex_wait(most->function) && !stuck_is_socket_wait(most->function))
		return NULL;
	what = words[pipe_function_of(most->function)]
		       ?: wait_lock_kind(most->function) == LOCK_FILE ? "wait for a lock of a file"
		  : stuck_is_futex_wait(most->function)	 ? "wait for a lock in user memory (futex)"
		  : stuck_is_socket_wait(most->function) ? "wait on a socket"
							 : call_of_several(s->dump, most->function);
	return dump_text(s->dump, "%s%s of them %s%s",
			 s->groups->lacks_stacks && most->n < g->processes ? "at least " : "",
			 COUNT_TEXT(most->n), what ?: "sleep in ", what ? "" : most->function);
}

const char *summary_group_form(struct summary *s, const struct process_group *g)
{
	if (g->processes < MANY_PROCESSES)
		return NULL;
	return of_parent(s, g) ?: of_descent(s, g) ?: of_ancestor(s, g) ?: of_orphans(s, g);
}

const char *summary_group_parent(struct summary *s, const struct process_group *g)
{
	return of_parent(s, g);
}

#define AS_MUCH \
	20 /* a child whose size differs from its parent's by less than one in 20 has nothing new */

static uint64_t private_of(const struct anon_process *p)
{
	const uint64_t others = p->merged + p->shared;

	return p->anon > others ? p->anon - others : 0;
}

/* Whether all are children of one of them, and each has as much as that: what is private was shared, and written to. */
static bool are_copies(const struct process_group *g)
{
	const struct anon_process *of = g->sum.first;
	uint64_t children = 0;

	while (of && of->tgid != g->parent)
		of = of->next;
	for (uint64_t i = 0; i < g->processes; i++)
		children += g->members[i][1] == g->parent;
	for (const struct anon_process *p = of ? g->sum.first : NULL; p; p = p->next)
		if ((p->anon > of->anon ? p->anon - of->anon : of->anon - p->anon) >
		    of->anon / AS_MUCH)
			return false;
	return of && children + 1 == g->processes;
}

/* "; the last request for memory was for such a copy (do_wp_page)" */
static const char *copy_text(const struct summary *s, const struct process_group *g)
{
	const char *function = s->ran_out ? s->ran_out->function : "";

	return strstr(function, "wp_page") && ANY_NEXT(p, g->sum.first, p->tgid == s->asker_tgid)
		       ? dump_text(s->dump,
				   "; the last request for memory was for such a copy (%s)",
				   function)
		       : "";
}

#define LITTLE 10 /* a part of what they have: less is not told */

const char *summary_group_forked(struct summary *s, const struct process_group *g)
{
	struct strbuf b = STRBUF_OF(512);
	uint64_t own = 0, most = 0;

	for (const struct anon_process *p = g->sum.first; p; p = p->next) {
		own += private_of(p);
		most = private_of(p) > most ? private_of(p) : most;
	}
	if (g->processes < 2 || g->merged || own > g->anon)
		return NULL;
	strbuf_add(&b, "%s are private, up to %s in one", summary_size(s, own),
		   summary_size(s, most));
	/* Little that is shared says nothing of how their sizes sum up. */
	if (g->sum.counted - g->anon > g->anon / LITTLE)
		strbuf_add(&b, ", and %s they share since fork, so that their sizes sum up to %s",
			   summary_size(s, g->anon - own), summary_size(s, g->sum.counted));
	if (are_copies(g))
		strbuf_add(&b,
			   "; what is private was copied when they wrote to what they shared, as "
			   "each has as much as %s, which forked them%s",
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)g->parent, true }), g->comm),
			   copy_text(s, g));
	return dump_strdup(s->dump, b.buf);
}

struct maybe_u64 groups_age(const struct process_groups *p, uint64_t start_ns)
{
	struct maybe_u64 age = { 0 };

	age.known = age_at_panic(&p->s->report->info, start_ns, &age.n);
	return age;
}

const char *groups_hold(struct summary *s, const struct process_group *g)
{
	struct strbuf b = STRBUF_OF(256);

	if (!g->lacks_mm && g->locked && g->locked >= g->anon / 2)
		strbuf_add(&b, "mlocked %s", summary_size(s, g->locked));
	if (g->scored == g->processes && g->most_adj <= SPARED)
		strbuf_add(&b, "%s%soom_score_adj %d%s", strbuf_between(&b, "; "),
			   g->processes > 1 ? "each with " : "", g->most_adj,
			   g->most_adj == OOM_ADJ_MIN ? ", which the OOM killer passes over" : "");
	s->dump->error[0] = '\0';
	return b.len ? dump_strdup(s->dump, b.buf) : NULL;
}
