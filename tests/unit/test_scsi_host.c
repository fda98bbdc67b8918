// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose driver has the commands of a SCSI disk. */
#include "files/disks.h"
#include "stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define AT(i) (BASE + (uint64_t)(i)*0x40)
#define QUEUE AT(1)
#define DEVICE AT(2)
#define HOST AT(3)
#define TEMPLATE AT(4)
#define PROC_NAME AT(5)
#define NAME AT(6)
#define OPERATIONS AT(7)
#define MODULES AT(8)
#define MODULE AT(10)

static uint64_t words[256];

static const struct stub_memory memory[] = { { BASE, words, sizeof(words) }, { 0 } };
static const struct stub_symbol symbols[] = { { "sd_fops", OPERATIONS, FIELD(0, 8) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct request_queue", "queuedata", FIELD(8, 8) },
	{ "struct scsi_device", "host", FIELD(0, 8) },
	{ "struct scsi_device", "request_queue", FIELD(8, 8) },
	{ "struct Scsi_Host", "hostt", FIELD(0, 8) },
	{ "struct Scsi_Host", "host_no", FIELD(8, 4) },
	{ "struct scsi_host_template", "module", FIELD(0, 8) },
	{ "struct scsi_host_template", "proc_name", FIELD(8, 8) },
	{ "struct scsi_host_template", "name", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct scsi_device", 16 }, { 0 } };

static void put(uint64_t at, uint64_t value)
{
	words[(at - BASE) / 8] = value;
}

static void fill(void)
{
	memset(words, 0, sizeof(words));
	put(QUEUE + 8, DEVICE);
	put(DEVICE, HOST);
	put(DEVICE + 8, QUEUE);
	put(HOST, TEMPLATE);
	put(HOST + 8, 7);
	put(TEMPLATE + 8, PROC_NAME);
	put(TEMPLATE + 16, NAME);
	strcpy((char *)&words[(PROC_NAME - BASE) / 8], "ahci");
	strcpy((char *)&words[(NAME - BASE) / 8], "AHCI\nx");
}

static void hosts_are_read(void)
{
	STUB(stub, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	const struct disk disk = { .queue = QUEUE, .operations = OPERATIONS, .name = "sda" };
	const struct disk other = { .queue = QUEUE, .operations = OPERATIONS + 8 };
	struct scsi_hosts x;
	struct scsi_host h;

	fill();
	CHECK(scsi_hosts_open(&stub.dump, &x) == ST_OK);
	CHECK(disk_is_scsi(&x, &disk) && !disk_is_scsi(&x, &other));
	CHECK(scsi_host_read(&x, &disk, &h) == ST_OK && h.number.n == 7);
	CHECK_TEXT(h.driver, "ahci");
	put(TEMPLATE + 8, 0);
	CHECK(scsi_host_read(&x, &disk, &h) == ST_OK);
	CHECK_TEXT(h.driver, "AHCI?x");
	put(TEMPLATE + 16, 0);
	CHECK(scsi_host_read(&x, &disk, &h) == ST_OK && !h.driver);
	/* By a module that is loaded, whatever the template says. */
	put(TEMPLATE, MODULE);
	x.modules.first = &(struct module){ .address = MODULE, .name = "megaraid_sas" };
	CHECK(scsi_host_read(&x, &disk, &h) == ST_OK);
	CHECK_TEXT(h.driver, "megaraid_sas");
	/* Of another disk, and not in the dump. */
	put(DEVICE + 8, QUEUE + 8);
	CHECK(scsi_host_read(&x, &disk, &h) == ST_CORRUPT);
	put(QUEUE + 8, BASE - 4096);
	CHECK(scsi_host_read(&x, &disk, &h) == ST_UNREADABLE);
}

TESTS({ "the driver of the host", hosts_are_read })
