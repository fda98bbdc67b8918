// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of devices: lists, areas of CMA, buffers of DMA-BUF, balloons. */
#include "files/dma_buf.h"
#include "kernel/list.h"
#include "pools/balloon.h"
#include "pools/cma.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
/* Bitmaps are at kernel addresses. */
#define KERNEL(i) (0xffff888000000000ULL + (i)*0x1000)

/* A head and four nodes: next, prev. */
static uint64_t nodes[5][2];
static const struct stub_memory list_memory[] = {
	{ AT(0), nodes[0], 16 }, { AT(1), nodes[1], 16 }, { AT(2), nodes[2], 16 },
	{ AT(3), nodes[3], 16 }, { AT(4), nodes[4], 16 }, { 0 },
};

struct seen {
	unsigned int n;
	uint64_t nodes[8];
};

static enum status walk_list(struct seen *seen)
{
	STUB(s, .memory = list_memory);
	struct list_nodes l;

	seen->n = 0;
	l = list_of(&s.dump, AT(0), "a list");
	while (list_next(&l, &seen->nodes[seen->n & 7]))
		seen->n++;
	return list_end(&l);
}

static void link_nodes(void)
{
	for (unsigned int i = 0; i < 5; i++) {
		nodes[i][0] = AT((i + 1) % 5);
		nodes[i][1] = AT((i + 4) % 5);
	}
}

static void lists(void)
{
	struct seen seen = { 0 };

	link_nodes();
	CHECK(walk_list(&seen) == ST_OK && seen.n == 4 && seen.nodes[3] == AT(4));
	/* Behind a node that is not in this dump, the others are found from the end. */
	nodes[1][0] = AT(9);
	CHECK(walk_list(&seen) == ST_UNREADABLE && seen.n == 4 && seen.nodes[1] == AT(4) &&
	      seen.nodes[3] == AT(2));
	/* Back from the end, each leads to the one behind it. */
	nodes[3][0] = AT(2);
	CHECK(walk_list(&seen) == ST_UNREADABLE && seen.n == 2 && seen.nodes[1] == AT(4));
	link_nodes();
	nodes[2][1] = AT(3);
	CHECK(walk_list(&seen) == ST_CORRUPT && seen.n == 4);
	/* A list_head that leads back into the list is no loop. */
	link_nodes();
	nodes[3][0] = AT(2);
	CHECK(walk_list(&seen) == ST_CORRUPT && seen.n == 4);
	/* The prev of a node is poison: the node is found from the end of the list. */
	link_nodes();
	nodes[2][1] = 0xdead000000000122;
	CHECK(walk_list(&seen) == ST_CORRUPT && seen.n == 4);
	nodes[0][0] = AT(0);
	nodes[0][1] = AT(0);
	CHECK(walk_list(&seen) == ST_OK && !seen.n);
}

/* Two areas of 5.10 to 6.14; two ranges of 6.15 and later. */
struct old_cma {
	uint64_t base, count, bitmap;
	uint32_t order, unused;
	char name[16];
};
static struct old_cma old[2];
static struct {
	uint64_t count, available;
	uint32_t order, nranges;
	char name[16];
	struct {
		uint64_t base, count, bitmap;
	} ranges[2];
} cma;
static uint32_t area_count;
static uint64_t bitmap[2];

static const struct stub_member old_members[] = {
	{ "struct cma", "base_pfn", FIELD(0, 8) },
	{ "struct cma", "count", FIELD(8, 8) },
	{ "struct cma", "bitmap", FIELD(16, 8) },
	{ "struct cma", "order_per_bit", FIELD(24, 4) },
	{ "struct cma", "name", KINDED(KIND_ARRAY, 32, 16) },
	{ 0 },
};
static const struct stub_member new_members[] = {
	{ "struct cma", "count", FIELD(0, 8) },
	{ "struct cma", "available_count", FIELD(8, 8) },
	{ "struct cma", "order_per_bit", FIELD(16, 4) },
	{ "struct cma", "nranges", FIELD(20, 4) },
	{ "struct cma", "name", KINDED(KIND_ARRAY, 24, 16) },
	{ "struct cma", "ranges", KINDED(KIND_ARRAY, 40, 48) },
	{ "struct cma_memrange", "base_pfn", FIELD(0, 8) },
	{ "struct cma_memrange", "count", FIELD(8, 8) },
	{ "struct cma_memrange", "bitmap", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number old_sizes[] = { { "struct cma", sizeof(struct old_cma) }, { 0 } };
static const struct stub_number new_sizes[] = { { "struct cma", sizeof(cma) },
						{ "struct cma_memrange", 24 },
						{ 0 } };
static const struct stub_symbol cma_symbols[] = { { "cma_areas", AT(0), FIELD(0, 96) },
						  { "cma_area_count", AT(1), FIELD(0, 4) },
						  { 0 } };
static const struct stub_memory old_memory[] = {
	{ AT(0), old, sizeof(old) }, { AT(1), &area_count, 4 }, { KERNEL(0), &bitmap[0], 8 }, { 0 }
};
static const struct stub_memory new_memory[] = { { AT(0), &cma, sizeof(cma) },
						 { AT(1), &area_count, 4 },
						 { KERNEL(0), &bitmap[0], 8 },
						 { KERNEL(1), &bitmap[1], 8 },
						 { 0 } };

struct areas {
	unsigned int n;
	struct cma_area areas[2];
	bool used[2]; /* pages 6 and 7 of the first range */
};

static enum status see_area(void *arg, const struct cma_area *area)
{
	struct areas *seen = arg;

	if (!seen->n && area->ranges[0].bitmap)
		for (unsigned int i = 0; i < 2; i++)
			seen->used[i] = cma_page_is_used(area, &area->ranges[0],
							 area->ranges[0].base + 6 + i);
	seen->areas[seen->n++ & 1] = *area;
	return ST_OK;
}

static enum status walk_areas(struct areas *seen, bool is_new)
{
	STUB(s, .memory = is_new ? new_memory : old_memory, .symbols = cma_symbols,
	     .members = is_new ? new_members : old_members,
	     .sizes = is_new ? new_sizes : old_sizes);
	enum status st;

	*seen = (struct areas){ 0 };
	st = cma_walk(&s.dump, see_area, seen);
	CHECK(s.arena.bytes < 1 << 20);
	return st;
}

static void cma_areas(void)
{
	struct areas seen;

	/* A bit for two pages: 6 and 7 of 64 are away, and the last two. */
	old[0] = (struct old_cma){ 0x1000, 64, KERNEL(0), 1, 0, "reserved" };
	old[1] = (struct old_cma){ 0x2000, 32, 0, 0, 0, "broken" };
	bitmap[0] = 1ULL << 3 | 1ULL << 31 | 1ULL << 32;
	area_count = 2;
	CHECK(walk_areas(&seen, false) == ST_OK && seen.n == 2);
	CHECK_TEXT(seen.areas[0].name, "reserved");
	CHECK(seen.areas[0].pages == 64 && seen.areas[0].has_used && seen.areas[0].used == 4 &&
	      seen.areas[0].ranges[0].base == 0x1000);
	CHECK(seen.used[0] && seen.used[1]);
	/* Not active: what is away cannot be said. */
	CHECK(!seen.areas[1].has_used && !seen.areas[1].ranges[0].bitmap);
	old[1].bitmap = KERNEL(5);
	CHECK(walk_areas(&seen, false) == ST_OK && !seen.areas[1].ranges[0].bitmap);
	/* A bitmap that is longer than its memory takes none of the arena. */
	old[1].bitmap = KERNEL(0);
	old[1].count = 1ULL << 30;
	CHECK(walk_areas(&seen, false) == ST_OK && !seen.areas[1].ranges[0].bitmap);
	/* One that cannot be costs itself alone. */
	old[0].count = 1ULL << 40;
	CHECK(walk_areas(&seen, false) == ST_CORRUPT && seen.n == 1);
	area_count = 5000;
	CHECK(walk_areas(&seen, false) == ST_CORRUPT && !seen.n);
}

static void cma_ranges(void)
{
	struct areas seen;

	cma.count = 96;
	cma.available = 90;
	cma.order = 0;
	cma.nranges = 2;
	memcpy(cma.name, "hugetlb0", 9);
	cma.ranges[0].base = 0x1000;
	cma.ranges[0].count = 64;
	cma.ranges[0].bitmap = KERNEL(0);
	cma.ranges[1].base = 0x3000;
	cma.ranges[1].count = 32;
	cma.ranges[1].bitmap = KERNEL(1);
	bitmap[0] = 1ULL << 6;
	bitmap[1] = 0x1f;
	area_count = 1;
	CHECK(walk_areas(&seen, true) == ST_OK && seen.n == 1 && seen.areas[0].nranges == 2);
	CHECK(seen.areas[0].used == 6 && seen.areas[0].ranges[1].base == 0x3000);
	CHECK(seen.used[0] && !seen.used[1]);
	/* The kernel's own count needs no bitmap. */
	cma.ranges[1].bitmap = KERNEL(7);
	CHECK(walk_areas(&seen, true) == ST_OK && seen.areas[0].has_used &&
	      seen.areas[0].used == 6 && !seen.areas[0].ranges[1].bitmap);
	cma.count = 97;
	CHECK(walk_areas(&seen, true) == ST_CORRUPT && !seen.n);
	cma.count = 96;
	cma.available = 97;
	CHECK(walk_areas(&seen, true) == ST_CORRUPT && !seen.n);
	cma.available = 90;
	cma.nranges = 40;
	CHECK(walk_areas(&seen, true) == ST_CORRUPT && !seen.n);
}

/* A buffer with two devices: one with a name in its kobject, one with an initial name. */
struct buf {
	uint64_t size, file, attachments[2], exporter, name, node[2];
};
static struct buf buf;
static struct {
	uint64_t private, inode, count;
} file;
static uint64_t inode[2]; /* i_mapping, i_ino */
static struct {
	uint64_t device, node[2];
} attached[2];
static uint64_t devices[2][2]; /* kobj.name, init_name */
static const char texts[4][64] = { "system", "frame-1", "gpu0", "vpu0" };
static uint64_t buffers[2], fops;

#define BUF_NODE_AT 48

/* Of all generations. */
#define BUF_MEMBERS                                                                           \
	{ "struct dma_buf", "size", FIELD(0, 8) }, { "struct dma_buf", "file", FIELD(8, 8) }, \
		{ "struct dma_buf", "attachments", FIELD(16, 16) },                           \
		{ "struct dma_buf", "exp_name", FIELD(32, 8) },                               \
		{ "struct dma_buf", "name", FIELD(40, 8) },                                   \
		{ "struct dma_buf", "list_node", FIELD(BUF_NODE_AT, 16) },                    \
		{ "struct dma_buf_attachment", "dev", FIELD(0, 8) },                          \
		{ "struct dma_buf_attachment", "node", FIELD(8, 16) },                        \
		{ "struct file", "private_data", FIELD(0, 8) },                               \
	{                                                                                     \
		"struct file", "f_inode", FIELD(8, 8)                                         \
	}

static const struct stub_member buf_members[] = {
	BUF_MEMBERS,
	{ "struct file", "f_count", FIELD(16, 8) },
	{ "struct inode", "i_mapping", FIELD(0, 8) },
	{ "struct inode", "i_ino", FIELD(8, 8) },
	{ "struct device", "kobj.name", FIELD(0, 8) },
	{ "struct device", "init_name", FIELD(8, 8) },
	{ "struct dma_buf_list", "head", FIELD(8, 16) },
	{ 0 },
};
/* 6.13 and later: file_ref_t. */
static const struct stub_member ref_members[] = {
	BUF_MEMBERS,
	{ "struct file", "f_ref.refcnt", FIELD(16, 8) },
	{ "struct inode", "i_mapping", FIELD(0, 8) },
	{ "struct inode", "i_ino", FIELD(8, 8) },
	{ "struct device", "kobj.name", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number buf_sizes[] = { { "struct dma_buf", sizeof(struct buf) }, { 0 } };
static const struct stub_symbol list_symbols[][3] = {
	{ { "dma_buf_fops", AT(9), FIELD(0, 8) }, { "dmabuf_list", AT(0), FIELD(0, 16) } },
	{ { "dma_buf_fops", AT(9), FIELD(0, 8) }, { "debugfs_list", AT(0), FIELD(0, 16) } },
	{ { "dma_buf_fops", AT(9), FIELD(0, 8) }, { "db_list", AT(0) - 8, FIELD(0, 24) } },
	{ { "dma_buf_fops", AT(9), FIELD(0, 8) } },
};
static const struct stub_memory buf_memory[] = {
	{ AT(0), buffers, 16 },
	{ AT(1), &buf, sizeof(buf) },
	{ AT(2), &file, sizeof(file) },
	{ AT(3), inode, sizeof(inode) },
	{ AT(4), &attached[0], sizeof(attached[0]) },
	{ AT(5), &attached[1], sizeof(attached[1]) },
	{ AT(6), devices[0], 16 },
	{ AT(7), devices[1], 16 },
	{ AT(8), texts, sizeof(texts) },
	{ AT(9), &fops, 8 },
	{ 0 },
};

static char attached_text[64];

static enum status see_buf(void *arg, const struct dma_buf *b)
{
	*(struct dma_buf *)arg = *b;
	snprintf(attached_text, sizeof(attached_text), "%s", b->devices->text);
	return ST_OK;
}

static enum status walk_buffers(struct dma_buf *seen, unsigned int list, bool is_ref)
{
	STUB(s, .memory = buf_memory, .symbols = list_symbols[list],
	     .members = is_ref ? ref_members : buf_members, .sizes = buf_sizes);
	struct dma_bufs bufs;
	enum status st;

	*seen = (struct dma_buf){ 0 };
	st = dma_bufs_open(&s.dump, &bufs);
	if (st == ST_OK)
		st = dma_bufs_walk(&bufs, see_buf, seen);
	return st;
}

/* Without types that the kernel has buffers is known, and not that it has none. */
static enum status open_without_types(void)
{
	STUB(s, .memory = buf_memory, .symbols = list_symbols[0]);
	struct dma_bufs bufs;

	return dma_bufs_open(&s.dump, &bufs);
}

static void set_buffer(void)
{
	buffers[0] = buffers[1] = AT(1) + BUF_NODE_AT;
	buf = (struct buf){ 0x800000, AT(2),	  { AT(4) + 8, AT(5) + 8 },
			    AT(8),    AT(8) + 64, { AT(0), AT(0) } };
	file.private = AT(1);
	file.inode = AT(3);
	file.count = 3;
	inode[0] = AT(3) + 0x100;
	inode[1] = 77;
	attached[0].device = AT(6);
	attached[0].node[0] = AT(5) + 8;
	attached[0].node[1] = AT(1) + 16;
	attached[1].device = AT(7);
	attached[1].node[0] = AT(1) + 16;
	attached[1].node[1] = AT(4) + 8;
	devices[0][0] = AT(8) + 128;
	devices[0][1] = 0;
	devices[1][0] = 0;
	devices[1][1] = AT(8) + 192;
}

static void dma_bufs(void)
{
	struct dma_buf b;

	set_buffer();
	for (unsigned int list = 0; list < 3; list++) {
		CHECK(walk_buffers(&b, list, false) == ST_OK && b.address == AT(1));
		CHECK(b.bytes == 0x800000 && b.has_references && b.references == 3 &&
		      b.number == 77 && b.inode == AT(3) && b.mapping == AT(3) + 0x100);
		CHECK_TEXT(b.exporter, "system");
		CHECK_TEXT(b.name, "frame-1");
		CHECK(b.has_devices && b.ndevices == 2);
		CHECK_TEXT(attached_text, "gpu0, vpu0");
	}
	CHECK(walk_buffers(&b, 3, false) == ST_ABSENT);
	CHECK(open_without_types() == ST_UNKNOWN);
	/* A file_ref_t counts from 0; below it, the file is dead. */
	CHECK(walk_buffers(&b, 0, true) == ST_OK && b.references == 4);
	file.count = 0xe000000000000000;
	CHECK(walk_buffers(&b, 0, true) == ST_OK && !b.has_references);
	/* No name was given; the name is not in this dump. */
	buf.name = 0;
	CHECK(walk_buffers(&b, 0, false) == ST_OK && b.has_name && !b.name[0]);
	buf.name = AT(20);
	CHECK(walk_buffers(&b, 0, false) == ST_OK && !b.has_name);
	attached[0].node[0] = AT(20);
	CHECK(walk_buffers(&b, 0, false) == ST_OK && !b.has_devices);
	set_buffer();
	buf.size = 1ULL << 43;
	CHECK(walk_buffers(&b, 0, false) == ST_CORRUPT && !b.address);
	/* A device without a name. */
	set_buffer();
	devices[0][0] = AT(8) + 6;
	CHECK(walk_buffers(&b, 0, false) == ST_OK && b.has_devices);
	CHECK_TEXT(attached_text, "?, vpu0");
	/* The list of something else. */
	file.private = AT(2);
	CHECK(walk_buffers(&b, 1, false) == ST_CORRUPT && !b.address);
	buf.file = AT(20);
	CHECK(walk_buffers(&b, 1, false) == ST_UNREADABLE && !b.address);
}

/* A driver with one device. */
static uint64_t driver[1], driver_private[2], device_private[3], virtio[3], balloon[4];
static const char device_name[64] = "virtio3";

static const struct stub_member balloon_members[] = {
	{ "struct virtio_driver", "driver", FIELD(0, 8) },
	{ "struct device_driver", "p", FIELD(0, 8) },
	{ "struct driver_private", "klist_devices", FIELD(0, 16) },
	{ "struct klist", "k_list", FIELD(0, 16) },
	{ "struct klist_node", "n_node", FIELD(0, 16) },
	{ "struct device_private", "knode_driver", FIELD(0, 16) },
	{ "struct device_private", "device", FIELD(16, 8) },
	{ "struct virtio_device", "dev", FIELD(8, 16) },
	{ "struct virtio_device", "priv", FIELD(0, 8) },
	{ "struct virtio_balloon", "vdev", FIELD(0, 8) },
	{ "struct virtio_balloon", "num_pages", FIELD(8, 4) },
	{ "struct virtio_balloon", "vb_dev_info", FIELD(16, 16) },
	{ "struct device", "kobj.name", FIELD(8, 8) },
	{ "struct balloon_dev_info", "migratepage", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_symbol balloon_symbols[] = {
	{ "virtio_balloon_driver", AT(0), FIELD(0, 8) }, { 0 }
};
static const struct stub_memory balloon_memory[] = {
	{ AT(0), driver, sizeof(driver) },
	{ AT(1), driver_private, sizeof(driver_private) },
	{ AT(2), device_private, sizeof(device_private) },
	{ AT(3), virtio, sizeof(virtio) },
	{ AT(4), balloon, sizeof(balloon) },
	{ AT(5), device_name, sizeof(device_name) },
	{ 0 },
};

static enum status see_balloon(void *arg, const struct balloon *b)
{
	*(struct balloon *)arg = *b;
	return ST_OK;
}

static enum status walk_balloons(struct balloon *seen, uint64_t *function)
{
	static const struct stub_number sizes[] = { { "struct virtio_balloon", 64 }, { 0 } };
	STUB(s, .memory = balloon_memory, .symbols = balloon_symbols, .members = balloon_members,
	     .sizes = sizes);
	enum status st;

	*seen = (struct balloon){ 0 };
	st = balloons_walk(&s.dump, see_balloon, seen);
	if (st == ST_OK && seen->info)
		st = balloon_driver(&s.dump, seen->info, function);
	return st;
}

static void balloons(void)
{
	struct balloon b;
	uint64_t function = 0;

	driver[0] = AT(1);
	driver_private[0] = driver_private[1] = AT(2);
	device_private[0] = device_private[1] = AT(1);
	device_private[2] = AT(3) + 8;
	virtio[0] = AT(4);
	virtio[2] = AT(5);
	balloon[0] = AT(3);
	balloon[1] = 12288;
	balloon[3] = AT(9);
	CHECK(walk_balloons(&b, &function) == ST_OK && b.pages == 12288 && b.info == AT(4) + 16);
	CHECK(function == AT(9));
	CHECK_TEXT(b.name, "virtio3");
	virtio[2] = AT(20);
	CHECK(walk_balloons(&b, &function) == ST_OK);
	CHECK_TEXT(b.name, "");
	balloon[0] = AT(4);
	CHECK(walk_balloons(&b, &function) == ST_CORRUPT && !b.info);
	driver[0] = 0;
	CHECK(walk_balloons(&b, &function) == ST_OK && !b.info);
}

/* Events of one CPU: pages that came, pages that left. */
static void pages_of_balloons(void)
{
	static uint64_t events[4] = { 1, 500, 120, 2 };
	static const struct stub_memory memory[] = { { AT(0), events, sizeof(events) }, { 0 } };
	static const struct stub_symbol symbols[] = { { "vm_event_states", AT(0), FIELD(0, 32) },
						      { 0 } };
	static const struct stub_member members[] = {
		{ "struct vm_event_state", "event", KINDED(KIND_ARRAY, 0, 32) }, { 0 }
	};
	static const struct stub_number items[] = { { "BALLOON_INFLATE", 1 },
						    { "BALLOON_DEFLATE", 2 },
						    { 0 } },
					far[] = { { "BALLOON_INFLATE", 1 },
						  { "BALLOON_DEFLATE", 4 },
						  { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .enumerators = items);
	uint64_t pages = 99;

	CHECK(balloon_pages(&s.dump, &pages) == ST_OK && pages == 380);
	events[2] = 501;
	CHECK(balloon_pages(&s.dump, &pages) == ST_CORRUPT && pages == 380);
	s.enumerators = far;
	CHECK(balloon_pages(&s.dump, &pages) == ST_CORRUPT && pages == 380);
	s.enumerators = NULL;
	CHECK(balloon_pages(&s.dump, &pages) == ST_ABSENT && pages == 380);
}

TESTS({ "lists, whole and with holes", lists }, { "areas of CMA", cma_areas },
      { "areas of CMA with ranges", cma_ranges }, { "buffers of DMA-BUF", dma_bufs },
      { "balloons by device", balloons }, { "pages in all balloons by events", pages_of_balloons })
