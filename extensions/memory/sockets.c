// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memowner sockets: sockets by the memory of the packets in their queues, with the processes that have
 * them open, and packets that wait in queueing disciplines of devices; then what each protocol accounts beside what the sockets found are charged with. -g: sockets with the
 * same values of the keys in a row, and destinations that have many of the local ports.
 */
#include "sockets.h"

#include <stdlib.h>

#include "net/local_ports.h"
#include "pageowner/view.h"
#include "slab/cache_objects.h"
#include "util/largest.h"

#define ROW struct socket
#define STATES 4096    /* bytes: some 64 states with a process each */
#define DESTINATIONS 3 /* that are told */
#define MANY_PORTS \
	100 /* tenths of a percent of the local ports with which one is told: others have hundreds left */

#define COUNTED 64 /* of all protocols: each has a few of the 13 of TCP */
#define MANY 10	   /* sockets: whose few are is a row for each */

struct count {
	const char *protocol, *state;
	uint64_t n, of_protocol;
	const struct text_list *users; /* of the first */
	bool is_of_one;		       /* all have the same */
};

static bool is_same(const struct text_list *a, const struct text_list *b)
{
	return a && b && *a->text && !a->more && !a->is_open && !b->more && !b->is_open &&
	       !strcmp(a->text, b->text);
}

/* Protocols with most sockets first, of each the states by their number. */
static int by_number(const void *left, const void *right)
{
	const struct count *a = left, *b = right;

	if (a->of_protocol != b->of_protocol)
		return a->of_protocol < b->of_protocol ? 1 : -1;
	return strcmp(a->protocol, b->protocol)
		       ?: (a->n != b->n ? (a->n < b->n ? 1 : -1) : strcmp(a->state, b->state));
}

static void add(struct count *all, size_t *n, const struct socket *s)
{
	const char *protocol = s->protocol ?: "unknown", *state = s->state ?: "unknown";
	size_t i = 0;

	while (i < *n &&
	       (strcmp(all[i].state, state) != 0 || strcmp(all[i].protocol, protocol) != 0))
		i++;
	if (i == COUNTED)
		return;
	if (i == *n)
		all[(*n)++] = (struct count){
			.protocol = protocol, .state = state, .users = s->used_by, .is_of_one = true
		};
	all[i].n++;
	all[i].is_of_one &= is_same(all[i].users, s->used_by);
}

void socket_states_words(const struct sockets *x, struct strbuf *b)
{
	struct count all[COUNTED] = { 0 };
	uint64_t left = x->n;
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		add(all, &n, x->all[i]);
	for (size_t i = 0; i < n; i++) {
		left -= all[i].n;
		all[i].of_protocol = 0;
		for (size_t k = 0; k < n; k++)
			all[i].of_protocol += strcmp(all[i].protocol, all[k].protocol) ? 0
										       : all[k].n;
	}
	qsort(all, n, sizeof(all[0]), by_number);
	for (size_t i = 0; i < n; i++) {
		const bool is_next = i && !strcmp(all[i].protocol, all[i - 1].protocol);

		strbuf_add(b, "%s%s%s%s %s", strbuf_between(b, is_next ? ", " : "; "),
			   is_next ? "" : all[i].protocol, is_next ? "" : " ", COUNT_TEXT(all[i].n),
			   all[i].state);
		if (all[i].is_of_one && all[i].n >= MANY)
			strbuf_add(b, " of %s", all[i].users->text);
	}
	if (left)
		strbuf_add(b, "; %s more", COUNT_TEXT(left));
}

struct sockets_view {
	struct sockets all;
	struct queued_packets queued;
	struct largest ports; /* of struct port_use */
};

CELL_WITH(ram_cell, ROW, const struct owner_view,
	  cell_if(r->has_bytes,
		  cell_uint(units_tenths(r->bytes >> v->page_shift, ram_base(&v->owner.ram)))))

CAN_HAVE(has_queues, ROW, void, r->sock.kind == SOCK_TCP || r->sock.kind == SOCK_UDP)
CAN_HAVE(has_address, ROW, void, r->sock.kind != SOCK_OTHER)
CAN_HAVE(has_local, ROW, void, r->is_qdisc || r->sock.kind != SOCK_OTHER)
CAN_HAVE(is_socket, ROW, void, !r->is_qdisc)
CAN_HAVE(is_packet, ROW, void, r->protocol && !strcmp(r->protocol, "PACKET"))
CAN_HAVE(has_peer, ROW, void, r->sock.peer)

static const struct view_column socket_columns[] = {
	{ COLUMN_pages, IN_BOTH,
	  "with data of its packets, without slab pages; what several share is of the first found; null: unknown",
	  .can_have = is_socket, UINT_IF(ROW, pages, walked) },
	{ COLUMN_bytes, IN_BOTH,
	  "truesize of the packets in its queues; null: not all could be read",
	  UINT_IF(ROW, bytes, has_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, "of its size", CELL_BY(ram_cell) },
	{ COLUMN_ring_bytes, IN_JSON, .can_have = is_packet, UINT_IF(ROW, ring_bytes, has_rings) },
	{ COLUMN_packets, IN_JSON, UINT_IF(ROW, packets, has_packets) },
	{ COLUMN_rmem_bytes, IN_JSON | KNOWN, INT_OF(ROW, sock.rmem) },
	{ COLUMN_wmem_bytes, IN_JSON | KNOWN, INT_OF(ROW, sock.wmem_queued) },
	{ COLUMN_forward_bytes, IN_JSON | KNOWN, INT_OF(ROW, sock.forward) },
	{ COLUMN_backlog_bytes, IN_JSON | KNOWN, "of a queueing discipline its backlog",
	  INT_OF(ROW, sock.backlog) },
	{ COLUMN_rx_queue, IN_JSON, .can_have = has_queues,
	  INT_IF(ROW, sock.rx_queue, sock.has_queues) },
	{ COLUMN_tx_queue, IN_JSON, .can_have = has_queues,
	  INT_IF(ROW, sock.tx_queue, sock.has_queues) },
	{ COLUMN_pool_pages, IN_JSON, .can_have = is_socket, UINT_IF(ROW, pool_pages, walked) },
	{ COLUMN_family, IN_JSON, .can_have = is_socket, TEXT_OF(ROW, family) },
	{ COLUMN_socket_type, IN_JSON, .can_have = is_socket, TEXT_OF(ROW, type) },
	{ COLUMN_protocol, IN_BOTH, "QDISC: no socket, a queueing discipline",
	  TEXT_OF(ROW, protocol) },
	{ COLUMN_socket_state, IN_BOTH, "of a queueing discipline its kind", TEXT_OF(ROW, state) },
	{ COLUMN_inode_address, IN_JSON | OR_NONE, "null: no process has it open",
	  HEX_NONZERO(ROW, inode) },
	{ COLUMN_address, IN_JSON | KNOWN, "of the struct sock, or Qdisc",
	  HEX_OF(ROW, sock.address) },
	{ COLUMN_local_address, IN_BOTH, "of a queueing discipline its device",
	  .can_have = has_local, TEXT_OF(ROW, local) },
	{ COLUMN_remote_address, IN_BOTH, .can_have = has_address, TEXT_OF(ROW, remote) },
	{ COLUMN_peer_used_by, IN_JSON, .can_have = has_peer, LIST_OF(ROW, peer_used_by) },
	{ COLUMN_used_by, IN_BOTH, .can_have = is_socket, LIST_OF(ROW, used_by) },
	BASIS(derived),
};

#define SUM struct socket_protocol

static const struct view_column sum_columns[] = {
	{ COLUMN_protocol, IN_BOTH, "all that share a counter", TEXT_OF(SUM, names) },
	{ COLUMN_sockets, IN_BOTH, "null: some may be missing",
	  UINT_IF(SUM, sockets, has_sockets) },
	{ COLUMN_charged_bytes, IN_BOTH, INT_IF(SUM, charged_bytes, has_sockets) },
	{ COLUMN_accounted_bytes, IN_BOTH, INT_IF(SUM, accounted_bytes, has_memory) },
	{ COLUMN_reserve_bytes, IN_JSON, INT_IF(SUM, reserve_bytes, has_memory) },
	{ COLUMN_difference_bytes, IN_BOTH, INT_IF(SUM, difference_bytes, has_both) },
	BASIS(derived),
};

static const struct key socket_keys[] = {
	{ COLUMN_protocol, "protocol of the socket", KEY_FILTERS | KEY_GROUPS, .any_case = true,
	  .forms = &filter_forms_behind },
	{ COLUMN_family, "address family of the socket", KEY_FILTERS | KEY_GROUPS, .any_case = true,
	  .forms = &filter_forms_behind },
	{ COLUMN_socket_state, "state of the socket", KEY_FILTERS | KEY_GROUPS, .any_case = true },
	{ COLUMN_local_address, "its own address", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_remote_address, "address of the other end", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_used_by, "processes that have the socket open", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_peer_used_by, "processes that have the other end open", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_bytes, "bytes of the packets in its queues", KEY_FILTERS },
};

static const struct view_column group_columns[] = {
	{ COLUMN_sockets, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_pages, IN_BOTH, "null: of one of them it is unknown", SUM_OF(COLUMN_pages) },
	{ COLUMN_bytes, IN_BOTH, "null: of one of them it is unknown", SUM_OF(COLUMN_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, "of its size", SUM_SHARE_OF(COLUMN_bytes) },
	{ COLUMN_protocol, 0 },
	{ COLUMN_family, 0 },
	{ COLUMN_socket_state, 0 },
	{ COLUMN_local_address, 0 },
	{ COLUMN_remote_address, 0 },
	{ COLUMN_used_by, 0 },
	{ COLUMN_peer_used_by, 0 },
	BASIS(derived),
};

static const struct view sum_view = { "sockets-protocol", "", COLUMNS_OF(sum_columns),
				      .sorted_by = "accounted_bytes,protocol" };

/* RING is a column of text where there are packet sockets. */
static void show_rings(struct cmdline *in, const struct sockets *x)
{
	if (in->opts.json || !ANY_OF(i, x->n, x->all[i]->has_rings && x->all[i]->ring_bytes))
		return;
	table_show(&in->table, COLUMN_ring_bytes);
	cmdline_reselect(in);
}

static enum status walk_cache(struct dump *d, uint64_t cache,
			      enum status (*visit)(void *arg, uint64_t object), void *arg)
{
	struct cache_objects n = { 0 };

	return cache_objects_walk(d, cache, visit, arg, &n);
}

enum status sockets_queued(struct dump *d, struct queued_packets *ret)
{
	return queued_collect(d, walk_cache, ret);
}

static size_t count_queued(const struct queued_packets *p)
{
	size_t n = 0;

	for (const struct queued *q = p->first; q; q = q->next)
		n++;
	return n;
}

/* Sockets, and disciplines behind them. */
static void collect_rows(struct owner_view *v, struct sockets_view *own, enum status of_queued)
{
	const size_t n = own->all.n + count_queued(&own->queued);
	struct socket *rows = dump_alloc(v->dump, n * sizeof(*rows) + 1), *at = rows + own->all.n;

	for (size_t i = 0; i < own->all.n; i++)
		rows[i] = *own->all.all[i];
	for (const struct queued *q = own->queued.first; q; q = q->next)
		*at++ = (struct socket){
			.is_qdisc = true,
			.sock = { .address = q->of.root.address,
				  .backlog = (int64_t)q->of.root.bytes },
			.has_bytes = !q->at_least,
			.has_packets = true,
			.packets = q->of.root.packets,
			.bytes = q->memory.n,
			.protocol = "QDISC",
			.state = dump_strdup(v->dump, q->of.root.kind),
			.local = dump_strdup(v->dump, q->of.device.name),
		};
	if (of_queued != ST_OK && of_queued != ST_ABSENT && of_queued != ST_STOPPED)
		dump_lacks(v->dump, "packets in queueing disciplines", of_queued, "%s",
			   dump_why(v->dump));
	else if (own->queued.problem)
		dump_lacks(v->dump, "some packets in queueing disciplines", ST_UNREADABLE, "%s",
			   own->queued.problem);
	v->collected = (struct collected){
		COLLECTED_ARRAY(rows, n),
		COLLECTED_BELOW(own->all.protocols, own->all.nprotocols),
		.gaps = own->all.gaps,
		.is_partial = own->all.is_partial || v->owner.ram.derived,
	};
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct sockets_view *own = v->own = dump_alloc(v->dump, sizeof(*own));
	struct sockets *x = &own->all;
	struct session session;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_states(v);
	if (st == ST_OK) {
		v->in->table.whole = ram_base(&v->owner.ram);
		session = owner_session(v);
		st = sockets_collect_all(&session, x);
		if (st == ST_OK)
			collect_rows(v, own, sockets_queued(v->dump, &own->queued));
	}
	*why = availability_of(st);
	return st;
}

static enum status open_sockets(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	enum status st = open_view(v, why);

	if (st == ST_OK)
		show_rings(v->in, &((struct sockets_view *)v->own)->all);
	return st;
}

static void keep_ports(void *arg, const struct port_use *u)
{
	largest_add(arg, u->used, u);
}

static enum status open_groups(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	enum status st = open_view(v, why), of_ports;
	struct sockets_view *own = v->own;

	if (st != ST_OK)
		return st;
	own->ports.room = DESTINATIONS;
	of_ports = port_uses_walk(v->dump, MANY_PORTS, keep_ports, &own->ports);
	if (of_ports != ST_OK && of_ports != ST_ABSENT && of_ports != ST_STOPPED)
		dump_lacks(v->dump, "net.ipv4.ip_local_port_range", of_ports, "%s", v->dump->error);
	v->dump->error[0] = '\0';
	return ST_OK;
}

/* "10.0.0.5:443 has 1,024 of 1,024 local ports, from 61000 to 62023, 38 of them in TIME_WAIT" */
static void put_ports(void *arg)
{
	const struct owner_view *v = arg;
	const struct sockets_view *own = v->own;

	for (unsigned int i = 0; i < own->ports.n; i++) {
		const struct port_use *u = own->ports.of[i].item;

		sink_printf(v->out, "%s%s has %s of %s local ports, from %u to %u",
			    i ? "" : "\nnet.ipv4.ip_local_port_range:\n", u->remote,
			    COUNT_TEXT(u->used), COUNT_TEXT(u->limit), u->first, u->last);
		if (u->time_wait)
			sink_printf(v->out, ", %s of them in TIME_WAIT", COUNT_TEXT(u->time_wait));
		sink_text(v->out, "\n");
	}
}

/* "device d1: 6,000 packets, 8.2M of headers and data, wait in htb 1:, 5,999 of these in pfifo 10: of class 1:10" */
static void put_queued(struct sink *out, struct dump *d, const struct queued_packets *p)
{
	for (const struct queued *q = p->first; q; q = q->next)
		sink_printf(
			out, "device %s: %s, %s of headers and data, wait%s in %s; %s name%s it\n",
			q->of.device.name, COUNT_OF(q->of.root.packets, "packet"),
			SIZE_TEXT((int64_t)q->of.root.bytes), q->of.root.packets == 1 ? "s" : "",
			queued_name(d, q), COUNT_OF(q->found, "packet"), q->found == 1 ? "s" : "");
}

static void put_note(void *arg)
{
	const struct owner_view *v = arg;
	const struct sockets *x = &((struct sockets_view *)v->own)->all;
	struct strbuf states = STRBUF_OF(STATES);
	uint64_t in_advance = 0;

	for (size_t i = 0; i < x->n; i++)
		in_advance += x->all[i]->sock.forward > 0 ? (uint64_t)x->all[i]->sock.forward : 0;
	socket_states_words(x, &states);
	if (states.len)
		sink_printf(v->out, "\nfound, by protocol and state: %s\n", states.buf);
	sink_text(v->out, "\nSockets that no process has open are in this table only if they "
			  "are TCP connections.\n");
	if (in_advance >> v->page_shift)
		sink_printf(v->out,
			    "CHARGED: %s of it in advance, for packets to come "
			    "(-o +forward_bytes)\n",
			    SIZE_TEXT(in_advance));
	put_queued(v->out, v->dump, &((struct sockets_view *)v->own)->queued);
	if (x->shared_pages)
		sink_printf(v->out,
			    "PAGES: %s with packets of several sockets are of the one that was "
			    "found first; SIZE is what each has\n",
			    COUNT_OF(x->shared_pages, "page"));
}

static const struct view groups_view = {
	"sockets_groups",
	"-g remote_address",
	COLUMNS_OF(group_columns),
	KEYS_OF(socket_keys),
	.prepare = cmdline_show_keys,
	ROWS_ARE("group", "groups", "sockets,bytes", 10),
	MEMBERS_ARE("socket", "sockets"),
	SUMS_UP(socket_columns),
	.open = open_groups,
	.show = owner_collected_show,
	.put_text = put_ports,
};

const struct view owner_sockets_view = {
	"sockets",
	"",
	COLUMNS_OF(socket_columns),
	KEYS_OF(socket_keys),
	.grouped = &groups_view,
	.below = &sum_view,
	ROWS_ARE("socket", "sockets", "bytes,ring_bytes,pages", 10),
	.open = open_sockets,
	.show = owner_collected_show,
	.put_text = put_note,
};
