// SPDX-License-Identifier: GPL-2.0-or-later
/* How many sockets are in each state, and whose they are. */
#include "extensions/memory/sockets.h"
#include "socket_list.h"
#include "test.h"

#define TEXT 1024

static struct text_list of_a = { .text = "159(uplinkd)", .n = 1 };
static struct text_list of_same = { .text = "159(uplinkd)", .n = 1 };
static struct text_list of_other = { .text = "7(nginx)", .n = 1 };

static struct socket all[100];
static struct sockets sockets;

static void add(unsigned int n, const char *protocol, const char *state,
		const struct text_list *used_by)
{
	while (n--)
		all[sockets.n++] =
			(struct socket){ .protocol = protocol, .state = state, .used_by = used_by };
}

static void states_are_counted(void)
{
	struct strbuf b = STRBUF_OF(TEXT);

	sockets.all = socket_list(all, ARRAY_SIZE(all));
	add(3, "UNIX", "listen", &of_other);
	add(20, "TCP", "close_wait", &of_a);
	add(4, "TCP", "close_wait", &of_same);
	add(30, "TCP", "established", &of_a);
	add(1, "TCP", "established", &of_other);
	add(12, "TCP", "time_wait", NULL);
	add(2, NULL, NULL, &of_a);
	socket_states_words(&sockets, &b);
	CHECK_TEXT(b.buf, "TCP 31 established, 24 close_wait of 159(uplinkd), 12 time_wait; "
			  "UNIX 3 listen; unknown 2 unknown");
}

static void none_is_no_word(void)
{
	static const struct sockets none;
	struct strbuf b = STRBUF_OF(TEXT);

	socket_states_words(&none, &b);
	CHECK(!b.len);
}

TESTS({ "sockets are counted by protocol and state, and of a state that is of one process it is named",
	states_are_counted },
      { "no socket: no word", none_is_no_word })
