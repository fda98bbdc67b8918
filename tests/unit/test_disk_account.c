// SPDX-License-Identifier: GPL-2.0-or-later
/* When a disk was accounted last: by the stamp of its block_device, before 5.11 of its hd_struct. */
#include "files/disk_requests.h"
#include "stub.h"
#include "test.h"

#define DISK 0x1000ULL
#define DEVICE 0x2000ULL
#define JIFFIES 0x3000ULL
#define CLOCK 0x4000ULL
#define TICK 4000000ULL /* ns: HZ is 250 */

static uint64_t disk[2], device[2], jiffies;
static const uint32_t clocksource[2] = { 4000000u << 8, 8 };
static const struct stub_memory memory[] = { { DISK, disk, sizeof(disk) },
					     { DEVICE, device, sizeof(device) },
					     { JIFFIES, &jiffies, sizeof(jiffies) },
					     { CLOCK, clocksource, sizeof(clocksource) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "jiffies", JIFFIES, FIELD(0, 8) },
					      { "clocksource_jiffies", CLOCK, FIELD(0, 8) },
					      { 0 } };
#define CLOCK_MEMBERS                                      \
	{ "struct clocksource", "mult", FIELD(0, 4) },     \
	{                                                  \
		"struct clocksource", "shift", FIELD(4, 4) \
	}
static const struct stub_member members[] = { CLOCK_MEMBERS,
					      { "struct gendisk", "part0", FIELD(8, 8) },
					      { "struct block_device", "bd_stamp", FIELD(8, 8) },
					      { 0 } };
static const struct stub_member old_members[] = { CLOCK_MEMBERS,
						  { "struct gendisk", "part0", FIELD(0, 16) },
						  { "struct hd_struct", "stamp", FIELD(8, 8) },
						  { 0 } };
static const struct stub_member no_members[] = { CLOCK_MEMBERS,
						 { "struct gendisk", "part0", FIELD(8, 8) },
						 { 0 } };

static enum status age_of(const struct stub_member *of, uint64_t *age)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = of);
	const struct disk vda = { .address = DISK, .name = "vda" };
	struct disk_account x;

	return disk_account_open(&s.dump, &x) ?: disk_account_age(&x, &vda, age);
}

static void by_its_stamp(void)
{
	uint64_t age = 7;

	jiffies = 100000;
	disk[1] = DEVICE;
	device[1] = 100000 - 25000;
	CHECK(age_of(members, &age) == ST_OK && age == 25000 * TICK);
	disk[1] = 100000 - 1000;
	CHECK(age_of(old_members, &age) == ST_OK && age == 1000 * TICK);
}

static void what_is_not_known(void)
{
	uint64_t age = 7;

	jiffies = 100000;
	disk[1] = DEVICE;
	device[1] = 100001;
	CHECK(age_of(members, &age) == ST_CORRUPT && age == 7);
	disk[1] = 0x9000;
	CHECK(age_of(members, &age) == ST_UNREADABLE && age == 7);
	CHECK(age_of(no_members, &age) == ST_UNKNOWN && age == 7);
}

TESTS({ "by its stamp", by_its_stamp }, { "what is not known", what_is_not_known })
