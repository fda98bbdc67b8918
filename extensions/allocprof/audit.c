// SPDX-License-Identifier: GPL-2.0-or-later
#include "audit.h"

#include "cli/command.h"
#include "audit_sites.h"
#include "audit_totals.h"
#include "references.h"
#include "sums.h"
#include "util/units.h"

#define DEFAULT_SITES 10 /* in text */

struct check {
	struct tag_view v;
	struct site_refs *sites;       /* as the tags are in v.tags->sites */
	struct unlisted_tags unlisted; /* not listed by the kernel */
	struct scan_stats cov;
	struct tag_totals sum;
	uint64_t copy; /* bytes of per-CPU memory of sites in the copy of one CPU */
	/* The page reference that came last, and the first pfn behind what it charges. */
	uint64_t tag, tag_end;
	uint64_t bad_slabs, bad_slab; /* their number; first pfn of the last one */
	bool percpu_missing;	      /* some of it could not be read */
	bool records_missing;	      /* page_owner's of some pages, which tell the order */
	bool use_unknown;	      /* of some pages it is not known whether they are in use */
	bool complete;		      /* all references are in this dump */
	uint64_t factor;	      /* percpu_factor() */
	bool unsure;		      /* tag may be of what was there before */
};

/* of: the sum of references of this kind.  What its site has; NULL: the kernel does not list it. */
static struct site_refs *add_found(struct check *c, struct amount *of, uint64_t tag, uint64_t bytes,
				   uint64_t percpu)
{
	const struct site *s = site_of_tag(&c->v.sites, tag);
	struct site_refs *f = s ? &c->sites[s - c->v.tags->sites] : NULL;

	if (s && s->readable)
		amount_add(of, bytes);
	else
		amount_add(&c->sum.uncounted, bytes + percpu);
	if (!f) {
		unlisted_tags_add(&c->unlisted, tag, bytes + percpu);
		return NULL;
	}
	f->calls++;
	f->bytes += bytes;
	f->percpu += percpu;
	return f;
}

/*
 * An object that is free, or whose stack is of another site, keeps a tag that is not its own: it
 * counts as stale.
 */
static enum status add_object(void *arg, const struct slub_object *o)
{
	struct check *c = arg;
	struct tag_totals *sum = &c->sum;
	struct tag_owner owner = { 0 };
	uint64_t bytes = o->slab->cache->size;
	bool charged = o->tag > TAG_EMPTY;
	enum tag_validity validity = TAG_REF_VALID;
	enum status st = ST_OK;

	if (charged && !c->v.tags->on)
		st = tag_view_object_owner(&c->v, o->slab, o->index, false, &owner);
	if (st != ST_OK)
		return st;
	if (charged) {
		validity = tag_view_object_validity(&c->v, o->tag, o->is_free, &owner);
		charged = validity != TAG_REF_STALE;
		add_found(c, charged ? &sum->objects : &sum->stale, o->tag, bytes, 0);
	}
	amount_add(o->is_free		 ? &sum->objects_free
		   : charged		 ? validity == TAG_REF_VALID ? &sum->objects_charged
								     : &sum->objects_unsure
		   : o->tag == TAG_EMPTY ? &sum->objects_exempt
		   : !o->knows_free || !o->knows_tag ? &sum->slabs_unknown
		   : o->slab->exts		     ? &sum->objects_plain
						     : &sum->objects_no_vector,
		   bytes);
	return ST_OK;
}

static void add_slab(void *arg, uint64_t pfn, const struct slab_gaps *gaps)
{
	struct check *c = arg;

	c->bad_slabs += gaps->slab || gaps->free || gaps->tags;
	if (!gaps->slab)
		return;
	c->bad_slab = pfn;
	amount_add(&c->sum.slabs_unknown, dump_page_size(c->v.dump));
}

/* r: page_owner's record, NULL if there is none.  The owner matters only where profiling is off. */
static void add_reference(struct check *c, uint64_t pfn, const struct page_info *info,
			  enum page_class class, const struct owner_record *r, uint64_t tag)
{
	struct tag_view *v = &c->v;
	struct tag_owner owner = { 0 };
	enum tag_validity validity = TAG_REF_VALID;
	struct site_refs *f;
	unsigned int order;
	bool stale, has_order;
	uint64_t pages;

	if (!v->tags->on)
		tag_view_page_owner(v, r, &owner);
	if (tag > TAG_EMPTY)
		validity = tag_view_page_validity(v, tag, pfn, info, class, &owner);
	stale = validity == TAG_REF_STALE;
	/* The order of an allocation is not kept when it is freed. */
	has_order = !stale && tag_view_order(v, pfn, info, r, &order);
	pages = 1ULL << (has_order ? order : 0);
	if (!stale) {
		c->tag = tag;
		c->tag_end = pfn + pages;
		c->unsure = validity == TAG_REF_UNKNOWN;
	}
	if (tag <= TAG_EMPTY)
		return;
	c->cov.freed += stale;
	c->cov.live += !stale;
	f = add_found(c, stale ? &c->sum.stale : &c->sum.pages, tag,
		      pages * dump_page_size(v->dump), 0);
	if (f) {
		f->unordered += !has_order;
		f->left += stale;
	}
}

static void add_parts(struct page_parts *p, uint64_t page, uint64_t tag, bool unsure, bool before)
{
	amount_add(&p->all, page);
	if (tag > TAG_EMPTY)
		amount_add(unsure ? &p->unsure : &p->charged, page);
	else if (tag)
		amount_add(&p->exempt, page);
	else if (before)
		amount_add(&p->before, page);
}

/* A page with what it was charged to, if its own entry or that of the first one says so. */
static enum status add_page(void *arg, uint64_t pfn, const struct page_info *info, uint64_t tag)
{
	struct check *c = arg;
	struct tag_view *v = &c->v;
	uint64_t page = dump_page_size(v->dump);
	struct owner_record r;
	enum page_record record = tag_view_record_of(v, pfn, &r);
	bool owned = record == RECORD_LIVE;
	bool before = owned && special_handle_is(&v->special, SPECIAL_EARLY, r.page.handle);
	enum page_class class =
		v->classes ? page_class_at(v->classes, info, pfn,
					   record == RECORD_FREE ? RECORD_NONE : record, 0)
			   : CLASS_UNKNOWN;
	bool used = class == CLASS_UNKNOWN ? owned : class < CLASS_BUDDY;

	if (tag)
		add_reference(c, pfn, info, class, owned ? &r : NULL, tag);
	c->records_missing |= record == RECORD_UNKNOWN;
	c->use_unknown |= class == CLASS_UNKNOWN && !owned;
	c->cov.empty += tag <= TAG_EMPTY;
	tag = pfn < c->tag_end ? c->tag : 0;
	if (used)
		add_parts(&c->sum.used, page, tag, c->unsure, before);
	if (owned)
		add_parts(&c->sum.owned, page, tag, c->unsure, before);
	if (used && !owned && tag > TAG_EMPTY)
		amount_add(&c->sum.unowned, page);
	if (info->state != PAGE_TYPE_SLAB)
		return ST_OK;
	amount_add(&c->sum.slab, page);
	if (c->bad_slab == info->head)
		amount_add(&c->sum.slabs_unknown, page);
	return ST_OK;
}

static enum status add_percpu(void *arg, const struct percpu_object *o)
{
	struct check *c = arg;
	struct site_refs *f;

	if (o->tag <= TAG_EMPTY)
		return ST_OK;
	f = add_found(c, o->is_free ? &c->sum.stale : &c->sum.percpu, o->tag, 0, o->bytes);
	if (f)
		f->left += o->is_free;
	if (f && !o->is_free && c->v.tags->sites[f - c->sites].readable)
		c->copy += o->bytes;
	return ST_OK;
}

static const struct reference_visitor visitor = {
	.page = add_page,
	.object = add_object,
	.slab = add_slab,
	.percpu = add_percpu,
	.untagged = true,
};

static void add_rows(struct check *c, struct table *t)
{
	const struct codetags *tags = c->v.tags;
	struct tag_totals *sum = &c->sum;
	struct site_sums sites;

	site_sums_read(tags, &sites);
	sum->counters = (struct amount){ sites.calls, (uint64_t)sites.bytes };
	c->complete = !c->cov.unreadable && !c->cov.undecodable && !c->bad_slabs &&
		      !c->percpu_missing && c->v.has_slabs;
	sum->knows_counters = sites.whole || !(tags->problem || tags->unreadable);
	sum->percpu.bytes = c->copy * c->factor;
	sum->knows_percpu = (c->factor || !c->copy) && !c->percpu_missing;
	sum->knows_orders = site_refs_ordered(tags, c->sites, c->factor);
	sum->knows_rest = sum->knows_percpu && c->complete && sum->knows_counters &&
			  (sum->knows_orders || !c->records_missing);
	/* A page whose tag is missing may be the first of an allocation: its tails have none. */
	sum->knows_tags = !c->cov.unreadable && !c->cov.undecodable;
	/* A sum of nothing that was read is no 0. */
	sum->knows_pages = c->cov.scanned;
	sum->knows_use = sum->knows_pages && c->v.classes && !c->use_unknown;
	sum->knows_owners = sum->knows_pages && c->v.has_owner;
	sum->knows_before = sum->knows_owners && c->v.special.known[SPECIAL_EARLY];
	if (c->v.has_owner && c->v.special.unreadable[SPECIAL_EARLY])
		dump_lacks(c->v.dump, "pages from before page_owner started", ST_UNKNOWN,
			   "early_handle was not found, or is not in this dump");
	sum->knows_slabs = sum->knows_pages && c->v.has_slabs;
	sum->knows_free = c->v.slabs.sheaves_complete;
	/* A slab page may be in the dump without the one that has the objects. */
	sum->knows_left = sum->knows_free && sum->knows_tags && !c->bad_slabs;
	tag_totals_rows(sum, c->v.in->opts.json, t);
}

enum status tag_check_show(struct dump *d, struct sink *out, struct cmdline *in,
			   const struct codetags *tags, struct report *r)
{
	struct check c = {
		.v = { .dump = d, .out = out, .in = in, .report = r, .tags = tags },
		.bad_slab = UINT64_MAX,
	};
	struct opts totals = in->opts;
	enum availability why;
	enum status end, st = tag_view_open(&c.v, &why);

	if (!command_opened(r, &in->opts, why, &st))
		return st;
	c.sites = dump_alloc(d, (tags->n + 1) * sizeof(*c.sites));
	unlisted_tags_init(&c.unlisted, d->arena);
	percpu_factor(d, tags, &c.factor);
	end = references_walk(&c.v, &visitor, &c, &c.cov, &c.percpu_missing);
	if (end != ST_OK && end != ST_STOPPED)
		return end;
	add_rows(&c, &in->table);
	if (c.bad_slabs)
		report_warn(r, "%s corrupt or not in this dump",
			    PLURAL_TEXT(c.bad_slabs, "slab is", "slabs are"));
	if (tags->on && c.sum.stale.n)
		report_warn(r, TAG_TOGGLED,
			    PLURAL_TEXT(c.sum.stale.n, "reference is", "references are"));
	/* -n is of the sites behind the totals. */
	totals.has_rows = false;
	report_rows(r, &in->table, &totals, 0);
	if (!site_refs_put(tags, c.sites, c.factor, c.complete,
			   opts_rows(&in->opts, DEFAULT_SITES, UINT64_MAX), in->opts.json, out) &&
	    !in->opts.json && c.sum.knows_counters)
		sink_text(out, "every site's counters match the allocations found\n");
	if (!in->opts.json)
		unlisted_tags_put(&c.unlisted, &c.v.sites, out);
	tag_view_end(&c.v, &c.cov, c.complete);
	return end;
}
