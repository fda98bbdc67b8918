// SPDX-License-Identifier: GPL-2.0-or-later

#include "sources.h"
#include "cli/command.h"
#include "sites.h"

struct site_allocs_sum {
	uint64_t pages, page_bytes;
	uint64_t unordered; /* pages whose order is unknown; counted as one page each */
	uint64_t objects, object_bytes;
	uint64_t percpu, percpu_bytes;	 /* bytes in the copy of one CPU */
	uint64_t percpu_factor;		 /* percpu_factor() */
	uint64_t vmalloc_pages, helpers; /* of the former two */
	uint64_t unsure; /* of all: profiling is off, may belong to an earlier allocation */
	uint64_t stale;	 /* skipped: references of memory freed since */
};

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
	bool percpu_missing, partial;
	uint64_t limit; /* rows to show, 0: all */
};

/* Bytes as the kernel counts them; one copy of per-CPU memory where its factor is unknown. */
static uint64_t counted_bytes(const struct site_allocs_sum *s)
{
	return s->page_bytes + s->object_bytes + s->percpu_bytes * (s->percpu_factor ?: 1);
}

/* Why the sums differ, the surest reason first; NULL: they do not. */
static const char *cause(const struct site_allocs *c, const struct site_allocs_sum *s,
			 const struct site *site, uint64_t bytes)
{
	const struct codetags *tags = c->v.tags;
	uint64_t calls = s->pages + s->objects + s->percpu;

	if (!site->readable)
		return "the counters of this tag are unknown";
	if (bytes == (uint64_t)site->bytes && calls == site->calls)
		return NULL;
	if (c->partial)
		return "interrupted before the scan ended";
	if (c->cov.unreadable || c->cov.undecodable || c->bad_slabs || c->percpu_missing)
		return "some pages, slabs or per-CPU chunks are corrupt or not in this dump";
	if (calls == site->calls && s->unordered)
		return "only page_owner records the order of pages that are not compound, after it started";
	if (site->flags & SITE_INACCURATE)
		return "the kernel had no memory for some references (accurate: no)";
	if (!tags->on || s->stale)
		return "profiling was turned off: memory freed since is still counted";
	if (calls < site->calls)
		return "allocations without a reference: made before page_ext or the slab's vector "
		       "existed, or in progress at the panic";
	if (calls == site->calls)
		return (int64_t)bytes < site->bytes
			       ? "the site counted bytes that no reference accounts for"
			       : "references account for more bytes than the site counted";
	return "references that are not counted yet: allocations in progress at the panic";
}

static void put_json(const struct site_allocs_sum *s, struct tag_view *v, const struct site *site,
		     uint64_t bytes, const char *why)
{
	struct json j;

	json_open_line(&j, v->out, "total");
	json_text(&j, "file", site->file);
	if (site->file)
		json_uint(&j, "line", site->line);
	else
		json_null(&j, "line");
	json_text(&j, "function", site->function);
	json_text(&j, "module",
		  site->module || !site->function || site->in_module ? site->module : "vmlinux");
	json_hex(&j, "tag", site->tag);
	json_uint(&j, "pages", s->pages);
	json_uint(&j, "vmalloc_pages", s->vmalloc_pages);
	json_uint(&j, "objects", s->objects);
	json_uint(&j, "vmalloc_helpers", s->helpers);
	json_uint(&j, "percpu", s->percpu);
	json_uint(&j, "bytes", bytes);
	json_uint(&j, "calls", s->pages + s->objects + s->percpu);
	if (site->readable) {
		json_int(&j, "counted_bytes", site->bytes);
		json_uint(&j, "counted_calls", site->calls);
	} else {
		json_null(&j, "counted_bytes");
		json_null(&j, "counted_calls");
	}
	json_uint(&j, "unsure", s->unsure);
	json_uint(&j, "stale", s->stale);
	json_text(&j, "cause", why);
	json_text(&j, "basis", "derived");
	json_close_line(&j);
}

static void put_count(struct sink *out, const char *before, uint64_t n, const char *one,
		      const char *many)
{
	sink_printf(out, "%s%s", before, PLURAL_TEXT(n, one, many));
}

static void put_text(const struct site_allocs_sum *s, struct tag_view *v, const struct site *site,
		     uint64_t bytes, const char *why)
{
	char name[256], n[UNITS_PLURAL], size[UNITS_BYTES];
	uint64_t calls = s->pages + s->objects + s->percpu;

	sink_printf(v->out, "%s\n", site_name(site, name, sizeof(name)));
	units_size(size, bytes);
	put_count(v->out, "found    ", calls, "allocation", "allocations");
	sink_printf(v->out, ", %s:", size);
	put_count(v->out, " ", s->pages, "page", "pages");
	if (s->vmalloc_pages)
		put_count(v->out, " (", s->vmalloc_pages, "of vmalloc)", "of vmalloc)");
	put_count(v->out, ", ", s->objects, "object", "objects");
	if (s->helpers)
		put_count(v->out, " (", s->helpers, "of vmalloc)", "of vmalloc)");
	put_count(v->out, ", ", s->percpu, "per CPU\n", "per CPU\n");
	if (s->unsure)
		put_count(v->out, "unsure   ", s->unsure,
			  "of them: its memory may have been allocated again since\n",
			  "of them: their memory may have been allocated again since\n");
	if (s->stale)
		put_count(v->out, "skipped  ", s->stale,
			  "stale reference: freed while profiling was off\n",
			  "stale references: freed while profiling was off\n");
	if (!site->readable) {
		sink_printf(v->out, "counted  unknown: %s\n", why);
		return;
	}
	units_plural(n, site->calls, "allocation", "allocations");
	sink_printf(
		v->out, "counted  %s, %s%s\n", n, site->bytes < 0 ? "-" : "",
		units_size(size, site->bytes < 0 ? -(uint64_t)site->bytes : (uint64_t)site->bytes));
	if (!why) {
		sink_text(v->out, v->tags->on ? "the same to the byte\n"
					      : "the same to the byte: neither has changed since "
						"profiling was turned off\n");
		return;
	}
	sink_printf(v->out, "differ   by %ld allocations, %ld bytes: %s\n", site->calls - calls,
		    site->bytes - bytes, why);
}

/* An allocation. */
struct row {
	const char *kind, *cache, *class, *location;
	struct maybe_u64 address, pfn, order, bytes, requested;
	uint64_t tag;
	bool is_sure;
	struct tag_owner owner;
};

#define ROW struct row

CELL_FROM(sure_cell, ROW, cell_if(r->is_sure, cell_bool(true)))
CELL_WITH(age_cell, ROW, struct tag_view, tag_view_age(v, &r->owner))

static const char *const kinds[] = { "page", "object", "percpu", NULL };

static const struct view_column columns[] = {
	{ COLUMN_kind, IN_JSON | KNOWN, .choices = kinds, TEXT_OF(ROW, kind) },
	{ COLUMN_address, IN_BOTH, "of percpu, a per-CPU address", HEX_MAYBE(ROW, address) },
	{ COLUMN_pfn, IN_BOTH, "of the first page", 8, UINT_MAYBE(ROW, pfn) },
	{ COLUMN_order, IN_BOTH, "of pages only", UINT_MAYBE(ROW, order) },
	{ COLUMN_bytes, IN_BOTH, "of percpu, in the copy of one CPU", 6, UINT_MAYBE(ROW, bytes) },
	{ COLUMN_requested, IN_JSON, UINT_MAYBE(ROW, requested) },
	{ COLUMN_cache, IN_BOTH, .width = 11, TEXT_OF(ROW, cache) },
	{ COLUMN_class, IN_BOTH, "vmalloc also for what vmalloc itself needs", 8,
	  page_class_names + 1, TEXT_OF(ROW, class) },
	OWNER_PID_COLUMN(ROW, owner, IN_BOTH),
	OWNER_TASK_COLUMNS(ROW, owner, IN_BOTH),
	{ COLUMN_age_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_handle, IN_JSON, HEX_NONZERO(ROW, owner.handle) },
	{ COLUMN_sure, IN_JSON, CELL_BY(sure_cell) },
	{ COLUMN_site, 0, "file:line; shown where a function has several", 24,
	  TEXT_OF(ROW, location) },
	{ COLUMN_tag, IN_JSON | KNOWN, "of the site", HEX_OF(ROW, tag) },
	{ COLUMN_stack, 0, STACK_OF(ROW, owner.stack) },
	BASIS(derived),
};

const struct view site_allocs_view = { "context", "-c SITE", COLUMNS_OF(columns),
				       .opens_more = true, .writes_meta = true };

/* JSON names a stack once, before the first row that uses it. */
static void name_stack(struct site_allocs *c, const struct tag_owner *o)
{
	struct cached_stack *k;
	struct json j;

	if (!c->v.in->opts.json || !o->handle || !o->stack)
		return;
	k = stack_cache_get(&c->v.stacks, o->handle);
	if (k->printed)
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
	return FIND_IN(c->of, c->n, found->site->tag == tag);
}

/* Rows are printed as they are found; the sums include rows beyond -n. */
static enum status put_row(struct site_allocs *c, const struct row *row)
{
	struct tag_view *v = &c->v;

	v->report->rows_total++;
	if (c->limit && v->report->rows_shown == c->limit)
		return ST_OK;
	name_stack(c, &row->owner);
	row_stream(v->report, &v->in->table, row, v);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

/* What all kinds have. */
static struct row row_of(struct of_site *s, const char *kind, enum tag_validity validity)
{
	s->sum.unsure += validity == TAG_REF_UNKNOWN;
	return (struct row){ .kind = kind,
			     .location = s->location,
			     .tag = s->site->tag,
			     .is_sure = validity == TAG_REF_VALID };
}

static enum status put_page(struct site_allocs *c, struct of_site *s, uint64_t pfn,
			    const struct page_info *info)
{
	struct tag_view *v = &c->v;
	struct owner_record record, *r = tag_view_record(v, pfn, &record) ? &record : NULL;
	struct tag_owner owner;
	unsigned int order = 0;
	bool has_order = tag_view_order(v, pfn, info, r, &order);
	enum page_class class = tag_view_class(v, pfn, info);
	enum tag_validity validity;
	uint64_t bytes;
	struct row row;

	tag_view_page_owner(v, r, &owner);
	validity = tag_view_page_validity(v, s->site->tag, pfn, info, class, &owner);
	if (validity == TAG_REF_STALE) {
		s->sum.stale++;
		return ST_OK;
	}
	bytes = dump_page_size(v->dump) << (has_order ? order : 0);
	row = row_of(s, "page", validity);
	row.address = (struct maybe_u64){ v->slabs.linear + (pfn << v->dump->page_shift),
					  v->has_slabs };
	row.pfn = (struct maybe_u64){ pfn, true };
	row.class = page_class_name(class);
	row.order = (struct maybe_u64){ order, has_order };
	row.bytes = (struct maybe_u64){ bytes, has_order };
	row.owner = owner;
	s->sum.pages++;
	s->sum.page_bytes += bytes;
	s->sum.unordered += !has_order;
	s->sum.vmalloc_pages += class == CLASS_VMALLOC;
	return put_row(c, &row);
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
	struct row row;
	enum status st = tag_view_allocator(v, o, &owner);
	enum tag_validity validity = tag_view_object_validity(v, s->site->tag, o->is_free, &owner);

	if (st != ST_OK || validity == TAG_REF_STALE) {
		s->sum.stale += st == ST_OK;
		return st;
	}
	row = row_of(s, "object", validity);
	row.address = (struct maybe_u64){ address, true };
	row.pfn = (struct maybe_u64){ (address - v->slabs.linear) >> v->dump->page_shift, true };
	row.bytes = (struct maybe_u64){ slab->cache->size, true };
	if (o->kfence)
		row.requested = (struct maybe_u64){ o->kfence->size, true };
	else if (v->has_tracks && slub_requested(&v->tracks, slab, i, &asked) == ST_OK)
		row.requested = (struct maybe_u64){ asked, true };
	row.cache = slab->cache->name;
	row.class = helper ? "vmalloc" : "slab";
	row.owner = owner;
	s->sum.objects++;
	s->sum.object_bytes += slab->cache->size;
	s->sum.helpers += helper;
	return put_row(c, &row);
}

static enum status add_object(void *arg, const struct slub_object *o)
{
	struct site_allocs *c = arg;

	struct of_site *s = find(c, o->tag);

	return s ? put_object(c, s, o) : ST_OK;
}

/* While profiling is on, a free removes the tag: free objects are looked up only when it is off. */
static void add_slab(void *arg, uint64_t pfn NOT_USED, const struct slab_gaps *gaps)
{
	struct site_allocs *c = arg;

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
	struct row row;

	if (!s)
		return ST_OK;
	if (o->is_free) {
		s->sum.stale++;
		return ST_OK;
	}
	row = row_of(s, "percpu", c->v.tags->on ? TAG_REF_VALID : TAG_REF_UNKNOWN);
	row.address = (struct maybe_u64){ o->address, true };
	row.bytes = (struct maybe_u64){ o->bytes, true };
	row.class = "percpu";
	s->sum.percpu++;
	s->sum.percpu_bytes += o->bytes;
	return put_row(c, &row);
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
	if (st != ST_OK)
		return st;
	c->n = sites->n;
	for (size_t i = 0; i < c->n; i++) {
		c->of[i].site = &sites->sites[i];
		c->of[i].location = site_location(d, &sites->sites[i]);
		c->of[i].sum.percpu_factor = factor;
	}
	return ST_OK;
}

/* The sums of each site, behind the rows of all. */
static void put_sums(struct site_allocs *c)
{
	uint64_t stale = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct site_allocs_sum *sum = &c->of[i].sum;
		uint64_t bytes = counted_bytes(sum);
		const char *why = cause(c, sum, c->of[i].site, bytes);

		stale += sum->stale;
		(c->v.in->opts.json ? put_json : put_text)(sum, &c->v, c->of[i].site, bytes, why);
	}
	if (c->v.tags->on && stale)
		report_warn(c->v.report, TAG_TOGGLED,
			    PLURAL_TEXT(stale, "reference is", "references are"));
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
		table_hide(&in->table, COLUMN_pfn);
		table_show(&in->table, COLUMN_sure);
	}
	if (!in->opts.json && sites->n > 1)
		table_show(&in->table, COLUMN_site);
	if (!in->opts.json)
		cmdline_reselect(in);
	if (!in->opts.json)
		table_stream_header(&in->table, out);
	st = name_sites(&c, sites)
		     ?: references_walk(&c.v, &visitor, &c, &c.cov, &c.percpu_missing);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	report_rest(r, r->rows_total - r->rows_shown, "row", "rows", NULL);
	c.partial = st == ST_STOPPED;
	put_sums(&c);
	tag_view_end(&c.v, &c.cov, !c.cov.unreadable && !c.bad_slabs && !c.percpu_missing);
	return st;
}
