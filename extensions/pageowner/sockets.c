// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pageowner -t sockets: sockets by the memory of the packets in their queues, with the processes that have
 * them open; then what each protocol accounts beside what the sockets found are charged with.
 */
#include "cli/rows.h"
#include "socket_uses.h"
#include "util/units.h"

#define USE struct socket_use

CELL_FROM(bytes_cell, USE, cell_if(r->walked, cell_uint(socket_use_bytes(r))))
CELL_FROM(family_cell, USE, cell_text(sock_family_name(r->sock.family)))
CELL_FROM(type_cell, USE, cell_text(sock_type_name(r->sock.type)))
CELL_FROM(state_cell, USE, cell_text(sock_state_name(r->sock.state)))

static struct cell ram_cell(const void *record, void *view)
{
	const struct socket_use *use = record;
	const struct owner_view *v = ((struct socket_uses *)view)->v;
	uint64_t pages = socket_use_bytes(use) >> v->page_shift;

	return cell_if(use->walked, cell_uint(units_tenths(pages, v->owner.ram.pages)));
}

static struct cell protocol_cell(const void *record, void *view)
{
	const struct socket_uses *x = view;
	const struct sock_protocol *p =
		hash_u64_find(&x->names, ((const struct socket_use *)record)->sock.prot);

	return cell_text(p ? p->name : NULL);
}

static struct cell address_cell(struct socket_uses *x, const struct sock *sock,
				bool (*text)(struct socks *s, const struct sock *sock,
					     char buf[SOCK_NAME]))
{
	char buf[SOCK_NAME];

	return cell_text(text(&x->socks, sock, buf) ? arena_strdup(x->v->dump->arena, buf) : NULL);
}

static struct cell local_cell(const void *record, void *view)
{
	return address_cell(view, &((const struct socket_use *)record)->sock, sock_local_text);
}

static struct cell remote_cell(const void *record, void *view)
{
	return address_cell(view, &((const struct socket_use *)record)->sock, sock_peer_text);
}

static struct cell users_cell(const void *record, void *view)
{
	static const struct file_users none;
	const struct file_users *users = ((const struct socket_use *)record)->users;
	const struct socket_uses *x = view;
	char buf[FILE_USERS_TEXT];

	return cell_text(file_users_text(users ? users : &none, x->open.complete, buf)
				 ? arena_strdup(x->v->dump->arena, buf)
				 : NULL);
}

/* Who has the other end of a unix socket open. */
static struct cell peer_cell(const void *record, void *view)
{
	const struct socket_use *use = record;
	const struct socket_uses *x = view;
	struct socket_use *const *peer = hash_u64_find(&x->found, use->sock.peer);

	return use->sock.peer && peer && *peer ? users_cell(*peer, view) : cell_text(NULL);
}

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, "with data of its packets, without slab pages; null: unknown",
	  UINT_IF(USE, pages, walked) },
	{ COLUMN_bytes, IN_BOTH,
	  "truesize of the packets in its queues; null: not all could be read",
	  CELL_BY(bytes_cell) },
	{ COLUMN_ram_percent, IN_TEXT, "of its size", CELL_BY(ram_cell) },
	{ COLUMN_packets, IN_JSON, UINT_IF(USE, packets, walked) },
	{ COLUMN_rmem_bytes, IN_JSON | KNOWN, INT_OF(USE, sock.rmem) },
	{ COLUMN_wmem_bytes, IN_JSON | KNOWN, INT_OF(USE, sock.wmem_queued) },
	{ COLUMN_forward_bytes, IN_JSON | KNOWN, INT_OF(USE, sock.forward) },
	{ COLUMN_backlog_bytes, IN_JSON | KNOWN, INT_OF(USE, sock.backlog) },
	{ COLUMN_rx_queue, IN_JSON, INT_IF(USE, sock.rx_queue, sock.has_queues) },
	{ COLUMN_tx_queue, IN_JSON, INT_IF(USE, sock.tx_queue, sock.has_queues) },
	{ COLUMN_pool_pages, IN_JSON, UINT_IF(USE, pool_pages, walked) },
	{ COLUMN_family, IN_JSON, CELL_BY(family_cell) },
	{ COLUMN_socket_type, IN_JSON, CELL_BY(type_cell) },
	{ COLUMN_protocol, IN_BOTH, CELL_BY(protocol_cell) },
	{ COLUMN_socket_state, IN_BOTH, CELL_BY(state_cell) },
	{ COLUMN_inode_address, IN_JSON, "null: no process has it open", HEX_NONZERO(USE, inode) },
	{ COLUMN_address, IN_JSON | KNOWN, "of the struct sock", HEX_OF(USE, sock.address) },
	{ COLUMN_local_address, IN_BOTH, CELL_BY(local_cell) },
	{ COLUMN_remote_address, IN_BOTH, CELL_BY(remote_cell) },
	{ COLUMN_peer_used_by, IN_JSON, CELL_BY(peer_cell) },
	{ COLUMN_used_by, IN_BOTH, CELL_BY(users_cell) },
};

/* What a protocol accounts beside its sockets. */
struct protocol_row {
	const char *names;
	bool all, has_memory, has_both; /* sockets are known; what is accounted; both */
	uint64_t sockets;
	int64_t charged, accounted, reserve, difference;
};

#define SUM struct protocol_row

static const struct view_column sum_columns[] = {
	{ COLUMN_protocol, IN_BOTH, "all that share a counter", TEXT_OF(SUM, names) },
	{ COLUMN_sockets, IN_BOTH, "null: some may be missing", UINT_IF(SUM, sockets, all) },
	{ COLUMN_charged_bytes, IN_BOTH, INT_IF(SUM, charged, all) },
	{ COLUMN_accounted_bytes, IN_BOTH, INT_IF(SUM, accounted, has_memory) },
	{ COLUMN_reserve_bytes, IN_JSON, INT_IF(SUM, reserve, has_memory) },
	{ COLUMN_difference_bytes, IN_BOTH, INT_IF(SUM, difference, has_both) },
};

static const struct key socket_keys[] = {
	{ COLUMN_protocol, "protocol of the socket", KEY_FILTERS, .is_text = true },
	{ COLUMN_socket_state, "state of the socket", KEY_FILTERS, .is_text = true },
	{ COLUMN_used_by, "processes that have the socket open", KEY_FILTERS, .is_text = true },
	{ COLUMN_bytes, "bytes of the packets in its queues", KEY_FILTERS, .quantity = RANGE_SIZE },
};

static const struct view sum_view = { "sockets-protocol", "-t sockets", COLUMNS_OF(sum_columns) };

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_states(v);
	*why = availability_of(st);
	if (st != ST_OK)
		return st;
	v->own = dump_alloc(d, sizeof(struct socket_uses));
	st = socket_uses_read(v, v->own);
	*why = availability_of(st);
	return st;
}

static void put_protocols(struct socket_uses *x)
{
	struct owner_view *v = x->v;
	bool all = !x->nunread && x->open.complete && !x->hash_problem && !x->is_partial;
	struct table t;

	table_init(&t, v->dump, COLUMNS(sum_columns), v->in->opts.json);
	for (const struct hash_u64_entry *e = x->by_counter.first; e; e = e->next) {
		const struct protocol_use *use = (const struct protocol_use *)e->value;
		const struct sock_protocol *p = &use->protocol;
		struct protocol_row row = {
			.names = use->names,
			.all = all,
			.has_memory = p->has_memory,
			.has_both = all && p->has_memory,
			.sockets = use->sockets,
			.charged = use->bytes,
			.accounted = p->allocated_bytes + p->reserve_bytes,
			.reserve = p->reserve_bytes,
		};

		row.difference = row.charged - row.accounted;
		row_add(&t, &row, x);
	}
	table_sort(&t, "accounted_bytes,protocol", false);
	report_records(&v->report, &t, "protocol");
}

static void put_gaps(struct socket_uses *x)
{
	const struct gap gaps[] = {
		{ "%s corrupt, or not in this dump: %s", x->nunread, "socket is", "sockets are",
		  x->unread },
		{ "the packets of %s are unknown, and not in their order: %s", x->nunwalked,
		  "socket", "sockets", x->unwalked },
		{ "sockets and their users may be missing: %s", !x->open.complete,
		  .why = x->open.problem },
		GAP_WHY("TCP connections that no process has open may be missing: %s",
			x->hash_problem),
		GAP_WHY("what protocols account is unknown: %s", x->protocol_problem),
	};

	REPORT_GAPS(&x->v->report, gaps);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct socket_uses *x = v->own;
	enum status st;

	for (const struct socket_use *use = x->first; use; use = use->next)
		rows_add(v->in, use, x);
	st = rows_show(&v->report, v->in);
	if (st != ST_OK)
		return st;
	put_protocols(x);
	rows_put_kept(&v->report, v->in);
	if (!v->in->opts.json)
		sink_text(v->out,
			  "\nSockets that no process has open are in this table only if they "
			  "are TCP connections.\n");
	put_gaps(x);
	report_end(&v->report, NULL, !x->is_partial && !v->owner.ram.derived);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

const struct view owner_sockets_view = {
	"sockets",
	"-t sockets",
	COLUMNS_OF(columns),
	KEYS_OF(socket_keys),
	.below = &sum_view,
	.filters_rows = true,
	ROWS_ARE("socket", "sockets", "bytes,pages", 10),
	.open = open_view,
	.show = show,
};
