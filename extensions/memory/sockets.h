/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many sockets are in each state. */
#pragma once

#include "collect/sockets.h"

/*
 * "TCP 25,830 close_wait of 159(uplinkd), 866 established; UNIX 12 listen": protocols by their sockets, of each the
 * states; whose all of a state are, where they are many.
 */
void socket_states_words(const struct sockets *x, struct strbuf *b);
