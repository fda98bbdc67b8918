// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vmalloc.h"

#include "pages/kernel_map.h"
#include "vm/percpu_chunks.h"

#define MAX_NODES 1024	   /* vmap_nodes: one for each CPU, at most 128 */
#define MAX_AREAS 50000000 /* vmalloc's 32 TiB in areas of 512 KiB; a machine has thousands */
#define MAX_PROBLEMS 1000  /* areas that cannot be read, before the list is given up */

#define VMAP_RAM 1 /* vmap_area.flags, 6.3: mm/vmalloc.c: add flags to mark vm_map_ram area */
/* The same member up to 5.3: mm/vmalloc.c: an area is freed, and unmapped later; it has a vm_struct. */
#define OLD_LAZY_FREE 2
#define OLD_VM_AREA 4

static const struct layout_row vm_rows[] = {
	STRUCTURE(struct vm_layout, vm, "struct vm_struct"),
	READS(struct vm_area, address, REQUIRED, "all", "addr"),
	READS(struct vm_area, size, REQUIRED, "all", "size"),
	READS(struct vm_area, flags, REQUIRED, "all", "flags"),
	READS(struct vm_area, pages, REQUIRED, "all", "pages"),
	READS(struct vm_area, nr_pages, REQUIRED, "all", "nr_pages"),
	READS(struct vm_area, caller, REQUIRED, "all", "caller"),
	READS(struct vm_area, phys, OPTIONAL, "all", "phys_addr"),
};

/* A struct vmap_area. */
struct vmap {
	uint64_t address, start, end, vm, flags, purge;
	uint8_t list[16];
};

struct walk {
	const struct vm_layout *l;
	struct dump *dump;
	struct structure area;
	struct field max_size;
	bool has_old_flags; /* up to 5.3 */
	uint64_t n;
	enum status (*visit)(void *arg, const struct vm_area *area);
	void *arg;
	unsigned int problems;
	struct first_problem problem;
};

static const struct layout_row area_rows[] = {
	STRUCTURE(struct walk, area, "struct vmap_area"),
	READS(struct vmap, start, REQUIRED, "all", "va_start"),
	READS(struct vmap, end, REQUIRED, "all", "va_end"),
	READS(struct vmap, list, REQUIRED, "all", "list"),
	READS(struct vmap, vm, REQUIRED, "all", "vm"),
	READS(struct vmap, flags, OPTIONAL, "to 5.3, 6.3", "flags"),
	FINDS(struct walk, max_size, "struct vmap_area", OPTIONAL, "5.2", "subtree_max_size"),
	LINKS(struct vmap, purge, OPTIONAL, "to 5.10", "purge_list"),
};

enum status vm_layout_open(struct dump *d, struct vm_layout *ret)
{
	struct vm_layout l = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, vm_rows, &l), ret, l);
}

enum status vm_area_read(const struct vm_layout *l, uint64_t vm, struct vm_area *ret)
{
	struct dump *d = l->dump;
	struct vm_area a = { .vm = vm };
	enum status st = struct_read(&l->vm, vm, &a);

	if (st != ST_OK)
		return st;
	if (a.address + a.size < a.address || a.pages & 7 ||
	    (a.pages && a.nr_pages > a.size >> d->page_shift))
		return dump_corrupt(d, "vm_struct at %#lx has %lu pages in %lu bytes", vm,
				    a.nr_pages, a.size);
	*ret = a;
	return ST_OK;
}

enum status vm_area_filled(struct dump *d, const struct vm_area *area, uint64_t *ret)
{
	uint64_t n = 0, page, most = area->size >> d->page_shift;
	enum status st = ST_OK;

	if (!(area->flags & VM_ALLOC) || !area->pages || area->nr_pages)
		most = 0;
	for (; n < most; n++) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = dump_u64(d, area->pages + n * 8, &page, "vm_struct.pages");
		if (st != ST_OK)
			return st;
		if (!page)
			break;
	}
	*ret = n;
	return ST_OK;
}

bool vm_area_owns(const struct vm_area *area)
{
	return area->flags & (VM_ALLOC | VM_MAP_PUT_PAGES) && area->pages && area->nr_pages;
}

uint64_t vm_area_mapped(struct dump *d, const struct vm_area *area)
{
	uint64_t guard = area->flags & VM_NO_GUARD ? 0 : dump_page_size(d);

	if (!(area->flags & VM_MAP) || area->flags & (VM_IOREMAP | VM_SPARSE) ||
	    vm_area_owns(area) || area->size <= guard)
		return 0;
	return area->size - guard;
}

/* Keeps the first problem: one unreadable part does not end the walk. */
static enum status keep_going(struct walk *w, enum status st)
{
	if (st != ST_UNREADABLE && st != ST_CORRUPT && st != ST_UNKNOWN)
		return st;
	first_problem_keep(w->dump, &w->problem, st);
	return ++w->problems < MAX_PROBLEMS ? ST_OK : st;
}

/* An area without a vm_struct: of vm_map_ram(), or freed and not unmapped yet. */
static enum status visit_ram(struct walk *w, uint64_t start, uint64_t end, bool is_lazy)
{
	const struct vm_area area = { .address = start, .size = end - start, .is_lazy = is_lazy };

	return w->l->visits_ram ? w->visit(w->arg, &area) : ST_OK;
}

static enum status visit_area(struct walk *w, const struct vmap *a)
{
	struct vm_area area;
	enum status st = vm_area_read(w->l, a->vm, &area);

	if (st == ST_OK && (area.address != a->start || area.size > a->end - a->start))
		st = dump_corrupt(w->dump, "vm_struct at %#lx is not of %#lx", a->vm, a->start);
	area.vmap = a->address;
	st = st ?: w->visit(w->arg, &area);
	return keep_going(w, st);
}

/* Up to 5.3 vm means nothing without the flag VM_VM_AREA; since 5.4 it is 0 of an area without. */
static enum status visit_busy(struct walk *w, const struct vmap *a)
{
	if (w->has_old_flags)
		return a->flags & OLD_VM_AREA
			       ? visit_area(w, a)
			       : visit_ram(w, a->start, a->end, a->flags & OLD_LAZY_FREE);
	if (a->vm)
		return visit_area(w, a);
	/* Without the flag it is being freed. */
	return !STRUCT_HAS(&w->area, struct vmap, flags) || a->flags & VMAP_RAM
		       ? visit_ram(w, a->start, a->end, false)
		       : ST_OK;
}

/*
 * One list, forward or, with link 8, backward: up to its end or to *bound, an address that was
 * reached from the other side.  Addresses rise from above 0, or fall: it cannot loop.
 */
static enum status walk_list(struct walk *w, uint64_t head, unsigned int link, uint64_t *bound)
{
	struct dump *d = w->dump;
	struct vmap a;
	uint64_t next, last = link ? UINT64_MAX : 0;
	enum status st = dump_u64(d, head + link, &next, "list of vmap_area");

	while (st == ST_OK && next != head) {
		uint64_t area = STRUCT_WITH(&w->area, struct vmap, list, next);

		if (dump_stopped(d))
			return ST_STOPPED;
		if (++w->n > MAX_AREAS)
			return dump_corrupt(d, "more than %u vmap_areas", MAX_AREAS);
		st = struct_read(&w->area, area, &a);
		if (st != ST_OK)
			break;
		next = le64(a.list + link);
		if (a.end <= a.start || (link ? a.start >= last : a.start <= last))
			return dump_corrupt(d, "vmap_area at %#lx is out of order", area);
		if (link && a.start <= *bound)
			break;
		last = a.start;
		if (!link)
			*bound = a.start;
		a.address = area;
		st = visit_busy(w, &a);
	}
	return st;
}

static enum status walk_both_ways(struct walk *w, uint64_t head)
{
	uint64_t bound = 0;
	enum status st = walk_list(w, head, 0, &bound);

	if (st != ST_UNREADABLE && st != ST_CORRUPT)
		return st;
	keep_going(w, st);
	return keep_going(w, walk_list(w, head, 8, &bound));
}

/*
 * Areas that were freed, and are unmapped together later: from the first node of their list, or of
 * that of purge_list, to end.  Their order is that of freeing up to 5.10.
 */
static enum status walk_freed(struct walk *w, uint64_t first, uint64_t end, bool is_purge)
{
	struct dump *d = w->dump;
	struct vmap a;
	uint64_t mark = 0;
	enum status st = ST_OK;

	for (uint64_t node = first, i = 0; st == ST_OK && node != end; i++) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (node == mark || i > MAX_AREAS)
			return dump_corrupt(d, "freed vmap_areas loop at %#lx", node);
		if (!(i & (i - 1))) /* a loop comes back to it */
			mark = node;
		st = struct_read(&w->area,
				 is_purge ? STRUCT_WITH(&w->area, struct vmap, purge, node)
					  : STRUCT_WITH(&w->area, struct vmap, list, node),
				 &a);
		if (st != ST_OK)
			break;
		node = is_purge ? a.purge : le64(a.list);
		if (a.end <= a.start)
			return dump_corrupt(d, "a freed vmap_area ends at %#lx", a.end);
		st = visit_ram(w, a.start, a.end, true);
	}
	return st;
}

/* A list_head of them. */
static enum status walk_freed_list(struct walk *w, uint64_t head)
{
	uint64_t first;
	enum status st = w->l->visits_ram ? dump_u64(w->dump, head, &first, "freed vmap_areas")
					  : ST_ABSENT;

	st = st ?: walk_freed(w, first, head, false);
	return st == ST_ABSENT ? ST_OK : keep_going(w, st);
}

/* 5.4 to 6.8: purge_vmap_area_list since 5.11. */
static enum status walk_purge_list(struct walk *w)
{
	struct dump *d = w->dump;
	uint64_t head, first;
	enum status st;

	if (!w->l->visits_ram || w->has_old_flags)
		return ST_OK;
	if (dump_symbol(d, "purge_vmap_area_list", &head) == ST_OK)
		return walk_freed_list(w, head);
	if (!STRUCT_HAS(&w->area, struct vmap, purge) ||
	    dump_symbol(d, "vmap_purge_list", &head) != ST_OK) {
		dump_lacks(d, "areas of vmalloc that are freed lazily", ST_UNKNOWN,
			   "unknown layout: no symbol purge_vmap_area_list or vmap_purge_list");
		return ST_OK;
	}
	st = dump_u64(d, head, &first, "vmap_purge_list") ?: walk_freed(w, first, 0, true);
	return keep_going(w, st);
}

struct lists {
	struct field busy, lazy;
};

static const struct layout_row node_rows[] = {
	FINDS(struct lists, busy, "struct vmap_node", REQUIRED, "6.9", "busy.head"),
	FINDS(struct lists, lazy, "struct vmap_node", OPTIONAL, "6.9", "lazy.head"),
};

/*
 * A kernel without SMP has the first node alone, and a compiler leaves out what points to it.
 * walk_both_ways() proves that it is one.
 */
static enum status find_nodes(struct dump *d, uint64_t *nodes, uint64_t *n)
{
	enum status st;

	*n = 1;
	if (!dump_has_symbol(d, "vmap_nodes") && !dump_has_symbol(d, "__per_cpu_offset"))
		return dump_symbol(d, "single", nodes);
	st = dump_value(d, "vmap_nodes", nodes) ?: dump_value(d, "nr_vmap_nodes", n);
	if (st == ST_OK && *n > MAX_NODES)
		st = dump_corrupt(d, "%lu vmap_nodes", *n);
	return st;
}

static enum status walk_nodes(struct walk *w)
{
	struct dump *d = w->dump;
	uint64_t nodes = 0, n = 0, bytes = 0;
	struct lists of;
	enum status st = STRUCTS_OPEN(d, node_rows, &of);

	if (st == ST_OK && dump_ask(d, type_size, "struct vmap_node", &bytes) != ST_OK)
		st = dump_unknown(d, "no size of struct vmap_node");
	st = st ?: find_nodes(d, &nodes, &n);
	for (uint64_t i = 0; st == ST_OK && i < n; i++) {
		st = walk_both_ways(w, nodes + i * bytes + of.busy.offset);
		if (st == ST_OK && of.lazy.present)
			st = walk_freed_list(w, nodes + i * bytes + of.lazy.offset);
	}
	return st;
}

enum status vm_areas_walk(const struct vm_layout *l,
			  enum status (*visit)(void *arg, const struct vm_area *area), void *arg)
{
	struct dump *d = l->dump;
	struct walk w = { .l = l, .dump = d, .visit = visit, .arg = arg };
	uint64_t head, bytes;
	enum status st = STRUCTS_OPEN(d, area_rows, &w);
	bool has_flags;

	if (st != ST_OK)
		return st;
	/* 5.4: mm/vmalloc: modify struct vmap_area to reduce its size: in one union with vm. */
	has_flags = STRUCT_HAS(&w.area, struct vmap, flags);
	w.has_old_flags = has_flags &&
			  (!w.max_size.present ||
			   w.max_size.offset != STRUCT_FIELD(&w.area, struct vmap, vm)->offset);
	decoder_trace(d, "decide flags of vmap_area: %s",
		      w.has_old_flags ? "VM_LAZY_FREE, VM_VM_AREA"
		      : has_flags     ? "VMAP_RAM"
				      : "none");
	if (dump_has_symbol(d, "vmap_nodes") ||
	    (!dump_has_symbol(d, "vmap_area_list") &&
	     dump_ask(d, type_size, "struct vmap_node", &bytes) == ST_OK)) {
		st = walk_nodes(&w);
	} else {
		st = dump_symbol(d, "vmap_area_list", &head) ?: walk_both_ways(&w, head) ?:
			walk_purge_list(&w);
	}
	decoder_trace(d, "decide %lu areas of vmalloc", w.n);
	return st ?: first_problem_end(d, &w.problem);
}

enum status vm_area_pages(struct dump *d, const struct vm_area *area, struct page_to_pfn *finder,
			  struct pfnset *ret)
{
	uint8_t raw[512 * 8];
	uint64_t pfn, done = 0;
	enum status st = ST_OK;

	/* A page has one owner. */
	if (area->nr_pages > finder->left)
		return dump_corrupt(d, "vm_struct at %#lx has %lu pages too many", area->vm,
				    area->nr_pages - finder->left);
	finder->left -= area->nr_pages;
	while (st == ST_OK && done < area->nr_pages) {
		uint64_t at = area->pages + done * 8;
		uint64_t n = (sizeof(raw) - (at & (sizeof(raw) - 1))) / 8;

		if (n > area->nr_pages - done)
			n = area->nr_pages - done;
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = dump_read(d, at, raw, n * 8, "vm_struct.pages")
			     ?: dump_check(d, at, raw, n * 8, "vm_struct.pages");
		for (uint64_t i = 0; st == ST_OK && i < n; i++) {
			uint64_t page = le64(raw + i * 8);

			/* An area that is being filled has none there yet. */
			if (!page)
				continue;
			st = page_to_pfn_find(finder, page, &pfn);
			if (st == ST_ABSENT)
				return dump_corrupt(d, "vm_struct at %#lx has a page at %#lx",
						    area->vm, page);
			if (st == ST_OK)
				pfnset_add(ret, pfn);
		}
		done += n;
	}
	return st;
}

#define MAX_PAGES (1ULL << 26) /* 256 GiB of addresses, for all chunks and CPUs */

void percpu_pages_open(struct dump *d, struct percpu_pages *ret)
{
	ret->dump = d;
	ret->left = MAX_PAGES;
	ret->maker = 0;
	if (dump_has_symbol(d, "pcpu_get_vm_areas"))
		dump_symbol(d, "pcpu_get_vm_areas", &ret->maker);
	ret->has_areas = ret->maker || dump_has_symbol(d, "__per_cpu_offset");
	/* Of one CPU per-CPU memory is in the direct map. */
	if (!ret->maker && dump_knows_symbol(d, "__per_cpu_offset"))
		dump_lacks(d, "areas of per-CPU memory", ST_UNKNOWN,
			   "unknown layout: no symbol pcpu_get_vm_areas");
	ret->has_tables = page_tables_open(d, &ret->tables) == ST_OK;
}

struct adder {
	struct dump *dump;
	struct pfnset *set;
};

static enum status add_page(void *arg, uint64_t phys)
{
	struct adder *a = arg;

	pfnset_add(a->set, phys >> a->dump->page_shift);
	return ST_OK;
}

enum status percpu_pages_add(struct percpu_pages *p, const struct vm_area *area, struct pfnset *ret)
{
	struct dump *d = p->dump;
	struct adder a = { d, ret };
	uint64_t mask = dump_page_size(d) - 1;

	if (!p->has_tables)
		return dump_fail(d, ST_UNKNOWN, "no page tables of a known architecture");
	if (area->size >> d->page_shift > p->left || (area->address | area->size) & mask)
		return dump_corrupt(d, "per-CPU memory of %lu bytes", area->size);
	p->left -= area->size >> d->page_shift;
	return page_tables_range(d, &p->tables, area->address, area->address + area->size, add_page,
				 &a);
}

static enum status add_block(void *arg, const struct percpu_chunk *chunk)
{
	struct adder *a = arg;
	struct dump *d = a->dump;
	uint64_t phys;
	enum status st;

	if (chunk->is_first)
		return ST_OK;
	st = direct_map_phys(d, chunk->base, &phys);
	if (st == ST_ABSENT || (st == ST_OK && phys & (dump_page_size(d) - 1)))
		return dump_corrupt(d, "pcpu_chunk at %#lx begins at %#lx", chunk->address,
				    chunk->base);
	for (uint64_t i = 0; st == ST_OK && i < chunk->pages; i++)
		st = add_page(a, phys + (i << d->page_shift));
	return st;
}

enum status percpu_pages_of_one_cpu(struct dump *d, struct pfnset *ret)
{
	struct adder a = { d, ret };

	if (dump_has_symbol(d, "__per_cpu_offset"))
		return dump_absent(d, "this kernel was built with CONFIG_SMP");
	return percpu_chunks_walk(d, add_block, &a);
}
