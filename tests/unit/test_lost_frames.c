// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose device has an address of the frames that lost memory begins with. */
#include "holders/alike.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "modules/module.h"
#include "stub.h"
#include "test.h"

#define HEAD 0x1000ULL
#define NET 0x2000ULL
#define DEVICES (NET + 16)
#define LO 0x3000ULL
#define SFX 0x4000ULL
#define ADDRESSES 0x5000ULL
#define OPERATIONS 0xffffffffc0001000ULL

struct device {
	uint64_t next, prev;
	char name[16];
	uint64_t address, operations;
};

static uint64_t head[2] = { NET, NET }, net[4];
static struct device lo, sfx;
static uint8_t addresses[2][6] = { { 0 }, { 0x9a, 0x2d, 0xfa, 0x5b, 0xf3, 0x70 } };
static const struct stub_memory memory[] = { { HEAD, head, sizeof(head) },
					     { NET, net, sizeof(net) },
					     { LO, &lo, sizeof(lo) },
					     { SFX, &sfx, sizeof(sfx) },
					     { ADDRESSES, addresses, sizeof(addresses) },
					     { 0 } };
static const struct stub_member members[] = {
	{ "struct net", "list", FIELD(0, 16) },
	{ "struct net", "dev_base_head", FIELD(16, 16) },
	{ "struct net_device", "dev_list", FIELD(0, 16) },
	{ "struct net_device", "name", KINDED(KIND_ARRAY, 16, 16) },
	{ "struct net_device", "dev_addr", KINDED(KIND_POINTER, 32, 8) },
	{ "struct net_device", "netdev_ops", KINDED(KIND_POINTER, 40, 8) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { .name = "net_namespace_list", .addr = HEAD },
					      { 0 } };

static struct stub stub;
static struct summary sum;
static struct alike alike;
static const char *driver;

static void begin(void)
{
	static const uint8_t frame[] = { 0x52, 0x54, 0,	   0xaa, 0xbb, 0x09, 0x9a, 0x2d,
					 0xfa, 0x5b, 0xf3, 0x70, 0x08, 0,    0x45, 0 };

	STUB_OPEN(stub, .memory = memory, .symbols = symbols, .members = members);
	sum = (struct summary){ .dump = &stub.dump };
	head[0] = head[1] = NET;
	net[0] = net[1] = HEAD;
	net[2] = LO;
	net[3] = SFX;
	lo = (struct device){ SFX, DEVICES, "lo", ADDRESSES, 0 };
	sfx = (struct device){ DEVICES, LO, "sfx0", ADDRESSES + 6, OPERATIONS };
	alike = (struct alike){ .n = sizeof(frame), .same = 0xffff };
	memcpy(alike.start, frame, sizeof(frame));
}

static const char *device(void)
{
	static struct module sfxnet = { .name = "sfxnet", .nranges = 1 };
	const struct modules modules = { .first = &sfxnet };

	sfxnet.ranges[0].base = OPERATIONS & ~0xfffULL;
	sfxnet.ranges[0].size = 0x1000;
	return summary_frame_device(&sum, &alike, &modules, &driver) ?: "";
}

static void the_sender(void)
{
	begin();
	CHECK_TEXT(device(), "sfx0");
	CHECK_TEXT(driver, "sfxnet");
	/* Its driver is built in; the senders differ. */
	sfx.operations = 0xffffffff82000000;
	CHECK_TEXT(device(), "sfx0");
	CHECK(!driver);
	alike.same = 0xf03f;
	CHECK_TEXT(device(), "");
	/* No frame, though an address is there. */
	begin();
	alike.start[12] = 9;
	CHECK_TEXT(device(), "");
}

static void what_cannot_be_told(void)
{
	/* Two devices have it, as a bridge has that of its port; a list that is not in the dump. */
	begin();
	lo.address = ADDRESSES + 6;
	CHECK_TEXT(device(), "");
	CHECK(!stub.dump.gaps);
	begin();
	lo.next = 0x9000;
	device();
	CHECK(stub.dump.gaps && !strcmp(stub.dump.gaps->part, "whose addresses lost frames have"));
}

TESTS({ "lost frames: the sender's device", the_sender },
      { "lost frames: what cannot be told", what_cannot_be_told })
