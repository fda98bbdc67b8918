// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait at the end, since when, and for what. */
#include "collect/stuck_reused.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_victims.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memory/stuck_rows.h"
#include "memowner/verdict_words.h"
#include "story.h"
#include "story_frozen.h"

#define FIRST_NS \
	1000000000 /* by which another one has waited longer than a hung task, to be told beside it */

/* Threads at one place. */
struct waits {
	size_t threads;
	size_t elsewhere; /* on locks, in reclaim or at another place */
	bool has_since;
	uint64_t since_ns;
	const struct stuck_task *first; /* that is there for longest */
	bool is_told;			/* by a chain or a deadlock */
};

static bool is_long(const struct summary *s, uint64_t since_ns)
{
	uint64_t age;

	return age_at_panic(&s->report->info, since_ns, &age) &&
	       age >= limit(LIMIT_STUCK) * 1000000;
}

/* A server that waits for its next request has no part in why memory ran out. */
static bool serves_while_short(const struct story *st, const struct stuck_task *t)
{
	return t->is_server_end && st->s->verdict != VERDICT_NOT_SHORT;
}

/* Threads of user processes sleep on locks of each other all the time: those whose holder is known are told. */
static void count(const struct story *st, struct waits *places, const struct stuck_task *t)
{
	struct waits *w = &places[t->where];

	if (t->where == PLACE_NONE || t->where == PLACE_IDLE || serves_while_short(st, t))
		return;
	w->threads++;
	places[PLACE_LOCK].elsewhere += t->is_on_lock && t->where != PLACE_LOCK;
	w->is_told |= t->is_deadlocked || t->peer;
	/* Of those in a deadlock that tells more. */
	if (!t->has_since || t->is_deadlocked || (t->where == PLACE_LOCK && !t->holder) ||
	    (w->has_since && w->since_ns <= t->since_ns))
		return;
	w->since_ns = t->since_ns;
	w->has_since = true;
	w->first = t;
}

static const char *const places_text[PLACES] = {
	[PLACE_SERVER] = "waiting for a server",
	[PLACE_PIPE] = "waiting for a pipe or a child",
	[PLACE_LOCK] = "asleep on locks",
	[PLACE_WRITEBACK] = "in writeback",
	[PLACE_PAGE_FAULT] = "in a page fault",
	[PLACE_MMAP_LOCK] = "asleep on an mmap_lock",
	[PLACE_EXIT] = "freeing the memory of a process",
	[PLACE_SWAP_IN] = "reading from swap",
	[PLACE_ALLOCATOR] = "in the page allocator",
	[PLACE_RECLAIM] = "in reclaim",
	[PLACE_COMPACTION] = "in compaction",
	[PLACE_CHARGE] = "charging memory to a cgroup",
	[PLACE_OOM_KILLER] = "in the OOM killer",
	[PLACE_OOM_LOCK] = "asleep on oom_lock",
};

/* Whether a sentence has what a thread did that last ran then. */
static bool has_wait_of(const struct story *st, const struct stuck_task *t)
{
	for (const struct story_event *e = st->first; e; e = e->next)
		if (e->kind == EVENT_WAIT && e->ts.known && e->ts.n == t->since_ns &&
		    !strcmp(e->what ?: "", t->task.comm))
			return true;
	return false;
}

/* What the deadlock and the hung task say, or who queues behind it. */
static bool waits_for_deadlocked(const struct stuck_task *t)
{
	return t->holder && t->holder->is_deadlocked;
}

static bool says_for_what(const struct stuck_task *t)
{
	return t->holder || t->peer || t->remote || t->is_on_server || t->disk;
}

/* "; 7 writes wait there for io.max of /batch (wbps=24576), in which scan (118) is" */
static void add_held(struct story *st, const struct stuck_task *t, struct strbuf *b)
{
	struct dump *d = st->s->dump;
	const char *whose;

	if (!t->disk || t->disk_is_inferred || !held_bios(t->disk))
		return;
	strbuf_add(b, "; ");
	held_bios_words(d, t->disk, &whose, b);
	/* The summary tells why it is not known. */
	d->error[0] = '\0';
}

/* Whether it waits for an answer that its own process alone may give. */
static bool waits_for_own(const struct stuck_task *t)
{
	const struct stuck_server *of = t->is_on_server ? t->server : NULL;

	return of && of->complete && of->n &&
	       !ANY_OF(i, of->n, of->threads[i]->task.tgid != t->task.tgid);
}

/* "; it is a thread of epscand (301) itself": a thread may have a name of its own. */
static bool add_process(const struct summary *s, const struct stuck_task *t, struct strbuf *b)
{
	const char *name = t->task.pid != t->task.tgid ? summary_process_name(s, t->task.tgid)
						       : NULL;

	if (name)
		strbuf_add(b, "; it is a thread of %s%s", name, waits_for_own(t) ? " itself" : "");
	return name != NULL;
}

/* Who waits for a server of RPC is woken to send the request again: how long it has waited its last run does not tell. */
static void add_waited(const struct stuck_task *t, const char *age, struct strbuf *b)
{
	if (stuck_waits_for_rpc(t)) {
		strbuf_add(b, "; %s (%d), which is woken to send its request again, ran last %s ",
			   t->task.comm, t->task.pid, age);
		strbuf_add(b, "before the end, and may have waited for longer");
		return;
	}
	strbuf_add(b, "; %s (%d) has waited since then, for %s", t->task.comm, t->task.pid, age);
}

/* The event is of the one that is there for longest, of locks only of those with a known holder. */
static void add_waits(struct story *st, enum place place, const struct waits *w, bool is_part)
{
	const struct stuck_task *t = w->first;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	uint64_t age = 0;
	bool has_process;

	if (has_wait_of(st, t))
		return;
	age_at_panic(&st->s->report->info, w->since_ns, &age);
	/* That one waits for a CPU says less than where it is. */
	if (says_for_what(t) || (w->threads + w->elsewhere == 1 && !is_part))
		stuck_task_words(t, &b);
	else
		strbuf_add(&b, "%s (%d)", t->task.comm, t->task.pid);
	add_held(st, t, &b);
	has_process = add_process(st->s, t, &b);
	if (w->threads + w->elsewhere > 1)
		strbuf_add(&b, "%s one of %s%s that were %s at the end",
			   says_for_what(t) ? ";" : ",", is_part ? "at least " : "",
			   COUNT_OF(w->threads + w->elsewhere, "thread"), places_text[place]);
	else if (is_part && !says_for_what(t))
		strbuf_add(&b, ", and perhaps others, were %s at the end", places_text[place]);
	add_waited(t, TIME_TEXT(age), &b);
	STORY_ADD(st, .kind = EVENT_WAIT, .ts = { w->since_ns, true }, .what = place_name(place),
		  .text = b.buf,
		  .command = w->elsewhere ? "memowner stuck"
					  : dump_text(st->s->dump, "memowner stuck -f where=%s%s",
						      place_name(place),
						      has_process ? " -o +tgid" : ""));
}

static void add_deadlock(struct story *st, const struct stuck_task *t)
{
	const struct stuck_task *of = t;
	struct maybe_u64 since = { 0, true };
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!stuck_deadlock_words(t, &b))
		return;
	/* It is one since the last of them waits. */
	do {
		since.known &= of->has_since;
		since.n = of->since_ns > since.n ? of->since_ns : since.n;
		of = of->holder;
	} while (of != t);
	if (since.known && t->holder != t && st->s->verdict == VERDICT_NOT_SHORT &&
	    (!st->deadlock.known || since.n < st->deadlock.n))
		st->deadlock = since;
	STORY_ADD(st, .kind = EVENT_DEADLOCK, .ts = since, .what = t->task.comm, .text = b.buf,
		  .command = "memowner stuck");
}

/* "; quoteapi (588) has waited since then, for 29.6s, and ratefeed (275), which may have been woken in between, for 2.5s" */
static void add_last_ran(const struct story *st, const struct stuck_chain *c, struct strbuf *b)
{
	const struct stuck_task *t = c->of[0], *end = c->of[c->n - 1];
	const struct report *r = st->s->report;
	char since[UNITS_BYTES] = "";
	uint64_t age;

	if (t->has_since && age_at_panic(&r->info, t->since_ns, &age))
		add_waited(t, units_time(since, age), b);
	else
		strbuf_add(b, "; for how long %s (%d) has waited is unknown", t->task.comm,
			   t->task.pid);
	/* At the same time it waits with it. */
	if (end != t && end->has_since && age_at_panic(&r->info, end->since_ns, &age) &&
	    strcmp(TIME_TEXT(age), since) != 0)
		strbuf_add(b, ", and %s (%d), which may have been woken in between, for %s",
			   end->task.comm, end->task.pid, TIME_TEXT(age));
}

/* Of those that wait for the same answer the one that has waited longest. */
static const struct stuck_task *longest_of(const struct stuck *all, const struct stuck_task *of)
{
	const struct stuck_task *ret = of;

	stuck_for_each(t, all)
		if (of->peer && t->peer && t->peer->tgid == of->peer->tgid && t->has_since &&
		    (!ret->has_since || t->since_ns < ret->since_ns))
			ret = t;
	return ret;
}

static void add_waiter(struct story *st, const struct stuck *all, const struct stuck_task *t,
		       bool is_hung)
{
	const bool has_holder = t->holder && t->holder != t && !stuck_owner_is_doubted(t);
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	struct stuck_chain c;

	stuck_chain(all, t, &c);
	strbuf_add(&b, is_hung ? "hung task " : "");
	if (!is_hung && stuck_crowd_words(all, t, &b)) {
		t = longest_of(all, t);
		c.of[0] = t;
	} else {
		stuck_task_words(t, &b);
		/* What that one waits for has the event of the deadlock. */
		if (waits_for_deadlocked(t)) {
			strbuf_add(&b, ", which is in the deadlock");
			c.n = 1;
		} else if (has_holder) {
			strbuf_add(&b, "; ");
			stuck_holder_words(t, &b);
		}
		if (c.n > 1)
			stuck_add_chain(all, t, has_holder ? 2 : 1, &b);
	}
	add_last_ran(st, &c, &b);
	STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, t->has_since }, .what = t->task.comm,
		  .text = b.buf, .command = "memowner stuck");
}

static bool is_first_of_frozen(const struct stuck *all, const struct stuck_task *t)
{
	const struct stuck_task *first = all->first;

	while (first != t && first->frozen != t->frozen)
		first = first->next;
	return t->frozen && first == t;
}

static bool is_hung(const struct story *st, const struct stuck_task *t)
{
	const struct statement *panic = st->s->first[SECTION_PANIC];

	return st->s->is_hung && panic && panic->pid.known && (uint64_t)t->task.pid == panic->pid.n;
}

static bool waits_alike(const struct stuck_task *a, const struct stuck_task *b)
{
	return (a->disk && a->disk == b->disk) || stuck_same_lock(a, b) ||
	       (a->lock_name && b->lock_name && !strcmp(a->lock_name, b->lock_name));
}

/* The one that the kernel panicked of is not the one that has waited longest for it; NULL: it is, or nearly so. */
static const struct stuck_task *first_of_hung(const struct stuck *all,
					      const struct stuck_task *hung)
{
	const struct stuck_task *ret = hung;

	stuck_for_each(t, all)
		if (t->has_since && ret->has_since && t->since_ns < ret->since_ns &&
		    waits_alike(t, hung))
			ret = t;
	return ret->has_since && hung->since_ns - ret->since_ns > FIRST_NS ? ret : NULL;
}

/* Of the lock that stops most threads one of them, of a frozen file system the first, and the task that waited until the kernel panicked. */
static void add_waiters(struct story *st, const struct stuck *all)
{
	size_t waiting;
	const struct stuck_task *most = summary_most_waited(st->s, all, false, &waiting);
	const struct stuck_task *of_file = summary_most_waited(st->s, all, true, &waiting);

	for (const struct stuck_task *t = all->first; t; t = t->next) {
		const bool was_hung = is_hung(st, t);
		const struct stuck_task *first = was_hung ? first_of_hung(all, t) : NULL;

		if (first && first != most && first != of_file && !first->is_deadlocked)
			add_waiter(st, all, first, false);
		if ((t == most || t == of_file || was_hung ||
		     (!st->s->is_hung && is_first_of_frozen(all, t))) &&
		    !t->is_deadlocked)
			add_waiter(st, all, t, was_hung);
	}
}

/* Who does not go on by itself, and who waits for it. */
static void add_root(struct story *st, const struct stuck *all, const struct stuck_task *t)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	uint64_t age = 0;

	if (!stuck_root_crowd_words(all, t, &b))
		return;
	age_at_panic(&st->s->report->info, t->since_ns, &age);
	add_waited(t, TIME_TEXT(age), &b);
	STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, true }, .what = t->task.comm,
		  .text = b.buf, .command = "memowner stuck");
}

/* Whose answer one waits for that the summary names, or whose answer it names; what many wait for is told once. */
static void add_named(struct story *st, const struct stuck *all)
{
	int32_t told[TASK_NAMES];
	size_t n = 0;

	for (const struct stuck_task *t = all->first; t && n < TASK_NAMES; t = t->next) {
		if (!t->peer || t->is_deadlocked || serves_while_short(st, t) || !t->has_since ||
		    !is_long(st->s, t->since_ns) ||
		    (!story_names(st, (uint64_t)t->task.tgid) &&
		     !story_names(st, (uint64_t)t->peer->tgid)) ||
		    ANY_OF(k, n, told[k] == t->task.tgid) || !stuck_begins_chain(all, t))
			continue;
		told[n++] = t->task.tgid;
		add_waiter(st, all, t, false);
	}
}

/* A connection that does not come about is tried again: for how long in all its thread does not tell. */
static void add_connecting(struct story *st, const struct stuck *all)
{
	stuck_for_each(t, all) {
		struct strbuf b = STRBUF_OF(STORY_TEXT);
		uint64_t age;

		if (!t->is_connecting || !t->remote || !t->has_since ||
		    !story_names(st, (uint64_t)t->task.tgid) ||
		    !age_at_panic(&st->s->report->info, t->since_ns, &age))
			continue;
		stuck_task_words(t, &b);
		strbuf_add(
			&b,
			"; %s (%d) last ran %s before the %s, whether it tried before is not recorded",
			t->task.comm, t->task.pid, TIME_TEXT(age), age_end(&st->s->report->info));
		STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, true }, .what = t->task.comm,
			  .text = b.buf, .stays = true,
			  .command = dump_text(st->s->dump, "memowner stuck -a -o +does -f pid=%d",
					       t->task.pid));
	}
}

/* The one that died was a worker: of which work. */
static void find_work(struct story *st, const struct stuck *all)
{
	const struct statement *died = st->s->first[SECTION_EXCEPTION];

	stuck_for_each(t, all)
		if (died && died->pid.known && died->pid.n == (uint64_t)t->task.pid && t->work)
			st->died_work = t->work->function;
}

#define JUST_NS 1000000000ull /* before the exception: it was at work in the module */

/* "[emtr]", of the function that died, or of what called it; NULL: of none. */
static const char *module_of(const struct statement *exception)
{
	const char *at = strchr(exception->ip_symbol ?: "", '[');

	return at ?: strchr(exception->caller ?: "", '[');
}

/* Who slept in a function of the module that died had run in it just before. */
static void add_in_module(struct story *st, const struct stuck *all)
{
	const struct statement *died = st->s->first[SECTION_EXCEPTION];
	const char *module = died && died->ts.known ? module_of(died) : NULL;

	if (!module)
		return;
	story_add_openers(st, module + 1);
	stuck_for_each(t, all) {
		const struct frame *f = t->module_frame;
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		if (!f || !f->symbol || !f->module || !t->has_since || t->task.is_kthread ||
		    t->since_ns > died->ts.n || died->ts.n - t->since_ns > JUST_NS ||
		    strcspn(module + 1, "]") != strlen(f->module) ||
		    strncmp(module + 1, f->module, strlen(f->module)) != 0)
			continue;
		stuck_task_words(t, &b);
		strbuf_add(&b, ", in %s [%s], of the module of the exception; it ran until then",
			   f->symbol, f->module);
		STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, true }, .what = t->task.comm,
			  .text = b.buf,
			  .command = dump_text(st->s->dump, "memowner stuck -a -f pid=%d -o +stack",
					       t->task.pid));
	}
}

static void add_victim(struct story *st, const struct stuck_task *t)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	stuck_victim_words(t, st->s->dump->page_shift, &b);
	STORY_ADD(st, .kind = EVENT_VICTIM, .ts = story_end(st->s), .what = stuck_victim_name(t),
		  .text = b.buf, .command = "memowner stuck");
}

void story_add_waits(struct story *st)
{
	struct summary *s = st->s;
	struct waits places[PLACES] = { 0 };
	struct stuck all;
	int32_t tgids[TASK_NAMES];
	enum status status;

	for (size_t i = 0; i < st->named.n; i++)
		tgids[i] = st->named.all[i].tgid;
	status = stuck_collect(
		s->dump,
		&(struct stuck_wish){ .tgids = tgids, .ntgids = (unsigned int)st->named.n }, &all);

	if (status != ST_OK) {
		summary_failed(s, "stuck threads", status);
		st->is_partial |= status == ST_STOPPED;
		return;
	}
	for (const struct stuck_task *t = all.first; t; t = t->next) {
		count(st, places, t);
		if (t->is_deadlocked)
			add_deadlock(st, t);
		if (t->stands_for_victim)
			add_victim(st, t);
		if (summary_is_root(s, t) && !is_hung(st, t))
			add_root(st, &all, t);
	}
	add_waiters(st, &all);
	story_add_frozen(st, &all);
	add_named(st, &all);
	add_in_module(st, &all);
	add_connecting(st, &all);
	find_work(st, &all);
	for (unsigned int i = 0; i < PLACES; i++)
		if (places[i].has_since && is_long(s, places[i].since_ns) &&
		    !(places[i].is_told && places[i].threads + places[i].elsewhere == 1) &&
		    !(st->deadlock.known && waits_for_deadlocked(places[i].first)))
			add_waits(st, i, &places[i], stuck_is_part(&all) || all.frameless);
	for (size_t i = 0; i < all.gaps.n; i++)
		/* Threads that are idle wait so, too: where memory was short they explain nothing. */
		if (!all.gaps.rows[i].is_idle || s->verdict == VERDICT_NOT_SHORT)
			report_gaps(s->report, &all.gaps.rows[i], 1);
	s->complete &= !all.ends_early;
}
