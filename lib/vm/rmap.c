// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/rmap.h"

#include <string.h>

#include "dump/layout.h"

#define MAX_VMAS 65536 /* of one tree: sysctl vm.max_map_count is 65530 for one process */

/* Low bits of page.mapping (include/linux/page-flags.h, 5.10 to 7.3). */
#define MAPPING_ANON 1
#define MAPPING_OTHER 2 /* of a driver; with the former: KSM */
#define MAPPING_BITS 3ULL

static const struct layout_row rows[RMAP_FIELDS] = {
	[RMAP_MAPPING] = { "struct page", { "mapping" }, REQUIRED, "all" },
	[RMAP_INDEX] = { "struct page", { "__folio_index", "index" }, REQUIRED, "6.16, all" },
	[RMAP_ANON_ROOT] = { "struct anon_vma", { "rb_root" }, REQUIRED, "all" },
	[RMAP_FILE_ROOT] = { "struct address_space", { "i_mmap" }, REQUIRED, "all" },
	[RMAP_AVC_VMA] = { "struct anon_vma_chain", { "vma" }, REQUIRED, "all" },
	[RMAP_AVC_NODE] = { "struct anon_vma_chain", { "rb" }, REQUIRED, "3.7" },
	[RMAP_VMA_NODE] = { "struct vm_area_struct", { "shared.rb" }, REQUIRED, "3.7" },
	[RMAP_VMA_MM] = { "struct vm_area_struct", { "vm_mm" }, REQUIRED, "all" },
	[RMAP_VMA_START] = { "struct vm_area_struct", { "vm_start" }, REQUIRED, "all" },
	[RMAP_VMA_END] = { "struct vm_area_struct", { "vm_end" }, REQUIRED, "all" },
	[RMAP_VMA_PGOFF] = { "struct vm_area_struct", { "vm_pgoff" }, REQUIRED, "all" },
	[RMAP_VMA_ANON_LO] = { "struct vm_area_struct", { "__vm_anon_pgoff_lo" }, OPTIONAL, "7.3" },
	[RMAP_VMA_ANON_HI] = { "struct vm_area_struct", { "__vm_anon_pgoff_hi" }, OPTIONAL, "7.3" },
	[RMAP_PGD] = { "struct mm_struct", { "pgd" }, REQUIRED, "all" },
};

struct rmap_vma {
	uint64_t mm, start, end;
	uint64_t pgoff; /* of the pages that the tree is of */
};

struct rmap_tree {
	struct rmap_vma *vmas;
	size_t n, room;
	enum status st; /* ST_OK: these are all */
};

enum status rmap_open(struct dump *d, struct memmap *memmap, struct page_types *types,
		      struct rmap *ret)
{
	struct rmap r = { .dump = d, .memmap = memmap, .types = types };
	enum status st = layout_resolve(d, rows, RMAP_FIELDS, r.f);

	if (st == ST_OK)
		st = layout_buffer(d, "struct vm_area_struct",
				   layout_span(&r.f[RMAP_VMA_NODE], RMAP_PGD - RMAP_VMA_NODE),
				   &r.vma);
	if (st == ST_OK)
		st = layout_buffer(d, "struct page", layout_span(r.f, RMAP_ANON_ROOT), &r.page);
	if (st == ST_OK)
		st = rb_types_open(d, &r.rb);
	if (st == ST_OK)
		st = page_tables_open(d, &r.tables);
	if (st != ST_OK)
		return st;
	*ret = r;
	hash_u64_init(&ret->trees, d->arena, sizeof(struct rmap_tree));
	hash_u64_init(&ret->tops, d->arena, sizeof(uint64_t));
	return ST_OK;
}

static enum status add_vma(struct rmap *r, struct rmap_tree *t, uint64_t vma, bool anon)
{
	const struct field *f = r->f;
	struct dump *d = r->dump;
	const uint8_t *raw = r->vma.raw;
	struct rmap_vma v, *vmas;
	enum status st = layout_read(d, vma, &r->vma, "vm_area_struct");

	if (st != ST_OK)
		return st;
	v = (struct rmap_vma){ .mm = field_get(&f[RMAP_VMA_MM], raw),
			       .start = field_get(&f[RMAP_VMA_START], raw),
			       .end = field_get(&f[RMAP_VMA_END], raw),
			       .pgoff = field_get(&f[RMAP_VMA_PGOFF], raw) };
	if (anon && f[RMAP_VMA_ANON_LO].present)
		v.pgoff = field_get(&f[RMAP_VMA_ANON_LO], raw) |
			  field_get(&f[RMAP_VMA_ANON_HI], raw) << 32;
	if (v.start >= v.end || !v.mm || (v.start | v.end) & (dump_page_size(d) - 1))
		return dump_fail(d, ST_CORRUPT, "vm_area_struct at %#llx is from %#llx to %#llx",
				 (unsigned long long)vma, (unsigned long long)v.start,
				 (unsigned long long)v.end);
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 4;

		vmas = dump_alloc(d, room * sizeof(*vmas));
		if (!vmas)
			return ST_NOMEM;
		if (t->n)
			memcpy(vmas, t->vmas, t->n * sizeof(*vmas));
		t->vmas = vmas;
		t->room = room;
	}
	t->vmas[t->n++] = v;
	return ST_OK;
}

/* What is missing costs the part of the tree below it; the first status is kept. */
static void keep_status(struct rmap_tree *t, enum status st)
{
	if (t->st == ST_OK)
		t->st = st;
}

static enum status take_node(struct rmap *r, struct rmap_tree *t, uint64_t node, bool anon)
{
	uint64_t vma;
	enum status st;

	if (!anon)
		return add_vma(r, t, node - r->f[RMAP_VMA_NODE].offset, false);
	st = dump_u64(r->dump, node - r->f[RMAP_AVC_NODE].offset + r->f[RMAP_AVC_VMA].offset, &vma,
		      "anon_vma_chain");
	return st == ST_OK ? add_vma(r, t, vma, true) : st;
}

static enum status read_tree(struct rmap *r, uint64_t root, bool anon, struct rmap_tree *t)
{
	struct dump *d = r->dump;
	struct rb_nodes n;
	size_t seen = 0;
	uint64_t node;
	enum status st = dump_u64(d, root, &node, "root of an interval tree");

	if (st != ST_OK)
		return st;
	rb_begin(&n, d, &r->rb, node, "interval tree");
	while (rb_next(&n, &node)) {
		if (++seen > MAX_VMAS)
			return dump_fail(d, ST_CORRUPT, "the interval tree at %#llx is too large",
					 (unsigned long long)root);
		st = take_node(r, t, node, anon);
		if (st == ST_NOMEM)
			return st;
		keep_status(t, st);
	}
	return rb_end(&n);
}

static struct rmap_tree *tree_of(struct rmap *r, uint64_t mapping)
{
	bool is_new, anon = mapping & MAPPING_ANON;
	struct rmap_tree *t = hash_u64_get(&r->trees, mapping, &is_new);
	enum status st;

	if (!t) {
		dump_no_memory(r->dump);
		return NULL;
	}
	if (!is_new)
		return t;
	st = read_tree(
		r, (mapping & ~MAPPING_BITS) + r->f[anon ? RMAP_ANON_ROOT : RMAP_FILE_ROOT].offset,
		anon, t);
	if (st == ST_NOMEM)
		return NULL;
	keep_status(t, st);
	return t;
}

/* The top table of a process; 0: it is not in this dump. */
static uint64_t top_of(struct rmap *r, uint64_t mm)
{
	bool is_new;
	uint64_t pgd, *top = hash_u64_get(&r->tops, mm, &is_new);

	if (!top)
		return 0;
	if (is_new && (dump_u64(r->dump, mm + r->f[RMAP_PGD].offset, &pgd, "mm_struct") != ST_OK ||
		       r->dump->ops->virt_to_phys(r->dump->priv, pgd, top) != ST_OK))
		*top = 0;
	return *top;
}

/* ST_ABSENT: the page table of the process has another page there, or none. */
static enum status check_table(struct rmap *r, const struct rmap_vma *v, uint64_t address,
			       uint64_t pfn)
{
	struct page_tables tables = r->tables;
	uint64_t phys;
	enum status st;

	tables.top = top_of(r, v->mm);
	if (!tables.top)
		return dump_fail(r->dump, ST_UNREADABLE, "no page tables of the mm_struct at %#llx",
				 (unsigned long long)v->mm);
	st = page_tables_walk(r->dump, &tables, address, &phys);
	if (st != ST_OK)
		return st;
	return phys >> r->dump->page_shift == pfn ? ST_OK : ST_ABSENT;
}

static enum status read_page(struct rmap *r, uint64_t pfn, uint64_t *mapping, uint64_t *index)
{
	struct page_info info;
	const uint8_t *raw = r->page.raw;
	uint64_t page;
	enum status st = page_type_at(r->types, pfn, &info);

	if (st == ST_OK && info.state != PAGE_TYPE_ANON && info.state != PAGE_TYPE_FILE)
		st = dump_fail(r->dump, ST_ABSENT, "the page is not one of a process");
	if (st == ST_OK)
		st = memmap_page(r->memmap, info.head, &page);
	if (st == ST_OK)
		st = layout_read(r->dump, page, &r->page, "page");
	if (st != ST_OK)
		return st;
	*mapping = field_get(&r->f[RMAP_MAPPING], raw);
	*index = field_get(&r->f[RMAP_INDEX], raw) + (pfn - info.head);
	if (!(*mapping & ~MAPPING_BITS) || *mapping & MAPPING_OTHER)
		return dump_fail(r->dump, ST_ABSENT,
				 *mapping & MAPPING_ANON ? "KSM merged the page"
							 : "the page has no mapping");
	return ST_OK;
}

enum status rmap_walk(struct rmap *r, uint64_t pfn,
		      enum status (*visit)(void *arg, const struct rmap_user *user), void *arg)
{
	unsigned int shift = r->dump->page_shift;
	uint64_t mapping, index;
	struct rmap_tree *t;
	enum status st = read_page(r, pfn, &mapping, &index), ret;

	if (st != ST_OK)
		return st;
	t = tree_of(r, mapping);
	if (!t)
		return ST_NOMEM;
	ret = t->st;
	if (ret != ST_OK)
		dump_fail(r->dump, ret, "a part of the interval tree at %#llx is not in this dump",
			  (unsigned long long)mapping);
	for (size_t i = 0; i < t->n; i++) {
		const struct rmap_vma *v = &t->vmas[i];
		struct rmap_user user = { .mm = v->mm };

		if (index < v->pgoff || index - v->pgoff >= (v->end - v->start) >> shift)
			continue;
		if (dump_stopped(r->dump))
			return ST_STOPPED;
		user.address = v->start + ((index - v->pgoff) << shift);
		st = check_table(r, v, user.address, pfn);
		if (st == ST_OK)
			st = visit(arg, &user);
		if (st == ST_NOMEM || st == ST_STOPPED)
			return st;
		if (st != ST_OK && st != ST_ABSENT)
			ret = st;
	}
	return ret;
}
