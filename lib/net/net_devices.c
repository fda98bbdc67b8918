// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/net_devices.h"

#include "kernel/list.h"

struct walk {
	struct dump *dump;
	struct structure device;
	struct field list, devices, node; /* of struct net, and of its devices */
	enum status (*visit)(void *arg, const struct net_device *device);
	void *arg;
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, list, "struct net", REQUIRED, "all", "list"),
	FINDS(struct walk, devices, "struct net", REQUIRED, "all", "dev_base_head"),
	FINDS(struct walk, node, "struct net_device", REQUIRED, "all", "dev_list"),
	STRUCTURE(struct walk, device, "struct net_device"),
	READS(struct net_device, name, REQUIRED, "all", "name"),
	READS(struct net_device, hardware, OPTIONAL, "all", "dev_addr"),
	READS(struct net_device, operations, OPTIONAL, "2.6.29", "netdev_ops"),
};

static enum status visit_net(struct walk *w, uint64_t net)
{
	struct list_nodes l = list_of(w->dump, net + w->devices.offset,
				      "devices of a network namespace");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct net_device device = { .address = node - w->node.offset, .net = net };

		st = dump_stopped(w->dump) ? ST_STOPPED
					   : struct_read(&w->device, device.address, &device)
						     ?: w->visit(w->arg, &device);
		st = first_problem_keep(w->dump, &w->problem, st);
	}
	return st ?: first_problem_keep(w->dump, &w->problem, list_end(&l));
}

enum status net_devices_walk(struct dump *d,
			     enum status (*visit)(void *arg, const struct net_device *device),
			     void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct list_nodes nets;
	uint64_t head, node;
	enum status st = dump_has_symbol(d, "net_namespace_list")
				 ? STRUCTS_OPEN(d, rows, &w)
				 : dump_absent(d, "this kernel was built without CONFIG_NET");

	st = st ?: dump_symbol(d, "net_namespace_list", &head);
	nets = list_of(d, head, "net_namespace_list");
	while (st == ST_OK && list_next(&nets, &node))
		st = visit_net(&w, node - w.list.offset);
	return st ?: list_end(&nets) ?: first_problem_end(d, &w.problem);
}
