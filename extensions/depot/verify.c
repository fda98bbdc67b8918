// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include "stackdepot/stackdepot_verify.h"

#define MAX_DEFECTS 100000 /* that are listed; more are counted */
/* Modules, and code that the kernel makes, are within a few GiB of its text on every architecture. */
#define NEAR_TEXT (4ULL << 30)

#define ROW struct depot_defect

CELL_FROM(offset_cell, ROW, cell_if(r->address, cell_uint(r->offset)))

static const struct view_column columns[] = {
	{ COLUMN_pool, IN_BOTH, UINT_IF(ROW, pool, has_place) },
	{ COLUMN_offset, IN_BOTH, "of the pool", CELL_BY(offset_cell) },
	{ COLUMN_handle, IN_BOTH, "that is stored there", HEX_IF(ROW, handle, has_handle) },
	{ COLUMN_address, IN_BOTH, "of the stack_record", HEX_NONZERO(ROW, address) },
	{ COLUMN_defect, IN_BOTH | KNOWN, TEXT_OF(ROW, what) },
	BASIS(derived),
};

/* Records behind the rows: what was checked, and what could not be. */
struct checked {
	const char *name;
	bool known;
	uint64_t n;
};

static const struct view_column checked_columns[] = {
	{ COLUMN_name, IN_JSON | KNOWN, TEXT_OF(struct checked, name) },
	{ COLUMN_count, IN_JSON, "null: they were not checked; of defects: no record was",
	  UINT_IF(struct checked, n, known) },
	BASIS(derived),
};

static const struct view checked_view = { "defects-checked", "-v", COLUMNS_OF(checked_columns) };

const struct view depot_verify_view = { "defects", "-v", COLUMNS_OF(columns),
					.below = &checked_view,
					ROWS_ARE("defect", "defects", NULL, 40) };

struct verification {
	const struct record_source *from;
	uint64_t defects;
	uint64_t start, end, image_end, init_start, init_end; /* of the text of vmlinux */
};

static enum status add_defect(void *arg, const struct depot_defect *defect)
{
	struct verification *v = arg;

	if (v->defects++ < MAX_DEFECTS)
		row_add(&v->from->in->table, defect, NULL);
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

#define MISSING "not in this dump, and not checked: %s"

static void warn_unchecked(struct report *r, const struct depot_checks *c, bool frames)
{
	const struct gap gaps[] = {
		{ MISSING, c->missing_pools, "entry of the table of pools",
		  "entries of the table of pools" },
		{ MISSING, c->missing_bytes, "byte of pools", "bytes of pools" },
		{ MISSING, c->missing_frames, "frame", "frames" },
		{ MISSING, c->missing_buckets, "bucket of the hash table",
		  "buckets of the hash table" },
		{ MISSING, c->cut_chains, "chain, from a record on", "chains, from a record on" },
		{ "chains are not checked: the size of the hash table is unknown",
		  !c->buckets && c->records },
		{ "frames are not compared with the hash of their record: the hash of most records "
		  "is not the one of jhash2()",
		  !c->hashes && c->frames },
		{ "it is not checked whether frames are kernel text", !frames },
	};

	REPORT_GAPS(r, gaps);
}

/* What was not read has no verdict. */
static bool is_any_missing(const struct depot_checks *c)
{
	return c->missing_pools || c->missing_bytes || c->missing_frames || c->missing_buckets ||
	       c->cut_chains;
}

static bool has_verdict(const struct verification *v, const struct depot_checks *c)
{
	return v->defects || c->records || c->free_records || !is_any_missing(c);
}

static void put_end(const struct verification *v, const struct depot_checks *c)
{
	struct sink *out = v->from->report->sink;

	sink_printf(out,
		    "checked %s in %s, %s frames, %s buckets%s: ", COUNT_OF(c->records, "record"),
		    COUNT_OF(c->pools, "pool"), COUNT_TEXT(c->frames),
		    COUNT_TEXT(c->buckets - c->missing_buckets),
		    c->derived_buckets ? " (the number that fits the records)" : "");
	sink_printf(out, "%s\n",
		    !has_verdict(v, c)	? "whether there are defects is unknown"
		    : v->defects	? COUNT_OF(v->defects, "defect")
		    : is_any_missing(c) ? "no defect in these"
					: "no defect");
}

static void put_checked(const struct verification *v, const struct depot_checks *c)
{
	/* Chains and hashes are checked for all records or for none. */
	const struct checked counts[] = {
		{ "pools", true, c->pools },
		{ "records", true, c->records },
		{ "records_free", true, c->free_records },
		{ "frames", true, c->frames },
		{ "hashed_frames", c->hashes, c->frames },
		{ "buckets", c->buckets, c->buckets - c->missing_buckets },
		{ "defects", has_verdict(v, c), v->defects },
		{ "missing_pools", true, c->missing_pools },
		{ "missing_bytes", true, c->missing_bytes },
		{ "missing_frames", true, c->missing_frames },
		{ "missing_buckets", true, c->missing_buckets },
		{ "missing_chains", c->buckets, c->cut_chains },
	};

	rows_put_below(v->from->report, v->from->in, &checked_view, counts, ARRAY_SIZE(counts),
		       sizeof(counts[0]), NULL);
}

enum status depot_verify_show(const struct record_source *from)
{
	struct verification v = { .from = from };
	struct report *r = from->report;
	bool frames = knows_text(r->dump, &v);
	const struct depot_verifier with = { frames ? is_text : NULL, add_defect, &v };
	struct depot_checks checks = { 0 };
	enum status st = depot_verify(&from->stacks->depot, &with, &checks);

	if (st != ST_OK && st != ST_STOPPED) {
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	rows_sort(from->in);
	if (st == ST_OK)
		warn_unchecked(r, &checks, frames);
	rows_put(r, from->in);
	if (!r->json && st == ST_OK)
		put_end(&v, &checks);
	if (r->json)
		put_checked(&v, &checks);
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
