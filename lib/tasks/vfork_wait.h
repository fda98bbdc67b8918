/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom a thread in vfork() waits for (wait_for_vfork_done() in kernel/fork.c), and one that stops a thread of the kernel
 * (kthread_stop() in kernel/kthread.c): of such a thread the completion is in its struct kthread.
 */
#pragma once

#include "dump/structure.h"

struct vfork_waits {
	struct structure task, completion;
};

enum status vfork_waits_open(struct dump *d, struct vfork_waits *ret);

/*
 * Of a task_struct: the completion, on the stack of its parent, that its end or its exec completes. ST_ABSENT: none waits
 * for that.
 */
enum status vfork_wait_of(const struct vfork_waits *w, uint64_t task, uint64_t *ret);

/* Of a completion: the first entry of its queue, which is on the stack of the one that waits. ST_ABSENT: none does. */
enum status vfork_waiter_of(const struct vfork_waits *w, uint64_t completion, uint64_t *entry);
