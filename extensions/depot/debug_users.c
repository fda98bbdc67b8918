// SPDX-License-Identifier: GPL-2.0-or-later
/* kmemleak and ref_tracker: users of the stack depot that have records of their own. */
#include "user_counts.h"

#include <stdio.h>

#include "kernel/ref_tracker.h"
#include "slab/kmemleak.h"
#include "util/units.h"

static enum status keep_leak(struct user_counts *u, const struct kmemleak_object *o)
{
	struct user_leak *leak;

	if (u->nleaks++ >= MAX_LEAKS)
		return ST_OK;
	leak = dump_alloc(u->dump, sizeof(*leak));
	if (!leak)
		return ST_NOMEM;
	*leak = (struct user_leak){ .object = *o };
	*u->last_leak = leak;
	u->last_leak = &leak->next;
	return ST_OK;
}

static enum status count_leak(void *arg, const struct kmemleak_object *o)
{
	struct user_counts *u = arg;
	enum status st = user_counts_add(u, KMEMLEAK_OBJECT, o->handle);

	if (st == ST_OK && o->is_reported)
		st = user_counts_add(u, KMEMLEAK_REPORTED, o->handle);
	return st == ST_OK && o->is_reported ? keep_leak(u, o) : st;
}

enum status user_counts_kmemleak(struct user_counts *u)
{
	struct dump *d = u->dump;
	bool has_frames;
	enum status st = kmemleak_walk(d, &has_frames, count_leak, u);

	/* What was counted until the list broke off is shown. */
	if (u->total.n[KMEMLEAK_OBJECT] && (st == ST_CORRUPT || st == ST_UNREADABLE)) {
		u->missing[KMEMLEAK_OBJECT] = u->missing[KMEMLEAK_REPORTED] = 1;
		u->reason[KMEMLEAK_OBJECT] = arena_strdup(d->arena, d->error);
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
	return t->is_released ? user_counts_add(arg, REF_RELEASED, t->released)
			      : user_counts_add(arg, REF_TAKEN, t->taken);
}

enum status user_counts_references(struct user_counts *u)
{
	struct dump *d = u->dump;
	struct ref_trackers found;
	char n[UNITS_PLURAL], text[160];
	enum status st = ref_trackers_walk(d, &found, count_reference, u);

	if (st != ST_OK)
		return user_counts_refuse(u, REF_TAKEN, REF_RELEASED, st);
	if (found.complete && !found.broken)
		return ST_OK;
	u->missing[REF_TAKEN] = u->missing[REF_RELEASED] = 1;
	u->reason[REF_TAKEN] = found.problem;
	if (found.complete)
		return ST_OK;
	snprintf(
		text, sizeof(text),
		"ref_tracker is counted in %s of network devices and network namespaces; others are "
		"not found",
		units_plural(n, found.directories, "directory", "directories"));
	u->coverage = arena_strdup(d->arena, text);
	return u->coverage ? ST_OK : dump_no_memory(d);
}
