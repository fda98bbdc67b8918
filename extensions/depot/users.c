// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include "user_counts.h"

/* How often a user refers to a handle, or with none to how many. */
struct user_row {
	struct maybe_u64 handle;
	const char *name, *state;
	struct maybe_u64 uses, handles;
};

static const char *const states[] = {
	[COUNTED] = "counted",
	[COUNTED_IN_PART] = "counted in part",
	[NOT_BUILT_IN] = "not built in",
	[NO_HANDLES] = "no handles",
	[OFF] = "off",
	[NOT_COUNTED] = "not counted",
	[NOT_COUNTED + 1] = NULL,
};

#define ROW struct user_row

static const struct view_column columns[] = {
	{ COLUMN_handle, IN_BOTH, "with HANDLE", HEX_MAYBE(ROW, handle) },
	{ COLUMN_user, IN_BOTH | KNOWN, TEXT_OF(ROW, name) },
	{ COLUMN_uses, IN_BOTH, UINT_MAYBE(ROW, uses) },
	{ COLUMN_handles, IN_BOTH, UINT_MAYBE(ROW, handles) },
	{ COLUMN_user_state, IN_BOTH | KNOWN, .choices = states, TEXT_OF(ROW, state) },
	BASIS(derived),
};

#define LEAK struct kmemleak_object

CELL_FROM(leak_comm_cell, LEAK, cell_text(r->comm))

/* Records behind the rows: what kmemleak reported. */
static const struct view_column leak_columns[] = {
	{ COLUMN_handle, IN_BOTH, "null: none was saved", HEX_NONZERO(LEAK, handle) },
	{ COLUMN_address, IN_BOTH | KNOWN, HEX_OF(LEAK, pointer) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, UINT_OF(LEAK, bytes) },
	{ COLUMN_age_ns, IN_BOTH, "to a jiffy", UINT_IF(LEAK, age_ns, has_age) },
	{ COLUMN_pid, IN_BOTH | KNOWN, "that allocated it", INT_OF(LEAK, pid) },
	{ COLUMN_comm, IN_BOTH | KNOWN, "that allocated it", CELL_BY(leak_comm_cell) },
	BASIS(recorded),
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

#define NOTHERS ARRAY_SIZE(others)

struct users {
	const struct record_source *from;
	struct user_counts counts;
};

static void add_row(struct users *u, const uint32_t *handle, unsigned int user)
{
	struct user_counts *c = &u->counts;
	const struct user_handles *h = handle ? user_counts_of(c, *handle) : &c->total;
	bool is_counted = c->state[user] == COUNTED, missing = c->missing[user];
	uint64_t handles = c->distinct.n[user];
	const struct user_row row = {
		.handle = { handle ? *handle : 0, handle },
		.name = names[user],
		.state = states[is_counted && missing ? COUNTED_IN_PART : c->state[user]],
		/* None is none only where nothing is missing. */
		.uses = { h->n[user], is_counted && (h->n[user] || !missing) },
		.handles = { handles, !handle && is_counted && (handles || !missing) },
	};

	row_add(&u->from->in->table, &row, NULL);
}

static void add_rows(struct users *u, const uint32_t *handle)
{
	for (unsigned int i = 0; i < USERS; i++)
		add_row(u, handle, i);
	for (size_t i = 0; i < NOTHERS; i++) {
		bool is_built = dump_has_symbol(u->counts.dump, others[i].symbol);
		const struct user_row row = {
			.handle = { handle ? *handle : 0, handle },
			.name = others[i].name,
			.state = states[is_built ? NOT_COUNTED : NOT_BUILT_IN],
		};

		row_add(&u->from->in->table, &row, NULL);
	}
}

/* The reason of each user that is built in and not counted, or counted in part. */
static void put_warnings(struct users *u)
{
	struct report *r = u->from->report;
	const struct user_counts *c = &u->counts;
	const struct {
		const char *name;
		enum user user;
	} reasons[] = {
		{ "KASAN", KASAN_ALLOC },
		{ "kmemleak", KMEMLEAK_OBJECT },
		{ "ref_tracker", REF_TAKEN },
	};
	const struct gap missing[] = {
		{ "not in this dump, or corrupt: the page_owner records of %s",
		  c->missing[OWNER_ALLOC], "page", "pages" },
		{ "not in this dump, or corrupt: tracks of slab objects",
		  c->missing[SLUB_ALLOC] + c->missing[SLUB_FREE] },
		{ "not in this dump, or corrupt: the metadata that KASAN has of %s",
		  c->missing[KASAN_ALLOC], "slab object", "slab objects" },
	};
	const struct gap rest[] = {
		{ "%s that kmemleak reported are not listed",
		  c->nleaks > MAX_LEAKS ? c->nleaks - MAX_LEAKS : 0, "object", "objects" },
		GAP_WHY("%s", c->coverage),
	};

	REPORT_GAPS(r, missing);
	if (c->reason[OWNER_ALLOC])
		report_unknown(r, "uses by page_owner", UNKNOWN_LAYOUT, "%s",
			       c->reason[OWNER_ALLOC]);
	if (c->reason[SLUB_ALLOC])
		report_unknown(r, "uses by SLUB tracks", UNKNOWN_LAYOUT, "%s",
			       c->reason[SLUB_ALLOC]);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (c->reason[reasons[i].user])
			report_warn(r,
				    c->state[reasons[i].user] == COUNTED
					    ? "the count of %s is incomplete: %s"
					    : "%s is not counted: %s",
				    reasons[i].name, c->reason[reasons[i].user]);
	REPORT_GAPS(r, rest);
}

static bool is_asked(const struct users *u, const uint32_t *handles, size_t n, uint32_t handle)
{
	uint32_t mask = ~u->counts.extra_mask;

	return ANY_OF(i, n, (handles[i] & mask) == (handle & mask)) || !n;
}

static void put_leaks(struct users *u, const uint32_t *handles, size_t n)
{
	struct report *r = u->from->report;
	struct kmemleak_object *shown = dump_alloc(r->dump,
						   (u->counts.nleaks + 1) * sizeof(*shown));
	uint64_t found = 0, rows = 0;

	for (const struct user_leak *l = u->counts.leaks; l; l = l->next)
		if (is_asked(u, handles, n, l->object.handle) && (found++ < TEXT_LEAKS || r->json))
			shown[rows++] = l->object;
	if (!rows)
		return;
	rows_put_below(r, u->from->in, &leaks_view, shown, rows, sizeof(*shown), NULL);
	if (found > rows)
		sink_printf(r->sink, "... %s (-j shows all)\n",
			    COUNT_OF(found - rows, "more reported object"));
}

enum status depot_users_show(const struct record_source *from, const uint32_t *handles, size_t n)
{
	struct report *r = from->report;
	struct users u = { .from = from };
	enum status st;

	user_counts_init(&u.counts, r->dump, from->stacks->depot.extra_mask);
	st = user_counts_pages(&u.counts) ?: user_counts_objects(&u.counts) ?:
			user_counts_kmemleak(&u.counts) ?: user_counts_references(&u.counts);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (!n)
		add_rows(&u, NULL);
	for (size_t i = 0; i < n; i++)
		add_rows(&u, &handles[i]);
	for (size_t i = 0; i < n; i++) {
		struct depot_stack record;

		/* A handle that stands for no record has no use either. */
		if (depot_fetch(&from->stacks->depot, handles[i], &record) != ST_OK)
			report_warn(r, "%s", r->dump->error);
	}
	put_warnings(&u);
	report_rows(r, &from->in->table, &from->in->opts, 0);
	put_leaks(&u, handles, n);
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
