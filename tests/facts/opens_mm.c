// SPDX-License-Identifier: GPL-2.0-or-later
#include "opens_table.h"

#include "kernel/gfp_flags.h"
#include "zones/alloc_request.h"
#include "pools/balloon.h"
#include "pools/cma.h"
#include "vm/dma_buf_users.h"
#include "vm/file_maps.h"
#include "pages/flatmem.h"
#include "buddy/free_area.h"
#include "pages/hugetlb.h"
#include "slab/kasan.h"
#include "pages/kernel_map.h"
#include "pages/kfence.h"
#include "slab/kmemleak.h"
#include "cgroup/memcg.h"
#include "cgroup/memcg_charges.h"
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"
#include "pages/memmap.h"
#include "slab/cache_objects.h"
#include "vm/mm_holders.h"
#include "page_owner/page_ext.h"
#include "pages/page_flags.h"
#include "pages/page_mapcount.h"
#include "page_owner/page_owner.h"
#include "page_owner/page_owner_stacks.h"
#include "pools/page_pools.h"
#include "pages/page_type.h"
#include "pages/pageblock.h"
#include "buddy/pcp_lists.h"
#include "vm/percpu_allocations.h"
#include "vm/percpu_chunks.h"
#include "pages/pgtable.h"
#include "zones/reclaim.h"
#include "vm/rmap.h"
#include "slab/slub.h"
#include "pages/sparsemem.h"
#include "pools/swap_areas.h"
#include "zones/system_ram.h"
#include "vm/vm_fault.h"
#include "vm/vma.h"
#include "vm/vmalloc.h"
#include "zones/vmstat.h"
#include "zones/zones.h"
#include "pools/zram.h"
#include "pools/zswap.h"

#define OPENS(X)                                  \
	X(counters_open, struct counters)         \
	X(file_maps_open, struct file_maps)       \
	X(flatmem_open, struct flatmem)           \
	X(kasan_open, struct kasan)               \
	X(kfence_open, struct kfence)             \
	X(memcg_states_open, struct memcg_states) \
	X(memcgs_open, struct memcgs)             \
	X(memmap_open, struct memmap)             \
	X(mmap_locks_open, struct mmap_locks)     \
	X(nodes_open, struct nodes)               \
	X(page_ext_open, struct page_ext)         \
	X(page_pools_open, struct page_pools)     \
	X(page_tables_open, struct page_tables)   \
	X(pageflags_open, struct pageflags)       \
	X(percpu_first_read, struct percpu_first) \
	X(ram_open, struct ram)                   \
	X(reclaim_open, struct node_reclaims)     \
	X(sections_open, struct sections)         \
	X(slub_tracks_open, struct slub_tracks)   \
	X(stack_list_open, struct stack_list)     \
	X(swap_totals_read, struct swap_totals)   \
	X(vm_layout_open, struct vm_layout)       \
	X(vmas_open, struct vmas)                 \
	X(zone_states_open, struct zone_states)   \
	X(zones_open, struct zones)

#define WALKS(X)                                                     \
	X(balloons_walk, const struct balloon *)                     \
	X(cma_walk, const struct cma_area *)                         \
	X(hugetlb_walk, const struct hugetlb_pool *)                 \
	X(percpu_allocations_walk, const struct percpu_allocation *) \
	X(percpu_chunks_walk, const struct percpu_chunk *)           \
	X(percpu_modules_walk, const struct percpu_module *)         \
	X(swap_areas_walk, const struct swap_area *)                 \
	X(zram_walk, const struct zram_device *)                     \
	X(zswap_walk, const struct zswap_pool *)

// clang-format off
OPENS(DEFINE_OPEN)
WALKS(DEFINE_WALK)
// clang-format on

static enum status visit_leak(void *arg NOT_USED, const struct kmemleak_object *o NOT_USED)
{
	return ST_OK;
}

static enum status run_kmemleak_walk(struct dump *d)
{
	bool has_frames;

	return kmemleak_walk(d, &has_frames, visit_leak, NULL);
}

static enum status visit_mm(void *arg NOT_USED, uint64_t mm NOT_USED)
{
	return ST_OK;
}

static enum status run_mm_objects_walk(struct dump *d)
{
	OPENED(struct cache_objects);
	return mm_objects_walk(d, visit_mm, NULL, &v);
}

static enum status run_kernel_map_open(struct dump *d)
{
	return kernel_map_open(d);
}

static enum status run_page_owner_open(struct dump *d)
{
	enum availability why;

	OPENED(struct page_owner);
	return page_owner_open(d, &v, &why);
}

/* Where struct page is matters to no layout. */
static struct memmap *no_memmap(struct dump *d NOT_USED)
{
	OPENED(struct memmap);
	return &v;
}

static enum status run_page_types_open(struct dump *d)
{
	OPENED(struct page_types);
	return page_types_open(d, no_memmap(d), &v);
}

static enum status run_page_mapcounts_open(struct dump *d)
{
	static struct page_types types;
	enum status st = page_types_open(d, no_memmap(d), &types);

	OPENED(struct page_mapcounts);
	return st == ST_OK ? page_mapcounts_open(&types, &v) : st;
}

static enum status run_rmap_open(struct dump *d)
{
	static struct page_types types;
	struct memmap *memmap = no_memmap(d);
	enum status st = page_types_open(d, memmap, &types);

	OPENED(struct rmap);
	return st == ST_OK ? rmap_open(d, memmap, &types, &v) : st;
}

static enum status run_free_areas_open(struct dump *d)
{
	static struct page_types types;
	enum status st = page_types_open(d, no_memmap(d), &types);

	OPENED(struct free_areas);
	return st == ST_OK ? free_areas_open(d, &types, 1ULL << 40, &v) : st;
}

static enum status run_slabs_open(struct dump *d)
{
	OPENED(struct slabs);
	return slabs_open(d, no_memmap(d), &v);
}

static enum status run_memcg_charges_open(struct dump *d)
{
	static struct memcgs memcgs;
	enum status st = memcgs_open(d, &memcgs);

	OPENED(struct memcg_charges);
	return st == ST_OK ? memcg_charges_open(d, &memcgs, NULL, &v) : st;
}

static enum status run_memcg_counts_read(struct dump *d)
{
	static const struct memcg_counter kinds[] = { { { "NR_ANON_MAPPED" } } };

	OPENED(struct memcg_tree);
	return memcg_counts_read(d, kinds, 1, 1ULL << 30, &v);
}

static enum status run_memcg_events_read(struct dump *d)
{
	OPENED(struct memcg_tree);
	return memcg_events_read(d, &v);
}

static enum status run_pcp_lists_open(struct dump *d)
{
	OPENED(struct pcp_lists);
	return pcp_lists_open(d, 1 << 20, &v);
}

static enum status run_pageblocks_open(struct dump *d)
{
	static struct memmap memmap;
	static struct zones zones;
	enum status st = memmap_open(d, &memmap);

	OPENED(struct pageblocks);
	return st == ST_OK ? pageblocks_open(d, &memmap, &zones, &v) : st;
}

static enum status run_alloc_kernel_open(struct dump *d)
{
	static struct names names;

	OPENED(struct alloc_kernel);
	names_open(d, &names);
	return alloc_kernel_open(d, &names, &v);
}

static enum status run_vm_events_read(struct dump *d)
{
	struct vm_event *events;
	size_t n;

	return vm_events_read(d, &events, &n);
}

static enum status run_vm_faults_open(struct dump *d)
{
	static struct vmas vmas;
	enum status st = vmas_open(d, &vmas);

	OPENED(struct vm_faults);
	return st == ST_OK ? vm_faults_open(d, &vmas, &v) : st;
}

static enum status run_dma_buf_users_read(struct dump *d)
{
	OPENED(struct dma_buf_users);
	return dma_buf_users_read(d, 0, &v);
}

// clang-format off
const struct open_function opens_of_mm[] = {
	OPENS(NAME)
	WALKS(NAME)
	OWN(alloc_kernel_open),
	OWN(dma_buf_users_read),
	OWN(free_areas_open),
	OWN(kernel_map_open),
	OWN(kmemleak_walk),
	OWN(memcg_charges_open),
	OWN(memcg_counts_read),
	OWN(memcg_events_read),
	OWN(mm_objects_walk),
	OWN(page_mapcounts_open),
	OWN(page_owner_open),
	OWN(page_types_open),
	OWN(pageblocks_open),
	OWN(pcp_lists_open),
	OWN(rmap_open),
	OWN(slabs_open),
	OWN(vm_events_read),
	OWN(vm_faults_open),
	{ 0 },
};
// clang-format on
