// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pageowner -t sockets: sockets by the memory of the packets in their queues, with the processes that have
 * them open; then what each protocol accounts beside what the sockets found are charged with.
 */
#include "socket_uses.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_PAGES,
	COL_BYTES,
	COL_RAM,
	COL_PACKETS,
	COL_RMEM,
	COL_WMEM,
	COL_FORWARD,
	COL_BACKLOG,
	COL_RX,
	COL_TX,
	COL_POOL_PAGES,
	COL_FAMILY,
	COL_TYPE,
	COL_PROTOCOL,
	COL_STATE,
	COL_INODE_ADDRESS,
	COL_ADDRESS,
	COL_LOCAL,
	COL_REMOTE,
	COL_PEER,
	COL_USED_BY,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_PAGES] = { COLUMN_pages, IN_BOTH,
			"with data of its packets, without slab pages; null: unknown" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH,
			"truesize of the packets in its queues; null: not all could be read" },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT, "of its size" },
	[COL_PACKETS] = { COLUMN_packets, IN_JSON },
	[COL_RMEM] = { COLUMN_rmem_bytes, IN_JSON | KNOWN },
	[COL_WMEM] = { COLUMN_wmem_bytes, IN_JSON | KNOWN },
	[COL_FORWARD] = { COLUMN_forward_bytes, IN_JSON | KNOWN },
	[COL_BACKLOG] = { COLUMN_backlog_bytes, IN_JSON | KNOWN },
	[COL_RX] = { COLUMN_rx_queue, IN_JSON },
	[COL_TX] = { COLUMN_tx_queue, IN_JSON },
	[COL_POOL_PAGES] = { COLUMN_pool_pages, IN_JSON },
	[COL_FAMILY] = { COLUMN_family, IN_JSON },
	[COL_TYPE] = { COLUMN_socket_type, IN_JSON },
	[COL_PROTOCOL] = { COLUMN_protocol, IN_BOTH },
	[COL_STATE] = { COLUMN_socket_state, IN_BOTH },
	[COL_INODE_ADDRESS] = { COLUMN_inode_address, IN_JSON, "null: no process has it open" },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON | KNOWN, "of the struct sock" },
	[COL_LOCAL] = { COLUMN_local_address, IN_BOTH },
	[COL_REMOTE] = { COLUMN_remote_address, IN_BOTH },
	[COL_PEER] = { COLUMN_peer_used_by, IN_JSON },
	[COL_USED_BY] = { COLUMN_used_by, IN_BOTH },
};

enum { SUM_NAME, SUM_SOCKETS, SUM_CHARGED, SUM_ACCOUNTED, SUM_RESERVE, SUM_DIFF, SUMS };

static const struct view_column sum_columns[SUMS] = {
	[SUM_SOCKETS] = { COLUMN_sockets, IN_BOTH, "null: some may be missing" },
	[SUM_CHARGED] = { COLUMN_charged_bytes, IN_BOTH },
	[SUM_ACCOUNTED] = { COLUMN_accounted_bytes, IN_BOTH },
	[SUM_RESERVE] = { COLUMN_reserve_bytes, IN_JSON },
	[SUM_DIFF] = { COLUMN_difference_bytes, IN_BOTH },
	[SUM_NAME] = { COLUMN_protocol, IN_BOTH, "all that share a counter" },
};

enum { BY_PROTOCOL, BY_STATE, BY_USER, BY_SIZE, SOCKET_KEYS };

static const struct key socket_keys[SOCKET_KEYS] = {
	[BY_PROTOCOL] = { COLUMN_protocol, "protocol of the socket", KEY_FILTERS, .is_text = true },
	[BY_STATE] = { COLUMN_socket_state, "state of the socket", KEY_FILTERS, .is_text = true },
	[BY_USER] = { COLUMN_used_by, "processes that have the socket open", KEY_FILTERS,
		      .is_text = true },
	[BY_SIZE] = { COLUMN_bytes, "bytes of the packets in its queues", KEY_FILTERS,
		      .quantity = RANGE_SIZE },
};

static const struct view sum_view = { "sockets-protocol", "-t sockets", COLUMNS_OF(sum_columns) };

const struct view owner_sockets_view = { "sockets",	      "-t sockets",
					 COLUMNS_OF(columns), .below = &sum_view,
					 .keys = socket_keys, .nkeys = SOCKET_KEYS,
					 .filters_rows = true };

enum status owner_sockets_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_memmap(v);
	*why = availability_of(st);
	if (st == ST_OK)
		st = page_types_open(d, &v->owner.ext.memmap, &v->states);
	if (st != ST_OK)
		return st;
	v->has_states = true;
	v->socketed = dump_alloc(d, sizeof(*v->socketed));
	if (!v->socketed)
		return ST_NOMEM;
	st = socket_uses_read(v, v->socketed);
	*why = availability_of(st);
	return st;
}

static struct cell users_cell(const struct socket_uses *x, const struct file_users *users)
{
	static const struct file_users none;
	char buf[FILE_USERS_TEXT];

	return cell_text(file_users_text(users ? users : &none, x->open.complete, buf)
				 ? arena_strdup(x->v->dump->arena, buf)
				 : NULL);
}

static struct cell address_cell(struct socket_uses *x, const struct sock *sock,
				bool (*text)(struct socks *s, const struct sock *sock,
					     char buf[SOCK_NAME]))
{
	char buf[SOCK_NAME];

	return cell_text(text(&x->socks, sock, buf) ? arena_strdup(x->v->dump->arena, buf) : NULL);
}

/* Who has the other end of a unix socket open. */
static struct cell peer_cell(struct socket_uses *x, const struct sock *sock)
{
	struct socket_use *const *peer = hash_u64_find(&x->found, sock->peer);

	if (!sock->peer || !peer || !*peer)
		return cell_text(NULL);
	return users_cell(x, (*peer)->users);
}

static void fill_row(struct socket_uses *x, const struct socket_use *use, struct cell *row)
{
	const struct sock *s = &use->sock;
	const struct sock_protocol *p = hash_u64_find(&x->names, s->prot);
	uint64_t bytes = socket_use_bytes(use), ram = x->v->owner.ram.pages;

	row[COL_PAGES] = cell_if(use->walked, cell_uint(use->pages));
	row[COL_BYTES] = cell_if(use->walked, cell_uint(bytes));
	row[COL_RAM] = cell_if(use->walked,
			       cell_uint(units_tenths(bytes >> x->v->page_shift, ram)));
	row[COL_PACKETS] = cell_if(use->walked, cell_uint(use->packets));
	row[COL_POOL_PAGES] = cell_if(use->walked, cell_uint(use->pool_pages));
	row[COL_RMEM] = cell_int(s->rmem);
	row[COL_WMEM] = cell_int(s->wmem_queued);
	row[COL_FORWARD] = cell_int(s->forward);
	row[COL_BACKLOG] = cell_int(s->backlog);
	row[COL_RX] = cell_if(s->has_queues, cell_int(s->rx_queue));
	row[COL_TX] = cell_if(s->has_queues, cell_int(s->tx_queue));
	row[COL_FAMILY] = cell_text(sock_family_name(s->family));
	row[COL_TYPE] = cell_text(sock_type_name(s->type));
	row[COL_PROTOCOL] = cell_text(p ? p->name : NULL);
	row[COL_STATE] = cell_text(sock_state_name(s->state));
	row[COL_INODE_ADDRESS] = cell_if(use->inode, cell_hex(use->inode));
	row[COL_ADDRESS] = cell_hex(s->address);
	row[COL_LOCAL] = address_cell(x, s, sock_local_text);
	row[COL_REMOTE] = address_cell(x, s, sock_peer_text);
	row[COL_PEER] = peer_cell(x, s);
	row[COL_USED_BY] = users_cell(x, use->users);
}

/* The column that has the value of a key. */
static const unsigned int column_of[SOCKET_KEYS] = {
	[BY_PROTOCOL] = COL_PROTOCOL,
	[BY_STATE] = COL_STATE,
	[BY_USER] = COL_USED_BY,
	[BY_SIZE] = COL_BYTES,
};

static enum status add_rows(struct socket_uses *x)
{
	struct table *t = &x->v->in->table;

	for (const struct socket_use *use = x->first; use; use = use->next) {
		struct cell *row = table_add(t);

		if (!row)
			return ST_NOMEM;
		fill_row(x, use, row);
		if (!table_keeps_keys(&x->v->in->filters, column_of, row)) {
			t->n--;
			t->refused++;
		}
	}
	return ST_OK;
}

static enum status put_protocols(struct socket_uses *x)
{
	struct owner_view *v = x->v;
	bool all = !x->nunread && x->open.complete && !x->hash_problem && !x->is_partial;
	struct table t;
	enum status st = table_init(&t, v->dump, sum_columns, SUMS, v->in->opts.json);

	for (const struct hash_u64_entry *e = x->by_counter.first; e && st == ST_OK; e = e->next) {
		const struct protocol_use *use = (const struct protocol_use *)e->value;
		const struct sock_protocol *p = &use->protocol;
		int64_t accounted = p->allocated_bytes + p->reserve_bytes;
		struct cell *row = table_add(&t);

		if (!row)
			return ST_NOMEM;
		row[SUM_NAME] = cell_text(use->names);
		row[SUM_SOCKETS] = cell_if(all, cell_uint(use->sockets));
		row[SUM_CHARGED] = cell_if(all, cell_int(use->bytes));
		row[SUM_ACCOUNTED] = cell_if(p->has_memory, cell_int(accounted));
		row[SUM_RESERVE] = cell_if(p->has_memory, cell_int(p->reserve_bytes));
		row[SUM_DIFF] = cell_if(all && p->has_memory, cell_int(use->bytes - accounted));
	}
	if (st == ST_OK)
		st = table_sort(&t, "accounted_bytes,protocol", false);
	if (st == ST_OK)
		report_records(&v->report, &t, "protocol");
	return st;
}

static void put_warnings(struct socket_uses *x)
{
	struct report *r = &x->v->report;
	char n[UNITS_PLURAL];

	if (x->nunread)
		report_warn(r, "%s corrupt, or not in this dump: %s",
			    units_plural(n, x->nunread, "socket is", "sockets are"), x->unread);
	if (x->nunwalked)
		report_warn(r, "the packets of %s are unknown, and not in their order: %s",
			    units_plural(n, x->nunwalked, "socket", "sockets"), x->unwalked);
	if (!x->open.complete)
		report_warn(r, "sockets and their users may be missing: %s", x->open.problem);
	if (x->hash_problem)
		report_warn(r, "TCP connections that no process has open may be missing: %s",
			    x->hash_problem);
	if (x->protocol_problem)
		report_warn(r, "what protocols account is unknown: %s", x->protocol_problem);
}

enum status owner_sockets(struct owner_view *v)
{
	struct socket_uses *x = v->socketed;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	size_t shown;
	enum status st = add_rows(x);

	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes,pages", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, DEFAULT_ROWS);
	report_rest_bytes(&v->report, t, shown, COL_BYTES, "socket", "sockets");
	st = put_protocols(x);
	if (st != ST_OK)
		return st;
	report_rows_kept(&v->report, &v->in->filters, t, "socket", "sockets");
	if (!o->json)
		sink_text(v->out,
			  "\nSockets that no process has open are in this table only if they "
			  "are TCP connections.\n");
	put_warnings(x);
	report_end(&v->report, NULL,
		   !socket_uses_problem(x) && !x->protocol_problem && !v->owner.ram.derived &&
			   !v->dump->interrupted);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}
