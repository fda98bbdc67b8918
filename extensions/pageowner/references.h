/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What leads to the memory at an address, and what keeps it by that: for memowner ADDR. */
#pragma once

#include "view.h"

extern const struct view references_view; /* records behind the row of an address */

struct references;

/*
 * The graph of pointers, for n addresses of the kernel.  NULL: it was not to be had, and a warning says why, or
 * the command was interrupted.
 */
struct references *references_open(struct owner_view *v, const uint64_t *addresses, size_t n);

/* Lines of text, or records of JSON; nothing of memory of which the graph has no node. */
void references_put(struct references *x, uint64_t address);

/* Behind the last: what no answer by pointers has; nothing of NULL. */
void references_end(struct references *x);
