// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner sockets",
	"sockets by the packets in their queues",
	"",
	"  Protocol, addresses and state of each socket, and the processes that have it",
	"  open; below them what each protocol has accounted.",
	"EXAMPLES",
	"  The largest, and those of one protocol:",
	"    memowner sockets",
	"    memowner sockets -f protocol=TCP -n 5",
	NULL
};

static const struct view *const views[] = { &owner_sockets_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "pages", "+pages"),
						 LAST_OPTIONS };

OWNER_NOUN(sockets)
