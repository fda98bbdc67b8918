// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/page_owner.h"

#include "buddy/free_area.h"
#include "kernel/static_key.h"
#include "util/utf8.h"

#define MAX_ORDER 20	     /* no kernel allocates more at once */
#define MAX_RECORD_BYTES 256 /* of struct page_owner, which has 16 to 72 */

/*
 * 5.11: mm/page_owner: record timestamp and pid
 * 5.13: mm/page_owner: record the timestamp of all pages during free
 * 5.18: mm/page_owner: record task command name
 * 6.8:  mm/page_owner: record and dump free_pid and free_tgid
 */
static const struct layout_row rows[OWNER_FIELDS] = {
	[OWNER_ORDER] = { "struct page_owner", { "order" }, REQUIRED, "all" },
	[OWNER_REASON] = { "struct page_owner", { "last_migrate_reason" }, OPTIONAL, "all" },
	[OWNER_GFP] = { "struct page_owner", { "gfp_mask" }, REQUIRED, "all" },
	[OWNER_HANDLE] = { "struct page_owner", { "handle" }, REQUIRED, "all" },
	[OWNER_FREE_HANDLE] = { "struct page_owner", { "free_handle" }, OPTIONAL, "5.4" },
	[OWNER_TS] = { "struct page_owner", { "ts_nsec" }, OPTIONAL, "5.11" },
	[OWNER_FREE_TS] = { "struct page_owner", { "free_ts_nsec" }, OPTIONAL, "5.13" },
	[OWNER_COMM] = { "struct page_owner", { "comm" }, OPTIONAL, "5.18" },
	[OWNER_PID] = { "struct page_owner", { "pid" }, OPTIONAL, "5.11" },
	[OWNER_TGID] = { "struct page_owner", { "tgid" }, OPTIONAL, "5.18" },
	[OWNER_FREE_PID] = { "struct page_owner", { "free_pid" }, OPTIONAL, "6.8" },
	[OWNER_FREE_TGID] = { "struct page_owner", { "free_tgid" }, OPTIONAL, "6.8" },
};

/* Which pages of an allocation have a record, and what its flags mean. */
enum { RECORD_EVERY_PAGE, RECORD_FIRST_PAGE, RECORD_FORKS };

static const struct fork record_forks[RECORD_FORKS] = {
	[RECORD_EVERY_PAGE] = { "of every page; kept when it is freed",
				"5.4: mm, page_owner: record page owner for each subpage",
				.enumerator = "PAGE_EXT_OWNER_ALLOCATED" },
	[RECORD_FIRST_PAGE] = { "of first pages; its flag is cleared when it is freed",
				"3.19: mm/page_owner: keep track of page owners" },
};

static enum status flag_bits(struct page_owner *po)
{
	static const struct layout_row row = { "struct page_ext", { "flags" }, REQUIRED, "all" };
	struct dump *d = po->dump;
	uint64_t allocated = 0;
	enum status st = layout_resolve(d, &row, 1, &po->flags);

	if (st != ST_OK)
		return st;
	po->recorded_bit = po->allocated_bit = dump_enumerator_bit(d, "PAGE_EXT_OWNER");
	if (!po->recorded_bit) {
		layout_trace_type(d, "enum page_ext_flags");
		return dump_unknown(d, "no PAGE_EXT_OWNER");
	}
	if (fork_find(d, "struct page_owner", record_forks, RECORD_FORKS) == RECORD_EVERY_PAGE)
		allocated = dump_enumerator_bit(d, "PAGE_EXT_OWNER_ALLOCATED");
	if (allocated) {
		po->every_page = true;
		po->allocated_bit = allocated;
	} else if (po->f[OWNER_FREE_HANDLE].present) {
		/* One commit brought both (8974558f49a6, 5.4). */
		layout_trace_type(d, "enum page_ext_flags");
		return dump_unknown(d, "page_owner.free_handle, but no PAGE_EXT_OWNER_ALLOCATED");
	}
	/* 7.3 gave "never migrated" a number; it was -1 before. */
	po->never_migrated = dump_enumerator_or(d, "MR_NEVER", -1);
	decoder_trace(d, "decide page_owner flags: recorded %#lx, allocated %#lx, records on %s",
		      po->recorded_bit, po->allocated_bit,
		      po->every_page ? "every page" : "first pages");
	return ST_OK;
}

static enum status find_quick(struct page_owner *po)
{
	size_t entry = po->ext.entry_size, record = entry - po->offset;

	if (field_quick(&po->flags, entry, &po->quick.flags) &&
	    field_quick(&po->f[OWNER_ORDER], record, &po->quick.order) &&
	    field_quick(&po->f[OWNER_HANDLE], record, &po->quick.handle) &&
	    field_quick(&po->f[OWNER_TS], record, &po->quick.ts))
		return ST_OK;
	return dump_unknown(po->dump, "struct page_owner spans %zu bytes", po->record_bytes);
}

static enum status open_tables(struct page_owner *po)
{
	struct dump *d = po->dump;
	enum status st = layout_resolve(d, rows, OWNER_FIELDS, po->f) ?: flag_bits(po) ?:
		page_ext_open(d, &po->ext) ?: page_ext_offset(d, "page_owner_ops", &po->offset);

	if (st != ST_OK)
		return st;
	po->record_bytes = layout_span(po->f, OWNER_FIELDS);
	if (po->record_bytes > MAX_RECORD_BYTES)
		return dump_unknown(d, "struct page_owner spans %zu bytes", po->record_bytes);
	if (po->offset < po->flags.offset + po->flags.size ||
	    po->record_bytes > po->ext.entry_size ||
	    po->offset > po->ext.entry_size - po->record_bytes)
		return dump_corrupt(d, "page_owner at %lu of a page_ext entry of %lu bytes",
				    po->offset, po->ext.entry_size);
	st = find_quick(po) ?: ram_open(d, &po->ram);
	if (st != ST_OK)
		return st;
	memmap_find_offline(&po->ext.memmap, &po->ram);
	st = owner_free_open(d, &po->ext.memmap, po->ram.ranges[po->ram.n - 1].end, &po->free);
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	po->free_problem = dump_why(d);
	return ST_OK;
}

enum status page_owner_open(struct dump *d, struct page_owner *ret, enum availability *why)
{
	struct page_owner po = { .dump = d };
	bool on;
	enum status st;

	*why = NOT_BUILT;
	st = dump_has_both(d, "page_owner_inited", "struct page_owner");
	if (st == ST_UNKNOWN)
		*why = UNKNOWN_LAYOUT;
	if (st == ST_ABSENT)
		dump_fail(d, st, "this kernel was built without page_owner (CONFIG_PAGE_OWNER)");
	if (st != ST_OK)
		return st;
	/* init_page_owner() turns it on when page_owner has run. */
	st = static_key_read(d, "page_owner_inited", &on);
	*why = OFF_AT_BOOT;
	if (st == ST_OK && !on)
		return dump_absent(
			d,
			"page_owner was off at boot: it needs page_owner=on on the kernel command line");
	st = st ?: open_tables(&po);
	*why = st == ST_ABSENT ? UNKNOWN_LAYOUT : availability_of(st);
	return RESULT(st, ret, po);
}

static void decode_page(const struct page_owner *po, const uint8_t *entry, uint64_t pfn,
			struct owner_page *page)
{
	page->pfn = pfn;
	page->allocated = page->head = page->unknown = false;
	page->raw = entry + po->offset;
	page->order = quick_get(&po->quick.order, page->raw);
	page->handle = quick_get(&po->quick.handle, page->raw);
	page->ts_ns = quick_get(&po->quick.ts, page->raw);
}

/* As it is recorded. */
static void get_comm(const struct page_owner *po, const uint8_t *record, char *buf)
{
	const struct field *comm = &po->f[OWNER_COMM];
	size_t n = comm->present && comm->size <= TASK_COMM_LEN ? comm->size : 0;

	memcpy(buf, record + comm->offset, n);
	buf[n] = '\0';
}

void page_owner_comm(const struct page_owner *po, const struct owner_page *page, char *buf)
{
	get_comm(po, page->raw, buf);
	printable(buf);
}

void page_owner_decode(const struct page_owner *po, const struct owner_page *page,
		       struct owner_record *ret)
{
	const struct field *f = po->f;
	const uint8_t *p = page->raw;

	ret->page = *page;
	ret->gfp_mask = field_get(&f[OWNER_GFP], p);
	ret->free_handle = field_get(&f[OWNER_FREE_HANDLE], p);
	ret->free_ts_ns = field_get(&f[OWNER_FREE_TS], p);
	ret->pid = field_get(&f[OWNER_PID], p);
	ret->tgid = field_get(&f[OWNER_TGID], p);
	ret->free_pid = field_get(&f[OWNER_FREE_PID], p);
	ret->free_tgid = field_get(&f[OWNER_FREE_TGID], p);
	ret->last_migrate_reason = field_get_signed(&f[OWNER_REASON], p);
	get_comm(po, p, ret->raw_comm);
	memcpy(ret->comm, ret->raw_comm, sizeof(ret->comm));
	printable(ret->comm);
}

struct scan {
	struct page_owner *po;
	enum owner_scope scope;
	struct scan_stats *cov;
	const struct owner_visitor *visitor;
	uint64_t free_at;    /* no page below it is on a list of free blocks */
	uint32_t run_handle; /* of the last page, if a run may go on from it; or 0 */
	/* The allocation that the next pages belong to. */
	struct owner_page head;
	uint64_t head_end;
	uint8_t head_raw[MAX_RECORD_BYTES];
};

static enum status visit_page(struct scan *s, const struct owner_page *page)
{
	return s->visitor->page(s->visitor->arg, page);
}

/* A page without a record or, if that is unknown, with one that cannot be read. */
static enum status visit_rest(struct scan *s, uint64_t pfn, bool unknown)
{
	const struct owner_page page = { .pfn = pfn, .unknown = unknown };

	return s->scope == SCAN_ALL ? visit_page(s, &page) : ST_OK;
}

/* What the first page says goes for the others. */
static enum status visit_tail(struct scan *s, uint64_t pfn)
{
	struct owner_page tail = s->head;

	s->cov->live++;
	tail.pfn = pfn;
	tail.head = false;
	return visit_page(s, &tail);
}

/* Told where a record is asked for: other views have page_owner open as well. */
static bool has_free(struct page_owner *po, uint64_t pfn)
{
	if (po->free_problem && !po->told_free_problem) {
		po->told_free_problem = true;
		dump_lacks(po->dump, "records of pages that are free", ST_UNKNOWN, "%s",
			   po->free_problem);
	}
	return owner_free_has(po->free, pfn);
}

/* The same for rising pfns: of those up to the next free block the lists are not asked. */
static bool is_free(struct scan *s, uint64_t pfn)
{
	struct page_owner *po = s->po;

	if (pfn < s->free_at)
		return false;
	if (has_free(po, pfn))
		return true;
	s->free_at = owner_free_next(po->free, pfn + 1);
	return false;
}

/* A page whose own entry says nothing: a tail of the allocation before it, or empty. */
static enum status visit_unrecorded(struct scan *s, uint64_t pfn)
{
	if (!s->po->every_page && pfn < s->head_end && !is_free(s, pfn))
		return visit_tail(s, pfn);
	s->cov->empty++;
	return visit_rest(s, pfn, false);
}

/*
 * Up to 6.8 migration copied the record of the first page only: the others kept
 * that of the migration's own allocation (folio_copy_owner() in mm/page_owner.c).
 */
static void keep_head(struct scan *s, const struct owner_page *page)
{
	s->head_end = 0;
	if (!page->order)
		return;
	s->head = *page;
	s->head.raw = s->head_raw;
	s->head_end = page->pfn + (1ULL << page->order);
	memcpy(s->head_raw, page->raw, s->po->record_bytes);
}

static enum status visit_entry(struct scan *s, uint64_t pfn, const uint8_t *entry)
{
	const struct page_owner *po = s->po;
	uint64_t flags = quick_get(&po->quick.flags, entry);
	struct owner_page page;

	s->run_handle = 0;
	if (!(flags & po->recorded_bit))
		return visit_unrecorded(s, pfn);
	decode_page(po, entry, pfn, &page);
	if (page.order > MAX_ORDER) {
		s->cov->undecodable++;
		return visit_rest(s, pfn, true);
	}
	page.allocated = flags & po->allocated_bit && !is_free(s, pfn);
	page.head = !(pfn & ((1ULL << page.order) - 1));
	if (!page.allocated) {
		s->cov->freed++;
		return s->scope == SCAN_LIVE ? ST_OK : visit_page(s, &page);
	}
	/* Without a handle there is no record, for the kernel's own file as well. */
	if (!page.handle) {
		s->cov->empty++;
		return visit_rest(s, pfn, false);
	}
	if (page.head)
		keep_head(s, &page);
	else if (po->every_page && pfn < s->head_end && page.order == s->head.order)
		return visit_tail(s, pfn);
	s->cov->live++;
	s->run_handle = page.order ? 0 : page.handle;
	return visit_page(s, &page);
}

/* Bits of a word of an entry, and what they are where the run goes on. */
struct expected {
	uint64_t offset, mask, bits;
};

static struct expected expect(const struct quick_field *f, uint64_t offset, uint64_t mask,
			      uint64_t bits)
{
	return (struct expected){ offset + f->offset, mask << f->shift, bits << f->shift };
}

static bool is_as(const struct expected *e, const uint8_t *entry)
{
	return (le64(entry + e->offset) & e->mask) == e->bits;
}

/* Of n entries of pages that are not free those that go on with the run, as visit_entry() would find them. */
static uint64_t count_alike(const struct scan *s, const uint8_t *entry, uint64_t n,
			    struct owner_run *run)
{
	const struct page_owner *po = s->po;
	const uint64_t live = po->recorded_bit | po->allocated_bit;
	const struct quick_field *handle = &po->quick.handle, *order = &po->quick.order;
	const struct quick_field ts = po->quick.ts;
	const struct expected is_live = expect(&po->quick.flags, 0, live, live),
			      is_same = expect(handle, po->offset, handle->mask, s->run_handle),
			      is_single = expect(order, po->offset, order->mask, 0);
	const uint64_t size = po->ext.entry_size, at = po->offset;
	uint64_t min = UINT64_MAX, max = 0, i;

	for (i = 0;
	     i < n && is_as(&is_live, entry) && is_as(&is_same, entry) && is_as(&is_single, entry);
	     i++, entry += size) {
		uint64_t v = quick_get(&ts, entry + at);

		min = v < min ? v : min;
		max = v > max ? v : max;
	}
	*run = (struct owner_run){ .pages = i, .ts_min = min, .ts_max = max, .stride = size };
	return i;
}

/* Of n entries those that go on with the run; returns how many. */
static uint64_t visit_alike(struct scan *s, uint64_t pfn, const uint8_t *entry, uint64_t n)
{
	struct owner_run run;
	uint64_t room, ahead;

	if (!s->visitor->alike || !s->run_handle || is_free(s, pfn))
		return 0;
	/* Up to the next free block. */
	room = s->free_at - pfn;
	if (!count_alike(s, entry, n < room ? n : room, &run))
		return 0;
	s->cov->scanned += run.pages;
	s->cov->live += run.pages;
	decode_page(s->po, entry, pfn, &run.first);
	run.first.allocated = run.first.head = true;
	s->visitor->alike(s->visitor->arg, &run);
	/* If those behind it are as long: the middle of the fifth. */
	ahead = 5 * (run.pages + 1) + run.pages / 2;
	if (s->visitor->soon && ahead < n)
		s->visitor->soon(s->visitor->arg,
				 quick_get(&s->po->quick.handle,
					   entry + ahead * s->po->ext.entry_size + s->po->offset));
	return run.pages;
}

/* From *pfn on, as many as can be seen at once. */
static enum status scan_run(void *arg, uint64_t *pfn, uint64_t end)
{
	struct scan *s = arg;
	struct page_ext *x = &s->po->ext;
	enum status st = ST_OK;
	const uint8_t *entry;
	uint64_t n, base;

	switch (page_ext_run(x, *pfn, end, &entry, &n)) {
	case ST_OK:
		/* Who visits may have asked for another page. */
		for (base = x->window.base; n && st == ST_OK && x->window.base == base;) {
			uint64_t seen = visit_alike(s, *pfn, entry, n);

			if (!seen) {
				s->cov->scanned++;
				st = visit_entry(s, *pfn, entry);
				seen = 1;
			}
			*pfn += seen;
			n -= seen;
			entry += seen * x->entry_size;
		}
		return st;
	case ST_ABSENT:
		s->cov->skipped++;
		return visit_rest(s, (*pfn)++, false);
	default:
		s->cov->unreadable++;
		return visit_rest(s, (*pfn)++, true);
	}
}

enum status page_owner_scan(struct page_owner *po, enum owner_scope scope, struct scan_stats *cov,
			    enum status (*visit)(void *arg, const struct owner_page *page),
			    void *arg)
{
	const struct owner_visitor visitor = { .page = visit, .arg = arg };

	return page_owner_scan_runs(po, scope, cov, &visitor);
}

enum status page_owner_scan_runs(struct page_owner *po, enum owner_scope scope,
				 struct scan_stats *cov, const struct owner_visitor *visitor)
{
	struct scan s = { .po = po, .scope = scope, .cov = cov, .visitor = visitor };
	enum status st;

	*cov = (struct scan_stats){ .ram_pages = po->ram.pages, .ram_name = po->ram.name };
	st = po->free ? owner_free_list(po->free) : ST_OK;
	return st ?: ram_walk_runs(po->dump, &po->ram, scan_run, &s);
}

/* Whether the record at head, if it is one of an allocation, covers pfn. */
static bool covers(struct page_owner *po, uint64_t head, uint64_t pfn, struct owner_page *ret)
{
	const uint8_t *entry;

	if (page_ext_at(&po->ext, head, &entry) != ST_OK ||
	    (quick_get(&po->quick.flags, entry) & (po->recorded_bit | po->allocated_bit)) !=
		    (po->recorded_bit | po->allocated_bit))
		return false;
	decode_page(po, entry, head, ret);
	return ret->order <= MAX_ORDER && pfn - head < 1ULL << ret->order;
}

/* Before 5.4 only the first page of an allocation has a record. */
static bool find_head(struct page_owner *po, uint64_t pfn, struct owner_page *ret)
{
	for (unsigned int order = 1; !po->every_page && order <= MAX_ORDER; order++) {
		uint64_t head = pfn & ~((1ULL << order) - 1);

		if (head != pfn && covers(po, head, pfn, ret))
			return true;
	}
	return false;
}

static enum status look_up_entry(struct page_owner *po, uint64_t pfn, const uint8_t *entry,
				 struct owner_page *page)
{
	uint64_t flags = quick_get(&po->quick.flags, entry), head;
	struct owner_page first;

	if (!(flags & po->recorded_bit)) {
		if (has_free(po, pfn) || !find_head(po, pfn, page))
			/* Records of first pages are cleared by a free. */
			return dump_absent(po->dump, "pfn %#lx has no page_owner record: %s", pfn,
					   po->every_page
						   ? "never allocated while page_owner was on"
						   : "free, or never allocated while it was on");
		page->pfn = pfn;
		page->allocated = true;
		return ST_OK;
	}
	decode_page(po, entry, pfn, page);
	if (page->order > MAX_ORDER)
		return dump_corrupt(po->dump, "pfn %#lx has a record of order %u", pfn,
				    page->order);
	page->allocated = flags & po->allocated_bit && !has_free(po, pfn);
	head = pfn & ~((1ULL << page->order) - 1);
	page->head = head == pfn;
	if (page->head || !page->allocated)
		return ST_OK;
	if (covers(po, head, pfn, &first) && first.order == page->order) {
		*page = first;
		page->pfn = pfn;
		page->allocated = true;
		return ST_OK;
	}
	/* The window may have moved on. */
	if (page_ext_at(&po->ext, pfn, &entry) != ST_OK)
		return dump_unreadable(po->dump, "the page_ext entry is gone");
	page->raw = entry + po->offset;
	return ST_OK;
}

enum status page_owner_look_up(struct page_owner *po, uint64_t pfn, struct owner_record *ret)
{
	struct dump *d = po->dump;
	unsigned long long n = pfn;
	struct owner_page page;
	const uint8_t *entry;
	enum status st;

	if (!ram_has(&po->ram, pfn))
		return dump_absent(d, "pfn %#llx is not System RAM of this dump", n);
	st = page_ext_at(&po->ext, pfn, &entry);
	if (st == ST_UNREADABLE)
		return dump_fail(d, st, "the page_ext entry of pfn %#llx is not in this dump", n);
	if (st != ST_OK)
		return dump_fail(d, st, "pfn %#llx %s", n,
				 po->ext.offline ? "is in memory that was being taken offline"
						 : "has no page_ext entry");
	st = look_up_entry(po, pfn, entry, &page);
	if (st == ST_OK)
		page_owner_decode(po, &page, ret);
	return st;
}

struct owner_free {
	struct dump *dump;
	struct memmap memmap;
	struct page_types types;
	struct free_blocks blocks;
	struct pfnset listed;
	bool asked, by_lists;
};

enum status owner_free_open(struct dump *d, const struct memmap *memmap, uint64_t end,
			    struct owner_free **ret)
{
	struct owner_free *f = dump_alloc(d, sizeof(*f));

	f->dump = d;
	f->memmap = *memmap;
	pfnset_init(&f->listed, d->arena, end);
	return RESULT(page_types_open(d, &f->memmap, &f->types)
			      ?: free_blocks_open(d, &f->types, &f->blocks),
		      ret, f);
}

static enum status read_lists(struct owner_free *f, bool *whole)
{
	struct dump *d = f->dump;
	struct zone_free *free = dump_alloc(d, sizeof(*free));
	struct free_areas areas;
	struct zones zones;
	enum status st = zones_open(d, &zones)
				 ?: free_areas_open(d, &f->types, f->listed.end, &areas);

	if (st != ST_OK)
		return st;
	areas.free = &f->listed;
	*whole = !areas.problem && zones.n;
	for (size_t i = 0; i < zones.n && st == ST_OK && *whole; i++) {
		st = free_areas_read(&areas, &zones.zones[i], free);
		*whole = !free->problem;
	}
	return st;
}

enum status owner_free_list(struct owner_free *f)
{
	bool whole = false;
	enum status st;

	if (f->asked)
		return ST_OK;
	f->asked = true;
	st = read_lists(f, &whole);
	f->by_lists = st == ST_OK && whole;
	decoder_trace(f->dump, "decide records of free pages by %s",
		      f->by_lists ? "the lists of free blocks" : "struct page");
	return st == ST_STOPPED ? st : ST_OK;
}

bool owner_free_has(struct owner_free *f, uint64_t pfn)
{
	if (!f)
		return false;
	return f->by_lists ? pfnset_has(&f->listed, pfn) : free_blocks_has(&f->blocks, pfn);
}

uint64_t owner_free_next(struct owner_free *f, uint64_t pfn)
{
	if (!f)
		return UINT64_MAX;
	return f->by_lists ? pfnset_next(&f->listed, pfn) : pfn;
}
