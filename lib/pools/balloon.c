// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/balloon.h"

#include "dump/first_problem.h"
#include "dump/layout.h"
#include "kernel/list_ends.h"
#include "modules/module_object.h"
#include "zones/vm_events.h"
#include "zones/vmstat.h"
#include "util/printable.h"

#define MAX_DEVICES 1024 /* of virtio_balloon; a machine has one */
#define PFN_SHIFT 12	 /* VIRTIO_BALLOON_PFN_SHIFT: it counts units of 4 KiB */

enum {
	V_DRIVER,
	D_PRIVATE,
	P_DEVICES,
	K_LIST,
	K_NODE,
	N_DRIVER,
	N_DEVICE,
	V_DEVICE,
	V_PRIVATE,
	B_DEVICE,
	B_PAGES,
	B_INFO,
	D_NAME,
	B_FIELDS
};

static const struct layout_row rows[B_FIELDS] = {
	[V_DRIVER] = { "struct virtio_driver", { "driver" }, REQUIRED, "all" },
	[D_PRIVATE] = { "struct device_driver", { "p" }, REQUIRED, "all" },
	[P_DEVICES] = { "struct driver_private", { "klist_devices" }, REQUIRED, "all" },
	[K_LIST] = { "struct klist", { "k_list" }, REQUIRED, "all" },
	[K_NODE] = { "struct klist_node", { "n_node" }, REQUIRED, "all" },
	[N_DRIVER] = { "struct device_private", { "knode_driver" }, REQUIRED, "all" },
	[N_DEVICE] = { "struct device_private", { "device" }, REQUIRED, "all" },
	[V_DEVICE] = { "struct virtio_device", { "dev" }, REQUIRED, "all" },
	[V_PRIVATE] = { "struct virtio_device", { "priv" }, REQUIRED, "all" },
	[B_DEVICE] = { "struct virtio_balloon", { "vdev" }, REQUIRED, "all" },
	[B_PAGES] = { "struct virtio_balloon", { "num_pages" }, REQUIRED, "all" },
	[B_INFO] = { "struct virtio_balloon", { "vb_dev_info" }, REQUIRED, "4.4" },
	[D_NAME] = { "struct device", { "kobj.name" }, REQUIRED, "all" },
};

struct walk {
	struct dump *dump;
	struct field f[B_FIELDS];
	enum status (*visit)(void *arg, const struct balloon *b);
	void *arg;
	struct first_problem problem; /* of a device */
};

static enum status read_balloon(struct walk *w, uint64_t device, struct balloon *ret)
{
	struct dump *d = w->dump;
	uint64_t virtio = device - w->f[V_DEVICE].offset, at, back, name;
	uint32_t pages;
	enum status st = dump_u64(d, virtio + w->f[V_PRIVATE].offset, &at, "virtio_device")
				 ?: dump_u64(d, at + w->f[B_DEVICE].offset, &back,
					     "virtio_balloon");

	if (st == ST_OK && back != virtio)
		st = dump_fail(d, ST_CORRUPT, "virtio_balloon at %#lx is not of its device", at);
	st = st ?: dump_u32(d, at + w->f[B_PAGES].offset, &pages, "virtio_balloon");
	if (st != ST_OK)
		return st;
	ret->info = at + w->f[B_INFO].offset;
	ret->pages = ((uint64_t)pages << PFN_SHIFT) >> d->page_shift;
	if (dump_u64(d, device + w->f[D_NAME].offset, &name, "device") != ST_OK || !name ||
	    dump_string(d, name, ret->name, sizeof(ret->name), "name of a device") != ST_OK)
		ret->name[0] = '\0';
	printable(ret->name);
	return ST_OK;
}

static enum status visit_node(void *arg, uint64_t node)
{
	struct walk *w = arg;
	struct dump *d = w->dump;
	uint64_t private = node - w->f[K_NODE].offset - w->f[N_DRIVER].offset, device;
	struct balloon b = { 0 };
	enum status st = dump_u64(d, private + w->f[N_DEVICE].offset, &device, "device_private")
				 ?: read_balloon(w, device, &b);

	return st == ST_OK ? w->visit(w->arg, &b) : first_problem_keep(d, &w->problem, st);
}

enum status balloons_walk(struct dump *d, enum status (*visit)(void *arg, const struct balloon *b),
			  void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t driver, private = 0;
	enum status st = module_object_symbol(d, "virtio_balloon", "virtio_balloon_driver", &driver) ?:
		module_object_type(d, "virtio_balloon", "struct virtio_balloon") ?:
		layout_resolve(d, rows, B_FIELDS, w.f);

	if (st == ST_OK && w.f[B_PAGES].size != 4)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct virtio_balloon");
	if (st == ST_OK)
		st = dump_u64(d, driver + w.f[V_DRIVER].offset + w.f[D_PRIVATE].offset, &private,
			      "virtio_balloon_driver");
	/* 0: it could not be registered. */
	if (st != ST_OK || !private)
		return st;
	st = list_walk_ends(d, private + w.f[P_DEVICES].offset + w.f[K_LIST].offset, MAX_DEVICES,
			    "devices of virtio_balloon", visit_node, &w);
	return st ?: first_problem_end(d, &w.problem);
}

static const struct layout_row info_row = {
	"struct balloon_dev_info", { "migratepage" }, OPTIONAL, "4.4"
};

enum status balloon_driver(struct dump *d, uint64_t info, uint64_t *ret)
{
	struct field f;
	enum status st = layout_resolve(d, &info_row, 1, &f);

	if (st == ST_OK && !f.present)
		st = dump_fail(d, ST_ABSENT, "this kernel has no balloon_dev_info.migratepage");
	return st ?: dump_u64(d, info + f.offset, ret, "balloon_dev_info");
}

enum status balloon_pages(struct dump *d, uint64_t *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t pages, item;
	enum status st;

	if (dump_ask(d, enumerator, "NR_BALLOON_PAGES", &item) != ST_OK)
		return balloon_events_pages(d, ret);
	st = counters_open(d, c) ?: counter_read(c, "nr_balloon_pages", &pages);
	if (st == ST_OK)
		*ret = (uint64_t)pages;
	return st;
}
