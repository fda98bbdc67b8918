/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wait queues: the entries of a struct wait_queue_head, each of which is mostly on the stack of the task that sleeps. */
#pragma once

#include "kernel/list.h"

struct wait_queues {
	struct dump *dump;
	struct field head, entry, private; /* of wait_queue_head, and of wait_queue_entry */
};

enum status wait_queues_open(struct dump *d, struct wait_queues *ret);

/* Its entries, for wait_queue_next() and list_end(); what: as in list_of(). */
struct list_nodes wait_queue_of(const struct wait_queues *w, uint64_t queue, const char *what);

/* The address of the next entry. */
bool wait_queue_next(const struct wait_queues *w, struct list_nodes *l, uint64_t *entry);

/* The task of an entry that default_wake_function() and its like wake. */
enum status wait_entry_task(const struct wait_queues *w, uint64_t entry, uint64_t *task);
