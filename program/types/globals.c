// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/globals.h"

#define MOST_BYTES (1ULL << 26) /* of one array */
#define ARRAY_BYTES \
	8192 /* a pointer has no such distance to the next symbol: sections align to a page */

enum shape {
	IS_NUMBER,
	IS_POINTER,
	IS_STRUCT,
	IS_ARRAY,
	IS_ARRAY_OF_POINTERS,
	IS_ARRAY_OF_STRUCTS,
	IS_POINTER_OR_ARRAY, /* a pointer, or an array of pointers, or of structures of the type */
};

struct global {
	const char *name;
	enum shape shape;
	uint8_t size;	   /* bytes of a number, of an element; 0: those of the type */
	const char *type;  /* of a structure, of an element */
	const char *count; /* the enumerator that is the number of elements; NULL: by distance */
};

/* In order of names. */
static const struct global globals[] = {
#define NUMBER(name, bytes)                        \
	{                                          \
		name, IS_NUMBER, bytes, NULL, NULL \
	}
#define POINTER(name)                           \
	{                                       \
		name, IS_POINTER, 8, NULL, NULL \
	}
	NUMBER("__highest_present_section_nr", 8),
	POINTER("__kfence_pool"),
	{ "__per_cpu_offset", IS_ARRAY, 8, NULL, NULL },
	NUMBER("__sched_clock_offset", 8),
	NUMBER("_debug_guardpage_minorder", 4),
	{ "_totalram_pages", IS_STRUCT, 8, NULL, NULL },
	POINTER("alloc_tag_cttype"),
	NUMBER("alloc_tag_ref_mask", 8),
	NUMBER("alloc_tag_ref_offs", 4),
	{ "cached_stacks", IS_ARRAY_OF_POINTERS, 8, NULL, NULL },
	NUMBER("cgroup_memory_noswap", 1),
	NUMBER("cma_area_count", 4),
	NUMBER("depot_index", 4),
	NUMBER("depot_offset", 8),
	NUMBER("do_swap_account", 4),
	NUMBER("dummy_handle", 4),
	NUMBER("early_handle", 4),
	NUMBER("extra_mem", 8),
	NUMBER("failure_handle", 4),
	NUMBER("hugetlb_max_hstate", 4),
	NUMBER("jiffies", 8),
	NUMBER("jiffies_64", 8),
	{ "kfence_metadata", IS_POINTER_OR_ARRAY, 8, "struct kfence_metadata", NULL },
	NUMBER("khugepaged_full_scans", 4),
	NUMBER("khugepaged_pages_collapsed", 4),
	POINTER("khugepaged_thread"),
	POINTER("kmem_cache"),
	NUMBER("kmemleak_enabled", 4),
	POINTER("log_buf"),
	NUMBER("log_buf_len", 4),
	NUMBER("log_first_idx", 4),
	NUMBER("log_first_seq", 8),
	NUMBER("log_next_idx", 4),
	NUMBER("log_next_seq", 8),
	NUMBER("max_pfn", 8),
	{ "mem_cgroup_events_index", IS_ARRAY, 0, NULL, "NR_VM_EVENT_ITEMS" },
	{ "mem_cgroup_stats_index", IS_ARRAY, 0, NULL, "MEMCG_NR_STAT" },
	NUMBER("mem_profiling_support", 1),
	{ "mem_section", IS_POINTER, 8, NULL, NULL },
	NUMBER("memstart_addr", 8),
	NUMBER("memcg_nr_cache_ids", 4),
	{ "migrate_reason_names", IS_ARRAY_OF_POINTERS, 8, NULL, "MR_TYPES" },
	{ "migratetype_names", IS_ARRAY_OF_POINTERS, 8, NULL, "MIGRATE_TYPES" },
	NUMBER("min_low_pfn", 8),
	POINTER("mm_cachep"),
	POINTER("new_pool"),
	{ "node_data", IS_ARRAY_OF_POINTERS, 8, NULL, NULL },
	NUMBER("nr_cpu_ids", 4),
	NUMBER("nr_node_ids", 4),
	NUMBER("nr_swapfiles", 4),
	{ "nr_swapper_spaces", IS_ARRAY, 4, NULL, NULL },
	NUMBER("nr_threads", 4),
	NUMBER("nr_vmap_nodes", 4),
	NUMBER("page_ext_size", 8),
	NUMBER("page_group_by_mobility_disabled", 4),
	NUMBER("page_offset_base", 8),
	NUMBER("pageblock_order", 4),
	POINTER("pcpu_base_addr"),
	POINTER("pcpu_chunk_lists"),
	POINTER("pcpu_first_chunk"),
	NUMBER("pcpu_nr_populated", 8),
	NUMBER("pcpu_nr_slots", 4),
	NUMBER("pcpu_nr_units", 4),
	POINTER("pcpu_reserved_chunk"),
	POINTER("pcpu_slot"),
	NUMBER("pcpu_unit_pages", 4),
	{ "pff", IS_ARRAY_OF_STRUCTS, 0, "struct page_flags_fields", NULL },
	NUMBER("pool_index", 4),
	NUMBER("pool_offset", 8),
	NUMBER("pools_num", 4),
	POINTER("prb"),
	POINTER("root_mem_cgroup"),
	POINTER("saved_command_line"),
	POINTER("savedcmd"),
	NUMBER("shrinker_nr_max", 4),
	NUMBER("sme_me_mask", 8),
	NUMBER("stack_hash_mask", 4),
	POINTER("stack_list"),
	NUMBER("stack_max_pools", 4),
	{ "stack_pools", IS_POINTER_OR_ARRAY, 8, NULL, NULL },
	{ "stack_slabs", IS_ARRAY_OF_POINTERS, 8, NULL, NULL },
	{ "stack_table", IS_POINTER_OR_ARRAY, 8, NULL, NULL },
	NUMBER("sysctl_compact_unevictable_allowed", 4),
	NUMBER("total_swap_pages", 8),
	NUMBER("totalram_pages", 8),
	{ "trace_clocks", IS_ARRAY_OF_STRUCTS, 24, NULL, NULL },
	NUMBER("transparent_hugepage_flags", 8),
	NUMBER("vm_swappiness", 4),
	{ "vm_node_stat", IS_ARRAY_OF_STRUCTS, 8, NULL, "NR_VM_NODE_STAT_ITEMS" },
	POINTER("vmap_nodes"),
	NUMBER("zswap_pool_total_size", 8),
	{ "zswap_stored_pages", IS_STRUCT, 8, NULL, NULL },
#undef NUMBER
#undef POINTER
};

static const struct global *global(const char *name, bool *is_element)
{
	size_t len = strcspn(name, "[");

	*is_element = !strcmp(name + len, "[0]");
	if (name[len] && !*is_element)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++)
		if (strlen(globals[i].name) == len && !strncmp(globals[i].name, name, len))
			return &globals[i];
	return NULL;
}

bool global_known(const char *name)
{
	bool is_element;

	return global(name, &is_element);
}

static uint64_t elements(const struct globals_kernel *k, const struct global *g)
{
	int64_t n;

	return g->count && k->enumerator(k->priv, g->count, &n) == ST_OK && n > 0 && n < 1 << 20
		       ? n
		       : 0;
}

/* Bytes of an element; 0: not known.  Tables of numbers became tables of bytes (6.12: memcg: reduce memory). */
static uint64_t element_bytes(const struct globals_kernel *k, const struct global *g, uint64_t n,
			      uint64_t distance)
{
	uint64_t bytes;

	if (g->type)
		return k->type_size(k->priv, g->type, &bytes) == ST_OK ? bytes : 0;
	if (g->size)
		return g->size;
	if (!n || !distance)
		return 0;
	return distance / n >= 4 ? 4 : distance >= n ? 1 : 0;
}

static enum status find_array(const struct globals_kernel *k, const struct global *g,
			      bool is_element, uint64_t distance, struct field *ret)
{
	static const enum kind kinds[] = {
		[IS_ARRAY] = KIND_INT,
		[IS_ARRAY_OF_POINTERS] = KIND_POINTER,
		[IS_ARRAY_OF_STRUCTS] = KIND_STRUCT,
		[IS_POINTER_OR_ARRAY] = KIND_POINTER,
	};
	uint64_t n = elements(k, g), each = element_bytes(k, g, n, distance);

	if (!each || distance > MOST_BYTES)
		return ST_ABSENT;
	if (!n || (distance && n > distance / each))
		n = distance / each;
	if (!n)
		return ST_ABSENT;
	*ret = (struct field){
		.present = true,
		.kind = !is_element ? KIND_ARRAY
			: g->type   ? KIND_STRUCT
				    : kinds[g->shape],
		.size = is_element ? each : n * each,
	};
	return ST_OK;
}

enum status global_find(const struct globals_kernel *k, const char *name, uint64_t distance,
			struct field *ret)
{
	bool is_element;
	const struct global *g = global(name, &is_element);
	enum kind kind = KIND_INT;
	uint32_t size;

	if (!g)
		return ST_ABSENT;
	size = g->size;
	switch (g->shape) {
	case IS_NUMBER:
		break;
	case IS_STRUCT:
		/* atomic_long_t, or atomic_t before */
		if (distance == 4)
			size = 4;
		kind = KIND_STRUCT;
		break;
	case IS_POINTER_OR_ARRAY:
		if (distance >= ARRAY_BYTES)
			return find_array(k, g, is_element, distance, ret);
		kind = KIND_POINTER;
		break;
	case IS_POINTER:
		if (distance >= ARRAY_BYTES)
			return ST_ABSENT;
		kind = KIND_POINTER;
		break;
	default:
		return find_array(k, g, is_element, distance, ret);
	}
	if (is_element || (distance && distance < size))
		return ST_ABSENT;
	*ret = (struct field){ .present = true, .kind = kind, .size = size };
	return ST_OK;
}
