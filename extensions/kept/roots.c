// SPDX-License-Identifier: GPL-2.0-or-later
/* Where waits end: who is stopped, traced or asleep in a driver, and who waits for that. */
#include "collect/stuck_peers.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_words.h"
#include "log/oops.h"
#include "memory/stuck_chains.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define ROOTS_TOLD 2u

/* It does not go on for long; what it is since is not always noted. */
bool summary_is_root(const struct summary *s, const struct stuck_task *t)
{
	uint64_t age;

	return t->is_root && t->has_since && age_at_panic(&s->report->info, t->since_ns, &age) &&
	       ((t->polls && !s->is_oops) || age >= limit(LIMIT_STUCK) * 1000000);
}

/* What many wait for says more than what one does. */
static bool is_before(const struct stuck_task *a, const struct stuck_task *b)
{
	const size_t of_a = a->direct + a->behind, of_b = b->direct + b->behind;

	if (of_a != of_b)
		return of_a > of_b;
	if ((a->work && a->work->queue.inactive) != (b->work && b->work->queue.inactive))
		return a->work && a->work->queue.inactive;
	return a->since_ns < b->since_ns;
}

/* The lock that most wait for is told with who has it, and what that does. */
static bool is_told(const struct stuck_task *t, const struct stuck_task *lock)
{
	return lock && lock->holder == t && !t->work;
}

/* A work that never ends says why memory is not freed; where memory ran out a thread that is stopped says nothing of it. */
static bool is_worth(const struct summary *s, const struct stuck_task *t, bool first)
{
	return summary_is_root(s, t) && (first ? stuck_root_keeps_others(t) : !s->last_report);
}

/* Of an automount systemd starts mount(8) and its helper, for whose end all wait who come to that path. */
#define AUTOMOUNT "autofs_wait"

/* "/srv/pictures" of the unit srv-pictures.mount, in which systemd runs a mount (systemd.unit(5)); NULL: it is in none. */
static const char *mount_path(struct summary *s, const struct stuck_task *t)
{
	const char *cgroup = summary_cgroup_of(s, &t->task);
	const char *unit = cgroup ? strrchr(cgroup, '/') : NULL;
	const char *end = unit ? strstr(unit, ".mount") : NULL;
	struct strbuf b = STRBUF_OF(256);

	if (!end || end[strlen(".mount")])
		return NULL;
	for (const char *at = unit; at < end; at++)
		if (!strncmp(at, "\\x2d", 4)) {
			strbuf_add(&b, "-");
			at += 3;
		} else {
			strbuf_add(&b, "%c", *at == '-' ? '/' : *at);
		}
	return dump_strdup(s->dump, b.buf);
}

/* "; they wait for the automount of /srv: mount.nfs (346), which is to mount it, waits on a TCP connection for 10.0.0.9:2049, which has not answered (SYN_SENT)" */
static void add_mount(struct summary *s, const struct stuck *all, const struct stuck_task *of,
		      struct strbuf *b)
{
	const char *path;

	const char *function = stuck_function(of);

	if (!function || strcmp(function, AUTOMOUNT) != 0)
		return;
	stuck_for_each(t, all)
		if (!strncmp(t->task.comm, "mount", strlen("mount")) &&
		    (t->peer || t->remote || t->is_on_server)) {
			path = mount_path(s, t);
			strbuf_add(b,
				   "; they wait for the automount%s%s: %s (%d), which is to "
				   "mount it%s, ",
				   path ? " of " : "", path ?: "", t->task.comm, t->task.pid,
				   path ? "" : " (inferred)");
			stuck_add_wait(t, b);
			return;
		}
}

/* Whether a lock and the function of an oops are of one module: "bus_lock [drv]", "step+0x22/0x50 [drv]". */
static bool is_of_module_of(const char *lock, const char *ip)
{
	const char *a = lock ? strchr(lock, '[') : NULL, *b = strchr(ip, '[');

	return a && b && strcspn(a, "]") == strcspn(b, "]") && !strncmp(a, b, strcspn(a, "]"));
}

void summary_add_ended(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	const struct oops *o = s->oops;
	const struct stuck_task *of = NULL;

	if (!b->len || !o || !o->pid.known || o->in_irq || s->has_panic)
		return;
	stuck_for_each(t, all) {
		if (t->task.pid == (int32_t)o->pid.value)
			return;
		if (t->lock.by == LOCK_OWNER_LOST && is_of_module_of(t->lock_name, o->ip))
			of = t;
	}
	if (of)
		strbuf_add(b, "; perhaps %s (%lu), which the exception ended, had %s", o->comm,
			   o->pid.value, of->lock_name);
}

void summary_add_roots(struct summary *s, const struct stuck *all, const struct stuck_task *most,
		       const struct stuck_task *of_file, bool first, struct strbuf *b)
{
	const struct stuck_task *told[ROOTS_TOLD];
	unsigned int n = 0;
	size_t more = 0;

	/* What keeps no thread is told where nothing else is known. */
	if (!first && b->len)
		return;
	for (const struct stuck_task *t = all->first; t; t = t->next)
		more += is_worth(s, t, first) && !is_told(t, most) && !is_told(t, of_file);
	while (n < ROOTS_TOLD && n < more) {
		const struct stuck_task *next = NULL;

		for (const struct stuck_task *t = all->first; t; t = t->next)
			if (is_worth(s, t, first) && !is_told(t, most) && !is_told(t, of_file) &&
			    !ANY_OF(i, n, told[i] == t || stuck_roots_alike(told[i], t)) &&
			    (!next || is_before(t, next)))
				next = t;
		if (!next)
			break;
		told[n++] = next;
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		stuck_root_words(all, next, b);
	}
	if (n && more > n)
		strbuf_add(b, "; and %s%s like that (memowner stuck)",
			   stuck_is_part(all) ? "at least " : "",
			   COUNT_OF(more - n, "more thread"));
	for (unsigned int i = 0; i < n; i++)
		add_mount(s, all, told[i], b);
}

bool summary_add_backlog(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	const struct stuck_task *most = NULL;

	for (const struct stuck_task *t = all->first; t; t = t->next)
		if (t->is_root && t->work && !summary_is_root(s, t) &&
		    t->work->queue.inactive >= limit(LIMIT_WORKS) &&
		    (!most || t->work->queue.inactive > most->work->queue.inactive))
			most = t;
	if (!most)
		return false;
	strbuf_add(b, "%s", strbuf_between(b, "; "));
	stuck_backlog_words(most, b);
	return true;
}

/* Many that wait for a process which does not get on either: of those that only waits for work clients are at rest. */
void summary_add_crowd(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	const struct stuck_task *most = NULL;
	uint64_t age;
	size_t n = 0;

	stuck_for_each(t, all) {
		const size_t of =
			t->has_since && age_at_panic(&s->report->info, t->since_ns, &age) &&
					age >= limit(LIMIT_STUCK) * 1000000
				? stuck_crowd(all, t)
				: 0;

		/* Threads that its cgroup keeps from running answer no more than such as are asleep. */
		if (of > n && (s->is_limited_cpu || stuck_peer_is_kept(all, t->peer->tgid))) {
			n = of;
			most = t;
		}
	}
	if (n < STUCK_CROWD)
		return;
	strbuf_add(b, "%s", strbuf_between(b, "; "));
	stuck_crowd_words(all, most, b);
}

bool summary_add_user_locks(struct summary *s, const struct stuck *all, struct strbuf *b)
{
	const struct stuck_user_locks *most = NULL;

	for (const struct stuck_user_locks *l = all->user_locks; l; l = l->next)
		most = !most || l->waiting > most->waiting ? l : most;
	if (!most ||
	    !stuck_user_lock_words(most, &s->report->info, limit(LIMIT_STUCK) * 1000000, b))
		return false;
	s->is_stuck = true;
	return true;
}

/* Processes of one name that sleep in calls of sockets. */
bool summary_has_crowd(const struct summary *s)
{
	/* NULL: no stack is known. */
	if (!s->groups)
		return false;
	hash_bytes_for_each(const struct process_sleep, p, &s->groups->sleeps)
		if (p->n >= STUCK_CROWD && stuck_is_socket_wait(p->function))
			return true;
	return false;
}
