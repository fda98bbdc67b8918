// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/scm.h"

struct walk {
	struct scm *s;
	bool is_listening; /* its packets are those of connections, each has a socket */
	scm_visit *visit;
	void *arg;
};

struct list {
	uint16_t count;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct scm, list, "struct scm_fp_list"),
	READS(struct list, count, OPTIONAL, "all", "count"),
	FINDS(struct scm, all, "struct scm_fp_list", OPTIONAL, "all", "fp"),
	FINDS(struct scm, fp, "struct unix_skb_parms", OPTIONAL, "all", "fp"),
	FINDS(struct scm, cb, "struct sk_buff", OPTIONAL, "all", "cb"),
	FINDS(struct scm, sk, "struct sk_buff", OPTIONAL, "all", "sk"),
	FINDS(struct scm, ops, "struct socket", OPTIONAL, "all", "ops"),
};

enum status scm_open(struct dump *d, struct scm *ret)
{
	static const char *const names[] = { "inet_stream_ops", "inet_dgram_ops",
					     "inet6_stream_ops", "inet6_dgram_ops" };
	enum status st = socks_open(d, &ret->socks) ?: STRUCTS_OPEN(d, rows, ret);

	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(names); i++)
		if (dump_ask(d, symbol, names[i], &ret->of_inet[i]) != ST_OK)
			ret->of_inet[i] = 0;
	return st;
}

/* As sock_alloc_send_pskb() charges the sender. */
uint64_t scm_sender(struct scm *s, uint64_t skb)
{
	struct sock sock;
	uint64_t at;

	return s->sk.present &&
			       dump_u64(s->socks.dump, skb + s->sk.offset, &at, "sk_buff") ==
				       ST_OK &&
			       at && sock_read(&s->socks, at, &sock) == ST_OK &&
			       sock.family == FAMILY_UNIX && sock.socket
		       ? sock_inode(&s->socks, &sock)
		       : 0;
}

static enum status visit_files(struct walk *w, uint64_t skb)
{
	struct scm *s = w->s;
	struct dump *d = s->socks.dump;
	struct list list;
	uint64_t at, file, sender;
	enum status st = dump_u64(d, skb + s->cb.offset + s->fp.offset, &at, "unix_skb_parms");

	if (st != ST_OK || !at)
		return st;
	st = struct_read(&s->list, at, &list);
	if (st == ST_OK && list.count > s->all.size / 8)
		st = dump_corrupt(d, "scm_fp_list at %#lx has %u files", at, list.count);
	sender = st == ST_OK ? scm_sender(s, skb) : 0;
	for (uint64_t i = 0; st == ST_OK && i < list.count; i++)
		st = dump_u64(d, at + s->all.offset + 8 * i, &file, "scm_fp_list")
			     ?: w->visit(w->arg, file, sender);
	return st;
}

static enum status walk_queue(struct walk *w, const struct sock *sock);

static enum status visit_packet(void *arg, const struct skb *skb)
{
	struct walk *w = arg, accepted = *w;
	struct scm *s = w->s;
	struct sock sock;
	uint64_t at;
	enum status st;

	if (!s->cb.present || !s->sk.present || !s->fp.present || !s->all.present ||
	    !struct_has_all(&s->list))
		return dump_fail(
			s->socks.dump, ST_UNKNOWN,
			"unknown layout: struct unix_skb_parms, whose files are in flight");
	if (!w->is_listening)
		return visit_files(w, skb->address);
	st = dump_u64(s->socks.dump, skb->address + s->sk.offset, &at, "sk_buff")
		     ?: sock_read(&s->socks, at, &sock);
	accepted.is_listening = false;
	return st ?: walk_queue(&accepted, &sock);
}

static enum status walk_queue(struct walk *w, const struct sock *sock)
{
	return sock_queue_walk(&w->s->socks, sock, SOCK_QUEUE_RECEIVE, visit_packet, w);
}

/*
 * Whether its operations tell, without its struct sock, that it is of TCP or UDP: of a hundred thousand connections each
 * struct sock is on a page of its own.
 */
static bool is_of_inet(const struct scm *s, uint64_t inode)
{
	const struct socks *x = &s->socks;
	const uint64_t socket = inode - x->alloc_inode.offset + x->alloc_socket.offset;
	uint64_t ops, sock;

	if (s->ops.size != 8 ||
	    dump_u64(x->dump, socket + s->ops.offset, &ops, "socket") != ST_OK || !ops ||
	    !ANY_OF(i, ARRAY_SIZE(s->of_inet), s->of_inet[i] == ops))
		return false;
	if (dump_u64(x->dump, socket + x->sk.offset, &sock, "socket") == ST_OK && sock)
		sock_is_of_socket(x->dump, socket, sock);
	return true;
}

enum status scm_walk(struct scm *s, uint64_t inode, scm_visit *visit, void *arg)
{
	struct walk w = { s, .visit = visit, .arg = arg };
	struct sock sock;
	uint64_t at;
	enum status st;

	if (is_of_inet(s, inode))
		return ST_OK;
	st = sock_of_inode(&s->socks, inode, &at) ?: sock_read(&s->socks, at, &sock);
	if (st != ST_OK || sock.family != FAMILY_UNIX)
		return st == ST_ABSENT ? ST_OK : st;
	w.is_listening = sock.state == STATE_LISTEN;
	return walk_queue(&w, &sock);
}
