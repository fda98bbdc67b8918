// SPDX-License-Identifier: GPL-2.0-or-later
#include "users.h"

#include "user_counts.h"
#include "util/units.h"

enum { COL_HANDLE, COL_USER, COL_REFERENCES, COL_HANDLES, COL_STATE, COLUMNS };

static const char *const states[] = {
	[COUNTED] = "counted",
	[COUNTED_IN_PART] = "counted in part",
	[NOT_BUILT_IN] = "not built in",
	[NO_HANDLES] = "no handles",
	[OFF] = "off",
	[NOT_COUNTED] = "not counted",
	[NOT_COUNTED + 1] = NULL,
};

static const struct view_column columns[COLUMNS] = {
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, "with HANDLE" },
	[COL_USER] = { COLUMN_user, IN_BOTH | KNOWN },
	[COL_REFERENCES] = { COLUMN_uses, IN_BOTH },
	[COL_HANDLES] = { COLUMN_handles, IN_BOTH },
	[COL_STATE] = { COLUMN_looked, IN_BOTH | KNOWN, .choices = states },
};

/* Records behind the rows: what kmemleak reported. */
enum { LEAK_HANDLE, LEAK_ADDRESS, LEAK_BYTES, LEAK_AGE, LEAK_PID, LEAK_COMM, LEAK_COLUMNS };

static const struct view_column leak_columns[LEAK_COLUMNS] = {
	[LEAK_HANDLE] = { COLUMN_handle, IN_BOTH, "null: none was saved" },
	[LEAK_ADDRESS] = { COLUMN_address, IN_BOTH | KNOWN },
	[LEAK_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[LEAK_AGE] = { COLUMN_age_ns, IN_BOTH, "to a jiffy" },
	[LEAK_PID] = { COLUMN_pid, IN_BOTH | KNOWN, "that allocated it" },
	[LEAK_COMM] = { COLUMN_comm, IN_BOTH | KNOWN, "that allocated it" },
};

static const struct view leaks_view = { "users-leak", "-u", COLUMNS_OF(leak_columns) };

const struct view depot_users_view = { "users", "-u", COLUMNS_OF(columns), .below = &leaks_view,
				       .takes_arguments = true };

#define TEXT_LEAKS 20

static const char *const names[USERS] = {
	[OWNER_ALLOC] = "page_owner, allocation",
	[OWNER_FREE] = "page_owner, last free",
	[SLUB_ALLOC] = "SLUB track, allocation",
	[SLUB_FREE] = "SLUB track, last free",
	[KASAN_ALLOC] = "KASAN, allocation",
	[KASAN_DEFERRED] = "KASAN, deferred work",
	[KASAN_FREE] = "KASAN, last free",
	[KMEMLEAK_OBJECT] = "kmemleak, object",
	[KMEMLEAK_REPORTED] = "kmemleak, reported object",
	[REF_TAKEN] = "ref_tracker, reference",
	[REF_RELEASED] = "ref_tracker, release",
};

/* Users without a decoder here, by a function that only they have (mm/kmsan/core.c). */
static const struct {
	const char *name, *symbol;
} others[] = {
	{ "KMSAN", "kmsan_save_stack_with_flags" },
};

#define NOTHERS (sizeof(others) / sizeof(others[0]))

struct users {
	const struct record_source *from;
	struct user_counts counts;
};

static enum status add_row(struct users *u, const uint32_t *handle, const char *name,
			   enum user_state state, const uint64_t *n, const uint64_t *handles,
			   bool missing)
{
	struct cell *row = table_add(&u->from->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_HANDLE] = cell_if(handle, cell_hex(handle ? *handle : 0));
	row[COL_USER] = cell_text(name);
	row[COL_STATE] = cell_text(states[state == COUNTED && missing ? COUNTED_IN_PART : state]);
	/* None is none only where nothing is missing. */
	row[COL_REFERENCES] = cell_if(n && state == COUNTED && (*n || !missing),
				      cell_uint(n ? *n : 0));
	row[COL_HANDLES] = cell_if(handles && state == COUNTED && (*handles || !missing),
				   cell_uint(handles ? *handles : 0));
	return ST_OK;
}

static enum status add_rows(struct users *u, const uint32_t *handle)
{
	struct user_counts *c = &u->counts;
	const struct user_handles *h = handle ? user_counts_of(c, *handle) : &c->total;
	enum status st = ST_OK;

	for (unsigned int i = 0; i < USERS && st == ST_OK; i++)
		st = add_row(u, handle, names[i], c->state[i], &h->n[i],
			     handle ? NULL : &c->distinct.n[i], c->missing[i]);
	for (size_t i = 0; i < NOTHERS && st == ST_OK; i++)
		st = add_row(u, handle, others[i].name,
			     dump_has_symbol(c->dump, others[i].symbol) ? NOT_COUNTED
									: NOT_BUILT_IN,
			     NULL, NULL, false);
	return st;
}

static void put_reason(struct report *r, const char *user, enum user_state state, const char *why)
{
	if (state == COUNTED)
		report_warn(r, "the count of %s is incomplete: %s", user, why);
	else
		report_warn(r, "%s is not counted: %s", user, why);
}

/* The reason of each user that is built in and not counted, or counted in part. */
static void put_warnings(struct users *u)
{
	struct report *r = u->from->report;
	const struct user_counts *c = &u->counts;
	char text[UNITS_PLURAL];

	if (c->missing[OWNER_ALLOC])
		report_warn(r, "not in this dump, or corrupt: the page_owner records of %s",
			    units_plural(text, c->missing[OWNER_ALLOC], "page", "pages"));
	if (c->missing[SLUB_ALLOC] + c->missing[SLUB_FREE])
		report_warn(r, "not in this dump, or corrupt: tracks of slab objects");
	if (c->missing[KASAN_ALLOC])
		report_warn(
			r, "not in this dump, or corrupt: the metadata that KASAN has of %s",
			units_plural(text, c->missing[KASAN_ALLOC], "slab object", "slab objects"));
	if (c->reason[OWNER_ALLOC])
		report_unknown(r, "uses by page_owner", UNKNOWN_LAYOUT, "%s",
			       c->reason[OWNER_ALLOC]);
	if (c->reason[SLUB_ALLOC])
		report_unknown(r, "uses by SLUB tracks", UNKNOWN_LAYOUT, "%s",
			       c->reason[SLUB_ALLOC]);
	if (c->reason[KASAN_ALLOC])
		put_reason(r, "KASAN", c->state[KASAN_ALLOC], c->reason[KASAN_ALLOC]);
	if (c->reason[KMEMLEAK_OBJECT])
		put_reason(r, "kmemleak", c->state[KMEMLEAK_OBJECT], c->reason[KMEMLEAK_OBJECT]);
	if (c->reason[REF_TAKEN])
		put_reason(r, "ref_tracker", c->state[REF_TAKEN], c->reason[REF_TAKEN]);
	if (c->nleaks > MAX_LEAKS)
		report_warn(r, "%s that kmemleak reported are not listed",
			    units_plural(text, c->nleaks - MAX_LEAKS, "object", "objects"));
	if (c->coverage)
		report_warn(r, "%s", c->coverage);
}

static bool is_asked(const struct users *u, const uint32_t *handles, size_t n, uint32_t handle)
{
	uint32_t mask = ~u->counts.extra_mask;

	for (size_t i = 0; i < n; i++)
		if ((handles[i] & mask) == (handle & mask))
			return true;
	return !n;
}

static enum status put_leaks(struct users *u, const uint32_t *handles, size_t n)
{
	struct report *r = u->from->report;
	uint64_t found = 0;
	char more[UNITS_PLURAL];
	struct table t;
	enum status st = table_init(&t, r->dump, leak_columns, LEAK_COLUMNS, r->json);

	for (const struct user_leak *l = u->counts.leaks; st == ST_OK && l; l = l->next) {
		const struct kmemleak_object *o = &l->object;
		struct cell *row;

		if (!is_asked(u, handles, n, o->handle) || (found++ >= TEXT_LEAKS && !r->json))
			continue;
		row = table_add(&t);
		if (!row)
			return ST_NOMEM;
		row[LEAK_HANDLE] = cell_if(o->handle, cell_hex(o->handle));
		row[LEAK_ADDRESS] = cell_hex(o->pointer);
		row[LEAK_BYTES] = cell_uint(o->bytes);
		row[LEAK_AGE] = cell_if(o->has_age, cell_uint(o->age_ns));
		row[LEAK_PID] = cell_int(o->pid);
		row[LEAK_COMM] = cell_text(o->comm);
	}
	if (st != ST_OK || !t.n)
		return st;
	report_records(r, &t, "leak");
	if (found > t.n)
		sink_printf(r->sink, "... %s (-j shows all)\n",
			    units_plural(more, found - t.n, "more reported object",
					 "more reported objects"));
	return ST_OK;
}

enum status depot_users_show(const struct record_source *from, const uint32_t *handles, size_t n)
{
	struct report *r = from->report;
	struct users u = { .from = from };
	enum status st, added = ST_OK;

	user_counts_init(&u.counts, r->dump, from->stacks->depot.extra_mask);
	st = user_counts_pages(&u.counts);
	if (st == ST_OK)
		st = user_counts_objects(&u.counts);
	if (st == ST_OK)
		st = user_counts_kmemleak(&u.counts);
	if (st == ST_OK)
		st = user_counts_references(&u.counts);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (!n)
		added = add_rows(&u, NULL);
	for (size_t i = 0; i < n && added == ST_OK; i++)
		added = add_rows(&u, &handles[i]);
	if (added != ST_OK)
		return added;
	for (size_t i = 0; i < n; i++) {
		struct depot_stack record;

		/* A handle that stands for no record has no use either. */
		if (depot_fetch(&from->stacks->depot, handles[i], &record) != ST_OK)
			report_warn(r, "%s", r->dump->error);
	}
	put_warnings(&u);
	report_rows(r, &from->in->table, &from->in->opts, 0);
	added = put_leaks(&u, handles, n);
	if (added != ST_OK)
		return added;
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
