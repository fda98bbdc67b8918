// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks, their requests, those of the device mapper and of nbd, and which one a task waits for: laid out by hand. */
#include "files/disk_requests.h"
#include "files/disk_wait.h"
#include "files/mapped_device.h"
#include "files/nbd.h"
#include "disk_stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define WORDS 8192
#define AT(i) (BASE + (uint64_t)(i)*0x100)
#define STACK 0xffffc90000004000ULL
#define STACK_WORDS 64
#define TASK AT(200)

/* What lies where. */
#define TYPE AT(1)
#define BDEV_SUPER AT(2) /* the file system of block devices */
#define EXT4 AT(3)	 /* one on the first disk */
#define SUPERS AT(4)
#define INODE(i) (AT(10 + (i)) + 0x40) /* behind its block_device */
#define NODE(i) (INODE(i) + 24)
#define BDEV(i) AT(10 + (i))
#define DISK(i) AT(20 + (i))
#define QUEUE(i) AT(30 + (i))
#define OPS(i) AT(40 + (i))
#define SET AT(50)
#define TAGS AT(51)
#define MAPS AT(52) /* array of tags */
#define REQUESTS AT(53)
#define REQUEST(i) AT(60 + (i))
#define MD AT(80)
#define CELL AT(81)
#define NAME AT(82)
#define BIO(i) AT(83 + (i))
#define TABLE AT(90)
#define DEV AT(91)
#define DM_DEV AT(92)
#define NBD AT(100)
#define CONFIG AT(101)
#define SOCKETS AT(102)
#define NBD_SOCK AT(103)
#define SOCKET AT(104)
#define THROTTLE AT(105)
#define KEEPER AT(110)
#define FOLIO AT(120)
#define MAPPING AT(121)
#define FILE_INODE AT(122)
#define REMOTE AT(230)
#define REMOTE_TYPE AT(231)
#define BUFFER AT(123)

#define DISKS 3
#define NOW_NS 100000000000ULL
#define S 1000000000ULL

static uint64_t words[WORDS], stack[STACK_WORDS];

static const struct stub_memory memory[] = { { BASE, words, sizeof(words) }, { 0 } };
static const struct stub_symbol symbols[] = {
	{ "bd_type", TYPE, FIELD(0, 8) },
	{ "super_blocks", SUPERS, FIELD(0, 16) },
	{ "shadow_timekeeper", KEEPER, FIELD(0, 24) },
	{ "dm_blk_dops", OPS(1), FIELD(0, 8) },
	{ "nbd_fops", OPS(2), FIELD(0, 8) },
	{ 0 },
};
static const struct stub_member members[] = {
	DISK_MEMBERS,
	{ "struct super_block", "s_type", FIELD(72, 8) },
	{ "struct file_system_type", "fs_flags", FIELD(16, 4) },
	{ "struct request_queue", "tag_set", FIELD(0, 8) },
	{ "struct request_queue", "td", KINDED(KIND_POINTER, 8, 8) },
	{ "struct throtl_data", "nr_queued", KINDED(KIND_ARRAY, 16, 8) },
	{ "struct blk_mq_tag_set", "tags", FIELD(0, 8) },
	{ "struct blk_mq_tag_set", "nr_hw_queues", FIELD(8, 4) },
	{ "struct blk_mq_tags", "nr_tags", FIELD(0, 4) },
	{ "struct blk_mq_tags", "rqs", FIELD(8, 8) },
	{ "struct request", "q", FIELD(0, 8) },
	{ "struct request", "cmd_flags", FIELD(8, 4) },
	{ "struct request", "tag", FIELD(12, 4) },
	{ "struct request", "state", FIELD(16, 4) },
	{ "struct request", "start_time_ns", FIELD(24, 8) },
	{ "struct request", "io_start_time_ns", FIELD(32, 8) },
	{ "struct timekeeper", "tkr_mono.base", FIELD(0, 8) },
	{ "struct timekeeper", "tkr_mono.xtime_nsec", FIELD(8, 8) },
	{ "struct timekeeper", "tkr_mono.shift", FIELD(16, 4) },
	{ "struct mapped_device", "disk", FIELD(0, 8) },
	{ "struct mapped_device", "flags", FIELD(8, 8) },
	{ "struct mapped_device", "deferred.head", FIELD(16, 8) },
	{ "struct mapped_device", "map", FIELD(24, 8) },
	{ "struct mapped_device", "interface_ptr", FIELD(32, 8) },
	{ "struct hash_cell", "name", FIELD(0, 8) },
	{ "struct hash_cell", "md", FIELD(8, 8) },
	{ "struct dm_table", "devices", FIELD(0, 16) },
	{ "struct dm_dev_internal", "list", FIELD(0, 16) },
	{ "struct dm_dev_internal", "dm_dev", FIELD(16, 8) },
	{ "struct dm_dev", "bdev", FIELD(0, 8) },
	{ "struct bio", "bi_next", FIELD(0, 8) },
	{ "struct bio", "bi_bdev", FIELD(8, 8) },
	{ "struct bio", "bi_private", FIELD(16, 8) },
	{ "struct nbd_device", "disk", FIELD(0, 8) },
	{ "struct nbd_device", "config", FIELD(8, 8) },
	{ "struct nbd_config", "socks", FIELD(0, 8) },
	{ "struct nbd_config", "num_connections", FIELD(8, 4) },
	{ "struct nbd_sock", "sock", FIELD(0, 8) },
	{ "struct socket", "sk", FIELD(0, 8) },
	{ "struct wait_page_queue", "folio", FIELD(0, 8) },
	{ "struct wait_page_queue", "wait", FIELD(16, 40) },
	{ "struct wait_queue_entry", "private", FIELD(8, 8) },
	{ "struct wait_bit_queue_entry", "key", FIELD(0, 24) },
	{ "struct wait_bit_queue_entry", "wq_entry", FIELD(24, 40) },
	{ "struct wait_bit_key", "flags", FIELD(0, 8) },
	{ "struct folio", "mapping", FIELD(24, 8) },
	{ "struct address_space", "host", FIELD(0, 8) },
	{ "struct buffer_head", "b_state", FIELD(0, 8) },
	{ "struct buffer_head", "b_bdev", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct mapped_device", 64 },
					    { "struct nbd_device", 64 },
					    { 0 } };
static const struct stub_number enumerators[] = { { "MQ_RQ_IN_FLIGHT", 1 },
						  { "REQ_OP_READ", 0 },
						  { "REQ_OP_WRITE", 1 },
						  { "REQ_OP_FLUSH", 2 },
						  { 0 } };

static uint64_t *word(uint64_t at)
{
	return &words[(at - BASE) / 8];
}

static void put(uint64_t at, uint64_t value)
{
	*word(at) = value;
}

static void list(uint64_t head, uint64_t node)
{
	put(head, node);
	put(head + 8, node);
	put(node, head);
	put(node + 8, head);
}

static void put_request(unsigned int i, unsigned int disk, uint32_t op, uint32_t tag,
			uint32_t state, uint64_t start)
{
	put(REQUESTS + 8 * i, REQUEST(i));
	put(REQUEST(i), QUEUE(disk));
	put(REQUEST(i) + 8, op | (uint64_t)tag << 32);
	put(REQUEST(i) + 16, state);
	put(REQUEST(i) + 24, start);
}

/* Three disks: bbud0 with a file system, dm-1 on it, nbd2; the first and the last share tags. */
static void fill(void)
{
	static const char *const names[DISKS] = { "bbud0", "dm-1", "nbd2" };

	memset(words, 0, sizeof(words));
	memset(stack, 0, sizeof(stack));
	put(TYPE, BDEV_SUPER + 16);
	put(BDEV_SUPER + 24, TYPE);
	put(BDEV_SUPER, NODE(0));
	put(BDEV_SUPER + 8, NODE(DISKS - 1));
	list(SUPERS, EXT4 + 32);
	put(EXT4 + 48, BDEV(0));
	for (unsigned int i = 0; i < DISKS; i++) {
		put(NODE(i), i + 1 < DISKS ? NODE(i + 1) : BDEV_SUPER);
		put(NODE(i) + 8, i ? NODE(i - 1) : BDEV_SUPER);
		put(BDEV(i), DISK(i));
		strcpy((char *)word(DISK(i)), names[i]);
		put(DISK(i) + 32, QUEUE(i));
		put(DISK(i) + 40, OPS(i));
		put(QUEUE(i), i == 1 ? 0 : SET);
	}
	put(DISK(1) + 48, MD);
	put(DISK(2) + 48, NBD);
	put(SET, MAPS);
	put(SET + 8, 2);
	/* Both hardware queues have the same tags. */
	put(MAPS, TAGS);
	put(MAPS + 8, TAGS);
	put(TAGS, 8);
	put(TAGS + 8, REQUESTS);
	put(KEEPER, NOW_NS);
	put(MD, DISK(1));
	put(MD + 32, CELL);
	put(CELL, NAME);
	put(CELL + 8, MD);
	strcpy((char *)word(NAME), "vg0-data");
	put(MD + 24, TABLE);
	list(TABLE, DEV);
	put(DEV + 16, DM_DEV);
	put(DM_DEV, BDEV(0));
	put(NBD, DISK(2));
	put(NBD + 8, CONFIG);
	put(CONFIG, SOCKETS);
	put(CONFIG + 8, 1);
	put(SOCKETS, NBD_SOCK);
	put(NBD_SOCK, SOCKET);
	put(SOCKET, AT(150));
}

struct all {
	struct stub stub;
	struct disks disks;
};

static void open_all(struct all *a)
{
	a->stub = (struct stub){ memory, symbols, members, sizes, enumerators };
	stub_open(&a->stub);
	CHECK(disks_open(&a->stub.dump, &a->disks) == ST_OK);
	CHECK(disks_read(&a->disks) == ST_OK);
}

static void disks_are_found(void)
{
	struct all a;

	fill();
	open_all(&a);
	CHECK(a.disks.n == DISKS && !a.disks.problem);
	CHECK_TEXT(a.disks.first->name, "bbud0");
	/* By whatever leads to it. */
	CHECK(disks_find(&a.disks, INODE(1)) == a.disks.first->next);
	CHECK(disks_find(&a.disks, BDEV(1)) == a.disks.first->next);
	CHECK(disks_find(&a.disks, QUEUE(1)) == a.disks.first->next);
	CHECK(disks_find(&a.disks, EXT4) == a.disks.first);
	CHECK(!disks_find(&a.disks, BDEV_SUPER) && !disks_find(&a.disks, 0));
	stub_close(&a.stub);

	/* One that is not in the dump: the others are told, and that one is missing. */
	fill();
	put(BDEV(1), 0xffff888000900000ULL);
	open_all(&a);
	CHECK(a.disks.n == DISKS - 1 && a.disks.problem);
	stub_close(&a.stub);
}

static void requests_are_counted(void)
{
	const struct disk_requests *r;
	struct all_requests x;
	struct all a;

	fill();
	put_request(0, 0, 1 | 0x800, 0, 1, NOW_NS - 60 * S); /* with a flag of its own */
	put_request(1, 0, 0, 1, 1, NOW_NS - 10 * S);
	put_request(2, 0, 1, 2, 1, NOW_NS - 9 * S);  /* young */
	put_request(3, 0, 1, 3, 0, NOW_NS - 90 * S); /* idle */
	put_request(4, 0, 1, 7, 1, NOW_NS - 90 * S); /* has another tag now */
	put_request(5, 2, 2, 5, 1, NOW_NS - 20 * S); /* of the other disk */
	put_request(6, 0, 1, 6, 1, 0);
	/* Issued later than it was made. */
	put_request(7, 0, 9, 7, 1, NOW_NS - 90 * S);
	put(REQUEST(7) + 32, NOW_NS - 30 * S);
	put(QUEUE(0) + 8, THROTTLE);
	put(THROTTLE + 16, 28ULL << 32);
	put(QUEUE(1) + 8, THROTTLE);
	open_all(&a);
	CHECK(all_requests_open(&a.stub.dump, &x) == ST_OK);
	CHECK(all_requests_read(&x, &a.disks) == ST_OK && !x.problem);
	r = all_requests_of(&x, a.disks.first);
	CHECK(r && r->n == 5 && r->untimed == 1 && r->all_old == 3);
	CHECK(r->old[DISK_WRITE] == 1 && r->old[DISK_READ] == 1 && r->old[DISK_OTHER] == 1);
	CHECK(r->oldest_ns == 60 * S);
	CHECK(r->is_counted && r->held[0].known && !r->held[0].n && r->held[1].n == 28);
	/* Without blk-mq nothing is counted. */
	r = all_requests_of(&x, a.disks.first->next);
	CHECK(r && !r->is_counted && !r->held[1].known);
	r = all_requests_of(&x, a.disks.first->next->next);
	CHECK(r->is_counted && !r->held[1].known);
	CHECK(r && r->n == 1 && r->old[DISK_FLUSH] == 1);
	stub_close(&a.stub);

	/* More tags than there can be: unknown, not none. */
	fill();
	put(TAGS, 20000);
	open_all(&a);
	CHECK(all_requests_open(&a.stub.dump, &x) == ST_OK);
	CHECK(all_requests_read(&x, &a.disks) == ST_OK && x.problem);
	stub_close(&a.stub);
}

static void mapped_devices_are_read(void)
{
	struct mapped_device m;
	struct mapped_devices x;
	const struct disk *disk;
	struct all a;

	fill();
	put(MD + 8, 3);
	put(MD + 16, BIO(0));
	put(BIO(0), BIO(1));
	open_all(&a);
	disk = a.disks.first->next;
	CHECK(mapped_devices_open(&a.stub.dump, &x) == ST_OK);
	CHECK(disk_is_mapped(&x, disk) && !disk_is_mapped(&x, a.disks.first));
	CHECK(mapped_device_read(&x, &a.disks, disk, &m) == ST_OK);
	CHECK_TEXT(m.name, "vg0-data");
	CHECK(m.has_flags && m.bios == 2 && m.bios_complete);
	CHECK(m.nbelow == 1 && m.below[0] == a.disks.first && m.below_complete);

	/* One bit alone is no suspension; a list that loops has no number; a cell of another device no name. */
	put(MD + 8, 1);
	put(BIO(1), BIO(0));
	put(CELL + 8, AT(1));
	CHECK(mapped_device_read(&x, &a.disks, disk, &m) == ST_OK);
	CHECK(!m.has_flags && !m.bios_complete && !m.name);
	put(MD, DISK(0));
	CHECK(mapped_device_read(&x, &a.disks, disk, &m) == ST_CORRUPT);
	stub_close(&a.stub);
}

static void nbd_is_read(void)
{
	const struct disk *disk;
	struct nbds x;
	struct nbd n;
	struct all a;

	fill();
	open_all(&a);
	disk = a.disks.first->next->next;
	CHECK(nbds_open(&a.stub.dump, &x) == ST_OK);
	CHECK(disk_is_nbd(&x, disk) && !disk_is_nbd(&x, a.disks.first));
	CHECK(nbd_read(&x, disk, &n) == ST_OK && n.n == 1 && n.complete && n.socks[0] == AT(150));
	/* More than are looked at. */
	for (unsigned int i = 0; i < NBD_SOCKETS; i++)
		put(SOCKETS + 8 * i, NBD_SOCK);
	put(CONFIG + 8, 1000);
	CHECK(nbd_read(&x, disk, &n) == ST_OK && n.n == NBD_SOCKETS && !n.complete);
	put(NBD + 8, 0);
	CHECK(nbd_read(&x, disk, &n) == ST_ABSENT);
	put(NBD, DISK(0));
	CHECK(nbd_read(&x, disk, &n) == ST_CORRUPT);
	stub_close(&a.stub);
}

/* "bbud0 page"; "-": none. */
static const char *waits(bool has_page, bool has_buffer)
{
	static char text[64];
	const struct task_stack s = { .base = STACK,
				      .size = sizeof(stack),
				      .bytes = (const uint8_t *)stack };
	const struct disk_wait_frames f = { STACK, has_page ? STACK + sizeof(stack) : 0,
					    has_buffer ? STACK + sizeof(stack) : 0,
					    STACK + sizeof(stack) };
	enum disk_wait_source source;
	const struct disk *disk;
	struct disk_waits x;
	struct all a;

	open_all(&a);
	CHECK(disk_waits_open(&a.stub.dump, &a.disks, &x) == ST_OK);
	snprintf(text, sizeof(text), "-");
	if (disk_wait_find(&x, TASK, &s, &f, &disk, &source) == ST_OK)
		snprintf(text, sizeof(text), "%s %s", disk->name, disk_wait_sources[source]);
	stub_close(&a.stub);
	return text;
}

static void waits_are_found(void)
{
	/* A folio of a file on bbud0: wait_page_queue at word 8. */
	fill();
	CHECK_TEXT(waits(true, true), "-");
	stack[8] = FOLIO;
	stack[11] = TASK;
	put(FOLIO + 24, MAPPING);
	put(MAPPING, FILE_INODE);
	put(FILE_INODE + 16, EXT4);
	CHECK_TEXT(waits(true, false), "bbud0 page");
	/* No function waits for a page: it is of before. */
	CHECK_TEXT(waits(false, false), "-");
	/* The entry of another task. */
	stack[11] = AT(5);
	CHECK_TEXT(waits(true, false), "-");
	stack[11] = TASK;
	/* Anonymous memory. */
	put(FOLIO + 24, MAPPING | 1);
	CHECK_TEXT(waits(true, false), "-");

	/* A folio of the block device itself. */
	put(FOLIO + 24, MAPPING);
	put(MAPPING, INODE(2));
	put(INODE(2) + 16, BDEV_SUPER);
	CHECK_TEXT(waits(true, false), "nbd2 page");

	/* One of a file system that is on no disk, as FUSE, which is written to a file on one. */
	put(MAPPING, FILE_INODE);
	put(FILE_INODE + 16, REMOTE);
	put(REMOTE + 72, REMOTE_TYPE);
	stack[40] = EXT4;
	CHECK_TEXT(waits(true, false), "-");
	/* On a disk that is not known. */
	put(REMOTE_TYPE + 16, 1);
	CHECK_TEXT(waits(true, false), "bbud0 stack");
	put(REMOTE + 72, 0xffff888000900000ULL);
	CHECK_TEXT(waits(true, false), "bbud0 stack");

	/* A buffer_head: wait_bit_queue_entry at word 20. */
	fill();
	stack[20] = BUFFER;
	stack[24] = TASK;
	put(BUFFER + 8, BDEV(1));
	CHECK_TEXT(waits(false, true), "dm-1 buffer");
	CHECK_TEXT(waits(false, false), "-");

	/* A bio on the stack whose end is noted on the stack, and one elsewhere. */
	fill();
	stack[31] = BDEV(2);
	stack[32] = STACK + 16;
	CHECK_TEXT(waits(false, false), "nbd2 bio");
	stack[32] = TASK;
	CHECK_TEXT(waits(false, false), "nbd2 bio");
	stack[32] = AT(0);
	CHECK_TEXT(waits(false, false), "nbd2 stack");
	fill();
	stack[40] = BIO(0);
	put(BIO(0) + 8, BDEV(0));
	put(BIO(0) + 16, TASK);
	CHECK_TEXT(waits(false, false), "bbud0 bio");

	/* Two disks on a stack: it may be either. */
	fill();
	stack[3] = QUEUE(0);
	CHECK_TEXT(waits(false, false), "bbud0 stack");
	stack[4] = EXT4;
	CHECK_TEXT(waits(false, false), "bbud0 stack");
	stack[5] = DISK(1);
	CHECK_TEXT(waits(false, false), "-");
}

TESTS({ "disks, by block devices and file systems", disks_are_found },
      { "requests that are not completed", requests_are_counted },
      { "suspended disks of the device mapper", mapped_devices_are_read },
      { "sockets of nbd", nbd_is_read }, { "the disk that a task waits for", waits_are_found })
