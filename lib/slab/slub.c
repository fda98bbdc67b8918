// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub.h"

#include "dump/pointer.h"
#include "kernel/static_key.h"

#define MAX_SLAB_BYTES (4u << 20) /* far more than the largest order that SLUB takes */
#define EXTS_BYTES 65536	  /* a vector that is not longer is read at once */
#define EXTS_FLAGS 7   /* low bits of obj_exts: MEMCG_DATA_OBJEXTS, OBJEXTS_ALLOC_FAIL and others */
#define NAME_BYTES 128 /* of a cache; those of cgroups have the cgroup's at their end */

#define SLAB_ROWS                                                                 \
	READS(struct slab_header, cache, REQUIRED, "all", "slab_cache"),          \
		READS(struct slab_header, freelist, REQUIRED, "all", "freelist"), \
		READS(struct slab_header, inuse, REQUIRED_BITS, "all", "inuse"),  \
		READS(struct slab_header, objects, REQUIRED_BITS, "all", "objects")

static const struct layout_row slab_rows[] = {
	STRUCTURE(struct slabs, slab, "struct slab"),
	SLAB_ROWS,
	READS(struct slab_header, exts, OPTIONAL, "6.10, 5.17", "obj_exts", "memcg_data"),
	FINDS(struct slabs, slab_list, "struct slab", OPTIONAL, "5.17", "slab_list"),
	READS_IF(struct slab_header, stride, has_stride, OPTIONAL, "7.0 to 7.2", "stride"),
	READS(struct slab_header, in_object, OPTIONAL_BITS, "7.3", "obj_exts_in_object"),
	READS_IF(struct slab_header, needs_objcg, has_bits, OPTIONAL_BITS, "7.3",
		 "obj_exts_needs_objcg"),
};

/* Of SLAB (to 6.7). */
#define INDEXED_ROWS                                                                 \
	READS(struct slab_header, cache, REQUIRED, "all", "slab_cache"),             \
		READS(struct slab_header, freelist, REQUIRED, "all", "freelist"),    \
		READS(struct slab_header, first, REQUIRED, "SLAB, to 6.7", "s_mem"), \
		READS(struct slab_header, inuse, REQUIRED, "SLAB, to 6.7", "active")

static const struct layout_row indexed_rows[] = {
	STRUCTURE(struct slabs, slab, "struct slab"),
	INDEXED_ROWS,
	READS(struct slab_header, exts, OPTIONAL, "5.17", "memcg_data"),
	FINDS(struct slabs, slab_list, "struct slab", OPTIONAL, "5.17", "slab_list"),
};
static const struct layout_row indexed_page_rows[] = {
	STRUCTURE(struct slabs, slab, "struct page"),
	INDEXED_ROWS,
	READS(struct slab_header, exts, OPTIONAL, "5.11, 5.9", "memcg_data", "obj_cgroups"),
	FINDS(struct slabs, slab_list, "struct page", OPTIONAL, "5.2, to 5.1", "slab_list", "lru"),
};

/* Up to 5.16 a slab is a page; it has no more than these. */
static const struct layout_row page_rows[] = {
	STRUCTURE(struct slabs, slab, "struct page"),
	SLAB_ROWS,
	READS(struct slab_header, exts, OPTIONAL, "5.11, 5.9", "memcg_data", "obj_cgroups"),
	FINDS(struct slabs, slab_list, "struct page", OPTIONAL, "5.2, to 5.1", "slab_list", "lru"),
};

/* A struct kmem_cache. */
struct cache_read {
	struct slab_cache c;
	uint64_t name, flags;
	uint32_t inuse;
	int64_t refcount;
};

/*
 * The array of nodes is not read: it is as long as the kernel could have nodes (8 KiB with
 * CONFIG_NODES_SHIFT=10), and the last member, allocated shorter.
 */
static const struct layout_row cache_rows[] = {
	STRUCTURE(struct slabs, cache, "struct kmem_cache"),
	READS(struct cache_read, name, REQUIRED, "all", "name"),
	READS(struct cache_read, c.size, REQUIRED, "all", "size"),
	READS(struct cache_read, c.bytes, REQUIRED, "all", "object_size"),
	READS(struct cache_read, flags, REQUIRED, "all", "flags"),
	READS(struct cache_read, c.offset, REQUIRED, "all", "offset"),
	READS(struct cache_read, inuse, REQUIRED, "all", "inuse"),
	READS(struct cache_read, c.pad, OPTIONAL, "4.6", "red_left_pad"),
	READS_IF(struct cache_read, c.random, c.is_hardened, OPTIONAL,
		 "CONFIG_SLAB_FREELIST_HARDENED", "random"),
	READS(struct cache_read, refcount, OPTIONAL, "all", "refcount"),
	FINDS(struct slabs, cache_list, "struct kmem_cache", OPTIONAL, "all", "list"),
	READS(struct cache_read, c.cpu_slab, OPTIONAL, "to 6.19", "cpu_slab"),
	READS(struct cache_read, c.sheaves, OPTIONAL, "6.18", "cpu_sheaves"),
	READS(struct cache_read, c.root, OPTIONAL, "to 5.8", "memcg_params.root_cache"),
	FINDS(struct slabs, cache_nodes, "struct kmem_cache", OPTIONAL, "7.1, all", "per_node",
	      "node"),
};

/* That of SLAB. */
static const struct layout_row indexed_cache_rows[] = {
	STRUCTURE(struct slabs, cache, "struct kmem_cache"),
	READS(struct cache_read, name, REQUIRED, "all", "name"),
	READS(struct cache_read, c.size, REQUIRED, "all", "size"),
	READS(struct cache_read, c.bytes, REQUIRED, "all", "object_size"),
	READS(struct cache_read, flags, REQUIRED, "all", "flags"),
	READS(struct cache_read, c.num, REQUIRED, "SLAB, to 6.7", "num"),
	READS(struct cache_read, c.indexes, REQUIRED, "SLAB, to 6.7", "freelist_size"),
	READS(struct cache_read, c.arrays, REQUIRED, "SLAB, to 6.7", "cpu_cache"),
	READS(struct cache_read, c.pad, OPTIONAL, "CONFIG_DEBUG_SLAB", "obj_offset"),
	READS(struct cache_read, refcount, OPTIONAL, "all", "refcount"),
	FINDS(struct slabs, cache_list, "struct kmem_cache", OPTIONAL, "all", "list"),
	READS(struct cache_read, c.root, OPTIONAL, "to 5.8", "memcg_params.root_cache"),
	FINDS(struct slabs, cache_nodes, "struct kmem_cache", OPTIONAL, "all", "node"),
};

/*
 * struct slabobj_ext (mm/slab.h).  struct pcpuobj_ext of per-CPU memory is its sister
 * (lib/alloctag/percpu_tag.c): a change to one may have come to the other as well.
 */
static const struct fork exts_forks[EXTS_FORKS] = {
	[EXTS_POINTERS] = { "a union of one pointer; bits of struct slab say how many there are",
			    "7.3",
			    .members = { { "struct slabobj_ext", "_ctref" },
					 { "struct slab", "obj_exts_needs_objcg" } } },
	[EXTS_STRIDE] = { "a struct, slab.stride apart",
			  "7.0: mm/slab: use stride to access slabobj_ext",
			  .members = { { "struct slabobj_ext", "ref" },
				       { "struct slab", "stride" } } },
	[EXTS_VECTOR] = { "a struct, in a vector",
			  "6.10: mm: introduce slabobj_ext to support slab object extensions",
			  .members = { { "struct slabobj_ext", "ref" } } },
	[EXTS_UNTAGGED] = { "without a tag", "6.9, or no CONFIG_MEM_ALLOC_PROFILING" },
};

/* Allocators whose slabs have another form; SLUB comes last, as it has no name of its own. */
enum { ALLOCATOR_SLAB, ALLOCATOR_SLOB, ALLOCATOR_SLUB, ALLOCATORS };
static const struct fork allocator_forks[ALLOCATORS] = {
	[ALLOCATOR_SLAB] = { "SLAB", "to 6.7; 6.8: mm/slab: remove mm/slab.c and slab_def.h",
			     .members = { { "struct kmem_cache", "batchcount" } } },
	[ALLOCATOR_SLOB] = { "SLOB", "to 6.3", .symbol = "free_slob_small" },
	[ALLOCATOR_SLUB] = { "SLUB", "all" },
};

static const struct layout_row ref_row = {
	"struct slabobj_ext", { "_ctref", "ref" }, REQUIRED, "7.3, 6.10"
};

/*
 * Flags of caches are bit numbers since 6.9, and were macros.  Of a flag that the kernel is built
 * without, as SLUB_TINY is without reclaimable caches, there is no bit.
 */
static uint64_t cache_flag(struct dump *d, const char *bit, uint64_t macro)
{
	const uint64_t mask = dump_enumerator_bit(d, bit);

	return mask || dump_enumerator_bit(d, "_SLAB_CONSISTENCY_CHECKS") ? mask : macro;
}

static void find_flags(struct slabs *s)
{
	struct dump *d = s->dump;
	struct field cpu_slab;

	s->store_user = cache_flag(d, "_SLAB_STORE_USER", 0x10000);
	s->red_zone = cache_flag(d, "_SLAB_RED_ZONE", 0x400);
	s->kmalloc = cache_flag(d, "_SLAB_KMALLOC", 0x1000);
	s->reclaimable = cache_flag(d, "_SLAB_RECLAIM_ACCOUNT", 0x20000);
	s->accounted = cache_flag(d, "_SLAB_ACCOUNT", 0x4000000);
	if (!s->reclaimable &&
	    dump_ask(d, member, "struct kmem_cache", "cpu_slab", &cpu_slab) == ST_OK)
		dump_lacks(d, "caches that can be reclaimed", ST_UNKNOWN,
			   "unknown layout: no enumerator _SLAB_RECLAIM_ACCOUNT");
	if (!s->accounted && dump_type_bytes(d, "struct mem_cgroup"))
		dump_lacks(d, "caches that are charged to cgroups", ST_UNKNOWN,
			   "unknown layout: no enumerator _SLAB_ACCOUNT");
}

static enum status find_tags(struct slabs *s)
{
	struct dump *d = s->dump;
	struct field ref;
	enum status st;

	s->exts_fork = fork_find(d, "struct slabobj_ext", exts_forks, EXTS_FORKS);
	/* Since 6.10 slabs have pointers to such structures. */
	if (dump_ask(d, member, "struct slab", "obj_exts", &ref) == ST_OK &&
	    dump_ask(d, type_size, "struct slabobj_ext", &s->ext_bytes) != ST_OK)
		dump_lacks(d, "allocation sites and cgroups of slab objects", ST_UNKNOWN,
			   "unknown layout: no struct slabobj_ext");
	s->has_tags = s->exts_fork != EXTS_UNTAGGED &&
		      STRUCT_HAS(&s->slab, struct slab_header, exts);
	if (!s->has_tags)
		return ST_OK;
	st = layout_resolve(d, &ref_row, 1, &ref);
	if (st != ST_OK)
		return st;
	s->ext_tag = ref.offset;
	if (dump_ask(d, type_size, "struct slabobj_ext", &s->ext_bytes) != ST_OK ||
	    s->ext_bytes < 8 || s->ext_bytes > 64 || s->ext_tag + 8 > s->ext_bytes ||
	    (s->exts_fork == EXTS_POINTERS && s->ext_bytes != 8))
		return dump_unknown(d, "struct slabobj_ext");
	/* Whether there is a pointer for the tag at all is fixed at boot. */
	if (s->exts_fork == EXTS_POINTERS && dump_has_symbol(d, "slab_obj_ext_has_codetag_key"))
		st = static_key_read(d, "slab_obj_ext_has_codetag_key", &s->has_tags);
	return st;
}

/*
 * Where the pointers to struct obj_cgroup are: in struct slabobj_ext, or, before 6.10, alone in a
 * vector (5.9: mm: memcg/slab: obj_cgroup API).
 */
static void find_objcgs(struct slabs *s)
{
	static const struct layout_row row = {
		"struct slabobj_ext", { "_objcg", "objcg" }, OPTIONAL, "7.3, 6.10"
	};
	struct dump *d = s->dump;
	struct field objcg;
	uint64_t bytes;

	s->objcg_bytes = 8;
	s->has_objcgs = STRUCT_HAS(&s->slab, struct slab_header, exts);
	if (dump_ask(d, type_size, "struct slabobj_ext", &bytes) == ST_OK) {
		s->has_objcgs &= layout_resolve(d, &row, 1, &objcg) == ST_OK && objcg.present &&
				 bytes <= 64 && objcg.offset + 8 <= bytes;
		s->objcg_bytes = bytes;
		s->objcg = s->has_objcgs ? objcg.offset : 0;
	}
	s->has_objcgs &= dump_ask(d, type_size, "struct obj_cgroup", &bytes) == ST_OK;
}

/*
 * The start of the direct map, from the cache of caches: kmem_cache points into a slab. That of SLAB is a
 * variable of the kernel, and the cache that was made last in a slab.
 */
static enum status find_linear(struct slabs *s)
{
	struct dump *d = s->dump;
	uint64_t addr, phys;
	enum status st = s->has_indexes ? dump_symbol(d, "slab_caches", &addr)
						  ?: dump_u64(d, addr, &addr, "slab_caches")
					: dump_value(d, "kmem_cache", &addr);

	st = st ?: dump_pointer_phys(d, addr, "kmem_cache", &phys);
	return RESULT(st, &s->linear, addr - phys);
}

static size_t allocator(struct dump *d)
{
	size_t fork = fork_find(d, "slab allocator", allocator_forks, ALLOCATORS);

	return fork == ALLOCATOR_SLOB && !dump_knows_symbol(d, allocator_forks[fork].symbol)
		       ? ALLOCATOR_SLUB
		       : fork;
}

/* A struct slab is laid over a struct page. */
static enum status check_slab(const struct slabs *s)
{
	return s->slab.end > dump_type_bytes(s->dump, "struct page")
		       ? dump_unknown(s->dump, "struct slab")
		       : ST_OK;
}

static enum status open_rows(struct slabs *s, size_t allocator)
{
	struct dump *d = s->dump;
	enum status st;

	s->has_indexes = allocator == ALLOCATOR_SLAB;
	if (allocator == ALLOCATOR_SLOB)
		return dump_fail(d, ST_UNKNOWN,
				 "this kernel was built with CONFIG_SLOB, which has no caches");
	/* To 5.16 it is a page. */
	if (s->has_indexes) {
		st = dump_type_bytes(d, "struct slab") ? STRUCTS_OPEN(d, indexed_rows, s)
						       : STRUCTS_OPEN(d, indexed_page_rows, s);
		return st ?: STRUCTS_OPEN(d, indexed_cache_rows, s);
	}
	st = STRUCTS_OPEN(d, slab_rows, s);
	if (st == ST_UNKNOWN)
		st = STRUCTS_OPEN(d, page_rows, s);
	return st ?: STRUCTS_OPEN(d, cache_rows, s);
}

enum status slabs_open(struct dump *d, struct memmap *memmap, struct slabs *ret)
{
	struct slabs s = { .dump = d, .memmap = memmap };
	enum status st = open_rows(&s, allocator(d)) ?: check_slab(&s) ?: find_tags(&s) ?:
			find_linear(&s);

	if (st == ST_OK)
		find_objcgs(&s);
	st = st ?: percpu_open(d, &s.cpus);
	if (st != ST_OK)
		return st;
	find_flags(&s);
	s.sheaves_complete = true;
	s.exts = dump_alloc(d, EXTS_BYTES);
	decoder_trace(d, "decide slabobj_ext %s, %lu bytes, tag at %lu",
		      s.has_tags ? "has a tag" : "has no tag", s.ext_bytes, s.ext_tag);
	*ret = s;
	hash_u64_init(&ret->caches, d->arena, sizeof(struct slab_cache));
	hash_u64_init(&ret->sheaves, d->arena, 1);
	return ST_OK;
}

/* Behind the object, or behind the pointer to the next free one if that is outside (5.8). */
static uint32_t info_end(const struct slab_cache *c, uint32_t inuse)
{
	return c->offset >= inuse ? inuse + 8 : inuse;
}

static const char *cache_name_at(struct slabs *s, uint64_t at)
{
	char name[NAME_BYTES];

	return dump_string(s->dump, at, name, sizeof(name), "name of a cache") == ST_OK
		       ? dump_strdup(s->dump, name)
		       : NULL;
}

static enum status read_cache(struct slabs *s, uint64_t addr, struct slab_cache *ret)
{
	struct cache_read read = { 0 }, root;
	struct slab_cache *c = &read.c;
	enum status st = struct_read(&s->cache, addr, &read);

	if (st != ST_OK)
		return st;
	if (!s->has_indexes && !(read.flags & s->red_zone))
		c->pad = 0;
	if (s->has_indexes && (!c->num || c->num > SLAB_MAX_OBJECTS || c->indexes % c->num ||
			       c->indexes / c->num - 1 > 1))
		return dump_corrupt(s->dump, "kmem_cache at %#lx has slabs of %u objects", addr,
				    c->num);
	if (!c->size || c->size > MAX_SLAB_BYTES || c->bytes > c->size || c->pad > c->size ||
	    c->offset > c->size - 8 || read.inuse > c->size)
		return dump_corrupt(s->dump, "kmem_cache at %#lx has objects of %u bytes", addr,
				    c->size);
	c->info = info_end(c, read.inuse);
	c->has_tracks = !s->has_indexes && read.flags & s->store_user;
	c->is_reclaimable = (read.flags & s->reclaimable) != 0;
	c->is_accounted = (read.flags & s->accounted) != 0;
	c->has_requested = c->has_tracks && read.flags & s->kmalloc;
	/* As aliases_show() of mm/slub.c counts: below 0 is a cache of boot, into which none is merged. */
	c->has_aliases = read.refcount && read.refcount <= INT32_MAX;
	c->aliases = c->has_aliases && read.refcount > 0 ? read.refcount - 1 : 0;
	c->name = c->kind = cache_name_at(s, read.name);
	if (c->root)
		c->kind = struct_read(&s->cache, c->root, &root) == ST_OK && root.refcount <= 1
				  ? cache_name_at(s, root.name)
				  : NULL;
	c->address = addr;
	*ret = *c;
	return ST_OK;
}

enum status slab_cache_get(struct slabs *s, uint64_t addr, const struct slab_cache **ret)
{
	struct slab_cache *c;
	bool is_new;

	if (s->caches.n >= 65536 && !hash_u64_has(&s->caches, addr))
		return dump_corrupt(s->dump, "more than 65536 slab caches");
	c = hash_u64_get(&s->caches, addr, &is_new);
	if (is_new) {
		struct slab_cache read = { 0 };
		enum status st = read_cache(s, addr, &read);

		if (st != ST_OK)
			return st;
		*c = read;
	}
	if (!c->address)
		return dump_corrupt(s->dump, "kmem_cache at %#lx is corrupt, or not in this dump",
				    addr);
	*ret = c;
	return ST_OK;
}

/* How far apart the slabobj_ext of a slab are, and where the tag is in one. */
static void place_tags(const struct slabs *s, const struct slab_header *h, struct slab *slab)
{
	slab->stride = s->ext_bytes;
	slab->tag = s->ext_tag;
	if (s->exts_fork == EXTS_STRIDE)
		slab->stride = h->stride;
	if (s->exts_fork == EXTS_POINTERS) {
		slab->stride = h->in_object ? slab->cache->size : 8u * (1 + h->needs_objcg);
		slab->tag = h->needs_objcg ? 8 : 0;
	}
}

/* The same for pointers to struct obj_cgroup; in 7.3 they come before the tags. */
static void place_objcgs(const struct slabs *s, const struct slab_header *h, struct slab *slab)
{
	uint64_t exts = h->exts & ~(uint64_t)EXTS_FLAGS;

	if (!s->has_objcgs || !exts || (h->has_bits && !h->needs_objcg))
		return;
	slab->objcgs = exts + s->objcg;
	slab->objcg_stride = s->objcg_bytes;
	if (h->has_bits)
		slab->objcg_stride = h->in_object ? slab->cache->size : 8u * (1 + s->has_tags);
	else if (h->has_stride)
		slab->objcg_stride = h->stride;
}

static enum status read_slab(struct slabs *s, uint64_t pfn, struct slab_header *ret)
{
	uint64_t page;
	enum status st = memmap_page(s->memmap, pfn, &page);

	*ret = (struct slab_header){ 0 };
	return st ?: struct_read(&s->slab, page, ret);
}

enum status slab_cache_at(struct slabs *s, uint64_t pfn, const struct slab_cache **ret)
{
	struct slab_header h;
	enum status st = read_slab(s, pfn, &h);

	if (st == ST_OK && !h.cache)
		return dump_absent(s->dump, "the slab of pfn %#lx has no cache", pfn);
	return st ?: slab_cache_get(s, h.cache, ret);
}

enum status slab_at(struct slabs *s, uint64_t pfn, struct slab *ret)
{
	struct slab_header h;
	struct slab slab = { 0 };
	enum status st = read_slab(s, pfn, &h) ?: slab_cache_get(s, h.cache, &slab.cache);

	if (st != ST_OK)
		return st;
	slab.address = s->linear + (pfn << s->dump->page_shift);
	slab.objects = s->has_indexes ? slab.cache->num : h.objects;
	slab.inuse = h.inuse;
	slab.freelist = h.freelist;
	if (!slab.objects || slab.objects > SLAB_MAX_OBJECTS ||
	    (uint64_t)slab.objects * slab.cache->size > MAX_SLAB_BYTES)
		return dump_corrupt(s->dump, "the slab of pfn %#lx has %u objects of %u", pfn,
				    slab.objects, slab.cache->size);
	if (slab.inuse > slab.objects)
		return dump_corrupt(s->dump, "the slab of pfn %#lx has %u of %u objects in use",
				    pfn, slab.inuse, slab.objects);
	if (s->has_indexes && h.first - slab.address > MAX_SLAB_BYTES)
		return dump_corrupt(s->dump, "the slab of pfn %#lx has its first object at %#lx",
				    pfn, h.first);
	slab.address = s->has_indexes ? h.first : slab.address;
	if (s->has_tags) {
		slab.exts = h.exts & ~(uint64_t)EXTS_FLAGS;
		slab.lost = !slab.exts && h.exts;
		place_tags(s, &h, &slab);
	}
	/* A slabobj_ext that is shorter than its tag is not one of this slab. */
	if (slab.exts && (slab.stride < slab.tag + 8 || slab.stride > MAX_SLAB_BYTES))
		return dump_corrupt(s->dump, "the slab of pfn %#lx has tags %u bytes apart", pfn,
				    slab.stride);
	place_objcgs(s, &h, &slab);
	if (slab.objcgs && (slab.objcg_stride < 8 || slab.objcg_stride > MAX_SLAB_BYTES))
		return dump_corrupt(s->dump, "the slab of pfn %#lx has cgroups %u bytes apart", pfn,
				    slab.objcg_stride);
	*ret = slab;
	return ST_OK;
}

enum status slab_index(const struct slab *slab, uint64_t addr, uint32_t *ret)
{
	uint64_t i = addr - slab->address;

	if (addr < slab->address || i / slab->cache->size >= slab->objects)
		return ST_ABSENT;
	*ret = i / slab->cache->size;
	return ST_OK;
}

enum status slab_tag(struct slabs *s, struct slab *slab, uint32_t i, uint64_t *ret)
{
	uint64_t bytes = (uint64_t)slab->objects * slab->stride, tag;
	uint8_t one[8];

	if (!slab->exts)
		return ST_ABSENT;
	if (!i)
		slab->has_exts_read = bytes <= EXTS_BYTES &&
				      dump_try(s->dump, slab->exts, s->exts,
					       bytes - slab->stride + slab->tag + 8) == ST_OK;
	if (slab->has_exts_read)
		tag = le64(s->exts + (uint64_t)i * slab->stride + slab->tag);
	else if (dump_try(s->dump, slab->exts + (uint64_t)i * slab->stride + slab->tag, one, 8) ==
		 ST_OK)
		tag = le64(one);
	else
		return ST_UNREADABLE;
	/* Ones are no reference, but what stands for a page that could not be read. */
	if (tag == UINT64_MAX)
		return ST_CORRUPT;
	*ret = tag;
	return ST_OK;
}

enum status slab_objcgs(struct slabs *s, const struct slab *slab, const uint64_t **ret)
{
	uint32_t stride = slab->objcg_stride, n = slab->objects;
	uint64_t bytes = (uint64_t)(n - 1) * stride + 8;
	enum status st = ST_OK;
	uint64_t *v;

	if (!slab->objcgs)
		return ST_ABSENT;
	if (!s->objcgs)
		s->objcgs = dump_alloc(s->dump, SLAB_MAX_OBJECTS * 8);
	v = (uint64_t *)s->objcgs;
	if (bytes <= SLAB_MAX_OBJECTS * 8) {
		st = dump_read(s->dump, slab->objcgs, s->objcgs, bytes, "obj_cgroup pointers");
		for (uint32_t i = 0; st == ST_OK && i < n; i++)
			v[i] = le64(s->objcgs + (uint64_t)i * stride);
	} else {
		for (uint32_t i = 0; st == ST_OK && i < n; i++)
			st = dump_u64(s->dump, slab->objcgs + (uint64_t)i * stride, &v[i],
				      "obj_cgroup pointer");
	}
	return RESULT(st, ret, v);
}

#define MAX_TRACK_BYTES 256 /* of struct track: 32, up to 5.18 152 with 16 addresses */

static const struct layout_row rows[] = {
	STRUCTURE(struct slub_tracks, track, "struct track"),
	READS(struct slub_track, addr, REQUIRED, "all", "addr"),
	READS(struct slub_track, handle, OPTIONAL, "5.18, CONFIG_STACKDEPOT", "handle"),
	READS(struct slub_track, frames, OPTIONAL, "to 5.17", "addrs"),
	READS(struct slub_track, pid, REQUIRED, "all", "pid"),
	READS(struct slub_track, when, REQUIRED, "all", "when"),
};

enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret)
{
	struct slub_tracks t = { .dump = d };
	enum status st =
		allocator(d) == ALLOCATOR_SLUB
			? STRUCTS_OPEN(d, rows, &t)
			: dump_absent(d, "this kernel was built without CONFIG_SLUB: it keeps "
					 "no tracks of objects");

	if (st == ST_OK && (dump_ask(d, type_size, "struct track", &t.bytes) != ST_OK ||
			    t.bytes > MAX_TRACK_BYTES || t.track.end > t.bytes))
		st = dump_unknown(d, "no size of struct track");
	if (st != ST_OK)
		return st;
	jiffies_open(d, &t.jiffies);
	*ret = t;
	return ST_OK;
}

/* Bytes from the object on, all inside of its slot. */
static enum status read_info(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			     uint64_t at, void *buf, size_t len)
{
	const struct slab_cache *c = slab->cache;

	if (c->pad + c->info + at + len > c->size)
		return dump_corrupt(t->dump, "objects of %s have no room for tracks",
				    c->name ? c->name : "a cache");
	return dump_read(t->dump, slab_object(slab, i) + c->info + at, buf, len, "struct track");
}

enum status slub_track_at(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			  bool freed, struct slub_track *ret)
{
	uint8_t raw[MAX_TRACK_BYTES];
	struct slub_track track = { 0 };
	enum status st;

	if (!slab->cache->has_tracks)
		return ST_ABSENT;
	st = read_info(t, slab, i, freed ? t->bytes : 0, raw, t->bytes)
		     ?: struct_decode(&t->track, slab_object(slab, i), raw, &track);
	if (st != ST_OK || !track.addr)
		return st ?: ST_ABSENT;
	while (track.n < TRACK_FRAMES && track.frames[track.n] &&
	       track.frames[track.n] != UINT64_MAX)
		track.n++;
	/* A time after the panic is corrupt. */
	track.has_age = jiffies_age(&t->jiffies, track.when, &track.age_ns);
	*ret = track;
	return ST_OK;
}

enum status slub_requested(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			   uint32_t *ret)
{
	uint8_t raw[4];
	enum status st;

	if (!slab->cache->has_requested)
		return ST_ABSENT;
	/* An unsigned int, by 6.12 a long: sizes are small enough for the former. */
	st = read_info(t, slab, i, 2 * t->bytes, raw, sizeof(raw));
	if (st == ST_OK)
		*ret = le32(raw);
	return st == ST_OK && !*ret ? ST_ABSENT : st;
}
