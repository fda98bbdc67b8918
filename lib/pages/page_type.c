// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/page_type.h"

#include "pages/kernel_map.h"
#include "pages/kfence.h"

#define TABLE_BIT 0x200	   /* of the macro PG_table, 5.11 and later */
#define MAX_PAGE_BYTES 256 /* struct page has 56 to 96 */
#define MAPPING_KIND 3	   /* low bits of page.mapping: 1 anonymous, 2 movable, 3 KSM */
#define MAPPING_ANON 1
#define MAPPING_MOVABLE 2
#define TAIL_BIT 1
/*
 * PP_SIGNATURE of include/linux/poison.h, with CONFIG_ILLEGAL_POINTER_VALUE of x86_64 and arm64.  Bits 0
 * and 1 are for others; bits 7 to 38 may have the index of a DMA mapping (6.16: page_pool: Track DMA-mapped
 * pages and unmap them when destroying the pool; PP_DMA_INDEX_MASK in include/linux/mm.h).
 */
#define PP_SIGNATURE 0xdead000000000040
#define PP_MASK (~0x7fffffff83ULL)

static const struct layout_row rows[PAGE_FIELDS] = {
	[PAGE_FLAGS] = FIELD_ROW("struct page", REQUIRED, "6.18, all", "flags.f", "flags"),
	[PAGE_TYPE] = FIELD_ROW("struct page", REQUIRED, "4.18", "page_type"),
	[PAGE_MAPPING] = FIELD_ROW("struct page", REQUIRED, "all", "mapping"),
	[PAGE_COMPOUND] = FIELD_ROW("struct page", REQUIRED, "7.1, 4.4", "compound_info",
				    "compound_head"),
	[PAGE_MEMCG] = FIELD_ROW("struct page", OPTIONAL, "5.11, CONFIG_MEMCG", "memcg_data",
				 "mem_cgroup"),
	[PAGE_PRIVATE] = FIELD_ROW("struct page", OPTIONAL, "all", "private"),
	[PAGE_MAPCOUNT] = FIELD_ROW("struct page", OPTIONAL, "all", "_mapcount"),
	[PAGE_REFCOUNT] = FIELD_ROW("struct page", OPTIONAL, "4.6", "_refcount"),
	[PAGE_PP_MAGIC] = FIELD_ROW("struct page", OPTIONAL, "5.14", "pp_magic"),
	[PAGE_PP] = FIELD_ROW("struct page", OPTIONAL, "5.14", "pp"),
};

static const struct {
	const char *name;
	const char *top_byte; /* enumerator, 6.12 and later */
	const char *bit;      /* enumerator, 6.10 and 6.11 */
	uint32_t macro;	      /* the bit where it was a macro; 0: by flags, or not there */
} kinds[PAGE_TYPES] = {
	[PAGE_TYPE_SLAB] = { "slab", "PGTY_slab", "PG_slab", 0 },
	[PAGE_TYPE_BUDDY] = { "buddy", "PGTY_buddy", "PG_buddy", 0x80 },
	[PAGE_TYPE_PGTABLE] = { "pgtable", "PGTY_table", "PG_table", TABLE_BIT },
	[PAGE_TYPE_HUGETLB] = { "hugetlb", "PGTY_hugetlb", "PG_hugetlb", 0 },
	[PAGE_TYPE_OFFLINE] = { "offline", "PGTY_offline", "PG_offline", 0x100 },
	[PAGE_TYPE_GUARD] = { "guard", "PGTY_guard", "PG_guard", 0 },
	[PAGE_TYPE_ZSMALLOC] = { "zsmalloc", "PGTY_zsmalloc", "PG_zsmalloc", 0 },
	[PAGE_TYPE_UNACCEPTED] = { "unaccepted", "PGTY_unaccepted", NULL, 0 },
	[PAGE_TYPE_LARGE_KMALLOC] = { "large_kmalloc", "PGTY_large_kmalloc", NULL, 0 },
	[PAGE_TYPE_ANON] = { "anon", NULL, NULL, 0 },
	[PAGE_TYPE_FILE] = { "file", NULL, NULL, 0 },
	[PAGE_TYPE_KFENCE] = { "kfence", NULL, NULL, 0 },
};

const char *page_type_name(enum page_type state)
{
	return kinds[state].name;
}

uint64_t page_flag_mask(struct dump *d, const char *name)
{
	return d->ops->enumerates && dump_ask(d, enumerates, "enum pageflags", name)
		       ? dump_enumerator_bit(d, name)
		       : 0;
}

uint64_t page_flag_always(struct dump *d, const char *name)
{
	uint64_t mask = page_flag_mask(d, name);

	if (!mask)
		dump_lacks(d, "classes and states of pages", ST_UNKNOWN,
			   "unknown layout: no enumerator %s", name);
	return mask;
}

void lru_masks_open(struct dump *d, struct lru_masks *ret)
{
	ret->lru = page_flag_always(d, "PG_lru");
	ret->swapbacked = page_flag_always(d, "PG_swapbacked");
	ret->swapcache = page_flag_always(d, "PG_swapcache");
}

/* An anonymous page has its mapping until it is freed. */
enum page_type lru_type(const struct lru_masks *m, const struct page_info *info)
{
	if (info->head_flags & m->swapbacked && info->head_flags & m->swapcache)
		return PAGE_TYPE_ANON;
	return info->head_flags & m->lru ? PAGE_TYPE_FILE : PAGE_TYPE_OTHER;
}

/*
 * A type is a bit that is cleared below a base that is set; both moved up in 6.11 (mm: allow reuse
 * of the lower 16 bit of the page type with an actual type).
 */
static void set_bit_type(struct page_type_marks *t, enum page_type state, uint64_t bit)
{
	uint64_t base = bit > 0xffff ? 0x80000000 : 0xf0000000;

	t->mask[state] = base | bit;
	t->value[state] = base;
}

/* How struct page.page_type says what a page is. */
enum { MARK_TOP_BYTE, MARK_BIT_ENUM, MARK_BIT_MACRO, MARK_FORKS };

static const struct fork mark_forks[MARK_FORKS] = {
	[MARK_TOP_BYTE] = { "a number in the top byte",
			    "6.12: mm: support only one page_type per page",
			    .enumerator = "PGTY_buddy" },
	[MARK_BIT_ENUM] = { "a bit that is cleared, of enum pagetype", "6.10: mm: free up PG_slab",
			    .enumerator = "PG_buddy" },
	[MARK_BIT_MACRO] = { "a bit that is cleared, of a macro",
			     "4.18: mm: split page_type out from _mapcount" },
};

static bool type_of_enum(struct dump *d, const char *name, int64_t *ret)
{
	return name && d->ops->enumerates && dump_ask(d, enumerates, "enum pagetype", name) &&
	       dump_ask(d, enumerator, name, ret) == ST_OK;
}

static void find_mark(struct dump *d, struct page_type_marks *t, size_t fork, unsigned int i)
{
	int64_t v;

	if (fork == MARK_TOP_BYTE && kinds[i].top_byte &&
	    dump_ask(d, enumerator, kinds[i].top_byte, &v) == ST_OK) {
		t->mask[i] = 0xff000000;
		t->value[i] = (uint64_t)v << 24 & 0xff000000;
	} else if (fork == MARK_BIT_ENUM && type_of_enum(d, kinds[i].bit, &v)) {
		set_bit_type(t, i, v);
	} else if (fork == MARK_BIT_MACRO && kinds[i].macro) {
		set_bit_type(t, i, kinds[i].macro);
	}
}

/* Guard pages, which only debug_guardpage_minorder= makes. */
static bool has_guards(struct dump *d)
{
	uint64_t order;

	return dump_has_symbol(d, "_debug_guardpage_minorder") &&
	       (dump_value(d, "_debug_guardpage_minorder", &order) != ST_OK || order);
}

/*
 * 5.11, mm: convert page kmemcg type to a page memcg flag: PG_table moved down a bit, and with it
 * PG_guard, which stands above it since 5.3.  Without CONFIG_MEMCG nothing has the first bit before,
 * and guard pages alone have the second one since: so without these both are page tables.
 */
static void find_macros(struct dump *d, struct page_type_marks *t)
{
	bool guards = has_guards(d), is_old, is_new;
	struct field f;

	is_new = dump_ask(d, member, "struct page", "memcg_data", &f) == ST_OK;
	is_old = !is_new && dump_ask(d, member, "struct page", "mem_cgroup", &f) == ST_OK;
	if (is_old)
		set_bit_type(t, PAGE_TYPE_PGTABLE, TABLE_BIT << 1);
	if (is_old && guards)
		set_bit_type(t, PAGE_TYPE_GUARD, TABLE_BIT << 2);
	else if (guards || !is_new)
		set_bit_type(t, PAGE_TYPE_GUARD, TABLE_BIT << 1);
	if (!is_old && !is_new)
		t->of_guard = guards ? PAGE_TYPE_UNSURE : PAGE_TYPE_PGTABLE;
}

/* One kernel has the names of all its types in one form. */
static enum status check_marks(struct dump *d, const struct page_type_marks *t, size_t fork)
{
	static const enum page_type always[] = { PAGE_TYPE_SLAB, PAGE_TYPE_BUDDY,
						 PAGE_TYPE_PGTABLE };
	int64_t v;

	for (unsigned int i = 0; fork == MARK_BIT_MACRO && i < PAGE_TYPES; i++)
		if (type_of_enum(d, kinds[i].top_byte, &v) || type_of_enum(d, kinds[i].bit, &v))
			return dump_unknown(d, "no enumerator %s",
					    mark_forks[MARK_TOP_BYTE].enumerator);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		if (!t->mask[always[i]] && !(always[i] == PAGE_TYPE_SLAB && t->slab_flag))
			return dump_unknown(d, "no enumerator %s", kinds[always[i]].top_byte);
	return ST_OK;
}

static enum status find_marks(struct dump *d, struct page_type_marks *t)
{
	size_t fork = fork_find(d, "page.page_type", mark_forks, MARK_FORKS);

	t->of_guard = PAGE_TYPE_GUARD;
	for (unsigned int i = 0; i < PAGE_TYPES; i++)
		find_mark(d, t, fork, i);
	t->slab_flag = page_flag_mask(d, "PG_slab");
	t->head_flag = page_flag_mask(d, "PG_head");
	if (fork == MARK_BIT_MACRO)
		find_macros(d, t);
	decoder_trace(d, "decide page types: buddy is %#lx under %#lx, slab %s",
		      t->value[PAGE_TYPE_BUDDY], t->mask[PAGE_TYPE_BUDDY],
		      t->slab_flag ? "a flag" : "a type");
	return check_marks(d, t, fork);
}

/* Where page_type has no name for hugetlb. */
static enum status find_hugetlb(struct page_types *p)
{
	struct page_type_marks *t = &p->marks;
	uint64_t taken = 0;
	enum status st;

	if (t->mask[PAGE_TYPE_HUGETLB])
		return ST_OK;
	for (unsigned int i = 0; i < PAGE_TYPES; i++)
		taken |= t->mask[i];
	st = hugetlb_mark_open(p->dump, p->bytes, &p->f[PAGE_TYPE], &p->f[PAGE_FLAGS], taken,
			       &t->hugetlb);
	if (st == ST_OK && t->hugetlb.place == HUGETLB_PAGE_TYPE) {
		t->mask[PAGE_TYPE_HUGETLB] = t->hugetlb.mask;
		t->value[PAGE_TYPE_HUGETLB] = t->hugetlb.value;
	}
	return st;
}

/*
 * Object pages of KFENCE have the mark of a slab.  SLUB has no reserved page: where the records of KFENCE
 * cannot be read, a slab that is one is of its pool, which boot allocated.
 */
static void find_kfence(struct dump *d, struct page_types *p)
{
	struct kfence kfence;
	enum status st = kfence_open(d, &kfence);

	if (st == ST_OK) {
		p->kfence_pfn = kfence.pfn;
		p->kfence_pages = kfence.pages;
	} else if (st != ST_ABSENT) {
		decoder_trace(d, "decide KFENCE by reserved slabs alone: %s", d->error);
	}
	p->reserved = page_flag_mask(d, "PG_reserved");
}

static enum status find_quick(struct page_types *p)
{
	for (unsigned int i = 0; i < PAGE_FIELDS; i++)
		if (!field_quick(&p->f[i], p->bytes, &p->quick[i]))
			return dump_unknown(p->dump, "struct page spans %lu bytes", p->bytes);
	return ST_OK;
}

static uint64_t get(const struct page_types *p, enum page_field field, const uint8_t *page)
{
	return quick_get(&p->quick[field], page);
}

enum status page_types_open(struct dump *d, struct memmap *memmap, struct page_types *ret)
{
	struct page_types p = { .dump = d, .memmap = memmap };
	enum status st = layout_resolve(d, rows, PAGE_FIELDS, p.f);

	if (st == ST_OK && (dump_ask(d, type_size, "struct page", &p.bytes) != ST_OK ||
			    p.bytes > MAX_PAGE_BYTES || layout_span(p.f, PAGE_FIELDS) > p.bytes))
		st = dump_unknown(d, "no size of struct page");
	st = st ?: find_quick(&p);
	if (st == ST_OK)
		read_window_init(&p.window, d);
	st = st ?: find_marks(d, &p.marks);
	if (st != ST_OK)
		return st;
	p.kernel_half = kernel_half(d);
	find_kfence(d, &p);
	st = find_hugetlb(&p);
	if (st != ST_OK)
		return st;
	p.head.head = UINT64_MAX;
	*ret = p;
	return ST_OK;
}

/* The table of struct page that has a pfn: of its section, or of its node. */
static void find_table(struct page_types *p, uint64_t pfn)
{
	const struct memmap *m = p->memmap;
	const struct flat_node *node = m->is_flat ? flatmem_find(&m->flat, pfn) : NULL;

	if (m->is_flat) {
		p->start = node ? node->start : pfn;
		p->end = node ? node->end : pfn + 1;
	} else {
		p->start = pfn >> m->sections.shift << m->sections.shift;
		p->end = p->start + (1ULL << m->sections.shift);
	}
	p->status = memmap_page(p->memmap, p->start, &p->base);
	if (p->status == ST_OK)
		read_window_table(&p->window, p->base + (p->end - p->start) * p->bytes);
}

static enum status find_page(struct page_types *p, uint64_t pfn, const uint8_t **ret)
{
	if (pfn < p->start || pfn >= p->end)
		find_table(p, pfn);
	if (p->status == ST_ABSENT)
		return ST_ABSENT;
	/* What was said of the table may be of something else by now. */
	if (p->status != ST_OK)
		return dump_fail(p->dump, p->status, "the struct page of pfn %#lx is not known",
				 pfn);
	*ret = read_window_at(&p->window, p->base + (pfn - p->start) * p->bytes, p->bytes);
	if (!*ret)
		return dump_unreadable(p->dump,
				       "struct page of pfn %#lx at %#lx is not in this dump", pfn,
				       p->base + (pfn - p->start) * p->bytes);
	return ST_OK;
}

static enum page_type marked_as(const struct page_types *p, const uint8_t *page)
{
	uint64_t type = get(p, PAGE_TYPE, page) & 0xffffffff;
	uint64_t mapping = get(p, PAGE_MAPPING, page);

	if (get(p, PAGE_FLAGS, page) & p->marks.slab_flag)
		return PAGE_TYPE_SLAB;
	for (unsigned int i = 0; i < PAGE_TYPES; i++)
		if (p->marks.mask[i] && (type & p->marks.mask[i]) == p->marks.value[i])
			return i == PAGE_TYPE_GUARD ? p->marks.of_guard : i;
	if (mapping & MAPPING_ANON)
		return PAGE_TYPE_ANON;
	return mapping && !(mapping & MAPPING_MOVABLE) ? PAGE_TYPE_FILE : PAGE_TYPE_OTHER;
}

static enum page_type state_of(const struct page_types *p, uint64_t pfn, const uint8_t *page)
{
	enum page_type type = marked_as(p, page);

	if (pfn - p->kfence_pfn < p->kfence_pages ||
	    (type == PAGE_TYPE_SLAB && get(p, PAGE_FLAGS, page) & p->reserved))
		return PAGE_TYPE_KFENCE;
	return type;
}

bool page_types_mark_pools(const struct page_types *p)
{
	return p->f[PAGE_PP].present && p->f[PAGE_PP_MAGIC].present;
}

/* A page leaves its pool without the mark (page_pool_clear_pp_info()). */
static uint64_t pool_of(const struct page_types *p, const uint8_t *page)
{
	uint64_t pool = get(p, PAGE_PP, page);

	if ((get(p, PAGE_PP_MAGIC, page) & PP_MASK) != PP_SIGNATURE)
		return 0;
	return is_kernel_pointer(p->kernel_half, pool) ? pool : 0;
}

/*
 * compound_info may be a mask for the tail's own address: all ones from the size of the
 * compound page up, where no struct page is (7.1, with HUGETLB_PAGE_OPTIMIZE_VMEMMAP).
 */
static enum status head_of(struct page_types *p, uint64_t pfn, uint64_t info, uint64_t *ret)
{
	uint64_t page = p->base + (pfn - p->start) * p->bytes, head = info - TAIL_BIT;

	if (info >> 32 == 0xffffffff && (info | 0xffffff) == UINT64_MAX)
		head = page & info & ~(uint64_t)TAIL_BIT;
	if (head > page || (page - head) % p->bytes || (page - head) / p->bytes > pfn)
		return dump_corrupt(p->dump, "struct page of pfn %#lx has its head at %#lx", pfn,
				    head);
	*ret = pfn - (page - head) / p->bytes;
	return ST_OK;
}

static bool may_be_hugetlb(enum page_type state)
{
	return state == PAGE_TYPE_OTHER || state == PAGE_TYPE_ANON || state == PAGE_TYPE_FILE;
}

/* All but the flags of its own: page is that of a page that is no tail. */
static enum status read_first(struct page_types *p, uint64_t pfn, const uint8_t *page,
			      struct page_info *ret)
{
	enum status st = ST_OK;

	ret->head = pfn;
	ret->state = state_of(p, ret->head, page);
	ret->head_flags = get(p, PAGE_FLAGS, page);
	ret->private = get(p, PAGE_PRIVATE, page);
	ret->memcg = get(p, PAGE_MEMCG, page);
	ret->mapping = get(p, PAGE_MAPPING, page);
	ret->is_merged = ret->state == PAGE_TYPE_ANON &&
			 (ret->mapping & MAPPING_KIND) == (MAPPING_ANON | MAPPING_MOVABLE);
	ret->pool = ret->state == PAGE_TYPE_OTHER ? pool_of(p, page) : 0;
	if (p->marks.hugetlb.place == HUGETLB_SECOND_PAGE && ret->head_flags & p->marks.head_flag &&
	    may_be_hugetlb(ret->state)) {
		st = find_page(p, pfn + 1, &page);
		if (st == ST_OK && hugetlb_mark_has(&p->marks.hugetlb, NULL, page)) {
			ret->state = PAGE_TYPE_HUGETLB;
			ret->pool = 0;
		}
	}
	if ((ret->state != PAGE_TYPE_FILE && ret->state != PAGE_TYPE_HUGETLB) ||
	    ret->mapping & MAPPING_KIND)
		ret->mapping = 0;
	return st;
}

/* The first page of a compound page is read once for all pages behind it. */
static enum status read_tail(struct page_types *p, uint64_t head, struct page_info *ret)
{
	struct page_info first;
	const uint8_t *page;
	enum status st = ST_OK;

	if (p->head.head != head) {
		st = find_page(p, head, &page) ?: read_first(p, head, page, &first);
		if (st != ST_OK)
			return st;
		p->head = first;
	}
	first = p->head;
	first.flags = ret->flags;
	*ret = first;
	return ST_OK;
}

/* PagePoisoned() and, with _mapcount 0 and no user, what no page in use or free can be. */
static bool is_blank(const struct page_types *p, uint64_t flags, const uint8_t *page)
{
	return (!flags || flags == UINT64_MAX) && !memcmp(page, page + 1, p->bytes - 1);
}

/*
 * Of a page of hugetlb whose struct pages are one page of memory that is mapped again and again
 * (HUGETLB_PAGE_OPTIMIZE_VMEMMAP), each of these begins like the first: what is behind it names the head
 * (page_fixed_fake_head(), 5.18 to 7.0).
 */
static bool is_fake_head(struct page_types *p, uint64_t pfn, uint64_t flags, uint64_t *head)
{
	uint64_t at = p->base + (pfn - p->start) * p->bytes, compound;
	const uint8_t *page;

	if (!(flags & p->marks.head_flag) || at & (dump_page_size(p->dump) - 1) ||
	    find_page(p, pfn + 1, &page) != ST_OK)
		return false;
	compound = get(p, PAGE_COMPOUND, page);
	return compound & TAIL_BIT && head_of(p, pfn + 1, compound, head) == ST_OK && *head < pfn;
}

static enum status read_page(struct page_types *p, uint64_t pfn, struct page_info *ret)
{
	const uint8_t *page;
	uint64_t compound, head = pfn;
	enum status st = find_page(p, pfn, &page);

	if (st != ST_OK)
		return st;
	ret->flags = get(p, PAGE_FLAGS, page);
	if (is_blank(p, ret->flags, page))
		return dump_corrupt(p->dump, "struct page of pfn %#lx: each byte is %#x", pfn,
				    *page);
	compound = get(p, PAGE_COMPOUND, page);
	if (!(compound & TAIL_BIT)) {
		if (is_fake_head(p, pfn, ret->flags, &head)) {
			ret->flags &= ~p->marks.head_flag;
			return read_tail(p, head, ret);
		}
		st = find_page(p, pfn, &page);
		return st ?: read_first(p, pfn, page, ret);
	}
	return head_of(p, pfn, compound, &head) ?: read_tail(p, head, ret);
}

enum status page_type_at(struct page_types *p, uint64_t pfn, struct page_info *ret)
{
	enum status st = read_page(p, pfn, ret);

	if ((st != ST_CORRUPT && st != ST_UNREADABLE) || !memmap_is_offline(p->memmap, pfn))
		return st;
	*ret = (struct page_info){ .state = PAGE_TYPE_OTHER, .head = pfn };
	return ST_OK;
}

enum status page_type_users(struct page_types *p, uint64_t pfn, struct page_users *ret)
{
	const struct field *mapcount = &p->f[PAGE_MAPCOUNT], *refcount = &p->f[PAGE_REFCOUNT];
	const uint8_t *page;
	enum status st = ST_ABSENT;

	if (mapcount->present && refcount->present && mapcount->size == 4 && refcount->size == 4)
		st = find_page(p, pfn, &page);
	if (st != ST_OK)
		return st;
	ret->mapcount = (int32_t)field_get(mapcount, page);
	ret->refcount = (int32_t)field_get(refcount, page);
	return ST_OK;
}
