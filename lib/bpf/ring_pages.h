/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of BPF ring buffers (kernel/bpf/ringbuf.c): maps of type ringbuf and user_ringbuf.  A holder is a map,
 * "events, map 12", counted by bpf_ringbuf.nr_pages.
 */
#pragma once

#include "dump/dump.h"
#include "dump/memory_parts.h"

/* ST_ABSENT: built without CONFIG_BPF_SYSCALL; ST_UNREADABLE, ST_CORRUPT: some of them, or of their pages, are missing. */
enum status bpf_rings_walk(struct dump *d, const struct memory_parts *v);
