// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "percpuobjs.h"
#include "straytags.h"
#include "tagcheck.h"
#include "tagview.h"
#include "units.h"

enum { Y_WHAT, Y_BYTES, Y_AGAINST, Y_OTHER, Y_DIFFERENCE, Y_CAUSE, Y_COLUMNS };

static const struct column columns[Y_COLUMNS] = {
	[Y_WHAT] = { "what", "TAGS", FORMAT_TEXT, IN_BOTH, 24, .help = "what tags account for" },
	[Y_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .help = "how much that is" },
	[Y_AGAINST] = { "against", "AGAINST", FORMAT_TEXT, IN_BOTH, 24,
			.help = "what should be the same, or more" },
	[Y_OTHER] = { "against_bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .help = "how much that is" },
	[Y_DIFFERENCE] = { "difference", "DIFF", FORMAT_SIZE, IN_BOTH,
			   .help = "the latter less the former" },
	[Y_CAUSE] = { "cause", "WHERE IT CAN COME FROM", FORMAT_TEXT, IN_BOTH, 44,
		      .help = "where it comes from" },
};

const struct view tag_check_view = { "check", "tsrcngfakwRdmlP", .columns = columns,
				     .ncolumns = Y_COLUMNS };

#define SITES_SHOWN 10 /* in text; JSON has them all */

/* What references to a site's tag add up to. */
struct found {
	uint64_t calls, bytes; /* of pages and objects */
	uint64_t percpu;       /* bytes in the copy of one CPU */
	uint64_t left;	    /* of pages and per-CPU memory that was freed since profiling is off */
	uint64_t unordered; /* pages of unknown order, as one page each */
};

struct check {
	struct tag_view v;
	struct found *sites;	  /* as the tags are in v.tags->sites */
	struct stray_tags strays; /* in no list */
	struct coverage cov;
	uint64_t tagged;    /* bytes of pages that references charge */
	uint64_t unordered; /* of them, pages whose order is unknown, as one page each */
	uint64_t left;	    /* of references of what was freed since profiling was turned off */
	uint64_t used;	    /* bytes of pages that somebody has */
	uint64_t owned;	    /* of pages with a live record of page_owner */
	uint64_t slab;	    /* of slab pages */
	uint64_t slots;	    /* of places for objects in them */
	uint64_t free;	    /* of those that are free */
	uint64_t objects;   /* of those with a tag */
	uint64_t percpu;    /* in the copy of one CPU */
	uint64_t bad_slabs;
};

static void add_found(struct check *c, uint64_t tag, uint64_t bytes, uint64_t percpu)
{
	const struct site *s = site_of_tag(&c->v.sites, tag);

	if (!s) {
		stray_tags_add(&c->strays, tag, bytes + percpu);
		return;
	}
	c->sites[s - c->v.tags->sites].calls++;
	c->sites[s - c->v.tags->sites].bytes += bytes;
	c->sites[s - c->v.tags->sites].percpu += percpu;
}

/* What was freed, or has a stack that says that it is another's, is not what was charged. */
static enum status add_object(struct check *c, const struct slab *slab, uint32_t i, bool is_free,
			      uint64_t tag)
{
	struct tag_owner owner = { 0 };
	enum status st = DUMP_OK;

	add_found(c, tag, slab->cache->size, 0);
	if (!c->v.tags->on)
		st = tag_view_object_owner(&c->v, slab, i, false, &owner);
	if (st == DUMP_OK && tag_view_prove_object(&c->v, tag, is_free, &owner) == TAG_STALE)
		c->left += slab->cache->size;
	else
		c->objects += slab->cache->size;
	return st;
}

static enum status add_slab(struct check *c, uint64_t pfn)
{
	struct slabs *s = &c->v.slabs;
	uint64_t bits[SLAB_FREE_WORDS], tag;
	struct slab slab;
	enum status st = slab_at(s, pfn, &slab);

	if (st == DUMP_OK) {
		st = slab_free_objects(s, &slab, bits);
		c->slots += (uint64_t)slab.objects * slab.cache->size;
	}
	if (st == DUMP_NOMEM)
		return st;
	c->bad_slabs += st != DUMP_OK;
	if (!slab.cache)
		return DUMP_OK;
	for (uint32_t i = 0; st == DUMP_OK && i < slab.objects; i++)
		if (bits[i / 64] >> i % 64 & 1)
			c->free += slab.cache->size;
	st = DUMP_OK;
	for (uint32_t i = 0; slab.exts && i < slab.objects && st == DUMP_OK; i++)
		if (slab_tag(s, &slab, i, &tag) == DUMP_OK && tag > TAG_EMPTY)
			st = add_object(c, &slab, i, bits[i / 64] >> i % 64 & 1, tag);
	return st;
}

static enum status add_reference(struct check *c, uint64_t pfn, const struct page_info *info,
				 enum page_class class, uint64_t tag)
{
	const struct site *s;
	struct tag_owner owner;
	bool has_order;
	unsigned int order;
	enum status st = tag_view_page_owner(&c->v, pfn, info, &owner, &has_order, &order);
	enum tag_proof proof = tag_view_prove_page(&c->v, tag, pfn, info, class, &owner);
	uint64_t bytes;

	/* How long what was freed was, nobody knows any more. */
	has_order &= proof != TAG_STALE;
	bytes = dump_page_size(c->v.dump) << (has_order ? order : 0);
	if (proof == TAG_STALE) {
		c->cov.freed++;
		c->left += bytes;
	} else {
		c->cov.live++;
		c->tagged += bytes;
	}
	c->unordered += !has_order;
	s = site_of_tag(&c->v.sites, tag);
	if (s && !has_order)
		c->sites[s - c->v.tags->sites].unordered++;
	if (s && proof == TAG_STALE)
		c->sites[s - c->v.tags->sites].left++;
	add_found(c, tag, bytes, 0);
	return st;
}

static enum status add_pfn(struct check *c, uint64_t pfn)
{
	struct tag_view *v = &c->v;
	uint64_t page = dump_page_size(v->dump), tag;
	struct owner_record r;
	struct page_info info;
	bool owned;
	enum page_class class;
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
	owned = v->has_owner && page_owner_look_up(&v->owner, pfn, &r) == DUMP_OK &&
		r.page.allocated;
	c->owned += owned ? page : 0;
	class = v->classes ? page_class_at(v->classes, &info, pfn,
					   owned ? RECORD_LIVE : RECORD_NONE, 0)
			   : CLASS_UNKNOWN;
	c->used += class < CLASS_BUDDY ? page : 0;
	c->slab += info.state == STATE_SLAB ? page : 0;
	if (tag > TAG_EMPTY)
		st = add_reference(c, pfn, &info, class, tag);
	else
		c->cov.empty++;
	if (st == DUMP_OK && v->has_slabs && info.state == STATE_SLAB && info.head == pfn)
		st = add_slab(c, pfn);
	return st;
}

static enum status add_percpu(void *arg, const struct percpu_object *o)
{
	struct check *c = arg;
	const struct site *s;

	if (o->tag <= TAG_EMPTY)
		return DUMP_OK;
	c->percpu += o->bytes;
	add_found(c, o->tag, 0, o->bytes);
	s = site_of_tag(&c->v.sites, o->tag);
	if (s && o->is_free)
		c->sites[s - c->v.tags->sites].left++;
	return DUMP_OK;
}

static enum status scan(struct check *c)
{
	struct tag_view *v = &c->v;
	struct dump *d = v->dump;
	uint64_t done = 0;
	enum status st;

	c->cov.ram_pages = v->ram.pages;
	for (size_t i = 0; i < v->ram.n; i++)
		for (uint64_t pfn = v->ram.ranges[i].start; pfn < v->ram.ranges[i].end; pfn++) {
			if (!(done++ & 4095)) {
				if (d->ops->progress)
					d->ops->progress(d->priv, done, v->ram.pages);
				if (dump_stopped(d))
					return DUMP_STOPPED;
			}
			st = add_pfn(c, pfn);
			if (st != DUMP_OK)
				return st;
		}
	st = percpu_objects_walk(d, add_percpu, c);
	if (st == DUMP_UNREADABLE || st == DUMP_CORRUPT || st == DUMP_UNKNOWN)
		report_warn(v->report, "per-CPU memory: %s", d->error);
	return st == DUMP_NOMEM || st == DUMP_STOPPED ? st : DUMP_OK;
}

/* Some kernels count a per-CPU allocation once, others each copy and memcg's pointers. */
static uint64_t counted_percpu(const struct check *c, int64_t counters)
{
	uint64_t rest = c->tagged + c->objects + c->left;
	uint64_t copies = c->percpu * c->v.tags->cpus, memcg = c->percpu / 4 * 8;
	int64_t left = counters - (int64_t)rest;

	return left >= (int64_t)(copies + memcg) ? copies + memcg
	       : left >= (int64_t)copies	 ? copies
						 : c->percpu;
}

static enum status add_row(struct table *t, const char *what, uint64_t bytes, const char *against,
			   bool known, int64_t other, const char *cause)
{
	struct cell *row = table_add(t);

	if (!row)
		return DUMP_NOMEM;
	row[Y_WHAT] = cell_text(what);
	row[Y_BYTES] = cell_uint(bytes);
	row[Y_AGAINST] = cell_text(against);
	row[Y_OTHER] = cell_if(known, cell_int(other));
	row[Y_DIFFERENCE] = cell_if(known, cell_int(other - (int64_t)bytes));
	row[Y_CAUSE] = cell_text(cause);
	return DUMP_OK;
}

/* Of references against counters, what there is of each. */
static const char *other_cause(const struct check *c)
{
	return !c->v.tags->on ? "sizes of what was freed since are not known"
	       : c->strays.n  ? "tags that are in no list: unloaded modules"
	       : c->unordered ? "orders that are not known; on their way"
			      : "no reference; not in this dump; on their way";
}

static enum status add_rows(struct check *c, struct table *t)
{
	const struct codetags *tags = c->v.tags;
	const char *untagged = tags->on ? "of boot, or from before tags were there"
					: "of boot, or since profiling is off";
	int64_t counters = 0;
	uint64_t references;
	enum status st;

	for (size_t i = 0; i < tags->n; i++)
		counters += tags->sites[i].readable ? tags->sites[i].bytes : 0;
	references = c->tagged + c->objects + c->left;
	references += counted_percpu(c, counters);
	st = add_row(t, "references", references, "counters of all sites", !tags->unreadable,
		     counters, other_cause(c));
	if (st == DUMP_OK)
		st = add_row(t, "pages", c->tagged, "pages in use", c->v.classes != NULL, c->used,
			     untagged);
	if (st == DUMP_OK)
		st = add_row(t, "pages", c->tagged, "pages of page_owner", c->v.has_owner, c->owned,
			     untagged);
	if (st == DUMP_OK)
		st = add_row(t, "objects", c->objects, "objects in use",
			     c->v.has_slabs && !c->bad_slabs && c->v.slabs.sheaves_complete,
			     c->slots - c->free,
			     tags->on ? "of boot, or of caches that keep no tags"
				      : "of boot, or since profiling is off");
	if (st == DUMP_OK)
		st = add_row(t, "objects", c->objects, "slab pages", c->v.has_slabs, c->slab,
			     "the former, free objects, and what is left over");
	return st;
}

/* Bytes that a site counted and no reference has, by what suits best of how kernels count per CPU. */
static int64_t left_over(const struct check *c, const struct found *f, const struct site *s)
{
	int64_t one = f->percpu, all = one * c->v.tags->cpus;
	int64_t counted[] = { one, all, all + one / 4 * 8 };
	int64_t best = INT64_MAX;

	for (unsigned int i = 0; i < 3; i++) {
		int64_t left = s->bytes - (int64_t)f->bytes - counted[i];

		if (!i || llabs(left) < llabs(best))
			best = left;
	}
	return best;
}

static const char *site_cause(const struct check *c, const struct found *f)
{
	if (f->left)
		return "more: how large what was freed since was is not known";
	if (!c->v.tags->on && !f->unordered)
		return "that have no reference: slabs freed since took theirs along";
	return f->unordered ? "more: the order of its pages is not known"
			    : "that have no reference";
}

/* The sites that do not add up, where that can be told. */
static void put_sites(struct check *c)
{
	const struct codetags *tags = c->v.tags;
	struct sink *out = c->v.out;
	char name[256], size[UNITS_BYTES];
	uint64_t n = 0;

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		const struct found *f = &c->sites[i];
		int64_t left = left_over(c, f, s);
		struct json j;

		if (!s->readable || (s->calls == f->calls && !left) ||
		    (n++ >= SITES_SHOWN && !c->v.in->opts.json))
			continue;
		site_name(s, name, sizeof(name));
		units_size(size, left < 0 ? -(uint64_t)left : (uint64_t)left);
		if (!c->v.in->opts.json) {
			sink_printf(out, "%s:\n  counted %lld allocations and %s%s %s\n", name,
				    (long long)(s->calls - f->calls), left < 0 ? "-" : "", size,
				    site_cause(c, f));
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
		json_close_line(&j);
	}
	if (c->v.in->opts.json)
		return;
	if (n > SITES_SHOWN)
		sink_printf(out, "... %llu more such sites (-j has all)\n",
			    (unsigned long long)(n - SITES_SHOWN));
	if (!n)
		sink_text(out, "each site has as many references, and as large, as it counted\n");
	stray_tags_put(&c->strays, &c->v.sites, out);
}

enum status tag_check_show(struct dump *d, struct sink *out, struct invocation *in,
			   const struct codetags *tags, struct report *r)
{
	struct check c = {
		.v = { .dump = d, .out = out, .in = in, .report = r, .tags = tags },
	};
	enum availability why;
	enum status end, st = tag_view_open(&c.v, &why);

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
	c.sites = dump_alloc(d, (tags->n + 1) * sizeof(*c.sites));
	if (!c.sites)
		return DUMP_NOMEM;
	stray_tags_init(&c.strays, d->arena);
	end = scan(&c);
	if (end != DUMP_OK && end != DUMP_STOPPED)
		return end;
	st = add_rows(&c, &in->table);
	if (st != DUMP_OK)
		return st;
	if (c.bad_slabs)
		report_warn(r, "%llu slabs make no sense, or are not in this dump",
			    (unsigned long long)c.bad_slabs);
	report_rows(r, &in->table, &in->opts, 0);
	put_sites(&c);
	tag_view_end(&c.v, &c.cov, !c.cov.unreadable && !c.bad_slabs);
	return end;
}
