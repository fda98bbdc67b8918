// SPDX-License-Identifier: GPL-2.0-or-later
#include "sites.h"

#include "vm/address.h"
#include "sources.h"
#include "cli/command.h"

#define MAX_RANGE 65536 /* pages: each costs memory */

/* What was found at an address. */
struct found {
	const char *asked;
	uint64_t pfn, address, start; /* start: of the object or of the allocation of pages */
	uint64_t first;		      /* of pages: the first of the allocation, if has_first */
	bool is_object, has_allocated, allocated;
	bool has_first, has_order;
	unsigned int order;
	bool has_bytes;
	uint64_t bytes;
	uint32_t requested; /* 0: not kept */
	const char *cache, *class;
	bool has_tag, lost; /* lost: there was no memory for its reference */
	uint64_t tag;	    /* 0: none */
	enum tag_validity proof;
	struct tag_owner owner, freed;
};

enum status tag_lookup_check(struct dump *d, const char *text)
{
	struct address address;
	enum status st = address_parse(d, text, &address);

	if (st == ST_OK && address.pages > MAX_RANGE)
		return dump_usage(d, "'%s' is more than %u pages", text, MAX_RANGE);
	if (st == ST_USAGE && strchr(text, '/'))
		return dump_fail(d, st,
				 "'%s' is no address: pfn:N, virt:X, ... (-h); by its %s %s%s",
				 text, strchr(text, ':') ? "place: a call site" : "name: a file",
				 strchr(text, ':') ? "-c " : "-f file=", text);
	if (st == ST_USAGE && address_is_name(text))
		return dump_fail(
			d, st,
			"'%s' is no address: pfn:N, virt:X, ... (-h); by its name: a function "
			"-f function=%s, a module -f module=%s",
			text, text, text);
	return st;
}

/* The object that an address lies in; in the tail of a slab there is none. */
static enum status find_object(struct tag_view *v, uint64_t head, struct found *f)
{
	uint64_t bits[SLAB_FREE_WORDS];
	struct slab slab;
	bool whole;
	uint32_t i;
	enum status st = slab_at(&v->slabs, head, &slab);

	if (st != ST_OK)
		return st;
	f->cache = slab.cache->name;
	if (slab_index(&slab, f->address, &i) != ST_OK)
		return dump_absent(v->dump, "%s: after the last object of its slab", f->asked);
	f->is_object = true;
	f->start = slab_object(&slab, i);
	f->has_bytes = true;
	f->bytes = slab.cache->size;
	f->class = hash_u64_has(&v->vmalloc, f->start) ? "vmalloc" : "slab";
	st = slab_tag(&v->slabs, &slab, i, &f->tag);
	f->has_tag = st == ST_OK;
	f->lost = slab.lost;
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		report_warn(v->report,
			    "%s: the reference to its allocation site is not in this dump",
			    f->asked);
	st = slab_free_objects(&v->slabs, &slab, bits);
	whole = st == ST_OK;
	if (!whole)
		report_warn(v->report, "%s", v->dump->error);
	f->allocated = !(bits[i / 64] >> i % 64 & 1);
	/* A free list that ends early may lack the object; a free removes the reference to the site. */
	f->has_allocated = !f->allocated || (whole && v->slabs.sheaves_complete) ||
			   (f->tag > TAG_EMPTY && v->tags->on);
	if (v->has_tracks && slub_requested(&v->tracks, &slab, i, &f->requested) != ST_OK)
		f->requested = 0;
	st = tag_view_object_owner(v, &slab, i, false, &f->owner);
	f->proof = tag_view_object_validity(v, f->tag, whole && !f->allocated, &f->owner);
	return st == ST_OK ? tag_view_object_owner(v, &slab, i, true, &f->freed) : st;
}

/* An object of KFENCE, whose page is memory of boot.  ST_ABSENT: none that is in use is there. */
static enum status find_in_kfence(struct tag_view *v, struct found *f)
{
	struct kfence_object o;
	struct slab slab;
	enum status st;

	if (!v->has_kfence || slub_kfence_at(&v->slabs, &v->kfence, f->pfn, &slab, &o) != ST_OK ||
	    f->address - o.address >= (o.size ?: 1))
		return ST_ABSENT;
	f->cache = slab.cache->name;
	f->is_object = f->has_bytes = f->allocated = f->has_allocated = true;
	f->start = o.address;
	f->bytes = slab.cache->size;
	f->requested = (uint32_t)o.size;
	f->class = "slab";
	f->has_tag = slab_tag(&v->slabs, &slab, 0, &f->tag) == ST_OK;
	st = tag_view_kfence_owner(v, &o.allocated, &f->owner);
	f->proof = tag_view_object_validity(v, f->tag, false, &f->owner);
	return st;
}

/* The first page of the page's allocation: the head of a compound page, or by page_owner. */
static uint64_t first_page(struct tag_view *v, uint64_t pfn, const struct page_info *info)
{
	struct owner_record r;

	if (info->head != pfn || !tag_view_record(v, pfn, &r))
		return info->head;
	return pfn & ~((1ULL << r.page.order) - 1);
}

/* What a page is used for, as pageowner says of the same page. */
static enum page_class class_of(struct tag_view *v, uint64_t pfn, const struct page_info *info)
{
	struct owner_record r = { 0 };
	enum page_record record = tag_view_record_of(v, pfn, &r);

	return page_class_at(v->classes, info, pfn, record, r.page.handle);
}

static enum status find_pages(struct tag_view *v, const struct page_info *asked, struct found *f)
{
	uint64_t first = first_page(v, f->pfn, asked);
	struct owner_record record, *r;
	struct page_info info;
	enum status st = page_type_at(&v->states, first, &info);
	enum page_class class = CLASS_UNKNOWN;

	if (st != ST_OK)
		return dump_fail(v->dump, st, "%s: no struct page in this dump", f->asked);
	f->class = NULL;
	if (v->classes) {
		class = class_of(v, f->pfn, asked);
		f->class = page_class_name(class);
		f->allocated = class != CLASS_UNKNOWN && class < CLASS_BUDDY;
		/* The allocator never had the others: they are neither. */
		f->has_allocated = f->allocated || class == CLASS_BUDDY || class == CLASS_PCP ||
				   class == CLASS_FREE;
	}
	f->start = v->slabs.linear + (first << v->dump->page_shift);
	r = tag_view_record(v, first, &record) ? &record : NULL;
	f->has_order = tag_view_order(v, first, &info, r, &f->order);
	f->first = first;
	/* Without an order a page that is not compound may be a later page of an allocation. */
	f->has_first = f->has_order || first != f->pfn;
	tag_view_page_owner(v, r, &f->owner);
	f->has_tag = v->has_pages && page_tags_at(&v->pages, first, &info, &f->tag) == ST_OK;
	/* The first page of an allocation has its tag, and which page that is may be unknown. */
	if (f->has_tag && !f->tag && !f->has_order && class < CLASS_BUDDY)
		f->has_tag = false;
	/* A free removes the reference: the page is allocated. */
	if (f->has_tag && f->tag > TAG_EMPTY && v->tags->on)
		f->has_allocated = f->allocated = true;
	f->proof = tag_view_page_validity(v, f->tag, first, &info, class, &f->owner);
	f->has_bytes = f->has_order;
	f->bytes = dump_page_size(v->dump) << (f->has_order ? f->order : 0);
	return ST_OK;
}

static enum status find(struct tag_view *v, const char *text, struct found *f)
{
	uint64_t end = v->ram.ranges[v->ram.n - 1].end;
	uint64_t page = dump_page_size(v->dump);
	struct address a;
	struct page_info info;
	bool byte;
	enum status st = address_parse(v->dump, text, &a);

	*f = (struct found){ .asked = text };
	st = st ?: address_to_pfn(v->dump, &v->memmap, end, &a, &f->pfn);
	if (st != ST_OK)
		return st;
	byte = address_is_byte(&v->memmap, &a, end);
	f->address = v->slabs.linear + (f->pfn << v->dump->page_shift) +
		     (byte ? a.value & (page - 1) : 0);
	st = page_type_at(&v->states, f->pfn, &info);
	if (st != ST_OK)
		return dump_fail(v->dump, st, "%s: no struct page in this dump", text);
	st = byte ? find_in_kfence(v, f) : ST_ABSENT;
	if (st != ST_ABSENT)
		return st;
	if (byte && v->has_slabs && info.state == PAGE_TYPE_SLAB)
		return find_object(v, info.head, f);
	return find_pages(v, &info, f);
}

/* The text of the valid tag, or (left) of a stale one. */
static const char *text_of_tag(struct tag_view *v, const struct found *f, bool left)
{
	uint64_t tag = f->tag;
	const struct site *s = site_named(&v->sites, tag);
	struct site unknown = site_unnamed(&v->sites, tag);
	char name[256];

	if (!f->has_tag || (tag > TAG_EMPTY && f->proof == TAG_REF_STALE) != left)
		return NULL;
	if (tag <= TAG_EMPTY)
		return tag ? "none: deliberately not tagged by the kernel (CODETAG_EMPTY)" : NULL;
	return intern(&v->texts, site_name(s ?: &unknown, name, sizeof(name)));
}

/* The call site in words; NULL: none, or unknown. */
static const char *text_of_site(struct tag_view *v, const struct found *f)
{
	if (f->lost)
		return "lost: the kernel had no memory for the references of its slab";
	return text_of_tag(v, f, false);
}

#define ROW struct found
#define VIEW struct tag_view

static bool has_own_tag(const struct found *f)
{
	return f->has_tag && f->tag > TAG_EMPTY && f->proof != TAG_REF_STALE;
}

CELL_FROM(kind_cell, ROW, cell_text(r->is_object ? "object" : "page"))
CELL_WITH(address_cell, ROW, VIEW, cell_if(v->has_slabs, cell_hex(r->start)))
/* Negative in the padding before an object. */
CELL_FROM(offset_cell, ROW, cell_int((int64_t)(r->address - r->start)))
CELL_FROM(order_cell, ROW, cell_if(r->has_order && !r->is_object, cell_uint(r->order)))
CELL_WITH(site_cell, ROW, VIEW, cell_text(text_of_site(v, r)))
CELL_WITH(left_cell, ROW, VIEW, cell_text(text_of_tag(v, r, true)))
CELL_FROM(tag_cell, ROW, cell_if(has_own_tag(r), cell_hex(r->tag)))
CELL_FROM(sure_cell, ROW, cell_if(has_own_tag(r) && r->proof == TAG_REF_VALID, cell_bool(true)))
CELL_WITH(age_cell, ROW, VIEW, tag_view_age(v, &r->owner))
CELL_WITH(free_age_cell, ROW, VIEW, tag_view_age(v, &r->freed))

static const char *const kinds[] = { "page", "object", NULL };

static const struct view_column columns[] = {
	{ COLUMN_argument, IN_BOTH | KNOWN, TEXT_OF(ROW, asked) },
	{ COLUMN_kind, IN_BOTH | KNOWN, .choices = kinds, CELL_BY(kind_cell) },
	{ COLUMN_allocated, IN_BOTH, BOOL_IF(ROW, allocated, has_allocated) },
	{ COLUMN_address, IN_BOTH, CELL_BY(address_cell) },
	{ COLUMN_offset, IN_BOTH | KNOWN | SIGNED, "of the allocation", CELL_BY(offset_cell) },
	{ COLUMN_pfn, IN_JSON | KNOWN, "the one that the address is in", UINT_OF(ROW, pfn) },
	{ COLUMN_head_pfn, IN_JSON, "or of the allocation; null of objects",
	  UINT_IF(ROW, first, has_first) },
	{ COLUMN_order, IN_JSON, "of pages only", CELL_BY(order_cell) },
	{ COLUMN_bytes, IN_BOTH, .width = 6, UINT_IF(ROW, bytes, has_bytes) },
	{ COLUMN_requested, IN_JSON, UINT_NONZERO(ROW, requested) },
	{ COLUMN_cache, IN_BOTH, TEXT_OF(ROW, cache) },
	{ COLUMN_class, IN_JSON, .width = 8, .choices = page_class_names + 1, TEXT_OF(ROW, class) },
	{ COLUMN_site, IN_BOTH, "file:line function", 40, CELL_BY(site_cell) },
	{ COLUMN_tag, IN_JSON, CELL_BY(tag_cell) },
	{ COLUMN_sure, IN_JSON, CELL_BY(sure_cell) },
	{ COLUMN_left_site, IN_JSON, CELL_BY(left_cell) },
	OWNER_PID_COLUMN(ROW, owner, IN_JSON),
	OWNER_TASK_COLUMNS(ROW, owner, IN_JSON),
	{ COLUMN_age_ns, IN_JSON, CELL_BY(age_cell) },
	{ COLUMN_free_pid, IN_JSON, "of objects only", INT_IF(ROW, freed.pid, freed.has_pid) },
	{ COLUMN_free_age_ns, IN_JSON, "of objects only", CELL_BY(free_age_cell) },
	{ COLUMN_stack, IN_JSON, STACK_OF(ROW, owner.stack) },
	{ COLUMN_free_stack, IN_JSON, "of objects only", STACK_OF(ROW, freed.stack) },
	BASIS(derived),
};

const struct view tag_lookup_view = { "page", "ADDR", COLUMNS_OF(columns), .opens_more = true };

static void put_event(struct tag_view *v, const char *what, const struct tag_owner *o)
{
	char age[AGE_TEXT];
	bool is_early = stack_is_early(o->stack);

	if (!o->has_pid && !o->stack)
		return;
	sink_printf(v->out, "  %s%s", what, is_early ? " before page_owner started," : "");
	if (o->has_ts && age_text(&v->report->info, o->ts_ns, age))
		sink_printf(v->out, " %s", age);
	if (o->has_pid && !is_early)
		sink_printf(v->out, " by pid %d", o->pid);
	if (o->has_comm && !is_early)
		sink_printf(v->out, " (%s%s)", o->comm,
			    o->derived ? "; the task that has this pid now" : "");
	sink_text(v->out, "\n");
	for (unsigned int i = 0; o->stack && i < o->stack->n; i++)
		frame_put(o->stack->frames[i], v->out);
}

/* "page 2 of the allocation at pfn 0x3174 of 16.0K, direct" */
static void put_pages(struct tag_view *v, const struct found *f)
{
	sink_printf(v->out, "%s is ", f->asked);
	if (f->has_first && f->first != f->pfn)
		sink_printf(v->out, "page %lu of the allocation at pfn 0x%lx", f->pfn - f->first,
			    f->first);
	else
		sink_printf(v->out, "in the page at pfn 0x%lx", f->pfn);
	if (f->has_order && f->order)
		sink_printf(v->out, " of %s", SIZE_TEXT(f->bytes));
	sink_printf(v->out, ", %s", f->class ?: "of unknown use");
}

static void put_text(struct tag_view *v, const struct found *f)
{
	const char *added = v->in->opts.columns;
	const char *tag = text_of_site(v, f), *left = text_of_tag(v, f, true);

	if (f->is_object)
		sink_printf(v->out, "%s is byte %ld of the object at 0x%lx of %s, %s", f->asked,
			    f->address - f->start, f->start, f->cache ?: "an unnamed cache",
			    SIZE_TEXT(f->bytes));
	else
		put_pages(v, f);
	if (f->has_allocated)
		sink_printf(v->out, ", %s", f->allocated ? "allocated" : "free");
	sink_printf(v->out, "\n  tag %s", tag ?: f->has_tag && !left ? "none" : "unknown");
	if (left)
		sink_printf(
			v->out,
			"; stale tag of an earlier allocation, freed while profiling was off: %s",
			left);
	else if (tag && f->tag > TAG_EMPTY && f->proof == TAG_REF_UNKNOWN)
		sink_printf(v->out, " (unsure: %sthe tag may belong to an earlier allocation)",
			    v->tags->n ? "profiling is off, " : "");
	sink_text(v->out, "\n");
	if (added)
		row_put_named(&v->in->table, added, v->out, f, v);
	put_event(v, f->has_allocated && !f->allocated ? "was allocated" : "allocated", &f->owner);
	put_event(v, f->allocated ? "previously freed" : "freed", &f->freed);
}

/* Sentences are for single pages. */
static bool is_table(struct tag_view *v)
{
	const struct opts *o = &v->in->opts;
	struct address address;

	return ANY_OF(i, o->nargs,
		      address_parse(v->dump, o->args[i], &address) == ST_OK && address.pages > 1) ||
	       !opts_sentences(o);
}

static void put(struct tag_view *v, const struct found *f)
{
	v->report->rows_total++;
	if (v->in->opts.json || v->shows_table) {
		row_stream(v->report, &v->in->table, f, v);
	} else {
		put_text(v, f);
		v->report->rows_shown++;
	}
}

/* Of a range one line tells how many. */
static void warn_missing(struct tag_view *v, const char *text, const char *why, uint64_t missing)
{
	if (missing == 1)
		report_warn(v->report, "%s", why ?: "");
	else if (missing)
		report_warn(v->report, "%s: %s are not known, the first: %s", text,
			    COUNT_OF(missing, "page"), why ?: "");
}

/* One page, or each of a range. */
static enum status show_address(struct tag_view *v, const char *text)
{
	const uint64_t end = v->ram.ranges[v->ram.n - 1].end;
	const char *why = NULL;
	uint64_t missing = 0, outside = 0, first_outside = 0, i;
	struct address a;
	enum status st = address_parse(v->dump, text, &a);

	for (i = 0; st == ST_OK && i < a.pages; i++) {
		const char *asked = text;
		struct found f;
		char pfn[32];

		if (dump_stopped(v->dump))
			return ST_STOPPED;
		if (a.pages > 1) {
			snprintf(pfn, sizeof(pfn), "pfn:%#lx", a.value + i);
			asked = pfn;
		}
		if (a.pages > 1 && a.value + i >= end) {
			report_warn(v->report, "%s: System RAM of this dump ends at pfn %#lx", text,
				    end - 1);
			break;
		}
		st = find(v, asked, &f);
		if (st == ST_OK && !ram_has(&v->ram, f.pfn) && !outside++)
			first_outside = f.pfn;
		if (st == ST_OK)
			put(v, &f);
		else if (st != ST_STOPPED && !missing++)
			why = dump_why(v->dump);
		st = st == ST_STOPPED || v->out->closed ? ST_STOPPED : ST_OK;
	}
	report_no_ram(v->report, text, outside, i, first_outside);
	warn_missing(v, text, why, missing);
	return st;
}

enum status tag_lookup_show(struct dump *d, struct sink *out, struct cmdline *in,
			    const struct codetags *tags, struct report *r)
{
	struct tag_view v = {
		.dump = d, .out = out, .in = in, .report = r, .tags = tags, .any_kernel = true
	};
	const struct opts *o = &in->opts;
	enum availability why;
	enum status st = tag_view_open(&v, &why);

	if (!command_opened(r, &in->opts, why, &st))
		return st;
	hash_bytes_init(&v.texts, d->arena, 0);
	v.shows_table = !o->json && is_table(&v);
	if (v.shows_table)
		table_stream_header(&in->table, out);
	for (unsigned int i = 0; i < o->nargs && st == ST_OK; i++)
		st = show_address(&v, o->args[i]);
	tag_view_end(&v, NULL, !r->nwarnings);
	return st;
}
