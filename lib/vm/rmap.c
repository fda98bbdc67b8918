// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/rmap.h"

#define MAX_VMAS 65536 /* of one tree: sysctl vm.max_map_count is 65530 for one process */

/* Low bits of page.mapping (include/linux/page-flags.h, 5.10 to 7.3). */
#define MAPPING_ANON 1
#define MAPPING_OTHER 2 /* of a driver; with the former: KSM */
#define MAPPING_BITS 3ULL

struct rmap_page {
	uint64_t mapping, index;
};

struct rmap_vma {
	uint64_t mm, start, end;
	uint64_t pgoff; /* of the pages that the tree is of */
};

struct rmap_vma_read {
	struct rmap_vma v;
	uint64_t anon_lo, anon_hi; /* 7.3: the offset of anonymous pages */
	bool has_anon;
};

struct rmap_link {
	uint64_t vma, pgd; /* of an anon_vma_chain, an mm_struct */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct rmap, page, "struct page"),
	READS(struct rmap_page, mapping, REQUIRED, "all", "mapping"),
	READS(struct rmap_page, index, REQUIRED, "6.16, all", "__folio_index", "index"),
	FINDS(struct rmap, anon_root, "struct anon_vma", REQUIRED, "all", "rb_root"),
	FINDS(struct rmap, file_root, "struct address_space", REQUIRED, "all", "i_mmap"),
	STRUCTURE(struct rmap, chain, "struct anon_vma_chain"),
	READS(struct rmap_link, vma, REQUIRED, "all", "vma"),
	FINDS(struct rmap, chain_node, "struct anon_vma_chain", REQUIRED, "3.7", "rb"),
	STRUCTURE(struct rmap, vma, "struct vm_area_struct"),
	FINDS(struct rmap, vma_node, "struct vm_area_struct", REQUIRED, "3.7", "shared.rb"),
	READS(struct rmap_vma_read, v.mm, REQUIRED, "all", "vm_mm"),
	READS(struct rmap_vma_read, v.start, REQUIRED, "all", "vm_start"),
	READS(struct rmap_vma_read, v.end, REQUIRED, "all", "vm_end"),
	READS(struct rmap_vma_read, v.pgoff, REQUIRED, "all", "vm_pgoff"),
	READS_IF(struct rmap_vma_read, anon_lo, has_anon, OPTIONAL, "7.3", "__vm_anon_pgoff_lo"),
	READS(struct rmap_vma_read, anon_hi, OPTIONAL, "7.3", "__vm_anon_pgoff_hi"),
	STRUCTURE(struct rmap, mm, "struct mm_struct"),
	READS(struct rmap_link, pgd, REQUIRED, "all", "pgd"),
};

struct rmap_tree {
	struct rmap_vma *vmas;
	size_t n;
	enum status st; /* ST_OK: these are all */
};

enum status rmap_open(struct dump *d, struct memmap *memmap, struct page_types *types,
		      struct rmap *ret)
{
	struct rmap r = { .dump = d, .memmap = memmap, .types = types };
	enum status st = STRUCTS_OPEN(d, rows, &r) ?: rb_types_open(d, &r.rb) ?:
		page_tables_open(d, &r.tables);

	if (st != ST_OK)
		return st;
	*ret = r;
	hash_u64_init(&ret->trees, d->arena, sizeof(struct rmap_tree));
	hash_u64_init(&ret->tops, d->arena, sizeof(uint64_t));
	return ST_OK;
}

static enum status add_vma(struct rmap *r, struct rmap_tree *t, uint64_t vma, bool anon)
{
	struct dump *d = r->dump;
	struct rmap_vma_read read;
	struct rmap_vma v;
	enum status st = struct_read(&r->vma, vma, &read);

	if (st != ST_OK)
		return st;
	v = read.v;
	if (anon && read.has_anon)
		v.pgoff = read.anon_lo | read.anon_hi << 32;
	if (v.start >= v.end || !v.mm || (v.start | v.end) & (dump_page_size(d) - 1))
		return dump_corrupt(d, "vm_area_struct at %#lx is from %#lx to %#lx", vma, v.start,
				    v.end);
	t->vmas = arena_more(d->arena, t->vmas, t->n, sizeof(*t->vmas));
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
	struct rmap_link link;

	if (!anon)
		return add_vma(r, t, node - r->vma_node.offset, false);
	return struct_read(&r->chain, node - r->chain_node.offset, &link)
		       ?: add_vma(r, t, link.vma, true);
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
			return dump_corrupt(d, "the interval tree at %#lx is too large", root);
		st = take_node(r, t, node, anon);
		keep_status(t, st);
	}
	return rb_end(&n);
}

static struct rmap_tree *tree_of(struct rmap *r, uint64_t mapping)
{
	bool is_new, anon = mapping & MAPPING_ANON;
	struct rmap_tree *t = hash_u64_get(&r->trees, mapping, &is_new);
	enum status st;

	if (!is_new)
		return t;
	st = read_tree(r, (mapping & ~MAPPING_BITS) + (anon ? r->anon_root : r->file_root).offset,
		       anon, t);
	keep_status(t, st);
	return t;
}

/* The top table of a process; 0: it is not in this dump. */
static uint64_t top_of(struct rmap *r, uint64_t mm)
{
	struct rmap_link link;
	bool is_new;
	uint64_t *top = hash_u64_get(&r->tops, mm, &is_new);

	if (is_new &&
	    (struct_read(&r->mm, mm, &link) != ST_OK || dump_phys(r->dump, link.pgd, top) != ST_OK))
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
		return dump_unreadable(r->dump, "no page tables of the mm_struct at %#lx", v->mm);
	st = page_tables_walk(r->dump, &tables, address, &phys);
	if (st != ST_OK)
		return st;
	return phys >> r->dump->page_shift == pfn ? ST_OK : ST_ABSENT;
}

static enum status read_page(struct rmap *r, uint64_t pfn, struct rmap_page *ret)
{
	struct page_info info;
	uint64_t page;
	enum status st = page_type_at(r->types, pfn, &info);

	if (st == ST_OK && info.state != PAGE_TYPE_ANON && info.state != PAGE_TYPE_FILE)
		st = dump_absent(r->dump, "the page is not one of a process");
	st = st ?: memmap_page(r->memmap, info.head, &page) ?: struct_read(&r->page, page, ret);
	if (st != ST_OK)
		return st;
	ret->index += pfn - info.head;
	if (!(ret->mapping & ~MAPPING_BITS) || ret->mapping & MAPPING_OTHER)
		return dump_absent(r->dump, ret->mapping & MAPPING_ANON
						    ? "KSM merged the page"
						    : "the page has no mapping");
	return ST_OK;
}

/* _mapcount begins at -1; of a large folio it has those that map this page alone. */
static enum status check_count(struct rmap *r, uint64_t pfn, int64_t found)
{
	struct page_users users;

	if (page_type_users(r->types, pfn, &users) != ST_OK || users.mapcount < found)
		return ST_OK;
	return dump_corrupt(r->dump,
			    "struct page of pfn %#lx counts %ld mappings, and page tables have %ld",
			    pfn, users.mapcount + 1L, found);
}

enum status rmap_walk(struct rmap *r, uint64_t pfn,
		      enum status (*visit)(void *arg, const struct rmap_user *user), void *arg)
{
	unsigned int shift = r->dump->page_shift;
	struct rmap_page page;
	struct rmap_tree *t;
	int64_t found = 0;
	enum status st = read_page(r, pfn, &page), ret;

	if (st != ST_OK)
		return st;
	t = tree_of(r, page.mapping);
	ret = t->st;
	if (ret != ST_OK)
		dump_fail(r->dump, ret, "a part of the interval tree at %#lx is not in this dump",
			  page.mapping);
	for (size_t i = 0; i < t->n; i++) {
		const struct rmap_vma *v = &t->vmas[i];
		struct rmap_user user = { .mm = v->mm };

		if (page.index < v->pgoff || page.index - v->pgoff >= (v->end - v->start) >> shift)
			continue;
		if (dump_stopped(r->dump))
			return ST_STOPPED;
		user.address = v->start + ((page.index - v->pgoff) << shift);
		st = check_table(r, v, user.address, pfn) ?: visit(arg, &user);
		if (st == ST_STOPPED)
			return st;
		found += st == ST_OK;
		if (st != ST_OK && st != ST_ABSENT)
			ret = st;
	}
	return ret ?: check_count(r, pfn, found);
}
