/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of struct sockets, of sockets that a test lays out one behind the other. */
#pragma once

#include "collect/sockets.h"

#define SOCKETS_LISTED 256u /* more than any test has */

static inline struct socket **socket_list(struct socket *all, size_t n)
{
	static struct socket *list[SOCKETS_LISTED];

	for (size_t i = 0; i < n && i < SOCKETS_LISTED; i++)
		list[i] = &all[i];
	return list;
}
