/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process has sent to another one of the machine, which does not read it: the ends of a TCP connection that has
 * both here have bytes in the queues of each, more than passes through in a moment.
 */
#pragma once

#include "collect/sockets.h"

struct unread {
	uint64_t unsent; /* bytes that wait at the end of the sender: not acknowledged */
	uint64_t unread; /* that wait at the other one */
	const struct file_user *reader; /* who has that open, alone */
};

/* Adds to ret, a hash of struct unread, by the tgid of each sender the connection that has most. */
void unread_find(const struct sockets *s, struct hash_u64 *ret);
