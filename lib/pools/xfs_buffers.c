// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/xfs_buffers.h"

#include "modules/module_sections.h"
#include "slab/cache_objects.h"

#define BLOCK_SHIFT 9	      /* BBSHIFT: bytes of what b_length counts */
#define MAX_BLOCKS (1U << 17) /* of one buffer: 64 MiB */
#define CHUNK 64	      /* pointers that are read at once */

struct buffer {
	uint64_t target, address, pages, lru_place, lru;
	int32_t references, lockref;
	uint32_t blocks, n;
	bool has_lockref;
};

struct target {
	uint64_t mount;
};

struct mount {
	uint64_t super;
};

struct super {
	uint64_t info;
	char id[33];
};

/* Of a struct xfs_buftarg; names is NULL of what is none. */
struct xfs_target {
	const char *names[2]; /* of buffers on the list_lru, of others */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct xfs_buffers, buffer, "struct xfs_buf"),
	POINTS(struct buffer, target, REQUIRED, "all", "b_target"),
	POINTS(struct buffer, address, REQUIRED, "all", "b_addr"),
	READS(struct buffer, blocks, REQUIRED, "all", "b_length"),
	PLACES(struct buffer, lru_place, REQUIRED, "all", "b_lru"),
	LINKS(struct buffer, lru, REQUIRED, "all", "b_lru"),
	/* 6.15: "xfs: use vmalloc instead of vm_map_area for buffer backing memory" */
	POINTS(struct buffer, pages, OPTIONAL, "all to 6.14", "b_pages"),
	READS(struct buffer, n, OPTIONAL, "all to 6.14", "b_page_count"),
	READS(struct buffer, references, OPTIONAL, "all without b_lockref", "b_hold.counter",
	      "b_hold"),
	READS_IF(struct buffer, lockref, has_lockref, OPTIONAL, "7.3", "b_lockref.count"),
	STRUCTURE(struct xfs_buffers, target, "struct xfs_buftarg"),
	POINTS(struct target, mount, REQUIRED, "all", "bt_mount"),
	STRUCTURE(struct xfs_buffers, mount, "struct xfs_mount"),
	POINTS(struct mount, super, REQUIRED, "all", "m_super"),
	STRUCTURE(struct xfs_buffers, super, "struct super_block"),
	POINTS(struct super, info, REQUIRED, "all", "s_fs_info"),
	READS(struct super, id, REQUIRED, "all", "s_id"),
};

enum status xfs_buffers_open(struct dump *d, const struct memory_parts *v, struct xfs_buffers *ret)
{
	enum status st;

	*ret = (struct xfs_buffers){ .dump = d, .v = v };
	hash_u64_init(&ret->targets, d->arena, sizeof(struct xfs_target));
	st = module_object_type(d, "xfs", "struct xfs_buf") ?: STRUCTS_OPEN(d, rows, ret);
	ret->has_types = st == ST_OK;
	return st;
}

/* Its mount is that of a super block, which says so: the cache may have other objects. */
static const struct xfs_target *target_at(struct xfs_buffers *x, uint64_t address)
{
	struct dump *d = x->dump;
	bool is_new;
	struct xfs_target *t = hash_u64_get(&x->targets, address, &is_new);
	struct target target;
	struct mount mount;
	struct super super;
	enum status st;

	if (!is_new)
		return t;
	st = struct_read(&x->target, address, &target)
		     ?: struct_read(&x->mount, target.mount, &mount)
		     ?: struct_read(&x->super, mount.super, &super);
	if (st == ST_OK && super.info == target.mount) {
		t->names[0] = dump_text(d, "%s, on the LRU list", super.id);
		t->names[1] = dump_text(d, "%s, not on the LRU list", super.id);
	}
	/* Its buffers are in no row then. */
	first_problem_keep(d, &x->problem, st == ST_UNREADABLE ? st : ST_OK);
	return t;
}

static enum status visit_pages(struct xfs_buffers *x, const struct buffer *b)
{
	uint8_t raw[CHUNK * 8];
	enum status st = ST_OK;

	for (uint32_t i = 0; st == ST_OK && i < b->n; i += CHUNK) {
		uint32_t n = b->n - i < CHUNK ? b->n - i : CHUNK;

		st = dump_read(x->dump, b->pages + i * 8, raw, n * 8, "xfs_buf.b_pages");
		for (uint32_t k = 0; st == ST_OK && k < n; k++)
			if (le64(raw + k * 8))
				st = x->v->page(x->v->arg, le64(raw + k * 8));
	}
	return st;
}

enum status xfs_buffer_visit(void *buffers, uint64_t address)
{
	struct xfs_buffers *x = buffers;
	struct dump *d = x->dump;
	struct memory_holder h = { .address = address, .counter = "xfs_buf.b_length" };
	struct buffer b = { 0 };
	const struct xfs_target *t;
	uint64_t bytes, mask = dump_page_size(d) - 1;
	enum status st;

	if (!x->has_types)
		return ST_OK;
	st = struct_read(&x->buffer, address, &b);
	if (st != ST_OK)
		return first_problem_keep(d, &x->problem, st);
	t = target_at(x, b.target);
	bytes = (uint64_t)b.blocks << BLOCK_SHIFT;
	/* What is freed waits for RCU; a list_lru holds no reference where there is a lockref. */
	if (!t->names[0] || (b.has_lockref ? b.lockref < 0 : !b.references))
		return ST_OK;
	if (b.blocks > MAX_BLOCKS || b.n > MAX_BLOCKS)
		return first_problem_keep(d, &x->problem,
					  dump_corrupt(d,
						       "xfs_buf at %#lx has %u blocks in %u pages",
						       address, b.blocks, b.n));
	h.name = t->names[!b.lru || b.lru == b.lru_place];
	h.counted = (struct maybe_u64){ (bytes + mask) & ~mask, true };
	if (STRUCT_HAS(&x->buffer, struct buffer, pages))
		st = b.pages ? visit_pages(x, &b) : ST_OK;
	else
		st = b.address ? x->v->part(x->v->arg, b.address, bytes) : ST_OK;
	h.is_cut = st != ST_OK;
	return first_problem_keep(d, &x->problem, st) ?: x->v->holder(x->v->arg, &h);
}

/* Its name to 5.15 is xfs_buf_zone. Where XFS is built in, no module has the other name. */
static enum status find_cache(struct dump *d, uint64_t *ret)
{
	uint64_t at;
	enum status st = module_object_symbol(d, "xfs", "xfs_buf_cache", &at);

	if (st == ST_UNKNOWN || st == ST_ABSENT)
		st = module_object_symbol(d, "xfs", "xfs_buf_zone", &at);
	return st ?: dump_u64(d, at, ret, "xfs_buf_cache");
}

enum status xfs_buffers_walk(struct dump *d, const struct memory_parts *v)
{
	struct xfs_buffers x;
	struct cache_objects n = { 0 };
	const char *why = NULL;
	uint64_t cache = 0;
	enum status st = find_cache(d, &cache), types;

	if (st != ST_OK)
		return st;
	types = xfs_buffers_open(d, v, &x);
	why = types != ST_OK ? dump_why(d) : NULL;
	st = cache_objects_walk(d, cache, xfs_buffer_visit, &x, &n);
	if (st == ST_OK && types != ST_OK && n.found)
		return dump_fail(d, types, "%lu objects of xfs_buf, and %s", n.found, why);
	if (st == ST_OK && (n.unreadable || n.unknown))
		st = dump_unreadable(d, "%lu slabs and %lu pages are not known", n.unknown,
				     n.unreadable);
	return st ?: first_problem_end(d, &x.problem);
}
