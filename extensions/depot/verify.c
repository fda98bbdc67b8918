// SPDX-License-Identifier: GPL-2.0-or-later
#include "verify.h"

#include "stackdepot/stackdepot_verify.h"
#include "util/units.h"

#define DEFAULT_ROWS 40
#define MAX_DEFECTS 100000
/* Modules, and code that the kernel makes, are within a few GiB of its text on every architecture. */
#define NEAR_TEXT (4ULL << 30)

enum { COL_POOL, COL_OFFSET, COL_HANDLE, COL_ADDRESS, COL_DEFECT, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_POOL] = { COLUMN_pool, IN_BOTH },
	[COL_OFFSET] = { COLUMN_offset, IN_BOTH, "of the pool" },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, "that is stored there" },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH, "of the stack_record" },
	[COL_DEFECT] = { COLUMN_defect, IN_BOTH | KNOWN },
};

/* Records behind the rows: what was checked, and what could not be. */
enum { CHECKED_NAME, CHECKED_COUNT, CHECKED_COLUMNS };

static const struct view_column checked_columns[CHECKED_COLUMNS] = {
	[CHECKED_NAME] = { COLUMN_name, IN_JSON | KNOWN },
	[CHECKED_COUNT] = { COLUMN_count, IN_JSON, "null: they were not checked" },
};

static const struct view checked_view = { "defects-checked", "-v", COLUMNS_OF(checked_columns) };

const struct view depot_verify_view = { "defects", "-v", COLUMNS_OF(columns),
					.below = &checked_view, .filters_rows = true };

struct verification {
	const struct record_source *from;
	uint64_t defects;
	uint64_t start, end, image_end, init_start, init_end; /* of the text of vmlinux */
};

static enum status add_defect(void *arg, const struct depot_defect *defect)
{
	struct verification *v = arg;
	struct cell *row;

	if (v->defects++ >= MAX_DEFECTS)
		return ST_OK;
	row = table_add(&v->from->in->table);
	if (!row)
		return ST_NOMEM;
	row[COL_POOL] = cell_if(defect->has_place, cell_uint(defect->pool));
	row[COL_OFFSET] = cell_if(defect->address, cell_uint(defect->offset));
	row[COL_HANDLE] = cell_if(defect->has_handle, cell_hex(defect->handle));
	row[COL_ADDRESS] = cell_if(defect->address, cell_hex(defect->address));
	row[COL_DEFECT] = cell_text(defect->what);
	return ST_OK;
}

static bool is_text(void *arg, uint64_t address)
{
	const struct verification *v = arg;

	if ((address >= v->start && address < v->end) ||
	    (address >= v->init_start && address < v->init_end))
		return true;
	if (address >= v->start && address < v->image_end)
		return false;
	return address >> 63 && (address - v->start < NEAR_TEXT || v->start - address < NEAR_TEXT);
}

/* Where KMSAN keeps other values than return addresses in the depot, frames are not looked at. */
static bool knows_text(struct dump *d, struct verification *v)
{
	return dump_symbol(d, "_stext", &v->start) == ST_OK &&
	       dump_symbol(d, "_etext", &v->end) == ST_OK &&
	       dump_symbol(d, "_end", &v->image_end) == ST_OK &&
	       dump_symbol(d, "_sinittext", &v->init_start) == ST_OK &&
	       dump_symbol(d, "_einittext", &v->init_end) == ST_OK &&
	       !dump_has_symbol(d, "kmsan_enabled");
}

static void warn_missing(struct report *r, uint64_t n, const char *one, const char *many)
{
	char text[UNITS_PLURAL];

	if (n)
		report_warn(r, "not in this dump, and not checked: %s",
			    units_plural(text, n, one, many));
}

static void warn_unchecked(struct report *r, const struct depot_checks *c, bool frames)
{
	warn_missing(r, c->missing_pools, "entry of the table of pools",
		     "entries of the table of pools");
	warn_missing(r, c->missing_bytes, "byte of pools", "bytes of pools");
	warn_missing(r, c->missing_frames, "frame", "frames");
	warn_missing(r, c->missing_buckets, "bucket of the hash table",
		     "buckets of the hash table");
	warn_missing(r, c->cut_chains, "chain, from a record on", "chains, from a record on");
	if (!c->buckets && c->records)
		report_warn(r, "chains are not checked: the size of the hash table is unknown");
	if (!c->hashes && c->frames)
		report_warn(r, "frames are not compared with the hash of their record: the hash "
			       "of most records is not the one of jhash2()");
	if (!frames)
		report_warn(r, "it is not checked whether frames are kernel text");
}

static void put_end(const struct verification *v, const struct depot_checks *c)
{
	struct sink *out = v->from->report->sink;
	char records[UNITS_PLURAL], pools[UNITS_PLURAL], frames[UNITS_BYTES], buckets[UNITS_BYTES];
	char defects[UNITS_PLURAL];

	units_count(frames, c->frames);
	units_count(buckets, c->buckets - c->missing_buckets);
	sink_printf(out, "checked %s in %s, %s frames, %s buckets%s: ",
		    units_plural(records, c->records, "record", "records"),
		    units_plural(pools, c->pools, "pool", "pools"), frames, buckets,
		    c->derived_buckets ? " (the number that fits the records)" : "");
	sink_printf(out, "%s\n",
		    v->defects ? units_plural(defects, v->defects, "defect", "defects")
			       : "no defect");
}

static enum status put_checked(const struct verification *v, const struct depot_checks *c)
{
	struct report *r = v->from->report;
	/* Chains and hashes are checked for all records or for none. */
	const struct {
		const char *name;
		bool known;
		uint64_t n;
	} counts[] = {
		{ "pools", true, c->pools },
		{ "records", true, c->records },
		{ "records_free", true, c->free_records },
		{ "frames", true, c->frames },
		{ "hashed_frames", c->hashes, c->frames },
		{ "buckets", c->buckets, c->buckets - c->missing_buckets },
		{ "defects", true, v->defects },
		{ "missing_pools", true, c->missing_pools },
		{ "missing_bytes", true, c->missing_bytes },
		{ "missing_frames", true, c->missing_frames },
		{ "missing_buckets", true, c->missing_buckets },
		{ "missing_chains", c->buckets, c->cut_chains },
	};
	struct table t;
	enum status st = table_init(&t, r->dump, checked_columns, CHECKED_COLUMNS, true);

	for (size_t i = 0; st == ST_OK && i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct cell *row = table_add(&t);

		if (!row)
			return ST_NOMEM;
		row[CHECKED_NAME] = cell_text(counts[i].name);
		row[CHECKED_COUNT] = cell_if(counts[i].known, cell_uint(counts[i].n));
	}
	if (st == ST_OK)
		report_records(r, &t, "checked");
	return st;
}

enum status depot_verify_show(const struct record_source *from)
{
	struct verification v = { .from = from };
	struct cmdline *in = from->in;
	struct report *r = from->report;
	struct dump *d = r->dump;
	bool frames = knows_text(d, &v);
	const struct depot_verifier with = { frames ? is_text : NULL, add_defect, &v };
	struct depot_checks checks = { 0 };
	enum status st = depot_verify(&from->stacks->depot, &with, &checks), sorted = ST_OK;
	size_t shown;

	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK && st != ST_STOPPED) {
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	table_filter(&in->table, &in->filters);
	if (in->opts.sort)
		sorted = table_sort(&in->table, in->opts.sort, in->opts.reverse);
	if (sorted != ST_OK)
		return sorted;
	if (st == ST_OK)
		warn_unchecked(r, &checks, frames);
	shown = report_rows(r, &in->table, &in->opts, DEFAULT_ROWS);
	report_rest(r, in->table.n - shown, "defect", "defects", NULL);
	if (!r->json && st == ST_OK)
		put_end(&v, &checks);
	if (r->json && put_checked(&v, &checks) != ST_OK)
		return ST_NOMEM;
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
