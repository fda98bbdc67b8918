// SPDX-License-Identifier: GPL-2.0-or-later
/* Of a process whose sockets have much: which one has nearly all of that. */
#include "collect/held.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

static bool has(const struct socket *s, int32_t tgid)
{
	return s->users && ANY_OF(i, s->users->kept, s->users->all[i]->tgid == tgid);
}

/* "0.0.0.0:0": it is connected to none. */
static bool is_connected(const char *remote)
{
	const char *port = remote ? strrchr(remote, ':') : NULL;

	return port && strcmp(port, ":0") != 0;
}

void summary_socket_name(const struct socket *of, struct strbuf *b)
{
	strbuf_add(b, "%s", of->protocol ?: of->family ?: "a socket");
	if (of->local && *of->local)
		strbuf_add(b, " %s", of->local);
	if (is_connected(of->remote))
		strbuf_add(b, " to %s", of->remote);
}

const char *summary_largest_socket(const struct summary *s, const struct sockets *all, int32_t tgid,
				   uint64_t bytes)
{
	const struct socket *most = NULL;
	struct strbuf b = STRBUF_OF(256);
	uint64_t received;

	for (size_t i = 0; all && i < all->n; i++) {
		const struct socket *of = &all->all[i];

		if (of->walked && has(of, tgid) && (!most || of->bytes > most->bytes))
			most = of;
	}
	if (!most || most->bytes / 9 < bytes / 10)
		return NULL;
	strbuf_add(&b, "; of the sockets ");
	summary_socket_name(most, &b);
	strbuf_add(&b, " has nearly all");
	received = most->sock.rmem > 0 ? (uint64_t)most->sock.rmem : 0;
	if (received > most->bytes / 10 * 9)
		strbuf_add(&b, ", received and not read");
	else if (most->sock.wmem_queued > 0 &&
		 (uint64_t)most->sock.wmem_queued > most->bytes / 10 * 9)
		strbuf_add(&b, ", in its send queue");
	return arena_strdup(s->dump->arena, b.buf);
}
