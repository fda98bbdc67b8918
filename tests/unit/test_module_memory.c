// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that modules list as theirs: buffers of XFS and ZFS, RAM disks; what TTM counts; an image of kexec; bounce buffers. */
#include "pools/brd.h"
#include "pools/kexec_image.h"
#include "pools/kvm_tables.h"
#include "pools/swiotlb.h"
#include "pools/ttm.h"
#include "pools/xfs_buffers.h"
#include "pools/zfs_buffers.h"
#include "seen_memory.h"
#include "stub.h"
#include "test.h"

#define XFS(i) (0x5000ULL + (i)*0x100)
struct xfs_object {
	uint64_t target, data, lru[2], pages, array[2];
	uint32_t blocks, n;
	int32_t references, pad;
};
static const struct xfs_object xfs_made = { XFS(1),	 0x8000,    { XFS(0) + 16, 0 },
					    XFS(0) + 40, { 70, 7 }, 9,
					    2,		 1,	    0 };
static struct xfs_object xfs_buf;
static uint64_t xfs_target = XFS(2), xfs_mount = XFS(3), xfs_super[5] = { XFS(2), 0x616476 };
#define XFS_MEMBERS                                                 \
	{ "struct xfs_buf", "b_target", FIELD(0, 8) },              \
		{ "struct xfs_buf", "b_addr", FIELD(8, 8) },        \
		{ "struct xfs_buf", "b_lru", FIELD(16, 16) },       \
		{ "struct xfs_buf", "b_length", FIELD(56, 4) },     \
		{ "struct xfs_buftarg", "bt_mount", FIELD(0, 8) },  \
		{ "struct xfs_mount", "m_super", FIELD(0, 8) },     \
		{ "struct super_block", "s_fs_info", FIELD(0, 8) }, \
	{                                                           \
		"struct super_block", "s_id", FIELD(8, 32)          \
	}
static const struct stub_member xfs_of_pages[] = {
	XFS_MEMBERS,
	{ "struct xfs_buf", "b_pages", FIELD(32, 8) },
	{ "struct xfs_buf", "b_page_count", FIELD(60, 4) },
	{ "struct xfs_buf", "b_hold.counter", FIELD(64, 4) },
	{ 0 },
};
static const struct stub_member xfs_of_addresses[] = {
	XFS_MEMBERS, { "struct xfs_buf", "b_lockref.count", FIELD(64, 4) }, { 0 }
};
static const struct stub_number xfs_sizes[] = { { "struct xfs_buf", sizeof(xfs_buf) },
						{ "struct xfs_buftarg", 8 },
						{ "struct xfs_mount", 8 },
						{ "struct super_block", 40 },
						{ 0 } };
static const struct stub_memory xfs_memory[] = { { XFS(0), &xfs_buf, sizeof(xfs_buf) },
						 { XFS(1), &xfs_target, 8 },
						 { XFS(2), &xfs_mount, 8 },
						 { XFS(3), xfs_super, 40 },
						 { 0 } };

static enum status visit_xfs(const struct stub_member *members, struct seen *seen)
{
	STUB(s, .memory = xfs_memory, .members = members, .sizes = xfs_sizes);
	struct xfs_buffers x;

	memset(seen, 0, sizeof(*seen));
	return xfs_buffers_open(&s.dump, WITH(seen), &x) ?:
		xfs_buffer_visit(&x, XFS(0))	       ?:
		first_problem_end(&s.dump, &x.problem);
}

static const struct stub_symbol xfs_cache[] = { { "xfs_buf_zone", XFS(7), FIELD(0, 8) }, { 0 } };

/* Up to 5.15, in vmlinux: that no module is loaded says nothing. What the variable has is not in this dump. */
static void xfs_built_in(void)
{
	STUB(s, .symbols = xfs_cache);
	struct seen seen = { 0 };

	CHECK(xfs_buffers_walk(&s.dump, WITH(&seen)) == ST_UNREADABLE);
}

static void xfs(void)
{
	struct seen seen;

	xfs_buf = xfs_made;
	CHECK(visit_xfs(xfs_of_pages, &seen) == ST_OK && seen.holders == 1 && seen.pages == 77);
	CHECK(seen.last.counted.n == 2 * 4096 && !seen.last.is_cut && !seen.parts);
	CHECK_TEXT(seen.name, "vda, not on the LRU list");
	/* A page that was not allocated yet. */
	xfs_buf.array[0] = 0;
	xfs_buf.lru[0] = XFS(9);
	CHECK(visit_xfs(xfs_of_pages, &seen) == ST_OK && seen.pages == 7);
	CHECK_TEXT(seen.name, "vda, on the LRU list");
	xfs_buf.n = 40;
	CHECK(visit_xfs(xfs_of_pages, &seen) == ST_UNREADABLE && seen.holders == 1 &&
	      seen.last.is_cut);
	xfs_buf.n = UINT32_MAX;
	CHECK(visit_xfs(xfs_of_pages, &seen) == ST_CORRUPT && !seen.holders);
	/* What is freed has no reference; since the list has none, its number is below zero. */
	xfs_buf = xfs_made;
	xfs_buf.references = 0;
	CHECK(visit_xfs(xfs_of_pages, &seen) == ST_OK && !seen.holders);
	CHECK(visit_xfs(xfs_of_addresses, &seen) == ST_OK && seen.holders == 1);
	CHECK(seen.bytes == 9 * 512 && seen.parts == 1 && !seen.pages &&
	      seen.last.counted.n == 2 * 4096);
	xfs_buf.references = -128;
	CHECK(visit_xfs(xfs_of_addresses, &seen) == ST_OK && !seen.holders);
	/* Another object of a shared cache: its super block is of another mount. */
	xfs_buf.references = 1;
	xfs_super[0] = XFS(4);
	CHECK(visit_xfs(xfs_of_addresses, &seen) == ST_OK && !seen.holders);
	/* It may be a buffer. */
	xfs_mount = 0x999000;
	CHECK(visit_xfs(xfs_of_addresses, &seen) == ST_UNREADABLE && !seen.holders);
}

#define BRD(i) (0x6000ULL + (i)*0x100)
static struct {
	uint64_t next, prev, disk, root, counted;
} brd_devices, brd_device;
static const char brd_disk[64] = "ram1";
static struct {
	uint64_t slots[4];
	uint8_t shift, pad[7];
} brd_node;
static const struct stub_member brd_members[] = {
	{ "struct brd_device", "brd_list", FIELD(0, 16) },
	{ "struct brd_device", "brd_disk", FIELD(16, 8) },
	{ "struct brd_device", "brd_pages.xa_head", FIELD(24, 8) },
	{ "struct brd_device", "brd_nr_pages", FIELD(32, 8) },
	{ "struct gendisk", "disk_name", FIELD(0, 32) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 0, 32) },
	{ "struct xa_node", "shift", FIELD(32, 1) },
	{ 0 },
};
static const struct stub_number brd_sizes[] = { { "struct brd_device", 40 },
						{ "struct gendisk", 32 },
						{ 0 } };
static const struct stub_symbol brd_symbols[] = { { "brd_devices", BRD(0), FIELD(0, 16) }, { 0 } };
static const struct stub_memory brd_memory[] = { { BRD(0), &brd_devices, 16 },
						 { BRD(1), &brd_device, sizeof(brd_device) },
						 { BRD(2), brd_disk, 64 },
						 { BRD(4), &brd_node, sizeof(brd_node) },
						 { 0 } };

static enum status walk_brd(struct seen *seen)
{
	STUB(s, .memory = brd_memory, .members = brd_members, .symbols = brd_symbols,
	     .sizes = brd_sizes);

	memset(seen, 0, sizeof(*seen));
	return brd_walk(&s.dump, WITH(seen));
}

static void brd(void)
{
	struct seen seen;

	brd_devices.next = brd_devices.prev = BRD(1);
	brd_device.next = brd_device.prev = BRD(0);
	brd_device.disk = BRD(2);
	brd_device.root = BRD(4) + 2;
	brd_device.counted = 2;
	/* A number is no page. */
	brd_node.slots[0] = 0x40;
	brd_node.slots[2] = 0x80;
	brd_node.slots[3] = 0x101;
	CHECK(walk_brd(&seen) == ST_OK && seen.holders == 1 && seen.pages == 0xc0);
	CHECK(seen.last.counted.known && seen.last.counted.n == 2 * 4096 && !seen.last.is_cut);
	CHECK_TEXT(seen.name, "/dev/ram1, where it is mounted is unknown");
	/* No page was written. */
	brd_device.root = 0;
	CHECK(walk_brd(&seen) == ST_OK && seen.holders == 1 && !seen.pages);
	brd_device.root = 0x999000 + 2;
	brd_device.counted = UINT64_MAX;
	CHECK(walk_brd(&seen) == ST_UNREADABLE && seen.holders == 1 && seen.last.is_cut);
	CHECK(!seen.last.counted.known);
	brd_device.next = 0x999000;
	CHECK(walk_brd(&seen) != ST_OK);
}

static void ttm(void)
{
	static uint64_t counters[2];
	static const struct stub_symbol symbols[] = { { "ttm_pages_allocated", 0x1000,
							FIELD(0, 8) },
						      { "allocated_pages", 0x1008, FIELD(0, 8) },
						      { 0 } };
	static const struct stub_memory memory[] = { { 0x1000, counters, sizeof(counters) },
						     { 0 } };
	struct stub s = { .memory = memory, .symbols = symbols };
	uint64_t pages;

	stub_open(&s);
	counters[0] = 7168;
	counters[1] = 8193;
	CHECK(ttm_counter_read(&s.dump, &ttm_counters[0], 8192, &pages) == ST_OK && pages == 7168);
	CHECK(ttm_counter_read(&s.dump, &ttm_counters[1], 8192, &pages) == ST_CORRUPT && !pages);
	stub_close(&s);
	/* No module of that name is loaded. */
	s.symbols = NULL;
	stub_open(&s);
	CHECK(ttm_counter_read(&s.dump, &ttm_counters[0], 8192, &pages) == ST_ABSENT && !pages);
	stub_close(&s);
}

/* A count, and what CPUs have not added to it. */
static void kvm(void)
{
	static int64_t counter[2] = { 40, 0x2000 };
	static int32_t parts[4] = { -5, 0, 0, 0 };
	static const uint64_t offsets[] = { 0x100 }, possible[] = { 1 };
	static const uint32_t cpus[] = { 1 };
	static const struct stub_member members[] = {
		{ "struct percpu_counter", "count", FIELD(0, 8) },
		{ "struct percpu_counter", "counters", FIELD(8, 8) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct percpu_counter", 16 }, { 0 } };
	static const struct stub_symbol symbols[] = {
		{ "kvm_total_used_mmu_pages", 0x1000, FIELD(0, 16) },
		{ "nr_cpu_ids", 0x3000, FIELD(0, 4) },
		{ "__per_cpu_offset", 0x3100, KINDED(KIND_ARRAY, 0, 8) },
		{ "__cpu_possible_mask", 0x3200, FIELD(0, 8) },
		{ 0 },
	};
	static const struct stub_memory memory[] = {
		{ 0x1000, counter, sizeof(counter) },	{ 0x2100, parts, sizeof(parts) },
		{ 0x3000, cpus, sizeof(cpus) },		{ 0x3100, offsets, sizeof(offsets) },
		{ 0x3200, possible, sizeof(possible) }, { 0 },
	};
	struct stub s = {
		.memory = memory, .symbols = symbols, .members = members, .sizes = sizes
	};
	uint64_t pages;

	stub_open(&s);
	CHECK(kvm_tables_read(&s.dump, 8192, &pages) == ST_OK && pages == 35);
	CHECK(kvm_tables_read(&s.dump, 34, &pages) == ST_CORRUPT && pages == 35);
	counter[0] = 4;
	CHECK(kvm_tables_read(&s.dump, 8192, &pages) == ST_OK && !pages);
	stub_close(&s);
	/* No module of that name is loaded. */
	s.symbols = NULL;
	stub_open(&s);
	CHECK(kvm_tables_read(&s.dump, 8192, &pages) == ST_ABSENT && !pages);
	stub_close(&s);
}

#define ZFS(i) (0x7000ULL + (i)*0x100)
struct zfs_entry {
	uint64_t link;
	uint32_t bytes, pad;
};
static struct {
	uint32_t flags, bytes;
	uint64_t scatter, linear;
} zfs_abd;
static struct zfs_entry zfs_table[4], zfs_more[2];
static struct {
	int64_t lower, upper;
	uint64_t buckets, n;
} zfs_sums;
static int64_t zfs_buckets[2][2];
static const struct stub_member zfs_members[] = {
	{ "struct spl_kmem_cache", "skc_linux_cache", FIELD(0, 8) },
	{ "struct abd", "abd_flags", FIELD(0, 4) },
	{ "struct abd", "abd_size", FIELD(4, 4) },
	{ "struct abd", "abd_u.abd_scatter.abd_sgl", FIELD(8, 8) },
	{ "struct abd", "abd_u.abd_linear.abd_sgl", FIELD(16, 8) },
	{ "struct scatterlist", "page_link", FIELD(0, 8) },
	{ "struct scatterlist", "length", FIELD(8, 4) },
	{ "struct arc_sums", "arcstat_size.as_lower_bound", FIELD(0, 8) },
	{ "struct arc_sums", "arcstat_size.as_upper_bound", FIELD(8, 8) },
	{ "struct arc_sums", "arcstat_size.as_buckets", FIELD(16, 8) },
	{ "struct arc_sums", "arcstat_size.as_numbuckets", FIELD(24, 4) },
	{ "struct aggsum_bucket", "asc_delta", FIELD(0, 8) },
	{ "struct aggsum_bucket", "asc_borrowed", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_number zfs_sizes[] = { { "struct spl_kmem_cache", 8 },
						{ "struct abd", sizeof(zfs_abd) },
						{ "struct scatterlist", sizeof(zfs_table[0]) },
						{ "struct arc_sums", sizeof(zfs_sums) },
						{ "struct aggsum_bucket", sizeof(zfs_buckets[0]) },
						{ "struct page", 64 },
						{ 0 } };
static const struct stub_number zfs_flags[] = {
	{ "ABD_FLAG_LINEAR", 1 }, { "ABD_FLAG_OWNER", 2 },	  { "ABD_FLAG_LINEAR_PAGE", 32 },
	{ "ABD_FLAG_GANG", 64 },  { "ABD_FLAG_FROM_PAGES", 512 }, { 0 }
};
static const struct stub_memory zfs_memory[] = {
	{ ZFS(0), &zfs_abd, sizeof(zfs_abd) },	      { ZFS(1), zfs_table, sizeof(zfs_table) },
	{ ZFS(2), zfs_more, sizeof(zfs_more) },	      { ZFS(3), &zfs_sums, sizeof(zfs_sums) },
	{ ZFS(4), zfs_buckets, sizeof(zfs_buckets) }, { 0 }
};

static enum status visit_zfs(const struct stub_number *flags, struct seen *seen, uint64_t *size)
{
	STUB(s, .memory = zfs_memory, .members = zfs_members, .sizes = zfs_sizes,
	     .enumerators = flags);
	struct zfs_buffers z;
	enum status st;

	memset(seen, 0, sizeof(*seen));
	st = zfs_buffers_open(&s.dump, WITH(seen), &z);
	if (st == ST_OK && size)
		st = zfs_arc_size(&z, ZFS(3), size);
	else if (st == ST_OK)
		st = zfs_buffer_visit(&z, ZFS(0)) ?: first_problem_end(&s.dump, &z.problem);
	return st;
}

static void zfs_buffers(void)
{
	struct seen seen;

	/* A page, three pages in one piece, of which the last is not full; the table goes on elsewhere. */
	zfs_abd.flags = 2;
	zfs_abd.bytes = 2 * 4096 + 2 * 4096 + 100;
	zfs_abd.scatter = ZFS(1);
	zfs_table[0] = (struct zfs_entry){ 0x10000, 4096, 0 };
	zfs_table[1] = (struct zfs_entry){ 0x20000, 2 * 4096 + 100, 0 };
	zfs_table[2] = (struct zfs_entry){ ZFS(2) | 1, 0, 0 };
	zfs_more[0] = (struct zfs_entry){ 0x30000 | 2, 4096, 0 };
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK);
	CHECK(seen.pages == 0x10000 + 3 * 0x20000 + 64 + 128 + 0x30000);
	/* The last is a whole page up to 2.2. */
	zfs_abd.bytes -= 4095;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && seen.pages);
	zfs_abd.bytes -= 1;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_CORRUPT && !seen.pages);
	zfs_abd.bytes += 4097;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_CORRUPT && !seen.pages);
	/* Zeros: one page, many times. */
	zfs_abd.bytes = 2 * 4096;
	zfs_table[1] = (struct zfs_entry){ 0x10000 | 2, 4096, 0 };
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && seen.pages == 0x10000);
	/* In one piece; in a slab; pages of others. */
	zfs_abd.flags = 1 | 2 | 32;
	zfs_abd.linear = ZFS(2);
	zfs_abd.bytes = 4096;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && seen.pages == 0x30000);
	zfs_abd.flags = 1 | 2;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && !seen.pages);
	zfs_abd.flags = 32;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && !seen.pages);
	zfs_abd.flags = 2 | 512;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && !seen.pages);
	zfs_abd.flags = 2 | 64;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_OK && !seen.pages);
	/* A table that goes on in itself, and one that is not in the dump. */
	zfs_abd.flags = 2;
	zfs_table[0] = (struct zfs_entry){ ZFS(1) | 1, 4096, 0 };
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_CORRUPT && !seen.pages);
	zfs_abd.scatter = 0x999000;
	CHECK(visit_zfs(zfs_flags, &seen, NULL) == ST_UNREADABLE);
	CHECK(visit_zfs(zfs_flags + 1, &seen, NULL) == ST_UNKNOWN);
}

static void arc_size(void)
{
	struct seen seen;
	uint64_t size = 0;

	zfs_sums.lower = 1000;
	zfs_sums.upper = 1900;
	zfs_sums.buckets = ZFS(4);
	zfs_sums.n = 2;
	zfs_buckets[0][0] = -100;
	zfs_buckets[0][1] = 400;
	zfs_buckets[1][0] = 30;
	zfs_buckets[1][1] = 50;
	CHECK(visit_zfs(zfs_flags, &seen, &size) == ST_OK && size == 1380);
	zfs_buckets[1][1] = 51;
	CHECK(visit_zfs(zfs_flags, &seen, &size) == ST_CORRUPT && size == 1380);
	zfs_sums.n = 4097;
	CHECK(visit_zfs(zfs_flags, &seen, &size) == ST_CORRUPT);
}

static void kexec(void)
{
	static uint64_t pointer, image[9] = { 2, 0, 0, 0, 5 << 12, 0, 0, 0, 7 << 12 };
	static const struct stub_symbol symbols[] = { { "kexec_image", 0x1000, FIELD(0, 8) },
						      { 0 } };
	static const struct stub_memory memory[] = { { 0x1000, &pointer, sizeof(pointer) },
						     { 0x2000, image, sizeof(image) },
						     { 0 } };
	static const struct stub_member members[] = {
		{ "struct kimage", "nr_segments", FIELD(0, 8) },
		{ "struct kimage", "segment", FIELD(8, 64) },
		{ "struct kexec_segment", "memsz", FIELD(24, 8) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct kimage", sizeof(image) },
						    { "struct kexec_segment", 32 },
						    { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	uint64_t pages = 1;

	CHECK(kexec_image_pages(&s.dump, 12, &pages) == ST_OK && !pages);
	pointer = 0x2000;
	CHECK(kexec_image_pages(&s.dump, 12, &pages) == ST_OK && pages == 12);
	CHECK(kexec_image_pages(&s.dump, 11, &pages) == ST_CORRUPT && !pages);
	image[0] = 3;
	CHECK(kexec_image_pages(&s.dump, 12, &pages) == ST_UNREADABLE && !pages);
	image[0] = UINT64_MAX;
	CHECK(kexec_image_pages(&s.dump, 12, &pages) == ST_CORRUPT && !pages);
}

/* start, end, slots, late_alloc: of the pool, or variables of 5.10; the page has nothing else. */
static uint64_t bounce[512], bounce_at = 0xffff888000001000;
static const struct stub_memory bounce_memory[] = { { 0x1000, bounce, sizeof(bounce) },
						    { 0x3000, &bounce_at, 8 },
						    { 0xffff888000001000, bounce, sizeof(bounce) },
						    { 0 } };

static enum status read_bounce(const struct stub_symbol *symbols, const struct stub_member *members,
			       uint64_t *pages)
{
	static const struct stub_number sizes[] = { { "struct io_tlb_mem", 32 }, { 0 } };
	STUB(s, .memory = bounce_memory, .symbols = symbols, .members = members, .sizes = sizes);

	return swiotlb_pages(&s.dump, 40, pages);
}

#define BOUNCE_MEMBERS(IN)                                                              \
	{                                                                               \
		{ "struct io_tlb_mem", IN "start", FIELD(0, 8) },                       \
			{ "struct io_tlb_mem", IN "end", FIELD(8, 8) },                 \
			{ "struct io_tlb_mem", IN "nslabs", FIELD(16, 8) },             \
			{ "struct io_tlb_mem", IN "late_alloc",                         \
			  FIELD(24, 1) }, /* Of all pools. */                           \
			{ "struct io_tlb_mem", *IN ? "nslabs" : "used", FIELD(24, 8) }, \
		{                                                                       \
			0                                                               \
		}                                                                       \
	}

static void swiotlb(void)
{
	static const struct stub_symbol none[] = { { 0 } },
					of_6_1[] = { { "io_tlb_default_mem", 0x1000, { 0 } },
						     { 0 } },
					of_5_14[] = { { "io_tlb_default_mem", 0x3000, { 0 } },
						      { 0 } },
					of_5_10[] = { { "io_tlb_start", 0x1000, { 0 } },
						      { "io_tlb_end", 0x1008, { 0 } },
						      { "io_tlb_nslabs", 0x1010, { 0 } },
						      { "late_alloc", 0x1018, { 0 } },
						      { 0 } };
	static const struct stub_member members[] = BOUNCE_MEMBERS(""),
					members_6_12[] = BOUNCE_MEMBERS("defpool.");
	const struct {
		const struct stub_symbol *symbols;
		const struct stub_member *members;
	} kernels[] = { { of_6_1, members },
			{ of_6_1, members_6_12 },
			{ of_5_14, members },
			{ of_5_10, members } };
	uint64_t pages = 1;

	CHECK(read_bounce(none, members, &pages) == ST_ABSENT && !pages);
	for (size_t i = 0; i < 4; i++) {
		memcpy(bounce, (uint64_t[]){ 0x10000, 0x20000, 32, 0 }, 32);
		CHECK(read_bounce(kernels[i].symbols, kernels[i].members, &pages) == ST_OK);
		CHECK(pages == 16);
		/* The second witness. */
		bounce[2] = 31;
		CHECK(read_bounce(kernels[i].symbols, kernels[i].members, &pages) == ST_CORRUPT);
		CHECK(!pages);
		/* Of the page allocator. */
		bounce[3] = 1;
		CHECK(read_bounce(kernels[i].symbols, kernels[i].members, &pages) == ST_OK);
		CHECK(!pages);
		bounce[3] = 0;
		bounce[1] = 0x10000 + (41 << 12);
		bounce[2] = 82;
		CHECK(read_bounce(kernels[i].symbols, kernels[i].members, &pages) == ST_CORRUPT);
		/* None were set up. */
		memset(bounce, 0, sizeof(bounce));
		/* Other variables of its page. */
		bounce[511] = 1;
		pages = 1;
		CHECK(read_bounce(kernels[i].symbols, kernels[i].members, &pages) == ST_OK);
		CHECK(!pages);
	}
}

TESTS({ "an image of kexec", kexec }, { "bounce buffers", swiotlb }, { "buffers of XFS", xfs },
      { "XFS is built in", xfs_built_in }, { "buffers of ZFS", zfs_buffers },
      { "size of the ARC", arc_size }, { "RAM disks", brd }, { "TTM", ttm },
      { "page tables of KVM", kvm })
