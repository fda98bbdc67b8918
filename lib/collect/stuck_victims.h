/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of the threads of a victim of the OOM killer, the one that stands for its process; what it is in words. */
#pragma once

#include "collect/stuck.h"
#include "oom/oom_score.h"

/*
 * Where the first thread has exited (a zombie until the last thread is gone), others still have the memory:
 * the first of these stands for the victim.
 */
void stuck_choose_victims(struct dump *d, struct stuck_task *first);

/* "victim", "reaped" or "given_up" of a victim of the OOM killer, else OOM_STANDING_UNKNOWN. */
enum oom_standing stuck_victim_state(const struct stuck_task *s);

/* The name of its process, of the thread that stands for it. */
const char *stuck_victim_name(const struct stuck_task *s);

/* Pages of a victim, as the kernel has them: what its threads have not added yet may be more than what is left. */
static inline uint64_t stuck_pages_left(int64_t pages)
{
	return pages > 0 ? (uint64_t)pages : 0;
}

/* "OOM victim hog (181): not reaped, 28.1M resident, 3.0M in swap; 2 users, of them 1 thread; waits for ..." */
void stuck_victim_words(const struct stuck_task *s, unsigned int page_shift, struct strbuf *b);
