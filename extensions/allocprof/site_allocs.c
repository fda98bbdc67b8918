// SPDX-License-Identifier: GPL-2.0-or-later
#include "site_allocs.h"

#include <string.h>

#include "alloctag/percpu_tag.h"
#include "site_allocs_sum.h"
#include "sources.h"

const struct column context_columns[X_COLUMNS] = {
	[X_KIND] = { "kind", "KIND", FORMAT_TEXT, IN_JSON, 6,
		     .help = "page: of the page allocator; object: of a slab; percpu" },
	[X_ADDRESS] = { "address", "ADDRESS", .shown = IN_BOTH, .width = 18,
			.help = "kernel address of its memory; of percpu, a per-CPU address" },
	[X_PFN] = { "pfn", "PFN", FORMAT_PFN, IN_BOTH, 8, .help = "first page that it is in" },
	[X_ORDER] = { "order", "ORD", .shown = IN_BOTH, .width = 3,
		      .help = "of a page: it has 2^order of them" },
	[X_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, 6, .alias = "size",
		      .help = "what it takes; of percpu, in the copy of one CPU" },
	[X_REQUESTED] = { "requested", "ASKED", FORMAT_SIZE, IN_JSON, 6,
			  .help = "what kmalloc was asked for, with slub_debug=U" },
	[X_CACHE] = { "cache", "CACHE", FORMAT_TEXT, IN_BOTH, 13, .help = "slab cache" },
	[X_CLASS] = { "class", "CLASS", FORMAT_TEXT, IN_BOTH, 8,
		      .help = "what it is used for: vmalloc for the pages behind a mapping, and for "
			      "what vmalloc needs itself" },
	[X_PID] = { "pid", "PID", .shown = IN_BOTH, .width = 6, .help = "thread that allocated" },
	[X_TGID] = { "tgid", "TGID", .shown = IN_JSON, .width = 6, .help = "its process" },
	[X_COMM] = { "comm", "COMM", FORMAT_TEXT, IN_BOTH, 15, .help = "its name" },
	[X_DERIVED] = { "derived", "DERIVED", .shown = IN_JSON, .width = 7,
			.help = "tgid and comm are of the task that has the pid now" },
	[X_TS] = { "ts_ns", "TIME", FORMAT_STAMP, IN_JSON, 16, .alias = "ts",
		   .help = "when, on the clock of the log" },
	[X_AGE] = { "age_ns", "AGE", FORMAT_TIME, IN_BOTH, 7, .alias = "age",
		    .help = "how long before the panic" },
	[X_HANDLE] = { "handle", "HANDLE", .shown = IN_JSON, .width = 10,
		       .help = "of its stack in the stack depot" },
	[X_SURE] = { "sure", "SURE", .shown = IN_JSON, .width = 4,
		     .help = "profiling is on, or was and the stack has the function of the site; "
			     "unknown: it may be another's" },
	[X_STACK] = { "stack", NULL, .shown = 0, .help = "who allocated, innermost frame first" },
};

const struct view context_view = { "context", "tsrgfakwRdmlPC", .columns = context_columns,
				   .ncolumns = X_COLUMNS, .needs = 'c' };

struct context {
	struct tag_view v;
	struct site site;
	struct coverage cov;
	struct context_sum sum;
	uint64_t limit; /* rows to show, 0: all */
	struct cell row[X_COLUMNS];
};

enum status context_find(struct dump *d, const struct codetags *tags, const char *text,
			 struct site *ret)
{
	struct site_index x;
	enum status st = site_index_open(d, tags, &x);

	return st == DUMP_OK ? site_find(d, &x, text, ret) : st;
}

/* JSON names a stack once, before the first row that uses it. */
static void name_stack(struct context *c, const struct tag_owner *o)
{
	struct known_stack *k;
	struct json j;

	if (!c->v.in->opts.json || !o->handle || !o->stack)
		return;
	k = stacks_get(&c->v.stacks, o->handle);
	if (!k || k->printed)
		return;
	k->printed = true;
	json_open_line(&j, c->v.out, "stack");
	json_hex(&j, "handle", o->handle);
	json_stack(&j, "stack", o->stack);
	json_bool(&j, "cut", o->stack->cut);
	json_close_line(&j);
}

static void fill_owner(struct context *c, const struct tag_owner *o)
{
	const struct report *r = c->v.report;
	struct cell *row = c->row;

	row[X_PID] = cell_if(o->has_pid, cell_int(o->pid));
	row[X_TGID] = cell_if(o->has_comm, cell_int(o->tgid));
	row[X_COMM] = cell_if(o->has_comm, cell_text(o->comm));
	row[X_DERIVED] = cell_if(o->has_comm, cell_bool(o->derived));
	row[X_TS] = cell_if(o->has_ts, cell_uint(o->ts_ns));
	if (o->has_ts && r->has_panic_time && o->ts_ns <= r->panic_ns)
		row[X_AGE] = cell_uint(r->panic_ns - o->ts_ns);
	row[X_HANDLE] = cell_if(o->handle, cell_hex(o->handle));
	row[X_STACK] = cell_stack(o->stack);
}

/* Row after row goes out as it is found; the sums count all of them. */
static enum status put_row(struct context *c, const struct tag_owner *o)
{
	struct tag_view *v = &c->v;

	if (o)
		fill_owner(c, o);
	v->report->rows_total++;
	if (c->limit && v->report->rows_shown == c->limit)
		return DUMP_OK;
	v->report->rows_shown++;
	if (o)
		name_stack(c, o);
	if (v->in->opts.json)
		table_json_row(&v->in->table, v->out, c->row);
	else
		table_stream_row(&v->in->table, v->out, c->row);
	return v->out->closed ? DUMP_STOPPED : DUMP_OK;
}

static void put_proof(struct context *c, enum tag_proof proof)
{
	c->row[X_SURE] = cell_if(proof == TAG_OWN, cell_bool(true));
	c->sum.unsure += proof == TAG_UNSURE;
}

static enum status put_page(struct context *c, uint64_t pfn, const struct page_info *info)
{
	struct tag_view *v = &c->v;
	struct owner_record record, *r = tag_view_record(v, pfn, &record) ? &record : NULL;
	struct tag_owner owner;
	unsigned int order;
	bool has_order = tag_view_order(v, pfn, info, r, &order);
	enum status st = tag_view_page_owner(v, r, &owner);
	enum page_class class = tag_view_class(v, pfn, info);
	enum tag_proof proof = tag_view_prove_page(v, c->site.tag, pfn, info, class, &owner);

	if (st != DUMP_OK || proof == TAG_STALE) {
		c->sum.stale += st == DUMP_OK;
		return st;
	}
	memset(c->row, 0, sizeof(c->row));
	put_proof(c, proof);
	c->row[X_KIND] = cell_text("page");
	c->row[X_ADDRESS] = cell_if(v->has_slabs,
				    cell_hex(v->slabs.linear + (pfn << v->dump->page_shift)));
	c->row[X_PFN] = cell_uint(pfn);
	c->row[X_CLASS] = cell_text(page_class_name(class));
	if (has_order) {
		c->row[X_ORDER] = cell_uint(order);
		c->row[X_BYTES] = cell_uint(dump_page_size(v->dump) << order);
	}
	context_sum_page(&c->sum, has_order, dump_page_size(v->dump) << (has_order ? order : 0),
			 class == CLASS_VMALLOC);
	return put_row(c, &owner);
}

static enum status put_object(struct context *c, const struct slab *slab, uint32_t i, bool is_free)
{
	struct tag_view *v = &c->v;
	uint64_t address = slab_object(slab, i);
	bool helper = map_has(&v->vmalloc, address);
	struct tag_owner owner;
	uint32_t asked;
	enum status st = tag_view_object_owner(v, slab, i, false, &owner);
	enum tag_proof proof = tag_view_prove_object(v, c->site.tag, is_free, &owner);

	if (st != DUMP_OK || proof == TAG_STALE) {
		c->sum.stale += st == DUMP_OK;
		return st;
	}
	memset(c->row, 0, sizeof(c->row));
	put_proof(c, proof);
	c->row[X_KIND] = cell_text("object");
	c->row[X_ADDRESS] = cell_hex(address);
	c->row[X_PFN] = cell_uint((address - v->slabs.linear) >> v->dump->page_shift);
	c->row[X_BYTES] = cell_uint(slab->cache->size);
	if (v->has_tracks && slub_requested(&v->tracks, slab, i, &asked) == DUMP_OK)
		c->row[X_REQUESTED] = cell_uint(asked);
	c->row[X_CACHE] = cell_text(slab->cache->name);
	c->row[X_CLASS] = cell_text(helper ? "vmalloc" : "slab");
	context_sum_object(&c->sum, slab->cache->size, helper);
	return put_row(c, &owner);
}

static enum status add_slab(struct context *c, uint64_t pfn)
{
	struct tag_view *v = &c->v;
	uint64_t bits[SLAB_FREE_WORDS];
	struct slab slab;
	enum status st = slab_at(&v->slabs, pfn, &slab);

	if (st == DUMP_NOMEM)
		return st;
	if (st != DUMP_OK) {
		c->sum.bad_slabs++;
		return DUMP_OK;
	}
	c->sum.untagged_slabs += !slab.exts;
	/* While it was off, it did not take back what was freed. */
	memset(bits, 0, sizeof(bits));
	if (slab.exts) {
		st = slab_free_objects(&v->slabs, &slab, bits);
		if (st == DUMP_NOMEM)
			return st;
		/* A list that breaks off proves nothing. */
		if (st != DUMP_OK) {
			c->sum.bad_slabs += !v->tags->on;
			memset(bits, 0, sizeof(bits));
		}
	}
	for (uint32_t i = 0; slab.exts && i < slab.objects; i++) {
		uint64_t tag;

		if (slab_tag(&v->slabs, &slab, i, &tag) != DUMP_OK) {
			c->sum.bad_slabs++;
			return DUMP_OK;
		}
		if (tag != c->site.tag)
			continue;
		st = put_object(c, &slab, i, bits[i / 64] >> i % 64 & 1);
		if (st != DUMP_OK)
			return st;
	}
	return DUMP_OK;
}

/* Coverage here: live has a tag, freed is not used, empty has none. */
static enum status add_pfn(void *arg, uint64_t pfn)
{
	struct context *c = arg;
	struct tag_view *v = &c->v;
	struct page_info info;
	uint64_t tag;
	enum status st = page_state_at(&v->states, pfn, &info);

	if (st == DUMP_OK)
		st = page_tags_at(&v->pages, pfn, &info, &tag);
	c->cov.skipped += st == DUMP_ABSENT;
	c->cov.unreadable += st == DUMP_UNREADABLE;
	if (st == DUMP_ABSENT || st == DUMP_UNREADABLE)
		return DUMP_OK;
	c->cov.scanned++;
	c->cov.undecodable += st == DUMP_CORRUPT;
	if (st != DUMP_OK)
		return st == DUMP_CORRUPT ? DUMP_OK : st;
	if (tag > TAG_EMPTY)
		c->cov.live++;
	else
		c->cov.empty++;
	st = tag == c->site.tag ? put_page(c, pfn, &info) : DUMP_OK;
	if (st == DUMP_OK && v->has_slabs && info.state == STATE_SLAB && info.head == pfn)
		st = add_slab(c, pfn);
	return st;
}

static enum status add_percpu(void *arg, const struct percpu_object *o)
{
	struct context *c = arg;

	if (o->tag != c->site.tag)
		return DUMP_OK;
	if (o->is_free) {
		c->sum.stale++;
		c->sum.stale_percpu_bytes += o->bytes;
		return DUMP_OK;
	}
	memset(c->row, 0, sizeof(c->row));
	put_proof(c, c->v.tags->on ? TAG_OWN : TAG_UNSURE);
	c->row[X_KIND] = cell_text("percpu");
	c->row[X_ADDRESS] = cell_hex(o->address);
	c->row[X_BYTES] = cell_uint(o->bytes);
	c->row[X_CLASS] = cell_text("percpu");
	context_sum_percpu(&c->sum, o->bytes);
	return put_row(c, NULL);
}

static enum status scan(struct context *c)
{
	struct tag_view *v = &c->v;
	struct dump *d = v->dump;
	enum status st;

	c->cov.ram_pages = v->ram.pages;
	st = ram_walk(d, &v->ram, add_pfn, c);
	if (st != DUMP_OK)
		return st;
	st = percpu_objects_walk(d, add_percpu, c);
	if (st == DUMP_UNREADABLE || st == DUMP_CORRUPT || st == DUMP_UNKNOWN) {
		report_warn(v->report, "per-CPU memory: %s", d->error);
		c->sum.percpu_missing = true;
	}
	return st == DUMP_NOMEM || st == DUMP_STOPPED ? st : DUMP_OK;
}

enum status context_show(struct dump *d, struct sink *out, struct invocation *in,
			 const struct codetags *tags, const struct site *site, struct report *r)
{
	struct context c = {
		.v = { .dump = d, .out = out, .in = in, .report = r, .tags = tags },
		.site = *site,
		.limit = in->opts.has_rows ? in->opts.rows : 0,
	};
	enum availability why;
	enum status st = tag_view_open(&c.v, &why);

	if (st == DUMP_NOMEM)
		return st;
	if (in->opts.notes)
		report_notes(d, out);
	if (st != DUMP_OK) {
		report_no_data(r, why);
		return DUMP_OK;
	}
	if (in->opts.notes)
		return DUMP_OK;
	/* What is not sure is marked, and the pfn gives way to that. */
	if (!in->opts.json && !in->opts.columns && !tags->on) {
		table_hide(&in->table, X_PFN);
		table_show(&in->table, X_SURE);
	}
	if (!in->opts.json)
		table_stream_header(&in->table, out);
	st = scan(&c);
	if (st != DUMP_OK && st != DUMP_STOPPED)
		return st;
	c.sum.unreadable = c.cov.unreadable + c.cov.undecodable;
	c.sum.cpus = tags->cpus;
	c.sum.partial = st == DUMP_STOPPED;
	if (!in->opts.json && r->rows_shown < r->rows_total)
		sink_printf(out, "... %llu more rows (-n 0 shows all)\n",
			    (unsigned long long)(r->rows_total - r->rows_shown));
	if (tags->on && c.sum.stale)
		report_warn(r, TAG_TOGGLED, (unsigned long long)c.sum.stale);
	context_sum_put(&c.sum, &c.v, &c.site);
	tag_view_end(&c.v, &c.cov, !c.cov.unreadable && !c.sum.bad_slabs && !c.sum.percpu_missing);
	return st;
}
