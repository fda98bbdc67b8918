// SPDX-License-Identifier: GPL-2.0-or-later
/* Of a process whose sockets have much: which one has nearly all of that, or in which state nearly all are. */
#include "collect/held.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* "0.0.0.0:0": it is connected to none. */
static bool is_connected(const char *remote)
{
	const char *port = remote ? strrchr(remote, ':') : NULL;

	return port && strcmp(port, ":0") != 0;
}

#define NETLINK 16u /* AF_NETLINK (include/linux/socket.h) */

/* Who may send there, by include/uapi/linux/netlink.h; NULL: another one. */
static const char *netlink_name(unsigned int protocol)
{
	static const char *const names[] = {
		[0] = "NETLINK_ROUTE",
		[2] = "NETLINK_USERSOCK",
		[4] = "NETLINK_SOCK_DIAG",
		[5] = "NETLINK_NFLOG",
		[6] = "NETLINK_XFRM",
		[7] = "NETLINK_SELINUX",
		[8] = "NETLINK_ISCSI",
		[9] = "NETLINK_AUDIT",
		[11] = "NETLINK_CONNECTOR",
		[12] = "NETLINK_NETFILTER",
		[15] = "NETLINK_KOBJECT_UEVENT (events of devices)",
		[16] = "NETLINK_GENERIC",
		[18] = "NETLINK_SCSITRANSPORT",
		[20] = "NETLINK_RDMA",
		[21] = "NETLINK_CRYPTO",
	};

	return protocol < ARRAY_SIZE(names) ? names[protocol] : NULL;
}

void summary_socket_name(const struct socket *of, struct strbuf *b)
{
	const char *netlink = of->sock.family == NETLINK ? netlink_name(of->sock.protocol) : NULL;

	strbuf_add(b, "%s", netlink ?: of->protocol ?: of->family ?: "a socket");
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
		const struct socket *of = all->all[i];

		if (of->walked && file_users_has(of->users, tgid) &&
		    (!most || of->bytes > most->bytes))
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
	return dump_strdup(s->dump, b.buf);
}

#define MANY 100u /* connections of a process: of fewer a state says little */

static const struct {
	const char *state, *words;
} meanings[] = {
	{ "close_wait", " in close_wait (the other end has closed them, the process has not)" },
	{ "fin_wait2", " in fin_wait2 (the other end has not closed them)" },
	{ "syn_sent", " in syn_sent (the other end does not answer)" },
};

const char *summary_sockets_state(const struct summary *s, const struct sockets *all, int32_t tgid)
{
	uint64_t counts[ARRAY_SIZE(meanings)] = { 0 }, n = 0;

	/* Of a list that may lack some nothing is most. */
	if (!all || all->problem || all->is_partial)
		return "";
	for (size_t i = 0; i < all->n; i++) {
		const struct socket *of = all->all[i];

		if (!file_users_has(of->users, tgid) || of->not_accepted)
			continue;
		n++;
		for (size_t k = 0; k < ARRAY_SIZE(meanings); k++)
			counts[k] += of->state && !strcmp(of->state, meanings[k].state);
	}
	for (size_t k = 0; k < ARRAY_SIZE(meanings); k++)
		if (counts[k] >= MANY && counts[k] > n / 10 * 9)
			return dump_text(s->dump, ", %s%s", COUNT_TEXT(counts[k]),
					 meanings[k].words);
	return "";
}
