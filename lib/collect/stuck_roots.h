/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where waits end: a thread that waits for no other one, and does not go on by itself: one that a tracer has stopped, one
 * that is stopped, one that sleeps without interruption in a function of a module, as a worker of a workqueue does that
 * has others queued behind it. Who waits for it directly, and behind those, is counted.
 */
#pragma once

#include "collect/stuck.h"

/* Before peers are looked for: which threads are roots. */
void stuck_mark_roots(struct dump *d, struct stuck_task *all);

/* Whether one is that may keep others: who waits on sockets is looked at then. */
bool stuck_has_root(const struct stuck_task *all);

/* Behind all that finds holders and peers. */
void stuck_count_roots(struct dump *d, struct stuck_task *all);

/* The frame of a module that a thread sleeps in: that of a module out of tree, else the innermost; NULL: of none. */
const struct frame *stuck_module_frame(struct dump *d, struct task_frames *at,
				       const char *const **foreign);

/* Whether that is a module out of tree, of the names that were read with it. */
bool stuck_is_foreign(const char *const *foreign, const struct frame *f);

/*
 * "pay-gw (104) stands in a ptrace stop of sup-trace (117), which ...; shop-front (107) and 8 more threads wait for it", "kworker/u8:1 (73) is asleep
 * in evt_work [evt_bridge]; it runs a work of workqueue evt_bridge, behind which 453,700 works wait"; false: it is no root.
 */
bool stuck_root_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);

bool stuck_root_keeps_others(const struct stuck_task *s);

/* Asleep in the same function of a driver: one says it. */
bool stuck_roots_alike(const struct stuck_task *a, const struct stuck_task *b);

/* Of those that are alike how many they are, for the one that sleeps longest; 0: another one tells it, or it is no root. */
size_t stuck_root_crowd(const struct stuck *x, const struct stuck_task *s);

/* The same words of all of these: "...; and 9 more threads like that". */
bool stuck_root_crowd_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);

/*
 * "46,727 works of workqueue canlog_flash wait behind canlog_program [canlog], which kworker/u8:0 (9) runs; it is asleep in
 * msleep": of a thread that runs a work.
 */
void stuck_backlog_words(const struct stuck_task *s, struct strbuf *b);

/*
 * Who likely has the lock that a thread spins for in a function of a module out of tree: as the owner of a spin lock does not
 * sleep, the only thread on a CPU that is in that module and does not spin. misses_some: what another CPU ran is not known.
 */
struct spin_owner {
	const char *module;
	bool misses_some;
	size_t n;
	const void *thread;
};

/* Each thread on a CPU, with its function of a module; at NULL: it is in none. */
void spin_owner_see(struct spin_owner *o, const struct frame *at, bool spins, const void *thread);

/* NULL: no one, or it is not known who of several. */
const void *spin_owner_of(const struct spin_owner *o);
