/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many sockets are in each state, and packets that wait in devices. */
#pragma once

#include "collect/sockets.h"
#include "net/queued.h"

/*
 * "TCP 25,830 close_wait of 159(uplinkd), 866 established; UNIX 12 listen": protocols by their sockets, of each the
 * states; whose all of a state are, where they are many.
 */
void socket_states_words(const struct sockets *x, struct strbuf *b);

/* Packets in queueing disciplines of devices, with what they take. */
enum status sockets_queued(struct dump *d, struct queued_packets *ret);
