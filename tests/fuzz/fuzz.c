// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_ENTRY(name) { #name, fuzz_##name },

static const struct target {
	const char *name;
	void (*run)(struct dump *d, struct sink *out, uint32_t seed);
} targets[] = { FUZZ_TARGETS(FUZZ_ENTRY) };

/* The one that the program is named after. */
static const struct target *target;

struct input {
	const uint8_t *data;
	size_t size;
	unsigned int reads;
};

/* No decoder needs more than this for memory of a few KiB: it would be a loop. */
#define MAX_READS 5000000

static enum status fuzz_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct input *in = priv;

	if (++in->reads > MAX_READS)
		__builtin_trap();
	/* A sixteenth of the pages is not in the dump. */
	if ((addr >> 12 & 15) == 13 || len > 64 << 20)
		return ST_UNREADABLE;
	for (size_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = in->data[(addr + i) % in->size];
	return ST_OK;
}

static enum status fuzz_virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	*ret = addr & 0xffffff;
	return ST_OK;
}

static uint64_t hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 0x100000001b3;
	return h;
}

/* Every symbol exists, somewhere in the image; the image has its bounds. */
static enum status fuzz_symbol(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	*ret = 0xffffffff81000000 + (hash(name) & 0xfffff8);
	/* What stands there would not point to the page tables, or be a banner, and nothing more be read. */
	if (!strcmp(name, "init_mm") || !strcmp(name, "linux_banner"))
		return ST_ABSENT;
	if (!strcmp(name, "_stext"))
		*ret = 0xffffffff81000000;
	if (!strcmp(name, "_end"))
		*ret = 0xffffffff82000000;
	return ST_OK;
}

static const struct {
	const char *name;
	enum kind kind;
	uint32_t size;
} variables[] = {
	{ "stack_pools", KIND_ARRAY, 65536 },
	{ "mem_section", KIND_POINTER, 8 },
	{ "__per_cpu_offset", KIND_ARRAY, 64 },
	{ "nr_cpu_ids", KIND_INT, 4 },
	{ "log_buf_len", KIND_INT, 2 },
	{ "log_first_idx", KIND_INT, 1 },
	{ "log_next_idx", KIND_INT, 2 },
	{ "migratetype_names", KIND_ARRAY, 40 },
	{ "migrate_reason_names", KIND_ARRAY, 80 },
	{ "vm_node_stat", KIND_ARRAY, 400 },
	{ "node_data", KIND_ARRAY, 64 },
	{ "pools_num", KIND_INT, 4 },
	{ "pff", KIND_ARRAY, 160 },
	{ "pageblock_order", KIND_INT, 4 },
	{ "nr_vmap_nodes", KIND_INT, 1 },
	{ "mem_cgroup_stats_index", KIND_ARRAY, 60 },
	{ "mem_cgroup_stats_index[0]", KIND_INT, 1 },
	{ "mem_cgroup_events_index", KIND_ARRAY, 100 },
	{ "mem_cgroup_events_index[0]", KIND_INT, 1 },
	{ "trace_clocks", KIND_ARRAY, 240 },
	{ "trace_clocks[0]", KIND_STRUCT, 24 },
};

static enum status fuzz_variable(void *priv NOT_USED, const char *name, struct field *ret)
{
	*ret = (struct field){ .present = true, .kind = KIND_INT, .size = 8 };
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (strcmp(variables[i].name, name))
			continue;
		ret->kind = variables[i].kind;
		ret->size = variables[i].size;
	}
	return ST_OK;
}

static const struct {
	const char *name;
	int64_t value;
} numbers[] = {
	{ "struct mem_section", 32 },
	{ "struct page", 64 },
	{ "struct page_ext", 8 },
	{ "union handle_parts", 4 },
	{ "struct prb_desc", 24 },
	{ "struct printk_info", 88 },
	{ "struct printk_log", 16 },
	{ "LOG_NEWLINE", 2 },
	{ "LOG_CONT", 8 },
	{ "struct module_sect_attr", 72 },
	{ "struct module_memory", 72 },
	{ "struct trace_print_flags", 16 },
	{ "struct zone", 912 },
	{ "struct zonelist", 48 },
	{ "struct zoneref", 16 },
	{ "ZONELIST_NOFALLBACK", 1 },
	{ "struct percpu_counter", 40 },
	{ "struct slabobj_ext", 16 },
	{ "struct pcpuobj_ext", 16 },
	{ "struct track", 32 },
	{ "struct hstate", 112 },
	{ "struct page_pool", 64 },
	{ "struct cma", 256 },
	{ "struct cma_memrange", 24 },
	{ "struct dma_buf", 256 },
	{ "struct sk_buff", 232 },
	{ "struct skb_frag", 16 },
	{ "struct udp_prod_queue", 64 },
	{ "struct obj_cgroup", 64 },
	{ "CSS_ONLINE", 2 },
	{ "NR_ANON_MAPPED", 18 },
	{ "MEMCG_KMEM", 50 },
	{ "MEMCG_LOW", 0 },
	{ "MEMCG_OOM", 3 },
	{ "MEMCG_SWAP_FAIL", 8 },
	{ "PAGE_EXT_OWNER", 0 },
	{ "PAGE_EXT_OWNER_ALLOCATED", 1 },
	{ "MODULE_STATE_UNFORMED", 3 },
	{ "MM_FILEPAGES", 0 },
	{ "MM_ANONPAGES", 1 },
	{ "MM_SWAPENTS", 2 },
	{ "MM_SHMEMPAGES", 3 },
	{ "PGFAULT", 25 },
	{ "struct page_flags_fields", 32 },
	{ "__NR_PAGEFLAGS", 23 },
	{ "PB_migrate_0", 0 },
	{ "PB_migrate_2", 2 },
	{ "__NR_PAGEBLOCK_BITS", 5 },
	{ "PB_migrate_isolate", 4 },
	{ "MIGRATE_ISOLATE", 4 },
	{ "struct vmap_node", 6280 },
	{ "struct free_area", 72 },
	{ "union thread_union", 16384 },
	{ "struct pt_regs", 168 },
	{ "struct exception_stacks", 45056 },
	{ "MIGRATE_PCPTYPES", 3 },
	{ "MIGRATE_HIGHATOMIC", 3 },
	{ "ZONE_DMA32", 0 },
	{ "ZONE_NORMAL", 1 },
	{ "ZONE_MOVABLE", 2 },
	{ "PG_swapbacked", 19 },
	{ "PG_lru", 5 },
	{ "NR_ZSPAGES", 9 },
	{ "TRACE_EVENT_FL_TRACEPOINT", 16 },
	{ "TRACE_EVENT_FL_CUSTOM", 1024 },
	{ "EVENT_FILE_FL_ENABLED", 1 },
};

static enum status fuzz_number(void *priv NOT_USED, const char *name, int64_t *ret)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].name, name))
			continue;
		*ret = numbers[i].value;
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status fuzz_type_size(void *priv, const char *type, uint64_t *ret)
{
	return fuzz_number(priv, type, (int64_t *)ret);
}

static const struct {
	const char *type, *name;
	uint32_t offset, size, bit_offset, bit_size;
} members[] = {
#include "members.inc"
	{ "struct module", "sect_attrs", 872, 8, 0, 0 },
	{ "struct module_sect_attrs", "nsections", 40, 4, 0, 0 },
	{ "struct module_sect_attrs", "attrs", 48, 0, 0, 0 },
	{ "struct module_sect_attr", "battr.attr.name", 0, 8, 0, 0 },
	{ "struct module_sect_attr", "address", 64, 8, 0, 0 },
	{ "struct page", "flags", 0, 8, 0, 0 },
	{ "struct page", "page_type", 48, 4, 0, 0 },
	{ "struct page", "mapping", 24, 8, 0, 0 },
	{ "struct page", "compound_info", 8, 8, 0, 0 },
	{ "struct static_key_false", "key.enabled.counter", 0, 4, 0, 0 },
	{ "struct static_key", "enabled.counter", 0, 4, 0, 0 },
	{ "struct page", "private", 40, 8, 0, 0 },
	{ "struct page", "pcp_list", 8, 16, 0, 0 },
	{ "struct zspage", "magic", 0, 4, 0, 8 },
	{ "struct zspage", "first_page", 16, 8, 0, 0 },
	{ "struct zone", "free_area", 192, 792, 0, 0 },
	{ "struct zone", "per_cpu_pageset", 88, 8, 0, 0 },
	{ "struct zone", "per_cpu_zonestats", 96, 8, 0, 0 },
	{ "struct zone", "present_pages", 120, 8, 0, 0 },
	{ "struct zone", "vm_stat", 800, 88, 0, 0 },
	{ "struct zone", "_watermark", 0, 32, 0, 0 },
	{ "struct zone", "watermark_boost", 32, 8, 0, 0 },
	{ "struct zone", "nr_reserved_highatomic", 40, 8, 0, 0 },
	{ "struct zone", "nr_free_highatomic", 48, 8, 0, 0 },
	{ "struct zone", "lowmem_reserve", 56, 24, 0, 0 },
	{ "struct zone", "managed_pages", 112, 8, 0, 0 },
	{ "struct zone", "compact_considered", 888, 4, 0, 0 },
	{ "struct zone", "compact_defer_shift", 892, 4, 0, 0 },
	{ "struct zone", "compact_order_failed", 896, 4, 0, 0 },
	{ "struct free_area", "free_list", 0, 64, 0, 0 },
	{ "struct free_area", "nr_free", 64, 8, 0, 0 },
	{ "struct pglist_data", "node_zonelists", 3648, 96, 0, 0 },
	{ "struct zonelist", "_zonerefs", 0, 48, 0, 0 },
	{ "struct zoneref", "zone", 0, 8, 0, 0 },
	{ "struct pglist_data", "kswapd_failures", 3752, 4, 0, 0 },
	{ "struct pglist_data", "kswapd_order", 3756, 4, 0, 0 },
	{ "struct pglist_data", "kcompactd_max_order", 3760, 4, 0, 0 },
	{ "struct page", "buddy_list", 8, 16, 0, 0 },
	{ "struct per_cpu_zonestat", "vm_stat_diff", 0, 11, 0, 0 },
	{ "struct pglist_data", "vm_stat", 6728, 352, 0, 0 },
	{ "struct pglist_data", "per_cpu_nodestats", 6720, 8, 0, 0 },
	{ "struct per_cpu_nodestat", "vm_node_stat_diff", 1, 44, 0, 0 },
	{ "struct per_cpu_pages", "count", 4, 4, 0, 0 },
	{ "struct per_cpu_pages", "lists", 32, 192, 0, 0 },
	{ "struct vm_struct", "addr", 8, 8, 0, 0 },
	{ "struct vm_struct", "size", 16, 8, 0, 0 },
	{ "struct vm_struct", "flags", 24, 8, 0, 0 },
	{ "struct vm_struct", "pages", 32, 8, 0, 0 },
	{ "struct vm_struct", "nr_pages", 44, 4, 0, 0 },
	{ "struct vm_struct", "caller", 56, 8, 0, 0 },
	{ "struct vmap_area", "va_start", 0, 8, 0, 0 },
	{ "struct vmap_area", "va_end", 8, 8, 0, 0 },
	{ "struct vmap_area", "list", 40, 16, 0, 0 },
	{ "struct vmap_area", "vm", 56, 8, 0, 0 },
	{ "struct vmap_node", "busy.head", 6160, 16, 0, 0 },
	{ "struct task_struct", "stack", 32, 8, 0, 0 },
	{ "struct task_struct", "stack_vm_area", 2192, 8, 0, 0 },
	{ "struct task_struct", "start_time", 1600, 8, 0, 0 },
	{ "struct rq", "idle", 2352, 8, 0, 0 },
	{ "struct swap_info_struct", "flags", 0, 8, 0, 0 },
	{ "struct swap_info_struct", "prio", 8, 2, 0, 0 },
	{ "struct swap_info_struct", "pages", 12, 4, 0, 0 },
	{ "struct swap_info_struct", "inuse_pages", 16, 8, 0, 0 },
	{ "struct swap_info_struct", "swap_file", 24, 8, 0, 0 },
	{ "struct hstate", "order", 0, 4, 0, 0 },
	{ "struct hstate", "nr_huge_pages", 8, 8, 0, 0 },
	{ "struct hstate", "free_huge_pages", 16, 8, 0, 0 },
	{ "struct hstate", "resv_huge_pages", 24, 8, 0, 0 },
	{ "struct hstate", "surplus_huge_pages", 32, 8, 0, 0 },
	{ "struct hstate", "nr_huge_pages_node", 48, 16, 0, 0 },
	{ "struct hstate", "free_huge_pages_node", 64, 16, 0, 0 },
	{ "struct zram", "mem_pool", 0, 8, 0, 0 },
	{ "struct zram", "disk", 8, 8, 0, 0 },
	{ "struct zram", "stats.compr_data_size", 16, 8, 0, 0 },
	{ "struct zram", "stats.pages_stored", 24, 8, 0, 0 },
	{ "struct zs_pool", "pages_allocated", 8, 8, 0, 0 },
	{ "struct zswap_pool", "zpool", 0, 8, 0, 0 },
	{ "struct zswap_pool", "list", 8, 16, 0, 0 },
	{ "struct zswap_pool", "tfm_name", 24, 128, 0, 0 },
	{ "struct zpool", "driver", 0, 8, 0, 0 },
	{ "struct zpool", "pool", 8, 8, 0, 0 },
	{ "struct zpool_driver", "type", 8, 8, 0, 0 },
	{ "struct zbud_pool", "unbuddied", 16, 64, 0, 0 },
	{ "struct zbud_pool", "pages_nr", 8, 8, 0, 0 },
	{ "struct zbud_header", "buddy", 0, 16, 0, 0 },
	{ "struct gendisk", "disk_name", 12, 32, 0, 0 },
	{ "struct idr", "idr_rt.xa_head", 8, 8, 0, 0 },
	{ "struct cma", "order_per_bit", 16, 4, 0, 0 },
	{ "struct cma", "nranges", 20, 4, 0, 0 },
	{ "struct cma", "name", 24, 32, 0, 0 },
	{ "struct cma", "ranges", 56, 192, 0, 0 },
	{ "struct cma_memrange", "base_pfn", 0, 8, 0, 0 },
	{ "struct cma_memrange", "count", 8, 8, 0, 0 },
	{ "struct cma_memrange", "bitmap", 16, 8, 0, 0 },
	{ "struct dma_buf", "attachments", 16, 16, 0, 0 },
	{ "struct dma_buf_list", "head", 0, 16, 0, 0 },
	{ "struct klist", "k_list", 0, 16, 0, 0 },
	{ "struct virtio_balloon", "num_pages", 8, 4, 0, 0 },
	{ "struct udp_sock", "udp_prod_queue", 1056, 8, 0, 0 },
	{ "struct udp_prod_queue", "ll_root", 0, 8, 0, 0 },
	{ "struct page_pool", "p.order", 0, 4, 0, 0 },
	{ "struct page_pool", "p.dev", 8, 8, 0, 0 },
	{ "struct page_pool", "pages_state_hold_cnt", 16, 4, 0, 0 },
	{ "struct page_pool", "pages_state_release_cnt", 20, 4, 0, 0 },
	{ "struct page_pool", "slow.netdev", 24, 8, 0, 0 },
	{ "struct pcpu_chunk", "free_bytes", 16, 4, 0, 0 },
	{ "struct pcpu_chunk", "nr_populated", 20, 4, 0, 0 },
	{ "struct pcpu_chunk", "end_offset", 24, 4, 0, 0 },
	{ "struct page", "pp_magic", 8, 8, 0, 0 },
	{ "struct page", "pp", 16, 8, 0, 0 },
	{ "struct printk_log", "ts_nsec", 0, 8, 0, 0 },
	{ "struct printk_log", "len", 8, 1, 0, 0 },
	{ "struct printk_log", "text_len", 10, 1, 0, 0 },
	{ "struct printk_log", "dict_len", 12, 1, 0, 0 },
	{ "struct printk_log", "facility", 14, 1, 0, 0 },
	{ "struct printk_log", "flags", 15, 1, 0, 5 },
	{ "struct pt_regs", "ip", 128, 8, 0, 0 },
	{ "struct pt_regs", "sp", 152, 8, 0, 0 },
	{ "struct pt_regs", "cs", 136, 8, 0, 0 },
	{ "struct pt_regs", "flags", 144, 8, 0, 0 },
};

static enum status fuzz_member(void *priv NOT_USED, const char *type, const char *member,
			       struct field *ret)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].type, type) || strcmp(members[i].name, member))
			continue;
		*ret = (struct field){
			.present = true,
			.kind = members[i].size <= 8 ? KIND_INT : KIND_ARRAY,
			.offset = members[i].offset,
			.size = members[i].size,
			.bit_offset = members[i].bit_offset,
			.bit_size = members[i].bit_size,
		};
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status fuzz_closest(void *priv NOT_USED, uint64_t addr, struct symbol *ret)
{
	*ret = (struct symbol){ .name = "somewhere", .address = addr & ~0xffULL };
	return ST_OK;
}

static bool fuzz_enumerates(void *priv, const char *type NOT_USED, const char *name)
{
	int64_t value;

	return fuzz_number(priv, name, &value) == ST_OK;
}

static const struct dump_ops ops = {
	.read = fuzz_read,
	.read_phys = fuzz_read,
	.virt_to_phys = fuzz_virt_to_phys,
	.symbol = fuzz_symbol,
	.variable = fuzz_variable,
	.type_size = fuzz_type_size,
	.member = fuzz_member,
	.bits = fuzz_member,
	.enumerator = fuzz_number,
	.enumerates = fuzz_enumerates,
	.closest = fuzz_closest,
};

static bool discard(void *priv NOT_USED, const char *s NOT_USED, size_t n NOT_USED)
{
	return true;
}

int LLVMFuzzerInitialize(int *argc NOT_USED, char ***argv)
{
	const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(targets[i].name, name))
			target = &targets[i];
	if (!target) {
		fprintf(stderr, "no decoder '%s'\n", name);
		exit(1);
	}
	return 0;
}

static enum status run(struct dump *d, void *seed)
{
	static struct sink out;

	sink_init(&out, discard, NULL);
	target->run(d, &out, *(uint32_t *)seed);
	return ST_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct input in = { data, size, 0 };
	struct dump d;
	uint32_t seed;

	if (size < 64)
		return 0;
	memcpy(&seed, data, sizeof(seed));
	dump_init(&d, &ops, &in, &arena);
	d.arch = "x86_64";
	dump_guard(&d, run, &seed);
	arena_reset(&arena);
	return 0;
}
