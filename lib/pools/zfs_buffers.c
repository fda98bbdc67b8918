// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zfs_buffers.h"

#include "modules/module_sections.h"
#include "slab/cache_objects.h"

#define MAX_ENTRIES \
	(1U << 17) /* of one buffer: 16 MiB in single pages, and where a table goes on */
#define MAX_BYTES (1ULL << 26) /* of one buffer */
#define MAX_BUCKETS 4096       /* no more than CPUs */
#define SG_CHAIN 1 /* include/linux/scatterlist.h: the rest is elsewhere; this is the last */
#define SG_END 2

struct spl_cache {
	uint64_t slab;
};

struct abd {
	uint32_t flags, bytes;
	uint64_t scatter, linear;
};

struct entry {
	uint64_t link;
	uint32_t bytes;
};

struct sums {
	uint64_t lower, upper, buckets;
	uint32_t n;
};

struct bucket {
	uint64_t delta, borrowed;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct zfs_buffers, cache, "struct spl_kmem_cache"),
	POINTS(struct spl_cache, slab, REQUIRED, "ZFS 0.6.5", "skc_linux_cache"),
	STRUCTURE(struct zfs_buffers, abd, "struct abd"),
	READS(struct abd, flags, REQUIRED, "ZFS 0.7", "abd_flags"),
	READS(struct abd, bytes, REQUIRED, "ZFS 0.7", "abd_size"),
	POINTS(struct abd, scatter, REQUIRED, "ZFS 0.7", "abd_u.abd_scatter.abd_sgl"),
	POINTS(struct abd, linear, OPTIONAL, "ZFS 0.8", "abd_u.abd_linear.abd_sgl"),
	STRUCTURE(struct zfs_buffers, entry, "struct scatterlist"),
	READS(struct entry, link, REQUIRED, "all", "page_link"),
	READS(struct entry, bytes, REQUIRED, "all", "length"),
	STRUCTURE(struct zfs_buffers, sums, "struct arc_sums"),
	READS(struct sums, lower, REQUIRED, "ZFS 2.1", "arcstat_size.as_lower_bound"),
	READS(struct sums, upper, REQUIRED, "ZFS 2.1", "arcstat_size.as_upper_bound"),
	POINTS(struct sums, buckets, REQUIRED, "ZFS 2.1", "arcstat_size.as_buckets"),
	READS(struct sums, n, REQUIRED, "ZFS 2.1", "arcstat_size.as_numbuckets"),
	STRUCTURE(struct zfs_buffers, bucket, "struct aggsum_bucket"),
	READS(struct bucket, delta, REQUIRED, "ZFS 0.8", "asc_delta"),
	READS(struct bucket, borrowed, REQUIRED, "ZFS 0.8", "asc_borrowed"),
};

static const struct {
	const char *name;
	bool may_lack;
} flags[ZFS_FLAGS] = {
	[ZFS_LINEAR] = { "ABD_FLAG_LINEAR", false },
	[ZFS_LINEAR_PAGE] = { "ABD_FLAG_LINEAR_PAGE", true }, /* ZFS 0.8 */
	[ZFS_OWNER] = { "ABD_FLAG_OWNER", false },
	[ZFS_GANG] = { "ABD_FLAG_GANG", true }, /* ZFS 2.0 */
	[ZFS_FROM_PAGES] = { "ABD_FLAG_FROM_PAGES",
			     true }, /* ZFS 2.3: of who asked for direct I/O */
};

static enum status find_flags(struct zfs_buffers *z)
{
	enum status st = ST_OK;

	for (size_t i = 0; i < ZFS_FLAGS && st == ST_OK; i++) {
		st = dump_ask(z->dump, enumerator, flags[i].name, &z->flags[i]);
		if (st != ST_OK && flags[i].may_lack)
			st = ST_OK;
		else if (st != ST_OK)
			st = dump_fail(z->dump, ST_UNKNOWN, "%s of ZFS is not known",
				       flags[i].name);
	}
	return st;
}

enum status zfs_buffers_open(struct dump *d, const struct memory_parts *v, struct zfs_buffers *ret)
{
	enum status st;

	*ret = (struct zfs_buffers){ .dump = d, .v = v };
	st = module_object_type(d, "spl", "struct spl_kmem_cache")
		     ?: module_object_type(d, "zfs", "struct abd")
		     ?: STRUCTS_OPEN(d, rows, ret)
		     ?: find_flags(ret)
		     ?: dump_ask(d, type_size, "struct scatterlist", &ret->entry_bytes)
		     ?: dump_ask(d, type_size, "struct aggsum_bucket", &ret->bucket_bytes)
		     ?: dump_ask(d, type_size, "struct page", &ret->page_bytes);
	ret->has_types = st == ST_OK;
	return st;
}

static bool has(const struct zfs_buffers *z, const struct abd *abd, enum zfs_flag flag)
{
	return abd->flags & (uint64_t)z->flags[flag];
}

/* Bytes of a table of pages; page: what is told each of them, or NULL. */
static enum status visit_table(struct zfs_buffers *z, uint64_t at,
			       enum status (*page)(void *arg, uint64_t page), uint64_t *bytes)
{
	struct dump *d = z->dump;
	uint64_t size = dump_page_size(d), last = 0;
	enum status st = ST_OK;

	*bytes = 0;
	for (unsigned int n = 0; st == ST_OK && n < MAX_ENTRIES; n++) {
		struct entry e;
		uint64_t first;

		st = struct_read(&z->entry, at, &e);
		if (st != ST_OK)
			return st;
		first = e.link & ~(uint64_t)(SG_CHAIN | SG_END);
		if (e.link & SG_CHAIN) {
			at = first;
			continue;
		}
		*bytes += e.bytes;
		if (!first || !e.bytes || *bytes > MAX_BYTES)
			break;
		/* A buffer of zeros has the same page again and again. */
		for (uint64_t i = 0; page && st == ST_OK && first != last && i * size < e.bytes;
		     i++)
			st = page(z->v->arg, first + i * z->page_bytes);
		last = first;
		if (st != ST_OK || e.link & SG_END)
			return st;
		at += z->entry_bytes;
	}
	return st ?: dump_corrupt(d, "a table of pages of ZFS has no end");
}

enum status zfs_buffer_visit(void *buffers, uint64_t address)
{
	struct zfs_buffers *z = buffers;
	struct abd abd = { 0 };
	uint64_t table, bytes;
	enum status st;

	if (!z->has_types)
		return ST_OK;
	st = struct_read(&z->abd, address, &abd);
	if (st != ST_OK)
		return first_problem_keep(z->dump, &z->problem, st);
	if (!has(z, &abd, ZFS_OWNER) || has(z, &abd, ZFS_GANG) || has(z, &abd, ZFS_FROM_PAGES) ||
	    (has(z, &abd, ZFS_LINEAR) && !has(z, &abd, ZFS_LINEAR_PAGE)))
		return ST_OK;
	table = has(z, &abd, ZFS_LINEAR) ? abd.linear : abd.scatter;
	st = visit_table(z, table, NULL, &bytes);
	/* In whole pages, up to 2.2 and since. */
	if (st == ST_OK && (bytes < abd.bytes || bytes - abd.bytes >= dump_page_size(z->dump)))
		st = dump_corrupt(z->dump, "the abd at %#lx has %u bytes in pages of %lu", address,
				  abd.bytes, bytes);
	return first_problem_keep(z->dump, &z->problem,
				  st ?: visit_table(z, table, z->v->page, &bytes));
}

enum status zfs_arc_size(struct zfs_buffers *z, uint64_t address, uint64_t *ret)
{
	struct dump *d = z->dump;
	struct sums sums;
	struct bucket b;
	uint64_t lower, upper;
	enum status st = struct_read(&z->sums, address, &sums);

	if (st != ST_OK)
		return st;
	if (sums.n > MAX_BUCKETS)
		return dump_corrupt(d, "arcstat_size has %u buckets", sums.n);
	lower = sums.lower;
	upper = sums.upper;
	for (uint64_t i = 0; i < sums.n; i++) {
		st = struct_read(&z->bucket, sums.buckets + i * z->bucket_bytes, &b);
		if (st != ST_OK)
			return st;
		lower += b.delta + b.borrowed;
		upper += b.delta - b.borrowed;
	}
	/* What was borrowed is all that the two differ by. */
	if (lower != upper || (int64_t)lower < 0)
		return dump_corrupt(d, "arcstat_size is %ld to %ld bytes", lower, upper);
	*ret = lower;
	return ST_OK;
}

enum status zfs_buffers_walk(struct dump *d, const struct memory_parts *v)
{
	struct zfs_buffers z;
	struct cache_objects n = { 0 };
	struct memory_holder arc = { .name = "ARC", .counter = "arcstat_size" };
	struct spl_cache cache;
	uint64_t at, sums;
	enum status st = module_object_symbol(d, "zfs", "arc_sums", &sums)
				 ?: module_object_symbol(d, "zfs", "abd_cache", &at)
				 ?: zfs_buffers_open(d, v, &z)
				 ?: dump_u64(d, at, &at, "abd_cache")
				 ?: struct_read(&z.cache, at, &cache);

	if (st != ST_OK)
		return st;
	st = first_problem_keep(d, &z.problem, zfs_arc_size(&z, sums, &arc.counted.n));
	arc.counted.known = !z.problem.text;
	st = st ?: cache_objects_walk(d, cache.slab, zfs_buffer_visit, &z, &n);
	if (st == ST_OK && (n.unreadable || n.unknown))
		st = first_problem_keep(d, &z.problem,
					dump_unreadable(d, "%lu slabs and %lu pages are not known",
							n.unknown, n.unreadable));
	if (st != ST_OK && st != ST_ABSENT)
		return st;
	arc.is_cut = z.problem.text;
	return v->holder(v->arg, &arc) ?: first_problem_end(d, &z.problem);
}
