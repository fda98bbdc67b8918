// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/allocators.h"
#include "util/array.h"

#include <string.h>

static const struct {
	const char *name; /* one "*" stands for any text */
	const char *reason;
} rows[] = {
	{ "post_alloc_hook", "the page allocator: where page_owner is called" },
	{ "prep_new_page", "the page allocator" },
	{ "get_page_from_freelist", "the page allocator" },
	{ "__alloc_pages*", "the page allocator: __alloc_pages, _nodemask, _slowpath, _bulk, ..." },
	{ "__alloc_frozen_pages*", "the page allocator, without a reference (6.15)" },
	{ "alloc_frozen_pages*", "the same for a memory policy" },
	{ "alloc_pages*", "the page allocator: by node, by policy, in bulk, of an exact size" },
	{ "alloc_page", "one page of it" },
	{ "alloc_page_interleave", "the same, nodes in turn" },
	{ "folio_alloc*", "the page allocator's folios" },
	{ "__folio_alloc*", "the same" },
	{ "vma_alloc_folio*", "the same for a mapping" },
	{ "vma_alloc_zeroed_movable_folio*", "the same, zeroed" },
	{ "__get_free_page*", "the page allocator, by address" },
	{ "get_free_page*", "the same" },
	{ "get_zeroed_page*", "the same, zeroed" },
	{ "alloc_contig*", "ranges of pages" },
	{ "__alloc_contig*", "the same" },
	{ "cma_alloc*", "the contiguous memory allocator" },
	{ "__cma_alloc*", "the same" },
	{ "alloc_slab_page*", "slab: pages of a cache" },
	{ "allocate_slab*", "slab: pages of a cache" },
	{ "new_slab*", "slab: pages of a cache" },
	{ "cache_grow*", "SLAB (up to 6.7)" },
	{ "cache_alloc_refill*", "SLAB" },
	{ "____cache_alloc*", "SLAB" },
	{ "kmem_getpages*", "SLAB" },
	{ "fallback_alloc*", "SLAB" },
	{ "___slab_alloc*", "slab: an object for which there was no page" },
	{ "__slab_alloc*", "the same" },
	{ "slab_alloc*", "slab: an object" },
	{ "refill_objects*", "slab: sheaves (6.18)" },
	{ "refill_sheaf*", "slab: sheaves" },
	{ "alloc_full_sheaf*", "slab: sheaves" },
	{ "alloc_from_pcs*", "slab: sheaves" },
	{ "__pcs_replace_empty_main*", "slab: sheaves" },
	{ "kmem_cache_alloc*", "slab: an object of a cache" },
	{ "__kmem_cache_alloc*", "the same" },
	{ "__kmalloc*", "slab: an object of a size" },
	{ "___kmalloc*", "the same" },
	{ "__do_kmalloc*", "the same" },
	{ "kmalloc*", "the same" },
	{ "kzalloc*", "the same, zeroed" },
	{ "kcalloc*", "the same, an array" },
	{ "krealloc*", "the same, of another size" },
	{ "__do_krealloc*", "the same" },
	{ "kmemdup*", "a copy of memory" },
	{ "__kmemdup*", "the same" },
	{ "kstrdup*", "a copy of text" },
	{ "kstrndup*", "the same" },
	{ "kvmalloc*", "slab or vmalloc" },
	{ "__kvmalloc*", "the same" },
	{ "kvzalloc*", "the same" },
	{ "kvcalloc*", "the same" },
	{ "kvrealloc*", "the same" },
	{ "kvmemdup*", "the same" },
	{ "vmalloc*", "vmalloc" },
	{ "vzalloc*", "vmalloc, zeroed" },
	{ "__vmalloc*", "vmalloc: the parts that others call" },
	{ "vm_area_alloc_pages*", "vmalloc: its pages" },
	{ "vmap_small_pages*", "vmalloc: page tables of its area" },
	{ "vmap_pages*", "the same" },
	{ "__vmap_pages*", "the same" },
	{ "vmap_range*", "the same" },
	{ "execmem_*", "memory for code (6.9)" },
	{ "module_alloc*", "memory for code" },
	{ "pcpu_alloc*", "percpu" },
	{ "__alloc_percpu*", "percpu" },
	{ "pcpu_populate_chunk*", "percpu: pages of a chunk" },
	{ "pcpu_create_chunk*", "percpu: a chunk" },
	{ "pcpu_alloc_pages*", "percpu: pages" },
	{ "pcpu_mem_zalloc*", "percpu: what it keeps of chunks" },
	{ "dma_alloc_*", "memory for devices" },
	{ "dma_direct_alloc*", "the same" },
	{ "__dma_direct_alloc*", "the same" },
	{ "dma_pool_alloc*", "small memory for devices" },
	{ "dmam_alloc_*", "device memory, freed with the device" },
	{ "devm_k*alloc*", "memory freed with its device" },
	{ "devm_get_free_pages*", "the same" },
	{ "mempool_alloc*", "reserves of others' memory" },
	{ "mempool_kmalloc*", "the same" },
	{ "page_pool_alloc*", "pages that network drivers take again" },
	{ "__page_pool_alloc*", "the same" },
	{ "page_pool_dev_alloc*", "the same" },
	{ "page_frag_alloc*", "pieces of pages" },
	{ "__page_frag_*", "the same" },
	{ "skb_page_frag_refill*", "the same, for sockets" },
	{ "radix_tree_node_alloc*", "nodes of a tree" },
	{ "xas_alloc*", "nodes of an array" },
	{ "zs_malloc*", "zsmalloc" },
	{ "alloc_zspage*", "zsmalloc: its pages" },
	{ "alloc_zpdesc*", "the same" },
	/* Stacks of free pages begin with who frees for others. */
	{ "reset_page_owner", "page_owner itself, where it is not inlined" },
	{ "__reset_page_owner", "the same" },
	{ "free_pages", "the page allocator, by address" },
	{ "__free_pages", "the page allocator" },
	{ "__free_pages_ok", "the same" },
	{ "free_pages_exact", "the same, an exact size" },
	{ "free_pages_prepare", "the same: where page_owner is called" },
	{ "__free_pages_prepare", "the same (6.17)" },
	{ "free_the_page", "the same (5.0 to 6.9)" },
	{ "free_compound_page", "the same (up to 6.5)" },
	{ "free_pcp_prepare", "the page allocator, to lists of a CPU (up to 6.1)" },
	{ "free_unref_*", "the page allocator, to lists of a CPU" },
	{ "__free_unref_*", "the same" },
	{ "free_frozen_*", "the same, without a reference (6.14)" },
	{ "__free_frozen_*", "the same" },
	{ "__free_slab", "slab: pages of a cache" },
	{ "free_slab", "the same" },
	{ "rcu_free_slab", "the same, after a grace period" },
	{ "discard_slab", "the same" },
	{ "free_to_partial_list", "slab: an object, and with it its pages" },
	{ "unfreeze_partials", "slab: lists of a CPU (up to 6.17)" },
	{ "__unfreeze_partials", "the same" },
	{ "__put_partials", "the same (6.8)" },
	{ "put_cpu_partial", "the same" },
	{ "__slab_free", "slab: an object" },
	{ "slab_free*", "the same" },
	{ "do_slab_free", "the same" },
	{ "kmem_cache_free*", "slab: an object of a cache" },
	{ "__kmem_cache_free*", "the same" },
	{ "___cache_free*", "slab: an object that KASAN kept" },
	{ "kfree", "slab: an object of a size" },
	{ "kfree_sensitive", "the same, cleared" },
	{ "kvfree", "slab or vmalloc" },
	{ "vfree", "vmalloc" },
	{ "__vfree", "the same (up to 6.2)" },
	{ "__vunmap", "the same" },
	{ "register_dummy_stack", "page_owner itself: a stack that stands for none" },
	{ "__put_page", "the last reference of a page" },
	{ "__folio_put*", "the last reference of a folio" },
};

/* Without ".isra.0", ".constprop.0", ".cold" and so on. */
static size_t plain_length(const char *symbol)
{
	return strcspn(symbol, ".");
}

static bool is_one(const char *name, const char *symbol, size_t len)
{
	const char *star;
	size_t before;

	/* Nearly always: the names are a hundred, and the caller of each stack is looked for. */
	if (*name != *symbol)
		return false;
	star = strchr(name, '*');
	before = star ? (size_t)(star - name) : strlen(name);
	if (len < before || memcmp(name, symbol, before))
		return false;
	if (!star)
		return len == before;
	/* A second star is at the end: what is between must be in the rest. */
	for (size_t i = before; star[1]; i++) {
		size_t middle = strcspn(star + 1, "*");

		if (i + middle > len)
			return false;
		if (!memcmp(star + 1, symbol + i, middle))
			return true;
	}
	return true;
}

bool allocators_has(const char *symbol)
{
	static const char suffix[] = "_noprof";
	size_t len = plain_length(symbol), tail = sizeof(suffix) - 1;

	if (len > tail && !memcmp(symbol + len - tail, suffix, tail))
		len -= tail;
	return ANY_OF(i, ARRAY_SIZE(rows), is_one(rows[i].name, symbol, len));
}
