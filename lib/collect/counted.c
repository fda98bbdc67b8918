// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/counted.h"

#include "collect/bpf.h"
#include "collect/opened_memory.h"
#include "collect/sockets.h"
#include "net/packet_ring.h"
#include "pools/brd.h"
#include "pools/dma_pools.h"
#include "pools/kvm_tables.h"
#include "pools/ttm.h"
#include "pools/xfs_buffers.h"
#include "pools/zfs_buffers.h"
#include "pools/zswap.h"
#include "symbols/symbolize.h"
#include "trace/trace_memory.h"
#include "vm/vmalloc.h"
#include "zones/vmstat.h"

const char *const counted_kind_names[] = { "ftrace", "perf",	 "packet", "bpf", "dma_pool",
					   "pipe",   "io_uring", "socket", "xfs", "zfs",
					   "brd",    "vmap",	 "ttm",	   "kvm", "zswap",
					   "vmstat", "slab",	 NULL };

/*
 * Pages of no page type that no list has.  Pages of an IOMMU's tables (nr_iommu_pages) are among those of
 * nr_sec_page_table_pages, as are those of KVM's.
 */
static const char *const items[] = {
	"nr_sec_page_table_pages",
	"nr_kernel_misc_reclaimable",
	"nr_bounce",
	"nr_writeback_temp",
	"nr_gpu_active",
	"nr_gpu_reclaim",
};

/* Pages of a holder, or of a socket. */
struct sum {
	uint64_t pages, others, unknown; /* by class */
	uint64_t again;			 /* of a holder before */
};

#define MAX_COMPOUND 1024 /* pages of a compound page that rings are in: order 10 */

struct collecting {
	struct dump *dump;
	const struct counted_from *from;
	struct counted *ret;
	struct page_to_pfn to_pfn;
	struct pfnset pages;
	enum counted_kind kind; /* of what is walked */
	struct sum sum;		/* of the parts up to now */
	const struct text_list *users;
	struct hash_bytes rows; /* index of the row of a kind, name and users */
	struct hash_u64 socks;	/* of struct sum by address of struct sock */
	struct hash_bytes names;
	struct symbolizer symbols; /* once there is what vmap() mapped */
	struct opened_memory opened;
	uint64_t unmapped, unknown; /* parts without a page; pages of unknown class */
	bool is_cut;		    /* a list is, and how long it is is unknown */
	struct first_problem problems[COUNTED_KINDS];
};

static struct counted_row *add_row(struct dump *d, struct counted *c, const struct counted_row *row)
{
	c->all = arena_more(d->arena, c->all, c->n, sizeof(*c->all));
	c->all[c->n] = *row;
	return &c->all[c->n++];
}

void counted_add(struct dump *d, struct counted *c, enum counted_kind kind, const char *name,
		 const char *counter, uint64_t pages)
{
	add_row(d, c,
		&(struct counted_row){ .kind = kind,
				       .name = name,
				       .counter = counter,
				       .counted = { pages, true },
				       .size = { pages, true } });
	c->only_counted += pages;
}

static enum page_record record_of(struct collecting *x, uint64_t pfn, uint32_t *handle)
{
	struct owner_record record;
	enum status st;

	*handle = 0;
	if (!x->from->owner)
		return RECORD_NONE;
	st = page_owner_look_up(x->from->owner, pfn, &record);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		return RECORD_UNKNOWN;
	if (st != ST_OK || !record.page.allocated)
		return RECORD_NONE;
	*handle = record.page.handle;
	return RECORD_LIVE;
}

static void add_pfn(struct collecting *x, struct sum *sum, uint64_t pfn)
{
	enum page_record record;
	enum page_class class = CLASS_UNKNOWN;
	struct page_info info;
	uint32_t handle;

	if (pfnset_has(&x->pages, pfn)) {
		sum->again++;
		return;
	}
	pfnset_add(&x->pages, pfn);
	if (page_type_at(x->from->session->types, pfn, &info) == ST_OK) {
		record = record_of(x, pfn, &handle);
		class = page_class_at(x->from->classes, &info, pfn, record, handle);
	}
	sum->pages += class == CLASS_DIRECT;
	sum->unknown += class == CLASS_UNKNOWN;
	sum->others += class != CLASS_DIRECT && class != CLASS_UNKNOWN;
}

/* The compound page that it is of, which is freed as a whole: more was allocated than rings need. */
static void add_compound(struct collecting *x, uint64_t pfn)
{
	struct page_types *types = x->from->session->types;
	struct page_info info, tail;

	if (page_type_at(types, pfn, &info) != ST_OK)
		return;
	for (uint64_t i = info.head; i < info.head + MAX_COMPOUND; i++) {
		if (page_type_at(types, i, &tail) != ST_OK || tail.head != info.head)
			return;
		if (!pfnset_has(&x->pages, i))
			add_pfn(x, &x->sum, i);
	}
}

static enum status add_part(void *arg, uint64_t address, uint64_t bytes)
{
	struct collecting *x = arg;
	struct dump *d = x->dump;
	uint64_t mask = dump_page_size(d) - 1, n, phys;

	n = ((address & mask) + bytes + mask) >> d->page_shift;
	if (x->kind == COUNTED_IO_URING && dump_phys(d, address, &phys) == ST_OK)
		add_compound(x, phys >> d->page_shift);
	for (uint64_t i = 0; i < n; i++) {
		if (dump_phys(d, (address & ~mask) + (i << d->page_shift), &phys) != ST_OK)
			x->unmapped++;
		else
			add_pfn(x, &x->sum, phys >> d->page_shift);
		if (dump_stopped(d))
			return ST_STOPPED;
	}
	return ST_OK;
}

static enum status add_page(void *arg, uint64_t page)
{
	struct collecting *x = arg;
	uint64_t pfn;
	enum status st = page_to_pfn_find(&x->to_pfn, page, &pfn);

	if (st == ST_ABSENT)
		return dump_corrupt(x->dump, "%#lx is no struct page", page);
	if (st == ST_OK)
		add_pfn(x, &x->sum, pfn);
	return st;
}

static void put_difference(struct counted_row *row, const struct sum *sum)
{
	row->has_difference = row->counted.known && row->has_pages;
	row->difference = (int64_t)(sum->pages + sum->others + sum->unknown + sum->again) -
			  (int64_t)row->counted.n;
}

/* Those of the same kind, name and users are one row where there may be thousands. */
static struct counted_row *row_of(struct collecting *x, const struct counted_row *row)
{
	const void *key[] = { counted_kind_names[row->kind], row->name, row->used_by };
	struct hash_bytes_entry *e;
	size_t *index;
	bool is_new;

	if (row->kind != COUNTED_PERF && row->kind != COUNTED_PIPE &&
	    row->kind != COUNTED_IO_URING && row->kind != COUNTED_SOCKET &&
	    row->kind != COUNTED_XFS && row->kind != COUNTED_VMAP)
		return add_row(x->dump, x->ret, row);
	e = hash_bytes_get(&x->rows, key, sizeof(key), &is_new);
	index = e->value;
	if (is_new) {
		*index = x->ret->n;
		return add_row(x->dump, x->ret, row);
	}
	struct counted_row *old = &x->ret->all[*index];

	old->address = 0;
	old->holders += row->holders;
	old->pages += row->pages;
	old->other_pages += row->other_pages;
	old->counted.n += row->counted.n;
	old->counted.known &= row->counted.known;
	old->difference += row->difference;
	old->has_difference &= row->has_difference;
	old->has_pages &= row->has_pages;
	return old;
}

static enum status end_holder(void *arg, const struct memory_holder *h)
{
	struct collecting *x = arg;
	struct counted_row row = { .kind = x->kind,
				   .name = h->name,
				   .counter = h->counted.known ? h->counter : NULL,
				   .address = h->address,
				   .sock = h->sock,
				   .release = h->release,
				   .holders = 1,
				   .is_listed = true,
				   .has_pages = !x->sum.unknown && !h->is_cut,
				   .pages = x->sum.pages,
				   .other_pages = x->sum.others,
				   .counted = { h->counted.n >> x->dump->page_shift,
						h->counted.known },
				   .used_by = x->users };

	put_difference(&row, &x->sum);
	if (x->sum.pages || x->sum.others || x->sum.unknown || x->sum.again || row.counted.n ||
	    h->is_cut)
		row_of(x, &row);
	x->ret->pages += x->sum.pages;
	x->unknown += x->sum.unknown;
	x->is_cut |= h->is_cut;
	x->sum = (struct sum){ 0 };
	return ST_OK;
}

static enum status keep(struct collecting *x, enum counted_kind kind, enum status st)
{
	return st == ST_ABSENT ? ST_OK : first_problem_keep(x->dump, &x->problems[kind], st);
}

/* What has a list of its own. */
static enum status walk_lists(struct collecting *x, const struct memory_parts *v)
{
	static const struct {
		enum counted_kind kind;
		enum status (*walk)(struct dump *d, const struct memory_parts *v);
	} lists[] = {
		{ COUNTED_FTRACE, trace_buffers_walk },
		{ COUNTED_FTRACE, ftrace_records_walk },
		{ COUNTED_FTRACE, saved_names_walk },
		{ COUNTED_PACKET, packet_rings_walk },
		{ COUNTED_BPF, bpf_rings_walk },
		{ COUNTED_DMA_POOL, dma_pools_walk },
		{ COUNTED_DMA_POOL, dma_atomic_pools_walk },
		{ COUNTED_XFS, xfs_buffers_walk },
		{ COUNTED_ZFS, zfs_buffers_walk },
		{ COUNTED_BRD, brd_walk },
	};
	enum status st = ST_OK;

	for (size_t i = 0; i < ARRAY_SIZE(lists) && st == ST_OK; i++) {
		x->kind = lists[i].kind;
		x->sum = (struct sum){ 0 };
		st = keep(x, x->kind, lists[i].walk(x->dump, v));
	}
	return st;
}

/* What is found by the files that have it open. */
static enum status walk_files(struct collecting *x, const struct memory_parts *v)
{
	static const enum counted_kind kinds[OPENED_KINDS] = {
		[OPENED_PERF] = COUNTED_PERF,
		[OPENED_PIPE] = COUNTED_PIPE,
		[OPENED_IO_URING] = COUNTED_IO_URING,
	};
	struct opened_memory *m = &x->opened;
	enum status st = opened_memory_read(x->dump, m);

	for (enum opened_kind i = 0; i < OPENED_KINDS; i++) {
		x->kind = kinds[i];
		x->problems[x->kind] = m->problems[i];
		for (const struct hash_u64_entry *e = m->all[i].first; e && st == ST_OK;
		     e = e->next) {
			x->users = file_users_list((const struct file_users *)e->value,
						   m->is_complete, x->from->lists);
			x->sum = (struct sum){ 0 };
			st = keep(x, x->kind, opened_memory_walk(m, i, e->key, v));
		}
	}
	x->users = NULL;
	return st;
}

/* Who has the map open, or what refers to it. */
static enum status name_bpf(struct collecting *x)
{
	struct counted *c = x->ret;
	struct bpf_objects all;
	bool has_rings = false;
	enum status st;

	for (size_t i = 0; i < c->n; i++)
		has_rings |= c->all[i].kind == COUNTED_BPF;
	st = has_rings ? bpf_collect(x->dump, &all) : ST_ABSENT;
	if (st != ST_OK)
		return keep(x, COUNTED_BPF, st);
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; c->all[i].kind == COUNTED_BPF && k < all.nmaps; k++)
			if (all.all[k].address == c->all[i].address)
				c->all[i].used_by = all.all[k].used_by;
	return all.is_partial ? ST_STOPPED : ST_OK;
}

static void add_packet_page(void *arg, uint64_t sock, uint64_t pfn)
{
	struct collecting *x = arg;

	add_pfn(x, hash_u64_get(&x->socks, sock, NULL), pfn);
}

/* Rings of packet sockets have no users of their own: those of their sockets. */
static void name_rings(struct collecting *x, const struct sockets *all)
{
	struct hash_u64 users; /* of pointers to text lists by address of struct sock */

	hash_u64_init(&users, x->dump->arena, sizeof(const struct text_list *));
	for (size_t i = 0; i < all->n; i++)
		*(const struct text_list **)hash_u64_get(&users, all->all[i]->sock.address,
							 NULL) = all->all[i]->used_by;
	for (size_t i = 0; i < x->ret->n; i++) {
		const struct text_list *const *of = hash_u64_find(&users, x->ret->all[i].sock);

		if (x->ret->all[i].sock && of)
			x->ret->all[i].used_by = *of;
	}
}

static enum status walk_sockets(struct collecting *x)
{
	struct dump *d = x->dump;
	struct sockets all;
	enum status st;

	hash_u64_init(&x->socks, d->arena, sizeof(struct sum));
	st = sockets_collect_pages(x->from->session, add_packet_page, x, &all);
	if (st != ST_OK)
		return keep(x, COUNTED_SOCKET, st);
	name_rings(x, &all);
	x->kind = COUNTED_SOCKET;
	for (size_t i = 0; i < all.n; i++) {
		const struct sum *sum = hash_u64_find(&x->socks, all.all[i]->sock.address);

		if (!sum)
			continue;
		x->sum = *sum;
		x->users = all.all[i]->used_by;
		end_holder(x, &(struct memory_holder){ .name = all.all[i]->protocol,
						       .address = all.all[i]->sock.address });
	}
	if (all.problem)
		return keep(x, COUNTED_SOCKET, dump_unreadable(d, "%s", all.problem));
	return all.is_partial ? ST_STOPPED : ST_OK;
}

/* What a list has was found before, and what is of another class has that. */
static enum status add_vmap(void *arg, const struct vm_area *area)
{
	struct collecting *x = arg;
	char text[640];
	const uint64_t mapped = vm_area_mapped(x->dump, area);
	enum status st;

	if (!mapped)
		return ST_OK;
	x->sum = (struct sum){ 0 };
	st = add_part(x, area->address, mapped);
	if (st != ST_OK || (!x->sum.pages && !x->sum.unknown))
		return st;
	if (!x->symbols.dump)
		symbolizer_open(x->dump, &x->symbols);
	function_text(symbolize(&x->symbols, area->caller), text, sizeof(text));
	return end_holder(
		x, &(struct memory_holder){ .name = intern(&x->names, text), .address = area->vm });
}

static enum status walk_vmaps(struct collecting *x)
{
	struct vm_layout layout;
	enum status st = vm_layout_open(x->dump, &layout);

	x->kind = COUNTED_VMAP;
	x->users = NULL;
	return keep(x, COUNTED_VMAP, st ?: vm_areas_walk(&layout, add_vmap, x));
}

static enum status read_ttm(struct collecting *x)
{
	uint64_t pages, max = session_end(x->from->session);
	enum status st = ST_OK;

	for (size_t i = 0; i < ARRAY_SIZE(ttm_counters) && st == ST_OK; i++) {
		const struct ttm_counter *c = &ttm_counters[i];

		st = ttm_counter_read(x->dump, c, max, &pages);
		if (st == ST_OK && pages)
			counted_add(x->dump, x->ret, COUNTED_TTM, c->name, c->variable, pages);
	}
	return keep(x, COUNTED_TTM, st);
}

static enum status read_kvm(struct collecting *x)
{
	uint64_t pages;
	enum status st = kvm_tables_read(x->dump, session_end(x->from->session), &pages);

	if (st == ST_OK && pages)
		counted_add(x->dump, x->ret, COUNTED_KVM, "page tables of virtual machines",
			    KVM_TABLES_COUNTER, pages);
	if (st == ST_OK && kvm_may_have_more(x->dump))
		st = dump_unknown(x->dump,
				  "page tables that the TDP MMU may have: no counter has them");
	return keep(x, COUNTED_KVM, st);
}

static enum status add_zswap(void *arg, const struct zswap_pool *pool)
{
	struct collecting *x = arg;
	uint64_t pages;
	enum status st = zswap_only_counted(x->dump, pool, &pages);

	if (st == ST_OK && pages)
		counted_add(x->dump, x->ret, COUNTED_ZSWAP,
			    dump_text(x->dump, "%s, %s", pool->allocator,
				      pool->compressor[0] ? pool->compressor : "?"),
			    "pages_nr", pages);
	return keep(x, COUNTED_ZSWAP, st);
}

static enum status read_items(struct collecting *x)
{
	struct counters *c = dump_alloc(x->dump, sizeof(*c));
	enum status st = counters_open(x->dump, c);
	int64_t pages;

	if (st == ST_OK && counter_read(c, "nr_gpu_active", &pages) == ST_ABSENT)
		st = read_ttm(x);
	if (st == ST_OK && counter_read(c, "nr_sec_page_table_pages", &pages) == ST_ABSENT)
		st = read_kvm(x);
	for (size_t i = 0; i < ARRAY_SIZE(items) && st == ST_OK; i++) {
		st = counter_read(c, items[i], &pages);
		if (st == ST_OK && pages > 0)
			counted_add(x->dump, x->ret, COUNTED_VMSTAT, items[i], items[i],
				    (uint64_t)pages);
		st = keep(x, COUNTED_VMSTAT, st);
	}
	return keep(x, COUNTED_VMSTAT, st);
}

/* What a list that could not be walked whole lacks of its counter may be there all the same. */
static bool is_cut(const struct collecting *x, const struct counted_row *row)
{
	return row->has_difference && row->difference < 0 &&
	       (x->problems[row->kind].text || x->unmapped);
}

static void put_sizes(struct collecting *x)
{
	const struct counted *c = x->ret;

	for (size_t i = 0; i < c->n; i++) {
		struct counted_row *row = &c->all[i];

		if (is_cut(x, row)) {
			row->has_pages = row->has_difference = false;
			x->is_cut = true;
		}
		row->size = row->is_listed ? (struct maybe_u64){ row->pages, row->has_pages }
					   : row->counted;
	}
}

static void put_gaps(struct collecting *x)
{
	struct counted *ret = x->ret;
	const struct first_problem *p = x->problems;
	const char *files = x->opened.is_complete ? NULL : x->opened.open.problem;
	const struct gap gaps[] = {
		GAP_WHY("pages of ftrace may be missing: %s", p[COUNTED_FTRACE].text),
		GAP_WHY("buffers of perf may be missing: %s", p[COUNTED_PERF].text),
		GAP_WHY("rings of packet sockets may be missing: %s", p[COUNTED_PACKET].text),
		GAP_WHY("ring buffers of BPF may be missing: %s", p[COUNTED_BPF].text),
		GAP_WHY("DMA pools may be missing: %s", p[COUNTED_DMA_POOL].text),
		GAP_WHY("pipes may be missing: %s", p[COUNTED_PIPE].text),
		GAP_WHY("rings of io_uring may be missing: %s", p[COUNTED_IO_URING].text),
		GAP_WHY("packets of sockets may be missing: %s", p[COUNTED_SOCKET].text),
		GAP_WHY("buffers of XFS may be missing: %s", p[COUNTED_XFS].text),
		GAP_WHY("buffers of ZFS may be missing: %s", p[COUNTED_ZFS].text),
		GAP_WHY("RAM disks (brd) may be missing: %s", p[COUNTED_BRD].text),
		GAP_WHY("what vmap() mapped may be missing: %s", p[COUNTED_VMAP].text),
		GAP_WHY("pages of TTM are unknown: %s", p[COUNTED_TTM].text),
		GAP_WHY("page tables of KVM are unknown: %s", p[COUNTED_KVM].text),
		GAP_WHY("pages of z3fold are unknown: %s", p[COUNTED_ZSWAP].text),
		GAP_WHY("items of /proc/vmstat may be missing: %s", p[COUNTED_VMSTAT].text),
		GAP_WHY("pipes, buffers of perf and rings of io_uring may be missing: %s", files),
		{ "%s of what is listed here are not mapped, or a page table is not in this dump",
		  x->unmapped, "page", "pages" },
		{ "the class of %s of what is listed here is unknown", x->unknown, "page",
		  "pages" },
	};

	ret->gaps = GAPS_OF(x->dump, gaps);
	ret->problem = files;
	for (unsigned int i = 0; i < COUNTED_KINDS && !ret->problem; i++)
		ret->problem = p[i].text;
	ret->has_counters = !p[COUNTED_VMSTAT].text && !p[COUNTED_TTM].text &&
			    !p[COUNTED_KVM].text && !p[COUNTED_ZSWAP].text;
	ret->has_classes = !x->unknown && !x->is_cut;
	if (!ret->problem && (x->unmapped || x->unknown))
		ret->problem = "some pages of a list are unknown";
	if (!ret->problem && ret->is_partial)
		ret->problem = "interrupted";
}

enum status counted_collect(const struct counted_from *from, struct counted *ret)
{
	struct dump *d = from->session->dump;
	struct collecting *x = dump_alloc(d, sizeof(*x));
	const struct memory_parts v = { add_part, add_page, end_holder, x };
	uint64_t end = session_end(from->session);
	enum status st = page_to_pfn_open(d, from->session->memmap, end, &x->to_pfn);

	if (st != ST_OK)
		return st;
	*ret = (struct counted){ 0 };
	x->dump = d;
	x->from = from;
	x->ret = ret;
	pfnset_init(&x->pages, d->arena, end);
	hash_bytes_init(&x->rows, d->arena, sizeof(size_t));
	hash_bytes_init(&x->names, d->arena, 1);
	st = walk_lists(x, &v) ?: walk_files(x, &v) ?: name_bpf(x) ?: walk_sockets(x) ?:
		walk_vmaps(x) ?: keep(x, COUNTED_ZSWAP, zswap_walk(d, add_zswap, x)) ?: read_items(x);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	ret->is_partial = st == ST_STOPPED;
	put_sizes(x);
	put_gaps(x);
	return ST_OK;
}
