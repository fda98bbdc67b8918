/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an object of a cache is to the kernel's own lists: a task, its memory or a socket, and whose. */
#pragma once

#include "collect/sockets.h"
#include "view.h"

struct object_of {
	struct owner_view *v;
	const struct sockets *sockets; /* where with_sockets is ST_OK */
	enum status with_sockets;      /* of their collection */
	bool is_tried;
};

/*
 * "task_struct of 12(bash)", "mm_struct of 12(bash)", "TCP socket of 12(bash)" of the object with an address
 * and a size in bytes; memory is that of the dump's arena.  NULL: it is none of these, or that is unknown.
 */
const char *object_of_text(struct object_of *o, uint64_t address, uint64_t bytes);
