// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include "stackdepot/stackdepot_stats.h"
#include "page_owner/page_owner.h"

/* A name and its number. */
struct stat_row {
	const char *name;
	bool known;
	uint64_t count;
	const char *meaning;
};

#define ROW struct stat_row

static const struct view_column columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, TEXT_OF(ROW, name) },
	{ COLUMN_count, IN_BOTH, "null: not recorded", UINT_IF(ROW, count, known) },
	{ COLUMN_meaning, IN_TEXT | KNOWN, TEXT_OF(ROW, meaning) },
	BASIS(derived),
};

const struct view depot_stats_view = { "health", "-i", COLUMNS_OF(columns) };

/* Pages with the failure or dummy handle: page_owner could not save their stack. */
struct blind {
	bool known;
	bool is_part; /* records of some pages are not in this dump */
	uint64_t pages, owned, early;
	struct special_handles special;
};

static enum status find_handles(struct dump *d, struct blind *b)
{
	special_handles_open(d, &b->special);
	for (unsigned int i = 0; i < SPECIAL_HANDLES; i++)
		if (!b->special.known[i])
			return dump_unreadable(
				d,
				"page_owner's failure, dummy or early handle is not in this dump");
	return ST_OK;
}

/* Refcounts of the records in page_owner's list: one, and one per page. */
static enum status count_refs(struct dump *d, struct depot *depot, struct stack_list *users,
			      struct blind *b)
{
	struct depot_stack failure, dummy;
	enum status st = depot_find(depot, b->special.handles[SPECIAL_FAILURE], &failure)
				 ?: depot_find(depot, b->special.handles[SPECIAL_DUMMY], &dummy);

	for (const struct hash_u64_entry *e = users->records.first; st == ST_OK && e; e = e->next) {
		uint32_t count;

		st = dump_u32(d, e->key + depot->f[DEPOT_COUNT].offset, &count, "stack record");
		if (st != ST_OK || !count || count >= DEPOT_COUNT_UNUSED / 2)
			continue;
		b->owned += count - 1;
		if (e->key == failure.record || e->key == dummy.record)
			b->pages += count - 1;
	}
	b->known = st == ST_OK;
	return st;
}

static enum status count_page(void *arg, const struct owner_page *page)
{
	struct blind *b = arg;

	b->owned++;
	b->pages += special_handle_is(&b->special, SPECIAL_FAILURE, page->handle) ||
		    special_handle_is(&b->special, SPECIAL_DUMMY, page->handle);
	b->early += special_handle_is(&b->special, SPECIAL_EARLY, page->handle);
	return ST_OK;
}

static enum status count_pages(struct dump *d, struct blind *b, struct report *r)
{
	struct page_owner owner;
	struct scan_stats cov = { 0 };
	enum availability why;
	enum status st = page_owner_open(d, &owner, &why)
				 ?: page_owner_scan(&owner, SCAN_LIVE, &cov, count_page, b);

	b->is_part = cov.unreadable || cov.undecodable;
	/* None that was seen is not none. */
	b->known = st == ST_OK && (!b->is_part || b->owned);
	if (st == ST_OK && cov.unreadable)
		report_warn(r, "no page_ext entry in this dump for %s",
			    COUNT_OF(cov.unreadable, "page"));
	return st;
}

static void find_blind(struct dump *d, struct depot *depot, struct stack_list *users, bool scan,
		       struct blind *b, struct report *r)
{
	enum status st;

	if (!dump_has_symbol(d, "failure_handle"))
		return;
	st = find_handles(d, b);
	if (st == ST_OK && scan)
		st = count_pages(d, b, r);
	else if (st == ST_OK && users->present)
		st = count_refs(d, depot, users, b);
	if (st != ST_OK && st != ST_STOPPED)
		report_warn(r, "pages without a usable stack cannot be counted: %s", d->error);
}

/* The generation of the layout, and what the counts of chains come to. */
static void print_layout(const struct depot *depot, const struct depot_stats *h, struct sink *out)
{
	uint64_t mean = h->chains ? (h->records * 100 + h->chains / 2) / h->chains : 0;

	sink_printf(out,
		    "layout: pools in %s, counted by %s; a handle has the number of its pool%s\n",
		    depot->table_name, depot->used_name,
		    depot->biases > 1 ? ", or that plus 1"
		    : depot->bias[0]  ? " plus 1"
				      : "");
	if (h->has_table && !h->bad && h->chains)
		sink_printf(out, "mean length of the chains in use: %lu.%02lu records\n",
			    mean / 100, mean % 100);
}

enum status depot_stats_show(struct dump *d, struct cmdline *in, struct depot *depot,
			     struct stack_list *users, bool scan, struct report *r)
{
	struct depot_stats h;
	struct blind blind = { 0 };
	enum status st = depot_stats_read(depot, &h);

	if (st == ST_STOPPED) {
		report_end(r, NULL, false);
		return ST_OK;
	}
	if (st != ST_OK) {
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	find_blind(d, depot, users, scan, &blind, r);
	/* Chains that broke off may have all of the records: none that was found is not none. */
	const bool has_found = h.records || !h.bad;
	const struct stat_row rows[] = {
		{ "pools_used", true, depot->used, "pools in use" },
		{ "pools_max", true, depot->pools,
		  "limit of pools; at the limit, new stacks are lost" },
		{ "pool_bytes", true, depot->pool_bytes, "bytes of a pool" },
		{ "bytes", h.has_bytes, h.bytes, "bytes of the pools in use" },
		{ "records", has_found, h.records,
		  h.bad ? "stacks in the hash table that were found: there may be more"
			: "stacks in the hash table" },
		{ "record_bytes", has_found, h.record_bytes, "bytes of these records" },
		{ "frames", has_found, h.frames, "frames of these records" },
		{ "records_free", h.has_free, h.free, "records on the free list" },
		{ "bad_chains", true, h.bad, "chains that end early: corrupt or missing record" },
		{ "buckets", h.has_table, h.buckets, "size of the hash table" },
		{ "chains", h.has_table, h.chains, "buckets in use" },
		{ "longest_chain", h.has_table && !h.bad, h.longest,
		  "records of the longest chain" },
		{ "owned_pages", blind.known, blind.owned,
		  !scan ? "pages with a page_owner record, by refcount, without early boot"
		  : blind.is_part ? "pages with a live page_owner record, of those in this dump"
				  : "pages with a live page_owner record" },
		{ "blind_pages", blind.known, blind.pages,
		  "of owned_pages: the stack was lost, full depot or recursion" },
		{ "early_pages", blind.known && scan, blind.early,
		  "of owned_pages: from before page_owner started, no stack" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		row_add(&in->table, &rows[i], NULL);
	if (h.bad)
		report_warn(r, "%s early",
			    PLURAL_TEXT(h.bad, "chain of the hash table ends",
					"chains of the hash table end"));
	report_rows(r, &in->table, &in->opts, 0);
	if (!in->opts.json)
		print_layout(depot, &h, r->sink);
	report_end(r, NULL, !r->nwarnings);
	if (blind.known && !in->opts.json)
		sink_printf(r->sink, "%s%% of %s have no usable stack\n",
			    PERCENT_TEXT(blind.pages + blind.early, blind.owned),
			    !scan	    ? "pages allocated since page_owner started"
			    : blind.is_part ? "tracked pages that are in this dump"
					    : "tracked pages");
	return ST_OK;
}
