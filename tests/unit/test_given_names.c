// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that an administrator gave to objects of a module: directories of configfs that are inside of them. */
#include <string.h>

#include "holders/steps.h"
#include "stub.h"
#include "test.h"

#define OBJECTS 0xffff888000100000ULL
#define TEXT 0xffffffffa0000000ULL
#define ROOM (16 << 20)
#define STRIDE 256

enum { TEXT_NODE, OBJECT, NODES = OBJECT + 8 };

/* struct config_item, and where one is in an object. */
struct item {
	uint64_t name;
	char buf[20];
	uint32_t pad;
	uint64_t parent, dentry;
};
#define AT 64
#define DENTRY 0xffff888000200000ULL
#define NAMES 0xffff888000300000ULL

static uint8_t memory[STRIDE * (NODES - OBJECT)];
static uint64_t dentry[] = { 0, NAMES + 512 };
static char names[2][512];
static const struct stub_memory parts[] = { { OBJECTS, memory, sizeof(memory) },
					    { DENTRY, dentry, sizeof(dentry) },
					    { NAMES, names, sizeof(names) },
					    { 0 } };
#define OF_ITEM(NAME, PART)                                                                  \
	{                                                                                    \
		"struct config_item", NAME,                                                  \
			FIELD(offsetof(struct item, PART), sizeof(((struct item *)0)->PART)) \
	}
static const struct stub_member members[] = { OF_ITEM("ci_name", name),
					      OF_ITEM("ci_namebuf", buf),
					      OF_ITEM("ci_parent", parent),
					      OF_ITEM("ci_dentry", dentry),
					      { "struct dentry", "d_name.name", FIELD(8, 8) },
					      { 0 } };
static const struct slab_cache cache = { .name = "kmalloc-256" };
static const struct slab_cache *all_caches[] = { &cache };

static struct stub stub;
static struct holders h;

static void open_holders(const struct stub_member *of)
{
	static struct module first;
	struct graph *g = &h.graph;

	memset(memory, 0, sizeof(memory));
	memset(&h, 0, sizeof(h));
	STUB_OPEN(stub, .memory = parts, .members = of);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, g);
	g->caches = all_caches;
	g->ncaches = 1;
	g->modules.first = &first;
	graph_add(g, NODE_TEXT, TEXT, 4096, 1, 1);
	graph_map(g, TEXT, TEXT + 4096, 0, 1);
	graph_add(g, NODE_OBJECT, OBJECTS, STRIDE, NODES - OBJECT, 0);
	graph_map(g, OBJECTS, OBJECTS + 4096, 1, 1);
	CHECK(graph_seal(g));
	for (uint32_t i = OBJECT; i < NODES; i++)
		g->tags[i] = 1;
}

static struct item *item_of(uint32_t i, uint32_t at, const char *name, uint64_t parent)
{
	const uint64_t address = OBJECTS + (i - OBJECT) * STRIDE + at;
	struct item *ret = (struct item *)(void *)(memory + (i - OBJECT) * STRIDE + at);

	*ret = (struct item){ .name = address + offsetof(struct item, buf), .parent = parent };
	snprintf(ret->buf, sizeof(ret->buf), "%s", name);
	return ret;
}

static void items_of_configfs(void)
{
	const uint64_t other = OBJECTS + 1024 * 1024;
	struct item *of;

	open_holders(members);
	CHECK(!holder_item_names(&h, OBJECT));
	item_of(OBJECT, AT, "lun0", other);
	CHECK_TEXT(holder_item_names(&h, OBJECT), "configfs item lun0");
	/* A group that the item has inside is none that somebody made. */
	item_of(OBJECT + 1, AT, "attrib", OBJECTS + STRIDE + AT + 64);
	item_of(OBJECT + 1, AT + 64, "lun1", other);
	CHECK_TEXT(holder_item_names(&h, OBJECT), "configfs item lun0, configfs item lun1");
	/* Of what is no item: a name that is another's, one without an end, one that is empty, an item without a parent. */
	of = item_of(OBJECT + 2, AT, "lun2", other);
	of->name += 8;
	of = item_of(OBJECT + 3, AT, "lun3", other);
	memset(of->buf, 'x', sizeof(of->buf));
	item_of(OBJECT + 4, AT, "", other);
	item_of(OBJECT + 5, AT, "lun5", 0);
	CHECK_TEXT(holder_item_names(&h, OBJECT), "configfs item lun0, configfs item lun1");
	for (uint32_t i = OBJECT + 2; i < NODES; i++)
		item_of(i, AT, "lun", other);
	CHECK_TEXT(holder_item_names(&h, OBJECT),
		   "configfs item lun0, configfs item lun1, "
		   "configfs item lun, configfs item lun and 4 more");
	/* Objects of another module, and of a kernel whose structure is not known. */
	h.graph.tags[OBJECT] = 0;
	CHECK(!holder_item_names(&h, OBJECT));
	open_holders(members + 1);
	item_of(OBJECT, AT, "lun0", other);
	CHECK(!holder_item_names(&h, OBJECT));
}

/* One of 20 bytes and more is elsewhere; its directory has it, too. */
static void long_names(void)
{
	const char *const all[] = { "volume-of-the-lab-01", "volume-of-the-lab-1" };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct item *of;

		open_holders(members);
		of = item_of(OBJECT, AT, "", OBJECTS + 1024 * 1024);
		of->name = NAMES;
		of->dentry = DENTRY;
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			snprintf(names[k], sizeof(names[k]), "%s", all[i]);
		CHECK_TEXT(holder_item_names(&h, OBJECT) ?: "-",
			   i ? "-" : "configfs item volume-of-the-lab-01");
		snprintf(names[1], sizeof(names[1]), "another-directory-there");
		CHECK(!holder_item_names(&h, OBJECT));
	}
}

/* A queue leads by its transmit queue to the device, whose name may be any bytes. */
static void devices_of_queues(void)
{
#define QDISC 0x1000ULL
#define TXQ 0x2000ULL
#define DEVICE 0x3000ULL
	static uint64_t qdisc[2], txq[2];
	static char name[64]; /* what is read of it at once */
	static const struct stub_memory of_queue[] = { { QDISC, qdisc, sizeof(qdisc) },
						       { TXQ, txq, sizeof(txq) },
						       { DEVICE, name, sizeof(name) },
						       { 0 } };
	static const struct stub_member of_devices[] = {
		{ "struct Qdisc", "dev_queue", FIELD(8, 8) },
		{ "struct netdev_queue", "dev", FIELD(0, 8) },
		{ "struct net_device", "name", KINDED(KIND_ARRAY, 0, 16) },
		{ 0 }
	};

	STUB_OPEN(stub, .memory = of_queue, .members = of_devices);
	qdisc[1] = TXQ;
	txq[0] = DEVICE;
	snprintf(name, sizeof(name), "eth0");
	CHECK_TEXT(holder_device_of(&stub.dump, "struct Qdisc", QDISC), "eth0");
	snprintf(name, sizeof(name), "a\nb");
	CHECK_TEXT(holder_device_of(&stub.dump, "struct Qdisc", QDISC), "a?b");
	name[0] = 0;
	CHECK(!holder_device_of(&stub.dump, "struct Qdisc", QDISC));
	/* No device, one that is not in the dump; another structure, and of a kernel that has no queues. */
	snprintf(name, sizeof(name), "eth0");
	txq[0] = 0;
	CHECK(!holder_device_of(&stub.dump, "struct Qdisc", QDISC));
	txq[0] = 0x9000;
	CHECK(!holder_device_of(&stub.dump, "struct Qdisc", QDISC));
	qdisc[1] = 0x9000;
	CHECK(!holder_device_of(&stub.dump, "struct Qdisc", QDISC));
	CHECK(!holder_device_of(&stub.dump, "struct sock", QDISC));
	STUB_OPEN(stub, .memory = of_queue, .members = of_devices + 1);
	CHECK(!holder_device_of(&stub.dump, "struct Qdisc", QDISC));
}

TESTS({ "items of configfs", items_of_configfs }, { "long names", long_names },
      { "devices of queues", devices_of_queues })
