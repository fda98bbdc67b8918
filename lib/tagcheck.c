// SPDX-License-Identifier: GPL-2.0-or-later
#include "percpuobjs.h"
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
	uint64_t unordered;    /* pages whose order is unknown, as one page each */
};

struct check {
	struct tag_view v;
	struct found *sites;	 /* as the tags are in v.tags->sites */
	uint64_t astray, strays; /* bytes and number of references to tags in no list */
	struct map stray_tags;	 /* of struct stray, by tag */
	struct coverage cov;
	uint64_t tagged;    /* bytes of pages that references charge */
	uint64_t unordered; /* of them, pages whose order is unknown, as one page each */
	uint64_t used;	    /* bytes of pages that somebody has */
	uint64_t owned;	    /* of pages with a live record of page_owner */
	uint64_t slab;	    /* of slab pages */
	uint64_t slots;	    /* of places for objects in them */
	uint64_t free;	    /* of those that are free */
	uint64_t objects;   /* of those with a tag */
	uint64_t percpu;    /* in the copy of one CPU */
	uint64_t bad_slabs;
	bool percpu_missing; /* some of it could not be read */
};

/* A tag that is in no list, and what refers to it. */
struct stray {
	uint64_t bytes, calls;
	bool shown;
};

#define STRAYS_SHOWN 12

/* The biggest first. */
static void put_strays(struct check *c, struct sink *out)
{
	for (unsigned int n = 0; n < STRAYS_SHOWN; n++) {
		struct map_entry *biggest = NULL;
		struct stray *stray;
		const struct site *s;
		char name[256], size[UNITS_BYTES];

		for (struct map_entry *e = c->stray_tags.first; e; e = e->next) {
			const struct stray *x = (const struct stray *)e->value;

			if (!x->shown &&
			    (!biggest || x->bytes > ((struct stray *)biggest->value)->bytes))
				biggest = e;
		}
		if (!biggest)
			return;
		stray = (struct stray *)biggest->value;
		stray->shown = true;
		s = site_named(&c->v.sites, biggest->key);
		units_size(size, stray->bytes);
		sink_printf(out, "  %s in %llu: 0x%llx%s%s\n", size,
			    (unsigned long long)stray->calls, (unsigned long long)biggest->key,
			    s ? ", " : "", s ? site_name(s, name, sizeof(name)) : "");
	}
}

static void add_found(struct check *c, uint64_t tag, uint64_t bytes, uint64_t percpu)
{
	const struct site *s = site_of_tag(&c->v.sites, tag);

	if (!s) {
		struct stray *stray;
		bool is_new;

		c->strays++;
		c->astray += bytes + percpu;
		stray = map_get(&c->stray_tags, tag, &is_new);
		if (stray) {
			stray->calls++;
			stray->bytes += bytes + percpu;
		}
		return;
	}
	c->sites[s - c->v.tags->sites].calls++;
	c->sites[s - c->v.tags->sites].bytes += bytes;
	c->sites[s - c->v.tags->sites].percpu += percpu;
}

static enum status add_slab(struct check *c, uint64_t pfn)
{
	struct slabs *s = &c->v.slabs;
	uint64_t bits[SLAB_FREE_WORDS], tag;
	struct slab slab;
	enum status st = slab_at(s, pfn, &slab);

	if (st != DUMP_OK) {
		c->bad_slabs++;
		return st == DUMP_NOMEM ? st : DUMP_OK;
	}
	c->slots += (uint64_t)slab.objects * slab.cache->size;
	st = slab_free_objects(s, &slab, bits);
	if (st == DUMP_NOMEM)
		return st;
	c->bad_slabs += st != DUMP_OK;
	for (uint32_t i = 0; st == DUMP_OK && i < slab.objects; i++)
		if (bits[i / 64] >> i % 64 & 1)
			c->free += slab.cache->size;
	for (uint32_t i = 0; slab.exts && i < slab.objects; i++) {
		if (slab_tag(s, &slab, i, &tag) != DUMP_OK) {
			c->bad_slabs += st == DUMP_OK;
			return DUMP_OK;
		}
		/* Off, nobody took back what was freed. */
		if (tag <= TAG_EMPTY || (!c->v.tags->on && bits[i / 64] >> i % 64 & 1))
			continue;
		c->objects += slab.cache->size;
		add_found(c, tag, slab.cache->size, 0);
	}
	return DUMP_OK;
}

static enum status add_reference(struct check *c, uint64_t pfn, const struct page_info *info,
				 uint64_t tag)
{
	const struct site *s;
	struct tag_owner owner;
	bool has_order;
	unsigned int order;
	enum status st = tag_view_page_owner(&c->v, pfn, info, &owner, &has_order, &order);

	c->cov.live++;
	c->unordered += !has_order;
	s = site_of_tag(&c->v.sites, tag);
	if (s && !has_order)
		c->sites[s - c->v.tags->sites].unordered++;
	c->tagged += dump_page_size(c->v.dump) << (has_order ? order : 0);
	add_found(c, tag, dump_page_size(c->v.dump) << (has_order ? order : 0), 0);
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
	if (tag > TAG_EMPTY && (v->tags->on || class < CLASS_BUDDY))
		st = add_reference(c, pfn, &info, tag);
	else
		c->cov.empty++;
	if (st == DUMP_OK && v->has_slabs && info.state == STATE_SLAB && info.head == pfn)
		st = add_slab(c, pfn);
	return st;
}

static enum status add_percpu(void *arg, const struct percpu_object *o)
{
	struct check *c = arg;

	if (o->tag <= TAG_EMPTY)
		return DUMP_OK;
	c->percpu += o->bytes;
	add_found(c, o->tag, 0, o->bytes);
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
	if (st == DUMP_UNREADABLE || st == DUMP_CORRUPT || st == DUMP_UNKNOWN) {
		report_warn(v->report, "per-CPU memory: %s", d->error);
		c->percpu_missing = true;
	}
	return st == DUMP_NOMEM || st == DUMP_STOPPED ? st : DUMP_OK;
}

/* Some kernels count a per-CPU allocation once, others each copy and memcg's pointers. */
static uint64_t counted_percpu(const struct check *c, int64_t counters)
{
	uint64_t rest = c->tagged + c->objects;
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
	return c->strays      ? "tags that are in no list: unloaded modules"
	       : c->unordered ? "orders that are not known; on their way"
			      : "no reference; not in this dump; on their way";
}

static enum status add_rows(struct check *c, struct table *t)
{
	const struct codetags *tags = c->v.tags;
	int64_t counters = 0;
	uint64_t references;
	enum status st;

	for (size_t i = 0; i < tags->n; i++)
		counters += tags->sites[i].readable ? tags->sites[i].bytes : 0;
	references = c->tagged + c->objects;
	references += counted_percpu(c, counters);
	st = add_row(t, "references", references, "counters of all sites", !tags->unreadable,
		     counters, other_cause(c));
	if (st == DUMP_OK)
		st = add_row(t, "pages", c->tagged, "pages in use", c->v.classes != NULL, c->used,
			     "of boot, or from before tags were there");
	if (st == DUMP_OK)
		st = add_row(t, "pages", c->tagged, "pages of page_owner", c->v.has_owner, c->owned,
			     "of boot, or from before tags were there");
	if (st == DUMP_OK)
		st = add_row(t, "objects", c->objects, "objects in use",
			     c->v.has_slabs && !c->bad_slabs && c->v.slabs.sheaves_complete,
			     c->slots - c->free, "of boot, or of caches that keep no tags");
	if (st == DUMP_OK)
		st = add_row(t, "objects", c->objects, "slab pages", c->v.has_slabs, c->slab,
			     "the former, free objects, and what is left over");
	return st;
}

static bool fits(const struct check *c, const struct found *f, const struct site *s)
{
	int64_t left = s->bytes - (int64_t)f->bytes, one = f->percpu;
	int64_t all = one * c->v.tags->cpus;

	return !s->readable ||
	       (s->calls == f->calls && (left == one || left == all || left == all + one / 4 * 8));
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
		int64_t left = s->bytes - (int64_t)(f->bytes + f->percpu);
		struct json j;

		if (fits(c, f, s) || (n++ >= SITES_SHOWN && !c->v.in->opts.json))
			continue;
		site_name(s, name, sizeof(name));
		units_size(size, left < 0 ? -(uint64_t)left : (uint64_t)left);
		if (!c->v.in->opts.json) {
			sink_printf(out, "%s: counted %lld allocations and %s%s %s\n", name,
				    (long long)(s->calls - f->calls), left < 0 ? "-" : "", size,
				    f->unordered ? "more: the order of its pages is not known"
						 : "that have no reference");
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
	if (c->strays) {
		units_size(size, c->astray);
		sink_printf(out, "%llu references with %s are to tags that are in no list:\n",
			    (unsigned long long)c->strays, size);
		put_strays(c, out);
	}
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
	map_init(&c.stray_tags, d->arena, sizeof(struct stray));
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
	tag_view_end(&c.v, &c.cov, !c.cov.unreadable && !c.bad_slabs && !c.percpu_missing);
	return end;
}
