// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/qdisc.h"

#include "kernel/list.h"
#include "util/hash_u64.h"

#define MAX_QUEUES 65536 /* of a device */

struct raw_device {
	uint64_t queues, ingress;
	uint32_t n;
};

struct raw_qdisc {
	uint64_t ops, cpu_stats;
	uint32_t handle, parent, listed, counted, bytes;
};

static const struct layout_row rows[] = {
	FINDS(struct qdiscs, device_hash, "struct net_device", OPTIONAL, "4.7, CONFIG_NET_SCHED",
	      "qdisc_hash"),
	STRUCTURE(struct qdiscs, device, "struct net_device"),
	POINTS(struct raw_device, queues, REQUIRED, "all", "_tx"),
	READS(struct raw_device, n, REQUIRED, "all", "num_tx_queues"),
	POINTS(struct raw_device, ingress, OPTIONAL, "all", "ingress_queue"),
	FINDS(struct qdiscs, queue_qdisc, "struct netdev_queue", REQUIRED, "all", "qdisc_sleeping"),
	STRUCTURE(struct qdiscs, qdisc, "struct Qdisc"),
	POINTS(struct raw_qdisc, ops, REQUIRED, "all", "ops"),
	READS(struct raw_qdisc, handle, REQUIRED, "all", "handle"),
	READS(struct raw_qdisc, parent, REQUIRED, "all", "parent"),
	READS(struct raw_qdisc, listed, REQUIRED, "all", "q.qlen"),
	READS(struct raw_qdisc, counted, REQUIRED, "all", "qstats.qlen"),
	READS(struct raw_qdisc, bytes, REQUIRED, "all", "qstats.backlog"),
	POINTS(struct raw_qdisc, cpu_stats, OPTIONAL, "4.5", "cpu_qstats"),
	FINDS(struct qdiscs, hash_node, "struct Qdisc", OPTIONAL, "4.7", "hash"),
	FINDS(struct qdiscs, ops_id, "struct Qdisc_ops", REQUIRED, "all", "id"),
	FINDS(struct qdiscs, cpu_packets, "struct gnet_stats_queue", REQUIRED, "all", "qlen"),
	FINDS(struct qdiscs, cpu_bytes, "struct gnet_stats_queue", REQUIRED, "all", "backlog"),
};

enum status qdiscs_open(struct dump *d, struct qdiscs *ret)
{
	struct qdiscs x = { .dump = d };
	/* Debug information has struct Qdisc without CONFIG_NET too, as far as others use it. */
	enum status st = dump_has_symbol(d, "net_namespace_list")
				 ? ST_OK
				 : dump_absent(d, "this kernel was built without CONFIG_NET");

	st = st ?: STRUCTS_OPEN(d, rows, &x) ?: percpu_open(d, &x.cpus);
	if (st == ST_OK && dump_ask(d, type_size, "struct netdev_queue", &x.queue_bytes) != ST_OK)
		st = dump_unknown(d, "no size of struct netdev_queue");
	return RESULT(st, ret, x);
}

/* One CPU puts packets in, another takes them out: only the sum means something (qdisc_qlen_sum()). */
static enum status add_cpus(const struct qdiscs *x, uint64_t stats, uint32_t *packets,
			    uint32_t *bytes)
{
	enum status st = ST_OK;

	for (unsigned int i = 0; i < x->cpus.n && st == ST_OK; i++) {
		const uint64_t at = stats + x->cpus.offset[i];
		uint32_t n = 0, size = 0;

		st = dump_u32(x->dump, at + x->cpu_packets.offset, &n, "gnet_stats_queue")
			     ?: dump_u32(x->dump, at + x->cpu_bytes.offset, &size,
					 "gnet_stats_queue");
		*packets += n;
		*bytes += size;
	}
	return st;
}

static enum status read_qdisc(const struct qdiscs *x, uint64_t address, struct qdisc *ret)
{
	struct raw_qdisc raw = { 0 };
	struct qdisc q = { .address = address };
	uint32_t packets, bytes;
	enum status st = struct_read(&x->qdisc, address, &raw)
				 ?: dump_string(x->dump, raw.ops + x->ops_id.offset, q.kind,
						sizeof(q.kind), "name of a Qdisc_ops");

	if (st != ST_OK)
		return st;
	packets = raw.counted + (raw.cpu_stats ? 0 : raw.listed);
	bytes = raw.cpu_stats ? 0 : raw.bytes;
	if (raw.cpu_stats)
		st = add_cpus(x, raw.cpu_stats, &packets, &bytes);
	if (st == ST_OK && (packets > INT32_MAX || (packets && bytes > INT32_MAX)))
		st = dump_corrupt(x->dump, "Qdisc at %#lx has %u packets of %u bytes", address,
				  packets, bytes);
	q.handle = raw.handle;
	q.parent = raw.parent;
	q.packets = packets;
	q.bytes = bytes;
	return RESULT(st, ret, q);
}

struct walk {
	struct qdiscs *x;
	enum status (*visit)(void *arg, const struct device_qdisc *q);
	void *arg;
	struct device_qdisc of;
	uint64_t seen
		[2]; /* of the queues before, which share one; of several all do, or none does */
	struct first_problem problem; /* of those below */
};

/* Of a list of all that are below the root of a device, those whose packets are in no other: the last of their way. */
static enum status find_below(struct walk *w, struct qdisc *ret)
{
	const struct qdiscs *x = w->x;
	const uint64_t hash = w->of.device.address + x->device_hash.offset;
	struct hash_u64 classes; /* handles with a discipline below that has packets */
	struct qdisc *all = NULL;
	size_t n = 0;
	enum status st = ST_OK;

	if (!x->device_hash.present || !x->hash_node.present || w->of.is_ingress)
		return ST_OK;
	hash_u64_init(&classes, x->dump->arena, 0);
	for (uint64_t i = 0; i < x->device_hash.size / 8 && st == ST_OK; i++) {
		struct list_nodes l = hlist_of(x->dump, hash + 8 * i, "qdisc_hash");
		uint64_t node;

		while (st == ST_OK && list_next(&l, &node)) {
			struct qdisc q;

			st = read_qdisc(x, node - x->hash_node.offset, &q);
			if (st != ST_OK || !q.packets)
				continue;
			hash_u64_add(&classes, q.parent >> 16);
			all = arena_more(x->dump->arena, all, n, sizeof(*all));
			all[n++] = q;
		}
		st = st ?: list_end(&l);
	}
	for (size_t i = 0; i < n; i++)
		if ((!all[i].handle || !hash_u64_has(&classes, all[i].handle >> 16)) &&
		    all[i].packets > ret->packets)
			*ret = all[i];
	return st;
}

static enum status visit_queue(struct walk *w, uint64_t queue)
{
	uint64_t at;
	enum status st = dump_u64(w->x->dump, queue + w->x->queue_qdisc.offset, &at,
				  "netdev_queue");

	if (st != ST_OK || !at || at == w->seen[w->of.is_ingress])
		return st;
	w->seen[w->of.is_ingress] = at;
	w->of.below = (struct qdisc){ 0 };
	st = read_qdisc(w->x, at, &w->of.root);
	if (st != ST_OK || !w->of.root.packets)
		return st;
	/* Without it the root is known all the same. */
	first_problem_keep(w->x->dump, &w->problem, find_below(w, &w->of.below));
	return w->visit(w->arg, &w->of);
}

static enum status visit_device(void *arg, const struct net_device *device)
{
	struct walk *w = arg;
	struct dump *d = w->x->dump;
	struct raw_device raw = { 0 };
	enum status st = struct_read(&w->x->device, device->address, &raw);

	if (st == ST_OK && raw.n > MAX_QUEUES)
		st = dump_corrupt(d, "net_device at %#lx has %u queues", device->address, raw.n);
	w->of = (struct device_qdisc){ .device = *device };
	w->seen[0] = w->seen[1] = 0;
	for (uint32_t i = 0; st == ST_OK && i < raw.n; i++)
		st = dump_stopped(d) ? ST_STOPPED
				     : visit_queue(w, raw.queues + i * w->x->queue_bytes);
	w->of.is_ingress = true;
	if (st == ST_OK && raw.ingress)
		st = visit_queue(w, raw.ingress);
	return st;
}

enum status qdiscs_walk(struct qdiscs *x,
			enum status (*visit)(void *arg, const struct device_qdisc *q), void *arg)
{
	struct walk w = { .x = x, .visit = visit, .arg = arg };

	return net_devices_walk(x->dump, visit_device, &w)
		       ?: first_problem_end(x->dump, &w.problem);
}
