// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/packet_ring.h"

#include "dump/structure.h"
#include "kernel/list.h"

#define MAX_BLOCKS (1U << 24)  /* of one ring; each is a page at least */
#define MAX_BYTES (1ULL << 38) /* of one ring: 256 GiB */

/* A struct packet_sock: where its rings are. */
struct packet_sock {
	uint64_t rx, tx;
	int32_t ifindex;
};

struct ring {
	uint64_t vector; /* 0: it has none */
	uint32_t blocks, block_pages;
};

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct field net_list, net_socks, node, block;
	struct structure sock, ring;
	bool has_types;
	struct first_problem problem;
};

static const struct layout_row net_rows[] = {
	FINDS(struct walk, net_list, "struct net", REQUIRED, "all", "list"),
	FINDS(struct walk, net_socks, "struct net", OPTIONAL, "CONFIG_PACKET",
	      "packet.sklist.first", "packet.sklist"),
	FINDS(struct walk, node, "struct sock", REQUIRED, "all", "__sk_common.skc_node"),
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, sock, "struct packet_sock"),
	PLACES(struct packet_sock, rx, REQUIRED, "all", "rx_ring"),
	PLACES(struct packet_sock, tx, REQUIRED, "all", "tx_ring"),
	READS(struct packet_sock, ifindex, REQUIRED, "all", "ifindex"),
	STRUCTURE(struct walk, ring, "struct packet_ring_buffer"),
	POINTS(struct ring, vector, REQUIRED, "all", "pg_vec"),
	READS(struct ring, blocks, REQUIRED, "all", "pg_vec_len"),
	READS(struct ring, block_pages, REQUIRED, "all", "pg_vec_pages"),
	FINDS(struct walk, block, "struct pgv", REQUIRED, "all", "buffer"),
};

/* Where af_packet is a module they may be missing: asked for when the first socket is found. */
static enum status open_types(struct walk *w)
{
	uint64_t bytes; /* of an entry of the vector, which is the address alone */
	enum status st;

	if (w->has_types)
		return ST_OK;
	st = STRUCTS_OPEN(w->dump, rows, w);
	if (st == ST_OK && (dump_ask(w->dump, type_size, "struct pgv", &bytes) != ST_OK ||
			    w->block.size != 8 || bytes != 8))
		st = dump_unknown(w->dump, "struct pgv");
	w->has_types = st == ST_OK;
	return st;
}

static enum status visit_ring(struct walk *w, uint64_t address, const char *direction,
			      uint64_t sock, int32_t ifindex)
{
	struct dump *d = w->dump;
	struct memory_holder h = { .address = address,
				   .sock = sock,
				   .counter = "packet_ring_buffer.pg_vec_len" };
	struct ring r;
	enum status st = struct_read(&w->ring, address, &r);

	if (st != ST_OK || !r.vector)
		return first_problem_keep(d, &w->problem, st);
	h.counted = (struct maybe_u64){ ((uint64_t)r.blocks * r.block_pages) << d->page_shift,
					true };
	if (r.blocks > MAX_BLOCKS || !r.block_pages || h.counted.n > MAX_BYTES)
		return first_problem_keep(
			d, &w->problem,
			dump_corrupt(d, "packet ring at %#lx has %u blocks of %u pages", address,
				     r.blocks, r.block_pages));
	h.name = ifindex ? dump_text(d, "%s, ifindex %d", direction, ifindex) : direction;
	st = memory_parts_array(d, r.vector, r.blocks, (uint64_t)r.block_pages << d->page_shift,
				"blocks of a packet ring", w->v);
	return first_problem_keep(d, &w->problem, st) ?: w->v->holder(w->v->arg, &h);
}

static enum status visit_sock(struct walk *w, uint64_t at)
{
	struct packet_sock s;
	enum status st = struct_read(&w->sock, at, &s);

	if (st != ST_OK)
		return first_problem_keep(w->dump, &w->problem, st);
	return visit_ring(w, s.rx, "rx", at, s.ifindex) ?: visit_ring(w, s.tx, "tx", at, s.ifindex);
}

static enum status visit_net(struct walk *w, uint64_t list)
{
	struct dump *d = w->dump;
	struct list_nodes socks = hlist_of(d, list - w->net_list.offset + w->net_socks.offset,
					   "packet sockets");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&socks, &node))
		st = open_types(w) ?: visit_sock(w, node - w->node.offset);
	return first_problem_keep(d, &w->problem, st ?: list_end(&socks));
}

enum status packet_rings_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct list_nodes nets;
	uint64_t head, node;
	enum status st;

	/* Debug information has struct net without CONFIG_NET too, as far as others use it. */
	st = dump_built_with(d, "CONFIG_NET", "socket_file_ops", "struct packet_sock");
	st = st ?: STRUCTS_OPEN(d, net_rows, &w);
	if (st == ST_OK && !w.net_socks.present)
		return dump_lacks_type(d, "struct packet_sock")
			       ? dump_absent(d, "this kernel was built without CONFIG_PACKET")
			       : dump_unknown(d, "struct net");
	st = st ?: dump_symbol(d, "net_namespace_list", &head);
	nets = list_of(d, head, "net_namespace_list");
	while (st == ST_OK && list_next(&nets, &node))
		st = visit_net(&w, node);
	return st ?: list_end(&nets) ?: first_problem_end(d, &w.problem);
}
