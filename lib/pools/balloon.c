// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/balloon.h"

#include "dump/structure.h"
#include "kernel/list.h"
#include "modules/module_sections.h"
#include "zones/vmstat.h"
#include "util/utf8.h"

#define PFN_SHIFT 12 /* VIRTIO_BALLOON_PFN_SHIFT: it counts units of 4 KiB */

struct walk {
	struct dump *dump;
	struct field driver, private, devices, list, node, knode, device;
	struct field virtio_device, virtio_private, balloon_device, pages, info, name;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, driver, "struct virtio_driver", REQUIRED, "all", "driver"),
	FINDS(struct walk, private, "struct device_driver", REQUIRED, "all", "p"),
	FINDS(struct walk, devices, "struct driver_private", REQUIRED, "all", "klist_devices"),
	FINDS(struct walk, list, "struct klist", REQUIRED, "all", "k_list"),
	FINDS(struct walk, node, "struct klist_node", REQUIRED, "all", "n_node"),
	FINDS(struct walk, knode, "struct device_private", REQUIRED, "all", "knode_driver"),
	FINDS(struct walk, device, "struct device_private", REQUIRED, "all", "device"),
	FINDS(struct walk, virtio_device, "struct virtio_device", REQUIRED, "all", "dev"),
	FINDS(struct walk, virtio_private, "struct virtio_device", REQUIRED, "all", "priv"),
	FINDS(struct walk, balloon_device, "struct virtio_balloon", REQUIRED, "all", "vdev"),
	FINDS(struct walk, pages, "struct virtio_balloon", REQUIRED, "all", "num_pages"),
	FINDS(struct walk, info, "struct virtio_balloon", REQUIRED, "4.4", "vb_dev_info"),
	FINDS(struct walk, name, "struct device", REQUIRED, "all", "kobj.name"),
};

static enum status read_balloon(struct walk *w, uint64_t device, struct balloon *ret)
{
	struct dump *d = w->dump;
	uint64_t virtio = device - w->virtio_device.offset, at, back, name;
	uint32_t pages;
	enum status st = dump_u64(d, virtio + w->virtio_private.offset, &at, "virtio_device")
				 ?: dump_u64(d, at + w->balloon_device.offset, &back,
					     "virtio_balloon");

	if (st == ST_OK && back != virtio)
		st = dump_corrupt(d, "virtio_balloon at %#lx is not of its device", at);
	st = st ?: dump_u32(d, at + w->pages.offset, &pages, "virtio_balloon");
	if (st != ST_OK)
		return st;
	ret->info = at + w->info.offset;
	ret->pages = ((uint64_t)pages << PFN_SHIFT) >> d->page_shift;
	if (dump_u64(d, device + w->name.offset, &name, "device") != ST_OK || !name ||
	    dump_string(d, name, ret->name, sizeof(ret->name), "name of a device") != ST_OK)
		ret->name[0] = '\0';
	printable(ret->name);
	return ST_OK;
}

enum status balloons_walk(struct dump *d, enum status (*visit)(void *arg, const struct balloon *b),
			  void *arg)
{
	struct walk w = { .dump = d };
	struct list_nodes l;
	uint64_t driver, private = 0, node, device;
	enum status st = module_object_symbol(d, "virtio_balloon", "virtio_balloon_driver", &driver) ?:
		module_object_type(d, "virtio_balloon", "struct virtio_balloon") ?:
		STRUCTS_OPEN(d, rows, &w);

	if (st == ST_OK && w.pages.size != 4)
		st = dump_unknown(d, "struct virtio_balloon");
	st = st
		     ?: dump_u64(d, driver + w.driver.offset + w.private.offset, &private,
				 "virtio_balloon_driver");
	/* 0: it could not be registered. */
	if (st != ST_OK || !private)
		return st;
	l = list_of(d, private + w.devices.offset + w.list.offset, "devices of virtio_balloon");
	while (st == ST_OK && list_next(&l, &node)) {
		struct balloon b = { 0 };

		private = node - w.node.offset - w.knode.offset;
		st = dump_u64(d, private + w.device.offset, &device, "device_private")
			     ?: read_balloon(&w, device, &b);
		st = st == ST_OK ? visit(arg, &b) : first_problem_keep(d, &l.problem, st);
	}
	return st ?: list_end(&l);
}

static const struct layout_row info_row = {
	"struct balloon_dev_info", { "migratepage" }, OPTIONAL, "4.4"
};

enum status balloon_driver(struct dump *d, uint64_t info, uint64_t *ret)
{
	struct field f;
	enum status st = layout_resolve(d, &info_row, 1, &f);

	if (st == ST_OK && !f.present)
		st = dump_absent(d, "this kernel has no balloon_dev_info.migratepage");
	return st ?: dump_u64(d, info + f.offset, ret, "balloon_dev_info");
}

enum status balloon_pages(struct dump *d, uint64_t *ret)
{
	int64_t pages, item;

	if (dump_ask(d, enumerator, "NR_BALLOON_PAGES", &item) != ST_OK)
		return balloon_events_pages(d, ret);
	return RESULT(counter_ask(d, "nr_balloon_pages", &pages), ret, (uint64_t)pages);
}
