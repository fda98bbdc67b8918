// SPDX-License-Identifier: GPL-2.0-or-later
/* kmemleak and ref_tracker: users of the stack depot that have records of their own. */
#include "user_counts.h"

#include "kernel/ref_tracker.h"
#include "util/units.h"

static void keep_leak(struct user_counts *u, const struct kmemleak_object *o)
{
	struct user_leak *leak;

	if (u->nleaks++ >= MAX_LEAKS)
		return;
	leak = dump_alloc(u->dump, sizeof(*leak));
	*leak = (struct user_leak){ .object = *o };
	*u->last_leak = leak;
	u->last_leak = &leak->next;
}

static enum status count_leak(void *arg, const struct kmemleak_object *o)
{
	struct user_counts *u = arg;

	user_counts_add(u, KMEMLEAK_OBJECT, o->handle);
	if (o->is_reported) {
		user_counts_add(u, KMEMLEAK_REPORTED, o->handle);
		keep_leak(u, o);
	}
	return ST_OK;
}

enum status user_counts_kmemleak(struct user_counts *u)
{
	struct dump *d = u->dump;
	bool has_frames;
	enum status st = kmemleak_walk(d, &has_frames, count_leak, u);

	/* What was counted until the list broke off is shown. */
	if (u->total.n[KMEMLEAK_OBJECT] && (st == ST_CORRUPT || st == ST_UNREADABLE)) {
		u->missing[KMEMLEAK_OBJECT] = u->missing[KMEMLEAK_REPORTED] = 1;
		u->reason[KMEMLEAK_OBJECT] = dump_why(d);
		return ST_OK;
	}
	if (has_frames) {
		u->state[KMEMLEAK_OBJECT] = u->state[KMEMLEAK_REPORTED] = NO_HANDLES;
		return ST_OK;
	}
	if (st == ST_ABSENT && dump_knows_symbol(d, "kmemleak_alloc")) {
		u->state[KMEMLEAK_OBJECT] = u->state[KMEMLEAK_REPORTED] = OFF;
		return ST_OK;
	}
	return user_counts_refuse(u, KMEMLEAK_OBJECT, KMEMLEAK_REPORTED, st);
}

/* The stack that took a reference is in use until the reference is released. */
static enum status count_reference(void *arg, const struct ref_tracker *t)
{
	if (t->is_released)
		user_counts_add(arg, REF_RELEASED, t->released);
	else
		user_counts_add(arg, REF_TAKEN, t->taken);
	return ST_OK;
}

enum status user_counts_references(struct user_counts *u)
{
	struct dump *d = u->dump;
	struct ref_trackers found;
	enum status st = ref_trackers_walk(d, &found, count_reference, u);

	if (st != ST_OK)
		return user_counts_refuse(u, REF_TAKEN, REF_RELEASED, st);
	if (found.complete && !found.broken)
		return ST_OK;
	u->missing[REF_TAKEN] = u->missing[REF_RELEASED] = 1;
	u->reason[REF_TAKEN] = found.problem;
	if (found.complete)
		return ST_OK;
	u->coverage = dump_text(d,
				"ref_tracker is counted in %s of network devices and network "
				"namespaces; others are not found",
				PLURAL_TEXT(found.directories, "directory", "directories"));
	return ST_OK;
}
