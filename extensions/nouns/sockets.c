// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner sockets",
	"sockets by the packets in their queues",
	"",
	"  Protocol, addresses and state of each socket, and the processes that have it",
	"  open; packets that wait in queueing disciplines of devices (QDISC); below them",
	"  what each protocol has accounted. -g shows a row for each group, and",
	"  destinations that have many of the local ports for connections.",
	"EXAMPLES",
	"  The largest; those of one protocol; connections by their other end:",
	"    memowner sockets",
	"    memowner sockets -f protocol=TCP -n 5",
	"    memowner sockets -g remote_address,used_by",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_protocol } },
	.amounts = { { COLUMN_bytes, .plus = COLUMN_ring_bytes } },
	.counts = { { COLUMN_sockets, BASELINE_ROWS } },
	.many = "sockets",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_protocol, "protocol"),
	BASELINE_KEY(COLUMN_family, "address family"),
	BASELINE_KEY(COLUMN_socket_state, "state"),
};

static const struct view diff_view = {
	BASELINE_OF(baseline, "group of sockets", "groups of sockets"), KEYS_OF(diff_keys)
};

static const struct view *const views[] = { &owner_sockets_view, &diff_view };

static const struct command_option options[] = { VALUE('g', "protocol remote_address,used_by"),
						 RANKED_ROWS("bytes=1M..", "pages", "+pages"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(sockets)
