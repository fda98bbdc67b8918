/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file whose page a task waits for: it sleeps by an entry on its stack, which is in a struct wait_page_queue
 * (folio_wait_bit_common() in mm/filemap.c, wait_on_page_bit_common() before 5.16).
 */
#pragma once

#include "tasks/task_stack.h"

struct page_waits {
	struct dump *dump;
	struct field wait, folio, private; /* of wait_page_queue and wait_queue_entry */
	struct field folio_mapping, page_mapping, folio_flags, page_flags, host, sb;
	uint64_t locked, read; /* bits of flags; 0: unknown */
};

struct page_wait {
	uint64_t inode, super; /* addresses */
	bool is_unread; /* it is locked, and has no data yet: the end of its read unlocks it */
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status page_waits_open(struct dump *d, struct page_waits *ret);

/* By its stack from..to. ST_ABSENT: it waits for no page of a file. */
enum status page_wait_find(const struct page_waits *x, uint64_t task, const struct task_stack *s,
			   uint64_t from, uint64_t to, struct page_wait *ret);
