// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/vmalloc.h"

#include "dump/field.h"
#include "util/endian.h"
#include "dump/layout.h"

#define MAX_NODES 1024 /* vmap_nodes: one for each CPU, at most 128 */
#define MAX_AREAS 50000000
#define MAX_PROBLEMS 1000
#define AREA_BYTES 256 /* struct vmap_area has 64 to 96, vm_struct 64 to 80 */

#define VMAP_RAM 1 /* vmap_area.flags, 6.3: mm/vmalloc.c: add flags to mark vm_map_ram area */
/* The same member up to 5.3: mm/vmalloc.c: an area is freed, and unmapped later; it has a vm_struct. */
#define OLD_LAZY_FREE 2
#define OLD_VM_AREA 4

static const struct layout_row vm_rows[VM_FIELDS] = {
	[VM_ADDR] = { "struct vm_struct", { "addr" }, REQUIRED, "all" },
	[VM_SIZE] = { "struct vm_struct", { "size" }, REQUIRED, "all" },
	[VM_FLAGS] = { "struct vm_struct", { "flags" }, REQUIRED, "all" },
	[VM_PAGES] = { "struct vm_struct", { "pages" }, REQUIRED, "all" },
	[VM_NR_PAGES] = { "struct vm_struct", { "nr_pages" }, REQUIRED, "all" },
	[VM_CALLER] = { "struct vm_struct", { "caller" }, REQUIRED, "all" },
	[VM_PHYS] = { "struct vm_struct", { "phys_addr" }, OPTIONAL, "all" },
};

enum { A_START, A_END, A_LIST, A_VM, A_FLAGS, A_MAX_SIZE, A_PURGE, A_FIELDS };

static const struct layout_row area_rows[A_FIELDS] = {
	[A_START] = { "struct vmap_area", { "va_start" }, REQUIRED, "all" },
	[A_END] = { "struct vmap_area", { "va_end" }, REQUIRED, "all" },
	[A_LIST] = { "struct vmap_area", { "list" }, REQUIRED, "all" },
	[A_VM] = { "struct vmap_area", { "vm" }, REQUIRED, "all" },
	[A_FLAGS] = { "struct vmap_area", { "flags" }, OPTIONAL, "to 5.3, 6.3" },
	[A_MAX_SIZE] = { "struct vmap_area", { "subtree_max_size" }, OPTIONAL, "5.2" },
	[A_PURGE] = { "struct vmap_area", { "purge_list" }, OPTIONAL, "to 5.10" },
};

struct walk {
	const struct vm_layout *l;
	struct dump *dump;
	struct field f[A_FIELDS];
	struct layout_buffer area, purged;
	bool has_old_flags; /* up to 5.3 */
	uint64_t n;
	enum status (*visit)(void *arg, const struct vm_area *area);
	void *arg;
	unsigned int problems;
	enum status problem; /* the first, with its text */
	const char *text;
};

enum status vm_layout_open(struct dump *d, struct vm_layout *ret)
{
	struct vm_layout l = { .dump = d };
	enum status st = layout_resolve(d, vm_rows, VM_FIELDS, l.f);

	if (st == ST_OK && layout_span(l.f, VM_FIELDS) > AREA_BYTES)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct vm_struct");
	if (st == ST_OK)
		*ret = l;
	return st;
}

enum status vm_area_read(const struct vm_layout *l, uint64_t vm, struct vm_area *ret)
{
	struct dump *d = l->dump;
	uint8_t raw[AREA_BYTES];
	struct vm_area a = { .vm = vm };
	enum status st = dump_read(d, vm, raw, layout_span(l->f, VM_FIELDS), "vm_struct");

	if (st != ST_OK)
		return st;
	a.address = field_get(&l->f[VM_ADDR], raw);
	a.size = field_get(&l->f[VM_SIZE], raw);
	a.flags = field_get(&l->f[VM_FLAGS], raw);
	a.pages = field_get(&l->f[VM_PAGES], raw);
	a.nr_pages = field_get(&l->f[VM_NR_PAGES], raw);
	a.caller = field_get(&l->f[VM_CALLER], raw);
	a.phys = field_get(&l->f[VM_PHYS], raw);
	if (a.address + a.size < a.address || a.pages & 7 ||
	    (a.pages && a.nr_pages > a.size >> d->page_shift))
		return dump_fail(d, ST_CORRUPT, "vm_struct at %#llx has %llu pages in %llu bytes",
				 (unsigned long long)vm, (unsigned long long)a.nr_pages,
				 (unsigned long long)a.size);
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

/* Keeps the first problem: one unreadable part does not end the walk. */
static enum status keep_going(struct walk *w, enum status st)
{
	if (st != ST_UNREADABLE && st != ST_CORRUPT && st != ST_UNKNOWN)
		return st;
	if (w->problem == ST_OK) {
		w->problem = st;
		w->text = arena_strdup(w->dump->arena, w->dump->error);
	}
	return ++w->problems < MAX_PROBLEMS ? ST_OK : st;
}

/* An area without a vm_struct: of vm_map_ram(), or freed and not unmapped yet. */
static enum status visit_ram(struct walk *w, uint64_t start, uint64_t end, bool is_lazy)
{
	const struct vm_area area = { .address = start, .size = end - start, .is_lazy = is_lazy };

	return w->l->visits_ram ? w->visit(w->arg, &area) : ST_OK;
}

static enum status visit_area(struct walk *w, uint64_t vm, uint64_t start, uint64_t end)
{
	struct vm_area area;
	enum status st = vm_area_read(w->l, vm, &area);

	if (st == ST_OK && (area.address != start || area.size > end - start))
		st = dump_fail(w->dump, ST_CORRUPT, "vm_struct at %#llx is not of %#llx",
			       (unsigned long long)vm, (unsigned long long)start);
	if (st == ST_OK)
		st = w->visit(w->arg, &area);
	return keep_going(w, st);
}

/* Up to 5.3 vm means nothing without the flag VM_VM_AREA; since 5.4 it is 0 of an area without. */
static enum status visit_busy(struct walk *w, const uint8_t *raw, uint64_t start, uint64_t end)
{
	uint64_t vm = field_get(&w->f[A_VM], raw), flags = field_get(&w->f[A_FLAGS], raw);

	if (w->has_old_flags)
		return flags & OLD_VM_AREA ? visit_area(w, vm, start, end)
					   : visit_ram(w, start, end, flags & OLD_LAZY_FREE);
	if (vm)
		return visit_area(w, vm, start, end);
	/* Without the flag it is being freed. */
	return !w->f[A_FLAGS].present || flags & VMAP_RAM ? visit_ram(w, start, end, false) : ST_OK;
}

/*
 * One list, forward or, with link 8, backward: up to its end or to *bound, an address that was
 * reached from the other side.  Addresses rise from above 0, or fall: it cannot loop.
 */
static enum status walk_list(struct walk *w, uint64_t head, unsigned int link, uint64_t *bound)
{
	struct dump *d = w->dump;
	const uint8_t *raw = w->area.raw;
	uint64_t next, last = link ? UINT64_MAX : 0;
	enum status st = dump_u64(d, head + link, &next, "list of vmap_area");

	while (st == ST_OK && next != head) {
		uint64_t area = next - w->f[A_LIST].offset, start, end;

		if (dump_stopped(d))
			return ST_STOPPED;
		if (++w->n > MAX_AREAS)
			return dump_fail(d, ST_CORRUPT, "more than %u vmap_areas", MAX_AREAS);
		st = layout_read(d, area, &w->area, "vmap_area");
		if (st != ST_OK)
			break;
		start = field_get(&w->f[A_START], raw);
		end = field_get(&w->f[A_END], raw);
		next = le64(raw + w->f[A_LIST].offset + link);
		if (end <= start || (link ? start >= last : start <= last))
			return dump_fail(d, ST_CORRUPT, "vmap_area at %#llx is out of order",
					 (unsigned long long)area);
		if (link && start <= *bound)
			break;
		last = start;
		if (!link)
			*bound = start;
		st = visit_busy(w, raw, start, end);
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
 * Areas that were freed, and are unmapped together later: a list of the member link, from its first node to
 * end.  Their order is that of freeing up to 5.10.
 */
static enum status walk_freed(struct walk *w, uint64_t first, uint64_t end,
			      const struct field *link)
{
	struct dump *d = w->dump;
	const uint8_t *raw = w->purged.raw;
	uint64_t mark = 0;
	enum status st = ST_OK;

	for (uint64_t node = first, i = 0; st == ST_OK && node != end; i++) {
		uint64_t from, to;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (node == mark || i > MAX_AREAS)
			return dump_fail(d, ST_CORRUPT, "freed vmap_areas loop at %#llx",
					 (unsigned long long)node);
		if (!(i & (i - 1))) /* a loop comes back to it */
			mark = node;
		st = layout_read(d, node - link->offset, &w->purged, "freed vmap_area");
		if (st != ST_OK)
			break;
		from = field_get(&w->f[A_START], raw);
		to = field_get(&w->f[A_END], raw);
		node = le64(raw + link->offset);
		if (to <= from)
			return dump_fail(d, ST_CORRUPT, "a freed vmap_area ends at %#llx",
					 (unsigned long long)to);
		st = visit_ram(w, from, to, true);
	}
	return st;
}

/* A list_head of them. */
static enum status walk_freed_list(struct walk *w, uint64_t head)
{
	uint64_t first;
	enum status st = w->l->visits_ram ? dump_u64(w->dump, head, &first, "freed vmap_areas")
					  : ST_ABSENT;

	if (st == ST_OK)
		st = walk_freed(w, first, head, &w->f[A_LIST]);
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
	if (!w->f[A_PURGE].present || dump_symbol(d, "vmap_purge_list", &head) != ST_OK) {
		dump_lacks(d, "areas of vmalloc that are freed lazily", ST_UNKNOWN,
			   "unknown layout: no symbol purge_vmap_area_list or vmap_purge_list");
		return ST_OK;
	}
	st = dump_u64(d, head, &first, "vmap_purge_list");
	if (st == ST_OK)
		st = walk_freed(w, first, 0, &w->f[A_PURGE]);
	return keep_going(w, st);
}

static enum status walk_nodes(struct walk *w)
{
	static const struct layout_row node_rows[] = {
		{ "struct vmap_node", { "busy.head" }, REQUIRED, "6.9" },
		{ "struct vmap_node", { "lazy.head" }, OPTIONAL, "6.9" },
	};
	struct dump *d = w->dump;
	uint64_t nodes = 0, n = 0, bytes = 0;
	struct field f[2];
	enum status st = layout_resolve(d, node_rows, 2, f);

	if (st == ST_OK && d->ops->type_size(d->priv, "struct vmap_node", &bytes) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct vmap_node");
	if (st == ST_OK)
		st = dump_value(d, "vmap_nodes", &nodes);
	if (st == ST_OK)
		st = dump_value(d, "nr_vmap_nodes", &n);
	if (st == ST_OK && n > MAX_NODES)
		st = dump_fail(d, ST_CORRUPT, "%llu vmap_nodes", (unsigned long long)n);
	for (uint64_t i = 0; st == ST_OK && i < n; i++) {
		st = walk_both_ways(w, nodes + i * bytes + f[0].offset);
		if (st == ST_OK && f[1].present)
			st = walk_freed_list(w, nodes + i * bytes + f[1].offset);
	}
	return st;
}

enum status vm_areas_walk(const struct vm_layout *l,
			  enum status (*visit)(void *arg, const struct vm_area *area), void *arg)
{
	struct dump *d = l->dump;
	struct walk w = { .l = l, .dump = d, .visit = visit, .arg = arg };
	uint64_t head;
	enum status st = layout_resolve(d, area_rows, A_FIELDS, w.f);

	if (st == ST_OK && w.f[A_LIST].size != 16)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct vmap_area");
	for (unsigned int i = 0; i < 2 && st == ST_OK; i++)
		st = layout_buffer(d, "struct vmap_area", layout_span(w.f, A_FIELDS),
				   i ? &w.purged : &w.area);
	if (st != ST_OK)
		return st;
	/* 5.4: mm/vmalloc: modify struct vmap_area to reduce its size: in one union with vm. */
	w.has_old_flags = w.f[A_FLAGS].present &&
			  (!w.f[A_MAX_SIZE].present || w.f[A_MAX_SIZE].offset != w.f[A_VM].offset);
	decoder_trace(d, "decide flags of vmap_area: %s",
		      w.has_old_flags	     ? "VM_LAZY_FREE, VM_VM_AREA"
		      : w.f[A_FLAGS].present ? "VMAP_RAM"
					     : "none");
	if (dump_has_symbol(d, "vmap_nodes")) {
		st = walk_nodes(&w);
	} else {
		st = dump_symbol(d, "vmap_area_list", &head);
		if (st == ST_OK)
			st = walk_both_ways(&w, head);
		if (st == ST_OK)
			st = walk_purge_list(&w);
	}
	decoder_trace(d, "decide %llu areas of vmalloc", (unsigned long long)w.n);
	if (st == ST_OK && w.problem != ST_OK)
		return dump_fail(d, w.problem, "%s", w.text ? w.text : "out of memory");
	return st;
}

enum status vm_area_pages(struct dump *d, const struct vm_area *area, struct page_to_pfn *finder,
			  struct pfnset *ret)
{
	uint8_t raw[512 * 8];
	uint64_t pfn, done = 0;
	enum status st = ST_OK;

	/* A page has one owner. */
	if (area->nr_pages > finder->left)
		return dump_fail(d, ST_CORRUPT, "vm_struct at %#llx has %llu pages too many",
				 (unsigned long long)area->vm,
				 (unsigned long long)(area->nr_pages - finder->left));
	finder->left -= area->nr_pages;
	while (st == ST_OK && done < area->nr_pages) {
		uint64_t at = area->pages + done * 8;
		uint64_t n = (sizeof(raw) - (at & (sizeof(raw) - 1))) / 8;

		if (n > area->nr_pages - done)
			n = area->nr_pages - done;
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = dump_read(d, at, raw, n * 8, "vm_struct.pages");
		for (uint64_t i = 0; st == ST_OK && i < n; i++) {
			uint64_t page = le64(raw + i * 8);

			/* An area that is being filled has none there yet. */
			if (!page)
				continue;
			st = page_to_pfn_find(finder, page, &pfn);
			if (st == ST_ABSENT)
				return dump_fail(
					d, ST_CORRUPT, "vm_struct at %#llx has a page at %#llx",
					(unsigned long long)area->vm, (unsigned long long)page);
			if (st == ST_OK && !pfnset_add(ret, pfn))
				st = dump_no_memory(d);
		}
		done += n;
	}
	return st;
}
