// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets, and the packets in their queues. */
#include "fuzz.h"
#include "net/local_ports.h"
#include "net/sock_protocols.h"
#include "net/sock.h"

#define SOCKETS 64
#define PARTS 2000 /* packets, and parts of them */

struct seen {
	struct socks socks;
	unsigned int sockets, parts;
};

static enum status use_part(void *arg, uint64_t address NOT_USED, uint64_t bytes)
{
	struct seen *seen = arg;

	if (!bytes || bytes >> 25)
		__builtin_trap();
	return ++seen->parts < PARTS ? ST_OK : ST_STOPPED;
}

static enum status use_fragment(void *arg, uint64_t page, uint64_t offset, uint64_t bytes)
{
	if (page & 1 || offset >> 32 || bytes >> 32)
		__builtin_trap();
	return use_part(arg, page, 1);
}

static enum status use_head(void *arg, uint64_t address, uint64_t bytes, bool is_kmalloc NOT_USED)
{
	return use_part(arg, address, bytes);
}

static enum status use_packet(void *arg, const struct skb *skb)
{
	struct seen *seen = arg;
	const struct skb_memory memory = { use_head, use_fragment, seen };

	if (!skb->truesize || skb->end < skb->head)
		__builtin_trap();
	return skb_memory_walk(&seen->socks.skbs, skb, &memory) == ST_STOPPED ? ST_STOPPED : ST_OK;
}

static void use_queues(struct seen *seen, const struct sock *sock)
{
	seen->parts = 0;
	for (unsigned int i = 0; i < SOCK_QUEUES; i++)
		sock_queue_walk(&seen->socks, sock, i, use_packet, seen);
}

static enum status use_socket(void *arg, uint64_t address)
{
	struct seen *seen = arg;
	char text[SOCK_NAME] = "";
	struct sock sock;

	if (sock_read(&seen->socks, address, &sock) == ST_OK) {
		if (sock_local_text(&seen->socks, &sock, text))
			fuzz_array(text, sizeof(text));
		if (sock_peer_text(&seen->socks, &sock, text))
			fuzz_array(text, sizeof(text));
		use_queues(seen, &sock);
	}
	return ++seen->sockets < SOCKETS ? ST_OK : ST_STOPPED;
}

static enum status use_protocol(void *arg NOT_USED, const struct sock_protocol *p)
{
	fuzz_array(p->name, sizeof(p->name));
	if (p->has_memory && !p->counter)
		__builtin_trap();
	return ST_OK;
}

static enum status use_connection(void *arg, uint64_t address, unsigned int state)
{
	struct seen *seen = arg;
	struct sock sock;

	if (state != STATE_TIME_WAIT)
		return use_socket(seen, address);
	return sock_read_ends(&seen->socks, address, &sock) == ST_STOPPED ? ST_STOPPED : ST_OK;
}

static void use_ports(void *arg NOT_USED, const struct port_use *u)
{
	if (u->used > UINT16_MAX + 1ULL && !u->limit)
		__builtin_trap();
}

void fuzz_sockets(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	uint64_t inode = 0xffff888000000000 + (seed & 0xfffff8), address;
	static struct seen seen;

	seen = (struct seen){ 0 };
	sock_protocols_walk(d, use_protocol, NULL);
	if (socks_open(d, &seen.socks) != ST_OK)
		__builtin_trap();
	use_socket(&seen, inode);
	if (sock_of_inode(&seen.socks, inode, &address) == ST_OK)
		use_socket(&seen, address);
	tcp_hash_walk(&seen.socks, use_connection, &seen);
	port_uses_walk(d, 950, use_ports, NULL);
}
