// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices of zram, with the types of its module and without. */
#include "pools/zram.h"
#include "pools/zram_untyped.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)

static struct {
	uint64_t head;	  /* of the IDR: one device, entry 0 */
	uint64_t zram[4]; /* mem_pool, disk, compr_data_size, pages_stored */
	uint64_t zs_pool[1];
	char disk[64];
} zram = { AT(1), { AT(2), AT(3), 0x5000, 40 }, { 6 }, "zram3" };

static const struct stub_member zram_members[] = {
	{ "struct zram", "mem_pool", FIELD(0, 8) },
	{ "struct zram", "disk", FIELD(8, 8) },
	{ "struct zram", "stats.compr_data_size", FIELD(16, 8) },
	{ "struct zram", "stats.pages_stored", FIELD(24, 8) },
	{ "struct zs_pool", "pages_allocated", FIELD(0, 8) },
	{ "struct gendisk", "disk_name", FIELD(0, 32) },
	{ "struct idr", "idr_rt.xa_head", FIELD(0, 8) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", FIELD(8, 512) },
	{ 0 },
};
static const struct stub_symbol zram_symbols[] = { { "zram_index_idr", AT(0), FIELD(0, 8) },
						   { 0 } };
static const struct stub_memory zram_memory[] = {
	{ AT(0), &zram.head, 8 },
	{ AT(1), zram.zram, sizeof(zram.zram) },
	{ AT(2), zram.zs_pool, 8 },
	{ AT(3), zram.disk, sizeof(zram.disk) },
	{ 0 },
};

static enum status see_zram(void *arg, const struct zram_device *device)
{
	*(struct zram_device *)arg = *device;
	return ST_OK;
}

static const struct stub_number zram_sizes[] = { { "struct zram", 32 },
						 { "struct zs_pool", 8 },
						 { 0 } };

static enum status walk_zram(struct zram_device *seen)
{
	STUB(s, .memory = zram_memory, .symbols = zram_symbols, .members = zram_members,
	     .sizes = zram_sizes);

	*seen = (struct zram_device){ 0 };
	return zram_walk(&s.dump, see_zram, seen);
}

static void zram_devices(void)
{
	struct zram_device seen;

	CHECK(walk_zram(&seen) == ST_OK && seen.pages == 6 && seen.compressed == 0x5000 &&
	      seen.stored == 40);
	CHECK_TEXT(seen.name, "zram3");
	zram.zram[2] = 0x6001;
	CHECK(walk_zram(&seen) == ST_CORRUPT);
	/* Not set up. */
	zram.zram[0] = 0;
	CHECK(walk_zram(&seen) == ST_OK && !seen.pages);
}

/* Two devices without types: a pool of 300 pages and one of 5; a third one is not set up. */
#define K(i) (0xffff888000000000ULL + (i)*0x1000)
static uint64_t bare_zram[3][32], bare_disk[3][9], bare_pool[2][512], bare_node[5];
static const char pool_name[2][64] = { "zram0", "zram1" };

static const struct stub_member bare_members[] = {
	{ "struct gendisk", "disk_name", FIELD(8, 32) },
	{ "struct gendisk", "private_data", FIELD(64, 8) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", FIELD(8, 32) },
	{ 0 },
};
static const struct stub_memory bare_memory[] = {
	{ K(0), bare_zram[0], 256 },
	{ K(1), bare_zram[1], 256 },
	{ K(2), bare_zram[2], 256 },
	{ K(3), bare_disk[0], 72 },
	{ K(4), bare_disk[1], 72 },
	{ K(5), bare_disk[2], 72 },
	{ K(6), bare_pool[0], 4096 },
	{ K(7), bare_pool[1], 4096 },
	{ K(8), pool_name[0], 64 },
	{ K(9), pool_name[1], 64 },
	{ K(10), bare_node, sizeof(bare_node) },
	{ 0 },
};

struct bare_seen {
	unsigned int n;
	struct zram_device devices[3];
};

static enum status see_bare(void *arg, const struct zram_device *device)
{
	struct bare_seen *seen = arg;

	seen->devices[seen->n++] = *device;
	return ST_OK;
}

static enum status walk_bare(uint64_t total, struct bare_seen *seen)
{
	STUB(s, .memory = bare_memory, .members = bare_members);

	seen->n = 0;
	return zram_untyped_walk(&s.dump, K(10) + 2, total, see_bare, seen);
}

static void zram_without_types(void)
{
	struct bare_seen seen;

	for (unsigned int i = 0; i < 3; i++) {
		bare_zram[i][0] = 0x1234;
		bare_zram[i][1] = i < 2 ? K(6 + i) : 0;
		bare_zram[i][3] = K(3 + i);
		memcpy(&bare_disk[i][1], "zram0", 6);
		((char *)&bare_disk[i][1])[4] += i;
		bare_disk[i][8] = K(i);
		bare_node[1 + i] = K(i);
	}
	/* The pool of another device comes first. */
	bare_zram[0][0] = K(7);
	bare_pool[0][0] = K(8);
	bare_pool[1][0] = K(9);
	bare_pool[0][258] = 300;
	bare_pool[1][258] = 5;
	CHECK(walk_bare(305, &seen) == ST_OK && seen.n == 2);
	CHECK_TEXT(seen.devices[1].name, "zram1");
	CHECK(seen.devices[0].has_pages && seen.devices[0].pages == 300 &&
	      seen.devices[1].pages == 5 && !seen.devices[0].has_stats);
	/* The counter has pages of another user, or two words fit. */
	CHECK(walk_bare(306, &seen) == ST_OK && seen.n == 2 && !seen.devices[0].has_pages);
	bare_pool[1][300] = 305;
	CHECK(walk_bare(305, &seen) == ST_OK && seen.n == 2 && !seen.devices[0].has_pages);
	bare_pool[1][300] = 0;
	bare_pool[0][258] = 2;
	CHECK(walk_bare(7, &seen) == ST_OK && seen.n == 2 && !seen.devices[0].has_pages);
	/* A disk that is not its own. */
	bare_disk[1][8] = K(0);
	CHECK(walk_bare(7, &seen) == ST_CORRUPT && !seen.n);
}

TESTS({ "zram: pages and bytes", zram_devices },
      { "zram without the types of its module", zram_without_types })
