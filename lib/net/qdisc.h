/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines (struct Qdisc, include/net/sch_generic.h): how many packets wait in those of each queue of a
 * network device, and which of the classes below has most of them. What "tc -s qdisc" shows as backlog.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"
#include "net/net_devices.h"

#define QDISC_KIND 17 /* IFNAMSIZ, and an end of ours */

struct qdisc {
	uint64_t address;
	char kind[QDISC_KIND];	 /* "htb" */
	uint32_t handle, parent; /* "10:", "1:10" as major << 16 | minor; 0: none */
	uint64_t packets;	 /* that wait in it, and in those below it */
	uint64_t bytes;		 /* of their headers and data */
};

/* The discipline that all packets of a queue of a device go through. */
struct device_qdisc {
	struct net_device device;
	bool is_ingress;
	struct qdisc root;
	struct qdisc
		below; /* the one below it that has most packets and none below; address 0: none */
};

struct qdiscs {
	struct dump *dump;
	struct structure qdisc, device;
	struct field device_hash; /* of those below */
	struct field queue_qdisc, hash_node, ops_id, cpu_packets, cpu_bytes;
	uint64_t queue_bytes;
	struct percpu cpus;
};

/* ST_ABSENT: a kernel without network; ST_UNKNOWN: an unknown layout. */
enum status qdiscs_open(struct dump *d, struct qdiscs *ret);

/* Each discipline in which a packet waits, of each queue of all devices. What is corrupt costs only itself. */
enum status qdiscs_walk(struct qdiscs *x,
			enum status (*visit)(void *arg, const struct device_qdisc *q), void *arg);
