// SPDX-License-Identifier: GPL-2.0-or-later

#include "cli/command.h"
#include "audit_totals.h"
#include "sources.h"
#include "sites.h"
#include "util/largest.h"

/* What references to a site's tag add up to. */
struct site_refs {
	uint64_t calls, bytes; /* of pages and objects */
	uint64_t percpu;       /* bytes in the copy of one CPU */
	uint64_t left;	    /* of pages and per-CPU memory that was freed since profiling is off */
	uint64_t unordered; /* pages of unknown order, as one page each */
};

/* Tags with references that the kernel does not list: those of unloaded modules. */

struct unlisted_tags {
	struct hash_u64 tags;
	uint64_t bytes, n; /* of all references to them */
};

/* Bytes that a site counted and no reference has. */
static int64_t left_over(const struct site *s, const struct site_refs *f, uint64_t factor)
{
	return s->bytes - (int64_t)(f->bytes + f->percpu * (factor ?: 1));
}

/* Whether each page whose order is unknown is a single one: their sites add up with that. */
static bool site_refs_ordered(const struct codetags *tags, const struct site_refs *found,
			      uint64_t factor)
{
	return !ANY_OF(i, tags->n,
		       found[i].unordered > found[i].left &&
			       (!tags->sites[i].readable ||
				left_over(&tags->sites[i], &found[i], factor)));
}

static const char *cause(const struct codetags *tags, const struct site_refs *f, bool complete)
{
	if (!complete)
		return "some references are not in this dump";
	if (f->left)
		return "the size of freed memory is unknown";
	if (!tags->on && !f->unordered)
		return "references of slabs freed since profiling was turned off are gone";
	return f->unordered ? "the order of its pages is unknown" : "no reference found";
}

/*
 * Lines of text or JSON records "site" of those that do not add up.  factor: percpu_factor();
 * complete: all references are in this dump; rows: how many are shown (0: all).  Returns how
 * many there are.
 */
static uint64_t site_refs_put(const struct codetags *tags, const struct site_refs *found,
			      uint64_t factor, bool complete, uint64_t rows, bool json,
			      struct sink *out)
{
	char name[256], size[UNITS_BYTES];
	uint64_t n = 0;

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		const struct site_refs *f = &found[i];
		int64_t left = left_over(s, f, factor);
		struct json j;

		if (!s->readable || (s->calls == f->calls && !left) || (n++ >= rows && rows))
			continue;
		site_name(s, name, sizeof(name));
		units_size(size, left < 0 ? -(uint64_t)left : (uint64_t)left);
		if (!json) {
			sink_printf(out, "%s:\n  counted less found: calls %ld, size %s%s; %s\n",
				    name, s->calls - f->calls, left < 0 ? "-" : "", size,
				    cause(tags, f, complete));
			continue;
		}
		json_open_line(&j, out, "site");
		json_text(&j, "site", name);
		json_hex(&j, "tag", s->tag);
		json_uint(&j, "bytes", f->bytes + f->percpu);
		json_uint(&j, "calls", f->calls);
		json_int(&j, "counted_bytes", s->bytes);
		json_uint(&j, "counted_calls", s->calls);
		json_uint(&j, "unordered", f->unordered);
		json_text(&j, "basis", "derived");
		json_close_line(&j);
	}
	if (rows && n > rows && !json)
		sink_printf(out, "... %s (-n 0 shows all)\n", COUNT_OF(n - rows, "more site"));
	return n;
}

#define UNLISTED_SHOWN 12

struct unlisted_sum {
	uint64_t bytes, calls;
};

static void unlisted_tags_init(struct unlisted_tags *s, struct arena *arena)
{
	s->n = s->bytes = 0;
	hash_u64_init(&s->tags, arena, sizeof(struct unlisted_sum));
}

static void unlisted_tags_add(struct unlisted_tags *s, uint64_t tag, uint64_t bytes)
{
	struct unlisted_sum *sum;

	s->n++;
	s->bytes += bytes;
	sum = hash_u64_get(&s->tags, tag, NULL);
	sum->calls++;
	sum->bytes += bytes;
}

/* Lines with the biggest first, if there are any. */
static void unlisted_tags_put(struct unlisted_tags *s, struct site_index *sites, struct sink *out)
{
	struct largest largest = { .room = UNLISTED_SHOWN };
	char name[256];

	if (!s->n)
		return;
	sink_printf(out, "references to tags that %s: %s in %s\n",
		    sites->tags->problem ? "are in no list of this dump"
					 : "the kernel does not list",
		    SIZE_TEXT(s->bytes), COUNT_OF(s->n, "allocation"));
	for (const struct hash_u64_entry *e = s->tags.first; e; e = e->next)
		largest_add(&largest, ((const struct unlisted_sum *)e->value)->bytes, e);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct hash_u64_entry *e = largest.of[i].item;
		const struct unlisted_sum *sum = (const struct unlisted_sum *)e->value;
		const struct site *site = site_named(sites, e->key);

		sink_printf(out, "  %s in %s: 0x%lx%s%s\n", SIZE_TEXT(sum->bytes),
			    COUNT_OF(sum->calls, "allocation"), e->key, site ? "\n    " : "",
			    site ? site_name(site, name, sizeof(name)) : "");
	}
}

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
	uint64_t bad_slabs;
	bool percpu_missing;  /* some of it could not be read */
	bool records_missing; /* page_owner's of some pages, which tell the order */
	bool use_unknown;     /* of some pages it is not known whether they are in use */
	bool complete;	      /* all references are in this dump */
	uint64_t factor;      /* percpu_factor() */
	bool unsure;	      /* tag may be of what was there before */
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
		st = tag_view_allocator(&c->v, o, &owner);
	if (st != ST_OK)
		return st;
	if (charged) {
		validity = tag_view_object_validity(&c->v, o->tag, o->is_free, &owner);
		charged = validity != TAG_REF_STALE;
		add_found(c, charged ? &sum->objects : &sum->stale, o->tag, bytes, 0);
	}
	/* What follows are the parts of slab pages, which KFENCE has none of. */
	if (o->kfence)
		return ST_OK;
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
	tag_totals_lose_slab(&c->sum, pfn, dump_page_size(c->v.dump));
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

static void add_guard(struct page_parts *p, uint64_t page)
{
	amount_add(&p->all, page);
	amount_add(&p->guard, page);
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
	/* page_owner has records of boot for those that were guards by then. */
	if (class == CLASS_GUARD && !tag)
		add_guard(&c->sum.used, page);
	else if (used)
		add_parts(&c->sum.used, page, tag, c->unsure, before);
	if (owned)
		add_parts(&c->sum.owned, page, tag, c->unsure, before);
	if (used && !owned && tag > TAG_EMPTY)
		amount_add(&c->sum.unowned, page);
	if (info->state != PAGE_TYPE_SLAB)
		return ST_OK;
	tag_totals_add_slab(&c->sum, info->head, page);
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
		.sum.lost_slab = UINT64_MAX,
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
