// SPDX-License-Identifier: GPL-2.0-or-later
#include "site_allocs.h"

#include <string.h>

#include "references.h"
#include "cli/command.h"
#include "site_allocs_sum.h"
#include "sites.h"
#include "util/units.h"

static const char *const kinds[] = { "page", "object", "percpu", NULL };

const struct view_column site_alloc_columns[SITE_ALLOC_COLUMNS] = {
	[COL_KIND] = { COLUMN_kind, IN_JSON | KNOWN, .choices = kinds },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH, "of percpu, a per-CPU address" },
	[COL_PFN] = { COLUMN_pfn, IN_BOTH, "of the first page", 8 },
	[COL_ORDER] = { COLUMN_order, IN_BOTH, "of pages only" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH, "of percpu, in the copy of one CPU", 6 },
	[COL_REQUESTED] = { COLUMN_requested, IN_JSON },
	[COL_CACHE] = { COLUMN_cache, IN_BOTH, .width = 11 },
	[COL_CLASS] = { COLUMN_class, IN_BOTH, "vmalloc also for what vmalloc itself needs", 8,
			page_class_names + 1 },
	[COL_PID] = { COLUMN_pid, IN_BOTH, "the one that allocated" },
	[COL_TGID] = { COLUMN_tgid, IN_JSON, "the one that allocated" },
	[COL_COMM] = { COLUMN_comm, IN_BOTH, "the one that allocated" },
	[COL_DERIVED] = { COLUMN_derived, IN_JSON },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON },
	[COL_AGE] = { COLUMN_age_ns, IN_BOTH },
	[COL_HANDLE] = { COLUMN_handle, IN_JSON },
	[COL_SURE] = { COLUMN_sure, IN_JSON },
	[COL_SITE] = { COLUMN_site, 0, "file:line; shown where a function has several", 24 },
	[COL_TAG] = { COLUMN_tag, IN_JSON | KNOWN, "of the site" },
	[COL_STACK] = { COLUMN_stack, 0 },
};

const struct view site_allocs_view = { "context", "-c SITE", COLUMNS_OF(site_alloc_columns),
				       .opens_more = true, .writes_meta = true };

/* What was found of one of the sites. */
struct of_site {
	const struct site *site;
	const char *location;
	struct site_allocs_sum sum;
};

struct site_allocs {
	struct tag_view v;
	struct of_site *of;
	size_t n;
	struct scan_stats cov;
	uint64_t bad_slabs;
	bool percpu_missing;
	uint64_t limit; /* rows to show, 0: all */
	struct cell row[SITE_ALLOC_COLUMNS];
};

/* JSON names a stack once, before the first row that uses it. */
static void name_stack(struct site_allocs *c, const struct tag_owner *o)
{
	struct cached_stack *k;
	struct json j;

	if (!c->v.in->opts.json || !o->handle || !o->stack)
		return;
	k = stack_cache_get(&c->v.stacks, o->handle);
	if (!k || k->printed)
		return;
	k->printed = true;
	json_open_line(&j, c->v.out, "stack");
	json_hex(&j, "handle", o->handle);
	json_stack(&j, "stack", o->stack);
	json_bool(&j, "cut", o->stack->cut);
	json_close_line(&j);
}

/* The site of a tag; NULL: it is not one that was asked for. */
static struct of_site *find(struct site_allocs *c, uint64_t tag)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->of[i].site->tag == tag)
			return &c->of[i];
	return NULL;
}

static void fill_owner(struct site_allocs *c, const struct tag_owner *o)
{
	const struct report *r = c->v.report;
	struct cell *row = c->row;

	row[COL_PID] = cell_if(o->has_pid, cell_int(o->pid));
	row[COL_TGID] = cell_if(o->has_comm, cell_int(o->tgid));
	row[COL_COMM] = cell_if(o->has_comm, cell_text(o->comm));
	row[COL_DERIVED] = cell_if(o->has_comm, cell_bool(o->derived));
	row[COL_TS] = cell_if(o->has_ts, cell_uint(o->ts_ns));
	row[COL_AGE] = cell_if(o->has_ts, report_age(r, o->ts_ns));
	row[COL_HANDLE] = cell_if(o->handle, cell_hex(o->handle));
	row[COL_STACK] = cell_stack(o->stack);
}

/* Rows are printed as they are found; the sums include rows beyond -n. */
static enum status put_row(struct site_allocs *c, const struct tag_owner *o)
{
	struct tag_view *v = &c->v;

	if (o)
		fill_owner(c, o);
	v->report->rows_total++;
	if (c->limit && v->report->rows_shown == c->limit)
		return ST_OK;
	v->report->rows_shown++;
	if (o)
		name_stack(c, o);
	if (v->in->opts.json)
		table_json_row(&v->in->table, v->out, c->row);
	else
		table_stream_row(&v->in->table, v->out, c->row);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

/* A row begins: what all kinds have. */
static void put_validity(struct site_allocs *c, struct of_site *s, enum tag_validity validity)
{
	memset(c->row, 0, sizeof(c->row));
	c->row[COL_SITE] = cell_text(s->location);
	c->row[COL_TAG] = cell_hex(s->site->tag);
	c->row[COL_SURE] = cell_if(validity == TAG_REF_VALID, cell_bool(true));
	s->sum.unsure += validity == TAG_REF_UNKNOWN;
}

static enum status put_page(struct site_allocs *c, struct of_site *s, uint64_t pfn,
			    const struct page_info *info)
{
	struct tag_view *v = &c->v;
	struct owner_record record, *r = tag_view_record(v, pfn, &record) ? &record : NULL;
	struct tag_owner owner;
	unsigned int order;
	bool has_order = tag_view_order(v, pfn, info, r, &order);
	enum status st = tag_view_page_owner(v, r, &owner);
	enum page_class class = tag_view_class(v, pfn, info);
	enum tag_validity validity = tag_view_page_validity(v, s->site->tag, pfn, info, class,
							    &owner);

	if (st != ST_OK || validity == TAG_REF_STALE) {
		s->sum.stale += st == ST_OK;
		return st;
	}
	put_validity(c, s, validity);
	c->row[COL_KIND] = cell_text("page");
	c->row[COL_ADDRESS] = cell_if(v->has_slabs,
				      cell_hex(v->slabs.linear + (pfn << v->dump->page_shift)));
	c->row[COL_PFN] = cell_uint(pfn);
	c->row[COL_CLASS] = cell_text(page_class_name(class));
	if (has_order) {
		c->row[COL_ORDER] = cell_uint(order);
		c->row[COL_BYTES] = cell_uint(dump_page_size(v->dump) << order);
	}
	site_allocs_sum_page(&s->sum, has_order, dump_page_size(v->dump) << (has_order ? order : 0),
			     class == CLASS_VMALLOC);
	return put_row(c, &owner);
}

static enum status put_object(struct site_allocs *c, struct of_site *s, const struct slub_object *o)
{
	struct tag_view *v = &c->v;
	const struct slab *slab = o->slab;
	uint32_t i = o->index;
	uint64_t address = slab_object(slab, i);
	bool helper = hash_u64_has(&v->vmalloc, address);
	struct tag_owner owner;
	uint32_t asked;
	enum status st = tag_view_object_owner(v, slab, i, false, &owner);
	enum tag_validity validity = tag_view_object_validity(v, s->site->tag, o->is_free, &owner);

	if (st != ST_OK || validity == TAG_REF_STALE) {
		s->sum.stale += st == ST_OK;
		return st;
	}
	put_validity(c, s, validity);
	c->row[COL_KIND] = cell_text("object");
	c->row[COL_ADDRESS] = cell_hex(address);
	c->row[COL_PFN] = cell_uint((address - v->slabs.linear) >> v->dump->page_shift);
	c->row[COL_BYTES] = cell_uint(slab->cache->size);
	if (v->has_tracks && slub_requested(&v->tracks, slab, i, &asked) == ST_OK)
		c->row[COL_REQUESTED] = cell_uint(asked);
	c->row[COL_CACHE] = cell_text(slab->cache->name);
	c->row[COL_CLASS] = cell_text(helper ? "vmalloc" : "slab");
	site_allocs_sum_object(&s->sum, slab->cache->size, helper);
	return put_row(c, &owner);
}

static enum status add_object(void *arg, const struct slub_object *o)
{
	struct site_allocs *c = arg;

	struct of_site *s = find(c, o->tag);

	return s ? put_object(c, s, o) : ST_OK;
}

/* While profiling is on, a free removes the tag: free objects are looked up only when it is off. */
static void add_slab(void *arg, uint64_t pfn, const struct slab_gaps *gaps)
{
	struct site_allocs *c = arg;

	(void)pfn;
	c->bad_slabs += gaps->slab || gaps->tags || (gaps->free && !c->v.tags->on);
}

/* In the statistics of this view, live pages have a tag and empty ones have none. */
static enum status add_page(void *arg, uint64_t pfn, const struct page_info *info, uint64_t tag)
{
	struct site_allocs *c = arg;
	struct of_site *s = find(c, tag);

	if (tag > TAG_EMPTY)
		c->cov.live++;
	else
		c->cov.empty++;
	return s ? put_page(c, s, pfn, info) : ST_OK;
}

static enum status add_percpu(void *arg, const struct percpu_object *o)
{
	struct site_allocs *c = arg;
	struct of_site *s = find(c, o->tag);

	if (!s)
		return ST_OK;
	if (o->is_free) {
		s->sum.stale++;
		return ST_OK;
	}
	put_validity(c, s, c->v.tags->on ? TAG_REF_VALID : TAG_REF_UNKNOWN);
	c->row[COL_KIND] = cell_text("percpu");
	c->row[COL_ADDRESS] = cell_hex(o->address);
	c->row[COL_BYTES] = cell_uint(o->bytes);
	c->row[COL_CLASS] = cell_text("percpu");
	site_allocs_sum_percpu(&s->sum, o->bytes);
	return put_row(c, NULL);
}

static const struct reference_visitor visitor = {
	.page = add_page,
	.object = add_object,
	.slab = add_slab,
	.percpu = add_percpu,
};

static enum status name_sites(struct site_allocs *c, const struct sites *sites)
{
	struct dump *d = c->v.dump;
	uint64_t factor;
	enum status st = percpu_factor(d, c->v.tags, &factor);

	c->of = dump_alloc(d, sites->n * sizeof(*c->of));
	if (st != ST_OK || !c->of)
		return st != ST_OK ? st : ST_NOMEM;
	c->n = sites->n;
	for (size_t i = 0; i < c->n; i++) {
		c->of[i].site = &sites->sites[i];
		c->of[i].location = site_location(d, &sites->sites[i]);
		c->of[i].sum.percpu_factor = factor;
	}
	return ST_OK;
}

/* The sums of each site, behind the rows of all. */
static void put_sums(struct site_allocs *c, bool partial)
{
	uint64_t stale = 0;
	char n[UNITS_PLURAL];

	for (size_t i = 0; i < c->n; i++) {
		struct site_allocs_sum *sum = &c->of[i].sum;

		sum->unreadable = c->cov.unreadable + c->cov.undecodable;
		sum->bad_slabs = c->bad_slabs;
		sum->percpu_missing = c->percpu_missing;
		sum->partial = partial;
		stale += sum->stale;
		site_allocs_sum_put(sum, &c->v, c->of[i].site);
	}
	if (c->v.tags->on && stale)
		report_warn(c->v.report, TAG_TOGGLED,
			    units_plural(n, stale, "reference is", "references are"));
}

enum status site_allocs_show(struct dump *d, struct sink *out, struct cmdline *in,
			     const struct codetags *tags, const struct sites *sites,
			     struct report *r)
{
	struct site_allocs c = {
		.v = { .dump = d, .out = out, .in = in, .report = r, .tags = tags },
		.limit = in->opts.has_rows ? in->opts.rows : 0,
	};
	enum availability why;
	enum status st = tag_view_open(&c.v, &why);

	if (!command_opened(r, &in->opts, why, &st))
		return st;
	/* Unsure rows are marked: SURE replaces PFN for lack of width. */
	if (!in->opts.json && !tags->on) {
		table_hide(&in->table, COL_PFN);
		table_show(&in->table, COL_SURE);
	}
	if (!in->opts.json && sites->n > 1)
		table_show(&in->table, COL_SITE);
	if (!in->opts.json)
		cmdline_reselect(in);
	if (!in->opts.json)
		table_stream_header(&in->table, out);
	st = name_sites(&c, sites);
	if (st == ST_OK)
		st = references_walk(&c.v, &visitor, &c, &c.cov, &c.percpu_missing);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	report_rest(r, r->rows_total - r->rows_shown, "row", "rows", NULL);
	put_sums(&c, st == ST_STOPPED);
	tag_view_end(&c.v, &c.cov, !c.cov.unreadable && !c.bad_slabs && !c.percpu_missing);
	return st;
}
