// SPDX-License-Identifier: GPL-2.0-or-later
/* Which disks a module serves that has much memory: by the owner of their operations, of md by the level of the array. */
#include <string.h>

#include "memowner/summary.h"
#include "disk_stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define WORDS 4096
#define AT(i) (BASE + (uint64_t)(i)*0x100)

#define TYPE AT(1)
#define SUPER AT(2)
#define SUPERS AT(3)
#define MODULES AT(4)
#define INODE(i) (AT(10 + (i)) + 0x40)
#define BDEV(i) AT(10 + (i))
#define NODE(i) (INODE(i) + 24)
#define DISK(i) AT(20 + (i))
#define OPS(i) AT(30 + (i))
#define MODULE(i) AT(40 + (i))
#define ARRAY_OF(i) AT(50 + (i)) /* struct mddev */
#define LEVEL AT(60)
#define CONF AT(61)

enum { DISKS = 6, RAID = 0, MD = 1, RAID456 = 2, MODULE_COUNT = 3 };

static uint64_t words[WORDS];

static const struct stub_memory memory[] = { { BASE, words, sizeof(words) }, { 0 } };
static const struct stub_symbol symbols[] = { { "bd_type", TYPE, FIELD(0, 8) },
					      { "super_blocks", SUPERS, FIELD(0, 16) },
					      { "modules", MODULES, { 0 } },
					      { "md_fops", OPS(MD), { 0 } },
					      { 0 } };
static const struct stub_member members[] = {
	DISK_MEMBERS,
	{ "struct module", "state", FIELD(0, 4) },
	{ "struct module", "list", KINDED(KIND_STRUCT, 8, 16) },
	{ "struct module", "name", KINDED(KIND_ARRAY, 24, 56) },
	{ "struct module", "mem", KINDED(KIND_ARRAY, 80, 16) },
	{ "struct module_memory", "base", FIELD(0, 8) },
	{ "struct module_memory", "size", FIELD(8, 4) },
	{ "struct mddev", "pers", FIELD(0, 8) },
	{ "struct mddev", "private", FIELD(8, 8) },
	{ "struct md_personality", "owner", FIELD(8, 8) },
	{ "struct r5conf", "mddev", FIELD(0, 8) },
	{ "struct r5conf", "min_nr_stripes", FIELD(8, 4) },
	{ "struct r5conf", "max_nr_stripes", FIELD(12, 4) },
	{ "struct r5conf", "pool_size", FIELD(16, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct module_memory", 16 }, { 0 } };
static const struct stub_number enumerators[] = { { "MODULE_STATE_UNFORMED", 3 }, { 0 } };

static struct stub stub;
static struct report report;
static struct summary sum;

static uint64_t *word(uint64_t at)
{
	return &words[(at - BASE) / 8];
}

/* A list of nodes that are as far apart. */
static void put_list(uint64_t head, uint64_t first, uint64_t step, unsigned int n)
{
	for (unsigned int i = 0; i <= n; i++) {
		const uint64_t at = i ? first + (i - 1) * step : head;

		word(at)[0] = i < n ? first + i * step : head;
		word(at)[1] = i > 1 ? first + (i - 2) * step : i ? head : first + (n - 1) * step;
	}
}

static void put_disk(unsigned int i, const char *name, unsigned int operations, uint64_t own)
{
	*word(BDEV(i)) = DISK(i);
	snprintf((char *)word(DISK(i)), 32, "%s", name);
	*word(DISK(i) + 40) = OPS(operations);
	*word(DISK(i) + 48) = own;
}

/* Two disks of a driver, an array of RAID 5 that it does not serve, and three that nothing is known of. */
static void set_up(void)
{
	static const char *const names[MODULE_COUNT] = { "raidbbu", "md_mod", "raid456" };

	memset(words, 0, sizeof(words));
	*word(TYPE) = SUPER + 16;
	*word(SUPER + 24) = TYPE;
	put_list(SUPER, NODE(0), NODE(1) - NODE(0), DISKS);
	put_list(SUPERS, SUPER + 32, 0, 1);
	put_list(MODULES, MODULE(0) + 8, MODULE(1) - MODULE(0), MODULE_COUNT);
	for (unsigned int i = 0; i < MODULE_COUNT; i++) {
		snprintf((char *)word(MODULE(i) + 24), 56, "%s", names[i]);
		*word(MODULE(i) + 80) = 0xffffffffc0000000ULL + 0x10000 * i;
		*word(MODULE(i) + 88) = 0x1000;
		*word(OPS(i)) = i < RAID456 ? MODULE(i) : 0;
	}
	put_disk(0, "bbud0", RAID, 0);
	put_disk(1, "md0", MD, ARRAY_OF(0));
	put_disk(2, "bbud1", RAID, 0);
	for (unsigned int i = 3; i < DISKS; i++)
		put_disk(i, "vda", RAID456, 0);
	*word(ARRAY_OF(0)) = LEVEL;
	*word(ARRAY_OF(0) + 8) = CONF;
	*word(LEVEL + 8) = MODULE(RAID456);
	*word(CONF) = ARRAY_OF(0);
	*word(CONF + 8) = 16384 | 16384ULL << 32;
	*word(CONF + 16) = 4;
	STUB_OPEN(stub, memory, symbols, members, sizes, enumerators);
	stub.dump.page_shift = 12;
	report = (struct report){ .dump = &stub.dump };
	report.last_unknown = &report.unknown;
	sum = (struct summary){ .dump = &stub.dump, .report = &report, .ram_pages = 1000000 };
}

/* What a row of a module with so many pages is told; "": nothing. */
static const char *told(const char *module, uint64_t pages)
{
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "root", .name = "a", .module = module,
		    .pages = { pages, true });
	CHECK(summary_served(&sum) == ST_OK && !*stub.dump.error);
	return sum.last[SECTION_CANDIDATE]->kept_by ?: "";
}

static void disks_of_a_driver(void)
{
	set_up();
	CHECK_TEXT(told("raidbbu", 300000), "the driver of device bbud0 and of device bbud1");
	/* Little memory, and a module that serves none. */
	CHECK_TEXT(told("raidbbu", 10), "");
	CHECK_TEXT(told("md_mod", 300000), "");
	CHECK_TEXT(told("gone", 300000), "");
	/* Of more than three a number. */
	set_up();
	for (unsigned int i = 3; i < DISKS; i++)
		*word(DISK(i) + 40) = OPS(RAID);
	CHECK_TEXT(told("raidbbu", 300000),
		   "the driver of device bbud0 and of device bbud1 and of device vda and 2 more");
}

static void arrays_of_md(void)
{
	static const char stripes[] = "the driver of device md0, whose stripe_cache_size is 16384: "
				      "16,384 stripes of 4 pages, 256.0M";

	set_up();
	CHECK_TEXT(told("raid456", 300000), stripes);
	/* A structure that is not of this array, more than there is of RAM, and one that is not in the dump. */
	*word(CONF) = ARRAY_OF(1);
	CHECK_TEXT(told("raid456", 300000), "the driver of device md0");
	*word(CONF) = ARRAY_OF(0);
	*word(CONF + 16) = UINT32_MAX;
	CHECK_TEXT(told("raid456", 300000), "the driver of device md0");
	*word(ARRAY_OF(0) + 8) = 0x1000;
	CHECK_TEXT(told("raid456", 300000), "the driver of device md0");
	*word(ARRAY_OF(0)) = 0;
	CHECK_TEXT(told("raid456", 300000), "");
	*word(ARRAY_OF(0)) = 0x1000;
	CHECK_TEXT(told("raid456", 300000), "");
}

/* What was read before the damage is told; the walk ends. */
static void damaged_lists(void)
{
	/* A circle of two. */
	set_up();
	*word(NODE(2)) = NODE(1);
	CHECK_TEXT(told("raidbbu", 300000), "the driver of device bbud0 and of device bbud1");
	set_up();
	/* Behind a node that is not there the list is read from its other end; both ends may be damaged. */
	*word(NODE(0)) = 0x1000;
	CHECK_TEXT(told("raidbbu", 300000), "the driver of device bbud0 and of device bbud1");
	set_up();
	*word(NODE(0)) = 0x1000;
	*word(NODE(DISKS - 1) + 8) = 0x1000;
	CHECK_TEXT(told("raidbbu", 300000), "the driver of device bbud0");
	set_up();
	*word(TYPE) = 0x1000;
	CHECK_TEXT(told("raidbbu", 300000), "");
	set_up();
	*word(DISK(0) + 40) = 0x1000;
	CHECK_TEXT(told("raidbbu", 300000), "the driver of device bbud1");
}

TESTS({ "disks of a driver", disks_of_a_driver }, { "arrays of md", arrays_of_md },
      { "lists that are damaged", damaged_lists })
