// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/places.h"

#include "collect/waits.h"

const char *const place_names[] = {
	"server",     "pipe",	  "lock",      "writeback", "page_fault", "exit",
	"mmap_lock",  "swap_in",  "allocator", "reclaim",   "compaction", "charge",
	"oom_killer", "oom_lock", "idle",      NULL,
};

const char *place_name(enum place place)
{
	return place == PLACE_NONE ? NULL : place_names[place - 1];
}

/* Names of all releases from 4.18 on; a page became a folio in 5.16 to 6.12. */
static const struct place_function {
	const char *name;
	enum place place;
} functions[] = {
	/* mm/oom_kill.c, mm/memcontrol.c */
	{ "out_of_memory", PLACE_OOM_KILLER },
	{ "oom_kill_process", PLACE_OOM_KILLER },
	{ "mem_cgroup_out_of_memory", PLACE_OOM_KILLER },
	{ "mem_cgroup_oom_synchronize", PLACE_OOM_KILLER },
	{ "oom_reap_task", PLACE_OOM_KILLER },
	{ "__oom_reap_task_mm", PLACE_OOM_KILLER },
	{ "try_charge", PLACE_CHARGE },
	{ "try_charge_memcg", PLACE_CHARGE },
	{ "mem_cgroup_try_charge", PLACE_CHARGE },
	{ "mem_cgroup_try_charge_delay", PLACE_CHARGE },
	{ "mem_cgroup_charge", PLACE_CHARGE },
	{ "__mem_cgroup_charge", PLACE_CHARGE },
	{ "charge_memcg", PLACE_CHARGE },
	{ "mem_cgroup_swapin_charge_page", PLACE_CHARGE },
	{ "mem_cgroup_swapin_charge_folio", PLACE_CHARGE },
	{ "mem_cgroup_charge_hugetlb", PLACE_CHARGE },
	{ "obj_cgroup_charge", PLACE_CHARGE },
	{ "obj_cgroup_charge_pages", PLACE_CHARGE },
	{ "__memcg_kmem_charge_page", PLACE_CHARGE },
	{ "mem_cgroup_handle_over_high", PLACE_CHARGE },
	{ "__mem_cgroup_handle_over_high", PLACE_CHARGE },
	/* mm/compaction.c, mm/page_alloc.c */
	{ "compact_zone", PLACE_COMPACTION },
	{ "compact_zone_order", PLACE_COMPACTION },
	{ "compact_node", PLACE_COMPACTION },
	{ "try_to_compact_pages", PLACE_COMPACTION },
	{ "__alloc_pages_direct_compact", PLACE_COMPACTION },
	{ "kcompactd_do_work", PLACE_COMPACTION },
	/* mm/vmscan.c */
	{ "try_to_free_pages", PLACE_RECLAIM },
	{ "try_to_free_mem_cgroup_pages", PLACE_RECLAIM },
	{ "do_try_to_free_pages", PLACE_RECLAIM },
	{ "__alloc_pages_direct_reclaim", PLACE_RECLAIM },
	{ "throttle_direct_reclaim", PLACE_RECLAIM },
	{ "reclaim_throttle", PLACE_RECLAIM },
	{ "balance_pgdat", PLACE_RECLAIM },
	{ "shrink_node", PLACE_RECLAIM },
	{ "shrink_slab", PLACE_RECLAIM },
	{ "node_reclaim", PLACE_RECLAIM },
	{ "__node_reclaim", PLACE_RECLAIM },
	{ "reclaim_pages", PLACE_RECLAIM },
	{ "reclaim_clean_pages_from_list", PLACE_RECLAIM },
	/* mm/page_alloc.c */
	{ "__alloc_pages_slowpath", PLACE_ALLOCATOR },
	{ "__alloc_pages_nodemask", PLACE_ALLOCATOR },
	{ "__alloc_pages", PLACE_ALLOCATOR },
	{ "__alloc_pages_noprof", PLACE_ALLOCATOR },
	{ "__alloc_frozen_pages_noprof", PLACE_ALLOCATOR },
	{ "__alloc_pages_bulk", PLACE_ALLOCATOR },
	{ "alloc_pages_bulk_noprof", PLACE_ALLOCATOR },
	/* mm/mmap.c, kernel/exit.c */
	{ "exit_mmap", PLACE_EXIT },
	{ "exit_mm", PLACE_EXIT },
	/* mm/memory.c, mm/hugetlb.c, arch/ */
	{ "handle_mm_fault", PLACE_PAGE_FAULT },
	{ "__handle_mm_fault", PLACE_PAGE_FAULT },
	{ "hugetlb_fault", PLACE_PAGE_FAULT },
	{ "do_user_addr_fault", PLACE_PAGE_FAULT },
	{ "__do_page_fault", PLACE_PAGE_FAULT },
	/* mm/page-writeback.c, mm/filemap.c, fs/fs-writeback.c */
	{ "folio_wait_writeback", PLACE_WRITEBACK },
	{ "folio_wait_writeback_killable", PLACE_WRITEBACK },
	{ "wait_on_page_writeback", PLACE_WRITEBACK },
	{ "folio_wait_stable", PLACE_WRITEBACK },
	{ "wait_for_stable_page", PLACE_WRITEBACK },
	{ "balance_dirty_pages", PLACE_WRITEBACK },
	{ "balance_dirty_pages_ratelimited", PLACE_WRITEBACK },
	{ "balance_dirty_pages_ratelimited_flags", PLACE_WRITEBACK },
	{ "do_writepages", PLACE_WRITEBACK },
	{ "wb_workfn", PLACE_WRITEBACK },
	{ "wb_wait_for_completion", PLACE_WRITEBACK },
	{ "__filemap_fdatawait_range", PLACE_WRITEBACK },
	{ "filemap_fdatawait_range", PLACE_WRITEBACK },
	{ "swap_writepage", PLACE_WRITEBACK },
	{ "swap_writeout", PLACE_WRITEBACK }, /* 6.16 */
};

static const struct thread_function {
	const char *name;
	enum thread_kind kind; /* of the thread that has it on its stack */
	bool is_idle;	       /* asleep in it, the thread waits for work */
} threads[] = {
	{ "kswapd", THREAD_KSWAPD, true },	   { "kswapd_try_to_sleep", THREAD_KSWAPD, true },
	{ "kcompactd", THREAD_KCOMPACTD, true },   { "oom_reaper", THREAD_OOM_REAPER, true },
	{ "balance_pgdat", THREAD_KSWAPD, false }, { "oom_reap_task", THREAD_OOM_REAPER, false },
};

static const char *const kinds[THREAD_KINDS] = {
	[THREAD_KSWAPD] = "kswapd",
	[THREAD_KCOMPACTD] = "kcompactd",
	[THREAD_OOM_REAPER] = "oom_reaper",
};

enum place place_of(const char *function)
{
	const struct place_function *f = FUNCTION_FIND(functions, function);

	return f ? f->place : wait_is_swap_in(function) ? PLACE_SWAP_IN : PLACE_NONE;
}

const char *thread_kind_name(enum thread_kind kind)
{
	return kinds[kind];
}

enum thread_kind thread_kind_of(const char *function)
{
	const struct thread_function *f = FUNCTION_FIND(threads, function);

	return f ? f->kind : THREAD_OTHER;
}

bool thread_is_idle(const char *function)
{
	const struct thread_function *f = FUNCTION_FIND(threads, function);

	return f && f->is_idle;
}
