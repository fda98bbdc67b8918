// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/kasan.h"

#include "pages/kernel_map.h"

#define MAX_BYTES 128 /* of the metadata of one object, which have 16 to 40 */
/* KASAN_SHADOW_OFFSET of x86_64 with 4 and 5 levels (arch/x86/Kconfig), and bytes for one of shadow. */
#define X86_SHADOW 0xdffffc0000000000ULL
#define SCALE_SHIFT 3
/* Of mm/kasan/kasan.h in 5.10 (KASAN_KMALLOC_FREETRACK) to 7.3 (KASAN_SLAB_FREE_META). */
#define SHADOW_FREE_META 0xfa
#define SHADOW_FREE 0xfb
#define SHADOW_MOST 7 /* bytes of a granule that may be accessed; 0: all */

static const struct layout_row rows[] = {
	FINDS(struct kasan, alloc_offset, "struct kmem_cache", REQUIRED, "4.6",
	      "kasan_info.alloc_meta_offset"),
	FINDS(struct kasan, free_offset, "struct kmem_cache", REQUIRED, "4.6",
	      "kasan_info.free_meta_offset"),
	STRUCTURE(struct kasan, alloc_meta, "struct kasan_alloc_meta"),
	READS(struct kasan_object, allocated, REQUIRED, "4.6", "alloc_track.stack"),
	READS(struct kasan_object, aux, OPTIONAL, "5.10", "aux_stack"),
	STRUCTURE(struct kasan, free_meta, "struct kasan_free_meta"),
	READS(struct kasan_object, freed, REQUIRED, "5.10", "free_track.stack"),
};

/* Of a cache. */
struct metadata {
	bool known;
	uint32_t alloc, free;
};

static enum status check_layout(struct kasan *k)
{
	struct dump *d = k->dump;
	const struct field *aux = STRUCT_FIELD(&k->alloc_meta, struct kasan_object, aux);

	if (dump_ask(d, type_size, "struct kasan_alloc_meta", &k->alloc_bytes) != ST_OK ||
	    dump_ask(d, type_size, "struct kasan_free_meta", &k->free_bytes) != ST_OK ||
	    k->alloc_bytes > MAX_BYTES || k->free_bytes > MAX_BYTES ||
	    k->alloc_meta.end > k->alloc_bytes || k->free_meta.end > k->free_bytes ||
	    (aux->present && aux->size != 4 * KASAN_AUX))
		return dump_unknown(d, "the metadata of KASAN");
	return ST_OK;
}

static enum status read_shadow(struct dump *d, uint64_t address, uint8_t *ret)
{
	return dump_read(d, (address >> SCALE_SHIFT) + X86_SHADOW, ret, 1, "shadow of KASAN");
}

/* All of the kernel's own data may be accessed, so its shadow is 0. */
static enum status check_shadow(struct dump *d)
{
	uint64_t address;
	uint8_t shadow;
	enum status st = dump_symbol(d, "init_task", &address) ?: read_shadow(d, address, &shadow);

	if (st == ST_OK && shadow)
		return dump_unknown(d, "the shadow of init_task is %#x, not 0", shadow);
	return st;
}

enum status kasan_open(struct dump *d, struct kasan *ret)
{
	struct kasan k = { .dump = d };
	enum status st;

	if (!dump_has_symbol(d, "kasan_report"))
		return dump_absent(d, "no kasan_report in vmlinux");
	if (dump_has_symbol(d, "kasan_init_sw_tags") || dump_has_symbol(d, "kasan_init_hw_tags") ||
	    dump_has_symbol(d, "kasan_init_tags"))
		return dump_fail(d, ST_UNKNOWN, "KASAN with tags: only generic KASAN is decoded");
	if (!d->arch || strcmp(d->arch, "x86_64"))
		return dump_fail(d, ST_UNKNOWN, "the shadow of KASAN is known of x86_64 alone");
	st = STRUCTS_OPEN(d, rows, &k) ?: check_layout(&k);
	if (st == ST_OK && !d->map)
		st = kernel_map_open(d);
	st = st ?: check_shadow(d);
	if (st != ST_OK)
		return st;
	hash_u64_init(&k.caches, d->arena, sizeof(struct metadata));
	*ret = k;
	return ST_OK;
}

static enum status find_metadata(struct kasan *k, const struct slab_cache *c, struct metadata *ret)
{
	uint32_t alloc, free;
	enum status st;
	struct metadata *m = hash_u64_get(&k->caches, c->address, NULL);

	if (!m->known) {
		st = dump_u32(k->dump, c->address + k->alloc_offset.offset, &alloc,
			      "kmem_cache.kasan_info")
			     ?: dump_u32(k->dump, c->address + k->free_offset.offset, &free,
					 "kmem_cache.kasan_info");
		if (st != ST_OK)
			return st;
		*m = (struct metadata){ true, alloc, free };
	}
	*ret = *m;
	return ST_OK;
}

static enum status read_meta(struct kasan *k, const struct slab *slab, uint32_t i, uint32_t at,
			     uint64_t bytes, uint8_t *raw)
{
	const struct slab_cache *c = slab->cache;

	if ((uint64_t)c->pad + at + bytes > c->size)
		return dump_corrupt(k->dump, "objects of %s have no room for the metadata of KASAN",
				    c->name ? c->name : "a cache");
	return dump_read(k->dump, slab_object(slab, i) + at, raw, bytes, "metadata of KASAN");
}

static enum kasan_state state_of(uint8_t shadow)
{
	if (shadow <= SHADOW_MOST)
		return KASAN_IN_USE;
	if (shadow == SHADOW_FREE_META)
		return KASAN_QUARANTINED;
	return shadow == SHADOW_FREE ? KASAN_FREED : KASAN_POISONED;
}

enum status kasan_object_at(struct kasan *k, const struct slab *slab, uint32_t i,
			    struct kasan_object *ret)
{
	struct kasan_object o = { 0 };
	uint8_t raw[MAX_BYTES], shadow;
	struct metadata m = { 0 };
	enum status st = find_metadata(k, slab->cache, &m);

	/* A cache of KASAN's own or one that is too large has none. */
	if (st == ST_OK && !m.alloc)
		return ST_ABSENT;
	st = st ?: read_shadow(k->dump, slab_object(slab, i), &shadow);
	if (st != ST_OK)
		return st;
	o.state = state_of(shadow);
	if (o.state == KASAN_IN_USE || o.state == KASAN_QUARANTINED) {
		st = read_meta(k, slab, i, m.alloc, k->alloc_bytes, raw)
			     ?: struct_decode(&k->alloc_meta, slab_object(slab, i), raw, &o);
	}
	if (o.state == KASAN_QUARANTINED)
		st = st ?: read_meta(k, slab, i, m.free, k->free_bytes, raw) ?:
				struct_decode(&k->free_meta, slab_object(slab, i), raw, &o);
	return RESULT(st, ret, o);
}
