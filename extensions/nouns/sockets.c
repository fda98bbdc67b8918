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

static const struct command_option options[] = {
	{ 'f', .values = "bytes=1M.." },
	{ 'X', .values = "bytes=1M.." },
	{ 's', .values = "pages" },
	{ 'r' },
	{ 'n', .values = "1" },
	{ 'o', .values = "+pages" },
	{ 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

OWNER_NOUN(sockets)
