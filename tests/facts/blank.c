// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The seam of lib/dump over the facts of a kernel. Every symbol that the kernel has gets memory of its own: zero, but
 * for the values below. So layouts are tested, and of values only that an idle machine is none that is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "types/globals.h"

#define ROOM 0x100000ULL /* memory of each symbol */
#define FIRST 0xffffffff82000000ULL
#define HEAP 0xffff888000000000ULL

/* Types of variables: BTF has those of the per-CPU section only. Sizes come from the facts. */
static const struct {
	const char *name, *type;
} variables[] = {
	{ "__per_cpu_offset", "unsigned long[64]" },
	{ "jiffies", "unsigned long" },
	{ "jiffies_64", "u64" },
	{ "max_pfn", "unsigned long" },
	{ "nr_cpu_ids", "unsigned int" },
	{ "nr_node_ids", "unsigned int" },
	{ "memcg_nr_cache_ids", "int" },
	{ "nr_threads", "int" },
	{ "nr_swapfiles", "unsigned int" },
	{ "nr_swapper_spaces", "unsigned int[29]" },
	{ "mem_section", "struct mem_section **" },
	{ "node_data", "struct pglist_data *[64]" },
	{ "page_offset_base", "unsigned long" },
	{ "memstart_addr", "s64" },
	{ "pageblock_order", "unsigned int" },
	{ "hugetlb_max_hstate", "int" },
	{ "cma_area_count", "unsigned int" },
	{ "pcpu_base_addr", "void *" },
	{ "pcpu_first_chunk", "struct pcpu_chunk *" },
	{ "pcpu_reserved_chunk", "struct pcpu_chunk *" },
	{ "pcpu_chunk_lists", "struct list_head *" },
	{ "pcpu_slot", "struct list_head *" },
	{ "pcpu_nr_slots", "int" },
	{ "pcpu_nr_units", "int" },
	{ "prb", "struct printk_ringbuffer *" },
	{ "root_mem_cgroup", "struct mem_cgroup *" },
	{ "saved_command_line", "char *" },
	{ "savedcmd", "struct saved_cmdlines_buffer *" },
	{ "sme_me_mask", "u64" },
	{ "vm_swappiness", "int" },
	{ "vmap_nodes", "struct vmap_node *" },
	{ "nr_vmap_nodes", "int" },
	{ "zswap_pool_total_size", "u64" },
	{ "zswap_stored_pages", "atomic_long_t" },
	{ "kmem_cache", "struct kmem_cache *" },
	{ "mm_cachep", "struct kmem_cache *" },
	{ "kmemleak_enabled", "int" },
	{ "page_group_by_mobility_disabled", "int" },
	{ "sysctl_compact_unevictable_allowed", "int" },
	{ "__highest_present_section_nr", "unsigned long" },
	{ "__sched_clock_offset", "u64" },
	{ "stack_hash_mask", "unsigned int" },
	{ "stack_table", "void *" },
	{ "stack_max_pools", "unsigned int" },
	{ "stack_list", "struct stack *" },
	{ "new_pool", "void *" },
	{ "log_buf", "char *" },
	{ "log_buf_len", "u32" },
	{ "log_first_idx", "u32" },
	{ "log_first_seq", "u64" },
	{ "log_next_idx", "u32" },
	{ "log_next_seq", "u64" },
	{ "mem_cgroup_events_index", "int[256]" },
	{ "mem_cgroup_stats_index", "int[256]" },
	{ "migrate_reason_names", "char *[9]" },
	{ "migratetype_names", "char *[7]" },
	{ "page_ext_size", "unsigned long" },
	{ "pff", "struct page_flags_fields[8]" },
	{ "stack_pools", "void *[8192]" },
	{ "stack_slabs", "void *[8192]" },
	{ "trace_clocks", "{24}[10]" },
	{ "vm_node_stat", "atomic_long_t[64]" },
	{ "depot_index", "int" },
	{ "pools_num", "int" },
	{ "__kfence_pool", "char *" },
	{ "kfence_metadata", "struct kfence_metadata *" },
	{ "failure_handle", "u32" },
	{ "dummy_handle", "u32" },
	{ "early_handle", "u32" },
	{ "alloc_tag_cttype", "struct codetag_type *" },
	{ "mem_profiling_support", "u8" },
	{ "totalram_pages", "unsigned long" },
	{ "total_swap_pages", "long" },
	{ "_totalram_pages", "atomic_long_t" },
};

/* Objects that pointers lead to, and strings: symbols of our own, with a name that no kernel has. */
#define OBJECT "?object"
#define RAM "?ram"
#define RAM_NAME "?ram name"

/* What an idle machine has: two processors, one node, lists without entries. */
static const struct {
	const char *name;
	uint64_t value;
	const char *with; /* where it has this symbol, which the facts may lack; NULL: always */
} values[] = {
	{ "nr_cpu_ids", 2 },
	{ "__cpu_possible_mask", 3 },
	{ "nr_node_ids", 1 },
	{ "nr_threads", 1 },
	{ "page_offset_base", HEAP },
	{ "max_pfn", 0x40000 },
	{ "pageblock_order", 9 },
	{ "__highest_present_section_nr", 7 },
	{ "pcpu_nr_slots", 2 },
	{ "pcpu_nr_units", 2 },
	{ "memory_cgrp_subsys_enabled_key", 1 },
	{ "page_owner_inited", 1, "page_owner_ops" },
	{ "page_ext_size", 16 },
	{ "vm_swappiness", 60 },
};

static struct hash_bytes_entry *entry(struct hash_bytes *h, const char *name)
{
	bool is_new;

	return hash_bytes_get(h, name, strlen(name) + 1, &is_new);
}

static enum kind kind_of(const char *type, uint64_t bytes)
{
	size_t len = strlen(type);

	if (len && type[len - 1] == ']')
		return KIND_ARRAY;
	if ((len && type[len - 1] == '*') || strstr(type, "(*)"))
		return KIND_POINTER;
	if (!strncmp(type, "struct ", 7) || !strncmp(type, "union ", 6))
		return KIND_STRUCT;
	return bytes && bytes <= 8 ? KIND_INT : KIND_OTHER;
}

static const char *behind(const struct fact *f)
{
	return *f->behind ? f->behind : f->type;
}

static void want(struct hash_bytes *h, const char *name)
{
	if (h)
		entry(h, name);
}

static const struct fact_type *type_of(struct blank *b, const char *type)
{
	const struct fact_type *t = b->second ? b->facts->type(b->facts, type, 1) : NULL;

	if (!strchr(type, '.'))
		want(b->types, type);
	return t ? t : b->facts->type(b->facts, type, 0);
}

static const struct fact *fact_of(const struct fact_type *t, const char *name, size_t len)
{
	for (size_t i = 0; i < t->n; i++)
		if (strlen(t->facts[i].name) == len && !strncmp(t->facts[i].name, name, len))
			return &t->facts[i];
	return NULL;
}

/* The longest part of a path that is a member; then the rest in its type. */
static const struct fact *find_in(struct blank *b, const struct fact_type *t, const char *path,
				  uint32_t *base)
{
	for (unsigned int depth = 0; t && depth < 8; depth++) {
		size_t len = strlen(path);
		const struct fact *f = fact_of(t, path, len);

		while (!f && len) {
			do
				len--;
			while (len && path[len] != '.');
			f = fact_of(t, path, len);
		}
		if (!f || !path[len])
			return f;
		*base += f->bit_offset / 8;
		path += len + 1;
		t = type_of(b, behind(f));
	}
	return NULL;
}

/*
 * "struct a.b.c": of the types that have the name of what that member points to, the one with the
 * member that is asked for. The table does not say which of them it is.
 */
static const struct fact *find_pointed(struct blank *b, const char *type, const char *path,
				       uint32_t *base)
{
	const char *dot = strchr(type, '.');
	char name[128];
	uint32_t unused = 0;
	const struct fact *f;
	const struct fact_type *t;
	size_t len;

	snprintf(name, sizeof(name), "%.*s", (int)(dot - type), type);
	f = find_in(b, type_of(b, name), dot + 1, &unused);
	len = f ? strlen(f->type) : 0;
	if (len < 3 || strcmp(f->type + len - 2, " *"))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)len - 2, f->type);
	want(b->types, name);
	for (unsigned int nth = 0; (t = b->facts->type(b->facts, name, nth)); nth++) {
		f = find_in(b, t, path, base);
		if (f)
			return f;
		*base = 0;
	}
	return NULL;
}

static const struct fact *find_fact(struct blank *b, const char *type, const char *path,
				    uint32_t *base)
{
	return strchr(type, '.') ? find_pointed(b, type, path, base)
				 : find_in(b, type_of(b, type), path, base);
}

static struct question *note(struct blank *b, const char *type, const char *member, bool found)
{
	struct question *q;
	char key[256];

	if (!b->questions)
		return NULL;
	snprintf(key, sizeof(key), "%s %s", type, member);
	q = entry(b->questions, key)->value;
	q->answered += found;
	q->refused += !found;
	return q;
}

static enum status blank_type_size(void *priv, const char *type, uint64_t *ret)
{
	const struct fact_type *t = type_of(priv, type);

	*ret = t ? t->bytes : 0;
	return *ret ? ST_OK : ST_ABSENT;
}

static enum status place(struct blank *b, const char *type, const char *member, bool bits,
			 struct field *ret)
{
	uint32_t base = 0, at;
	const struct fact *f = find_fact(b, type, member, &base);
	struct question *q = note(b, type, member, f);

	if (q) {
		q->bits |= bits;
		q->is_bit_field |= f && f->bits;
	}
	if (!f)
		return ST_ABSENT;
	*ret = (struct field){
		.present = true,
		.kind = kind_of(behind(f), f->bytes),
		.offset = base + f->bit_offset / 8,
		.size = f->bytes,
	};
	if (!bits || !f->bits || !f->bytes)
		return ST_OK;
	at = f->bit_offset / (f->bytes * 8) * f->bytes;
	ret->offset = base + at;
	ret->bit_offset = f->bit_offset - at * 8;
	ret->bit_size = f->bits;
	return ST_OK;
}

static enum status blank_member(void *priv, const char *type, const char *member, struct field *ret)
{
	return place(priv, type, member, false, ret);
}

static enum status blank_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	return place(priv, type, member, true, ret);
}

static enum status blank_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct blank *b = priv;

	want(b->enumerators, name);
	note(b, "enumerator", name, b->facts->enumerator(b->facts, name, ret));
	return b->facts->enumerator(b->facts, name, ret) ? ST_OK : ST_ABSENT;
}

static bool blank_enumerates(void *priv, const char *type, const char *name)
{
	struct blank *b = priv;
	const struct fact_type *t = b->facts->type(b->facts, type, 0);

	want(b->types, type);
	return t && fact_of(t, name, strlen(name));
}

static enum status blank_text(void *priv, const char *type, char *buf, size_t size)
{
	struct blank *b = priv;
	const struct fact_type *t = strchr(type, ' ') ? type_of(b, type) : NULL;
	const char *signature = b->facts->signature ? b->facts->signature(b->facts, type) : NULL;
	int n;

	if (!strchr(type, ' '))
		want(b->signatures, type);
	if (signature)
		return snprintf(buf, size, "type = %s\n", signature) > 0 ? ST_OK : ST_ABSENT;
	if (!t)
		return ST_ABSENT;
	n = snprintf(buf, size, "type = %s {\n", type);
	for (size_t i = 0; i < t->n && n > 0 && (size_t)n < size; i++)
		n += snprintf(buf + n, size - n, "    %s %s;\n",
			      t->facts[i].type ? t->facts[i].type : "", t->facts[i].name);
	return ST_OK;
}

/* The memory of a name; 0: none is left. */
static uint64_t memory_of(struct blank *b, const char *name)
{
	struct hash_bytes_entry *e = entry(&b->addresses, name);
	uint64_t *address = e ? e->value : NULL;

	if (!address)
		return 0;
	if (!*address) {
		*address = b->next;
		b->next += ROOM;
	}
	return *address;
}

/* Symbols that end what another begins. */
static const struct {
	const char *end, *start;
	uint64_t bytes;
} ends[] = {
	{ "__end_init_stack", "__start_init_stack", 0x4000 },
	{ "__end_init_task", "__start_init_task", 0x4000 },
};

static enum status blank_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct blank *b = priv;
	uint64_t bytes = 0;

	want(b->symbols, name);
	if (!b->facts->symbol(b->facts, name))
		return ST_ABSENT;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (strcmp(ends[i].end, name))
			continue;
		name = ends[i].start;
		bytes = ends[i].bytes;
	}
	*ret = memory_of(b, name) + bytes;
	return *ret ? ST_OK : ST_ABSENT;
}

/* The symbol that has an address. */
static const struct hash_bytes_entry *symbol_at(struct blank *b, uint64_t addr)
{
	for (const struct hash_bytes_entry *e = b->addresses.first; e; e = e->next)
		if (addr - *(const uint64_t *)e->value < ROOM)
			return e;
	return NULL;
}

static bool is_list(const char *name)
{
	static const char *const heads[] = {
		"modules",	  "slab_caches", "ftrace_trace_arrays", "page_pools",
		"vmap_area_list", "proto_list",	 "net_namespace_list",	"zswap_pools",
		"ftrace_events"
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strcmp(name, heads[i]))
			return true;
	return false;
}

/* A pointer or a number in an object of that type, where the part that is read has it. */
static void put_member(struct blank *b, const char *type, const char *member, uint64_t value,
		       uint64_t offset, uint8_t *buf, size_t len)
{
	struct field f;

	if (place(b, type, member, false, &f) == ST_OK && f.offset >= offset && f.size <= 8 &&
	    f.offset + f.size <= offset + len)
		memcpy(buf + f.offset - offset, &value, f.size);
}

/* What decoders ask before they look at any layout: page tables, System RAM. */
static void put_objects(struct blank *b, const char *name, uint64_t offset, uint8_t *buf,
			size_t len)
{
	static const char ram[] = "System RAM";
	uint64_t tables = 0;

	if (!strcmp(name, "init_mm")) {
		if (blank_symbol(b, "init_top_pgt", &tables) == ST_OK ||
		    blank_symbol(b, "swapper_pg_dir", &tables) == ST_OK)
			put_member(b, "struct mm_struct", "pgd", tables, offset, buf, len);
	} else if (!strcmp(name, "iomem_resource")) {
		put_member(b, "struct resource", "child", memory_of(b, RAM), offset, buf, len);
	} else if (!strcmp(name, RAM)) {
		put_member(b, "struct resource", "end", (64 << 20) - 1, offset, buf, len);
		put_member(b, "struct resource", "flags", 0x81000200, offset, buf, len);
		put_member(b, "struct resource", "name", memory_of(b, RAM_NAME), offset, buf, len);
	} else if (!strcmp(name, RAM_NAME) && offset < sizeof(ram)) {
		memcpy(buf, ram + offset, len < sizeof(ram) - offset ? len : sizeof(ram) - offset);
	}
}

#define TABLES 0x100000000ULL /* behind the memory of all symbols */
#define LOW_GIGABYTE 0x3fffffffULL

/* What the last table but one maps: blocks of 2 MiB, or of 32 MiB where pages have 16 KiB. */
static uint64_t block_at(uint64_t addr, unsigned int page_shift)
{
	uint64_t index = (addr & ((1ULL << page_shift) - 1)) / 8;

	return (index << (2 * page_shift - 3)) & LOW_GIGABYTE;
}

/* Page tables of four levels that map the kernel's gigabyte by such blocks. */
static enum status blank_read_phys(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct blank *b = priv;
	bool is_arm64 = !strcmp(b->facts->arch, "arm64");
	uint64_t entry;

	if (addr > 2 * TABLES || addr & 7 || len % 8)
		return ST_UNREADABLE;
	for (size_t i = 0; i < len; i += 8, addr += 8) {
		if (addr < TABLES) /* the top */
			entry = TABLES | 3;
		else if (addr < TABLES + 0x10000)
			entry = (TABLES + 0x10000) | 3;
		else
			entry = block_at(addr, b->dump.page_shift) | (is_arm64 ? 0x701 : 0xe3);
		memcpy((uint8_t *)buf + i, &entry, 8);
	}
	return ST_OK;
}

static enum status blank_virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	*ret = addr & LOW_GIGABYTE;
	return ST_OK;
}

static bool is_pointer(const char *name)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (!strcmp(variables[i].name, name))
			return variables[i].type[strlen(variables[i].type) - 1] == '*';
	return false;
}

static enum status blank_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	const struct hash_bytes_entry *e = symbol_at(priv, addr);
	const char *name;
	uint64_t base, offset, with;
	uint8_t head[16] = { 0 };

	if (!e)
		return ST_UNREADABLE;
	name = (const char *)e->key;
	base = *(const uint64_t *)e->value;
	offset = addr - base;
	if (len > ROOM - offset)
		return ST_UNREADABLE;
	memset(buf, 0, len);
	((uint8_t *)buf)[len - 1] = len >= 4096; /* a page of zeros is told as damage */
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strcmp(values[i].name, name) &&
		    (!values[i].with || blank_symbol(priv, values[i].with, &with) == ST_OK))
			memcpy(head, &values[i].value, 8);
	if (is_pointer(name))
		base = memory_of(priv, OBJECT);
	if (is_pointer(name) || is_list(name))
		memcpy(head, &base, 8);
	if (is_list(name))
		memcpy(head + 8, &base, 8);
	put_objects(priv, name, offset, buf, len);
	if (offset < sizeof(head) && (le64(head) || le64(head + 8)))
		memcpy(buf, head + offset,
		       len < sizeof(head) - offset ? len : sizeof(head) - offset);
	return ST_OK;
}

static uint64_t bytes_of(struct blank *b, const char *type)
{
	static const struct {
		const char *type;
		unsigned int bytes;
	} numbers[] = {
		{ "unsigned long", 8 }, { "unsigned int", 4 }, { "int", 4 }, { "u64", 8 },
		{ "s64", 8 },		{ "u32", 4 },	       { "u8", 1 },  { "atomic_long_t", 8 },
	};
	uint64_t bytes;

	if (type[strlen(type) - 1] == '*')
		return 8;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(type, numbers[i].type))
			return numbers[i].bytes;
	return blank_type_size(b, type, &bytes) == ST_OK ? bytes : 0;
}

/* "variable" or "variable[0]" */
static enum status blank_variable(void *priv, const char *name, struct field *ret)
{
	struct blank *b = priv;
	char plain[128], type[128], *array;
	const char *element = strchr(name, '[');
	uint64_t n = 1, address;

	snprintf(plain, sizeof(plain), "%.*s", element ? (int)(element - name) : 100, name);
	if (blank_symbol(b, plain, &address) != ST_OK)
		return ST_ABSENT;
	if (!global_known(plain))
		want(b->untyped, plain);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (strcmp(variables[i].name, plain))
			continue;
		snprintf(type, sizeof(type), "%s", variables[i].type);
		array = strchr(type, '[');
		if (array) {
			n = strtoull(array + 1, NULL, 10);
			*array = '\0';
		}
		if (array && element)
			array = NULL, n = 1;
		*ret = (struct field){
			.present = true,
			.kind = array ? KIND_ARRAY : kind_of(type, bytes_of(b, type)),
			.size = n * bytes_of(b, type),
		};
		return ST_OK;
	}
	want(b->untyped, plain);
	return ST_ABSENT;
}

static enum status blank_closest(void *priv, uint64_t addr, struct symbol *ret)
{
	const struct hash_bytes_entry *e = symbol_at(priv, addr);

	if (!e)
		return ST_ABSENT;
	*ret = (struct symbol){ .name = (const char *)e->key, .address = *(uint64_t *)e->value };
	return ST_OK;
}

static const struct dump_ops ops = {
	.read = blank_read,
	.read_phys = blank_read_phys,
	.virt_to_phys = blank_virt_to_phys,
	.symbol = blank_symbol,
	.variable = blank_variable,
	.type_size = blank_type_size,
	.member = blank_member,
	.bits = blank_bits,
	.type_text = blank_text,
	.enumerator = blank_enumerator,
	.enumerates = blank_enumerates,
	.closest = blank_closest,
};

void blank_open(struct blank *b, struct facts *facts)
{
	memset(&b->arena, 0, sizeof(b->arena));
	b->facts = facts;
	b->next = FIRST;
	dump_init(&b->dump, &ops, b, &b->arena);
	b->dump.page_shift = strstr(facts->name, "16k") ? 14 : strstr(facts->arch, "ppc") ? 16 : 12;
	b->dump.arch = strcmp(facts->arch, "arm64") ? facts->arch : "aarch64";
	hash_bytes_init(&b->addresses, &b->arena, sizeof(uint64_t));
}

void blank_close(struct blank *b)
{
	arena_reset(&b->arena);
}
