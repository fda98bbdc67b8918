// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/bridge.h"

#include "kernel/list.h"
#include "modules/module_sections.h"

#define DEVICE_ALIGN 32 /* NETDEV_ALIGN: netdev_priv() is behind struct net_device, 2.6.12 to 7.3 */
#define KIND "bridge"	/* br_link_ops.kind */

struct raw_device {
	uint64_t ops;
};

struct raw_ops {
	uint64_t kind;
};

struct raw_bridge {
	uint64_t device, entries; /* the last: the address of the head */
};

struct walk {
	struct dump *dump;
	struct link_kinds kinds;
	struct structure bridge;
	uint64_t cache;
	enum status (*visit)(void *arg, const struct bridge *b);
	void *arg;
};

static const struct layout_row kind_rows[] = {
	STRUCTURE(struct link_kinds, device, "struct net_device"),
	READS(struct raw_device, ops, REQUIRED, "all", "rtnl_link_ops"),
	STRUCTURE(struct link_kinds, ops, "struct rtnl_link_ops"),
	READS(struct raw_ops, kind, REQUIRED, "all", "kind"),
};
static const struct layout_row rows[] = {
	STRUCTURE(struct walk, bridge, "struct net_bridge"),
	READS(struct raw_bridge, device, REQUIRED, "all", "dev"),
	PLACES(struct raw_bridge, entries, REQUIRED, "4.16", "fdb_list"),
};

enum status link_kinds_open(struct dump *d, struct link_kinds *ret)
{
	struct link_kinds k = { 0 };
	enum status st = STRUCTS_OPEN(d, kind_rows, &k);

	if (st == ST_OK && dump_ask(d, type_size, "struct net_device", &k.device_bytes) != ST_OK)
		st = dump_unknown(d, "no size of struct net_device");
	return RESULT(st, ret, k);
}

static enum status count_entries(struct dump *d, uint64_t head, uint64_t *ret)
{
	struct list_nodes l = hlist_of(d, head, "forwarding table of a bridge");
	uint64_t node, n = 0;

	while (list_next(&l, &node))
		n++;
	return RESULT(list_end(&l), ret, n);
}

static enum status visit_device(void *arg, const struct net_device *device)
{
	struct walk *w = arg;
	struct raw_device raw = { 0 };
	struct raw_ops ops = { 0 };
	struct raw_bridge br = { 0 };
	struct bridge b = { .device = *device, .cache = w->cache };
	uint64_t at = device->address +
		      ((w->kinds.device_bytes + DEVICE_ALIGN - 1) & ~(uint64_t)(DEVICE_ALIGN - 1));
	char kind[sizeof(KIND)];
	enum status st = struct_read(&w->kinds.device, device->address, &raw);

	if (st != ST_OK || !raw.ops)
		return st;
	st = struct_read(&w->kinds.ops, raw.ops, &ops)
		     ?: dump_read(w->dump, ops.kind, kind, sizeof(kind), "kind of a device");
	if (st != ST_OK || memcmp(kind, KIND, sizeof(kind)) != 0)
		return st;
	st = struct_read(&w->bridge, at, &br);
	if (st == ST_OK && br.device != device->address)
		st = dump_corrupt(w->dump, "net_bridge at %#lx is of another device than %s", at,
				  device->name);
	st = st ?: count_entries(w->dump, br.entries, &b.entries);
	return st ?: w->visit(w->arg, &b);
}

enum status bridges_walk(struct dump *d, enum status (*visit)(void *arg, const struct bridge *b),
			 void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t variable;
	enum status st = module_object_symbol(d, "bridge", "br_fdb_cache", &variable);

	if (st == ST_ABSENT)
		return st;
	if (st != ST_OK || dump_u64(d, variable, &w.cache, "br_fdb_cache") != ST_OK)
		w.cache = 0;
	st = module_object_type(d, "bridge", "struct net_bridge")
		     ?: link_kinds_open(d, &w.kinds) ?: STRUCTS_OPEN(d, rows, &w);
	return st ?: net_devices_walk(d, visit_device, &w);
}
