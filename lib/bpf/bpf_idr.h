/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map_idr, prog_idr and link_idr of kernel/bpf/syscall.c: objects by their IDs. */
#pragma once

#include "dump/dump.h"

/* The head of the tree of an IDR. ST_UNKNOWN: no such symbol. */
enum status bpf_idr_open(struct dump *d, const char *name, uint64_t *ret);

/*
 * Calls visit for each object.  What fails there costs the object alone: it is the status in the end, with its
 * message, unless it is ST_STOPPED.
 */
enum status bpf_idr_walk(struct dump *d, uint64_t head,
			 enum status (*visit)(void *arg, uint64_t id, uint64_t address), void *arg);
