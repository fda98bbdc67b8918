/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of memowner stuck: the disk that a thread waits for, what it does in words; threads that are none, what
 * watchdogs said of CPUs, and who spins for a lock there, which the first screen tells, too (overview/spinning.c).
 */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"
#include "util/strbuf.h"

/* Where a thread waits for none, one of which nothing is known. */
const struct stuck_disk *stuck_disk_of(const struct stuck_task *s);

/* Of records of struct stuck_task: the disks below it, and who serves it. */
struct cell stuck_disk_on_cell(const void *record, void *view);
struct cell stuck_disk_server_cell(const void *record, void *view);

/* What limits of cgroups hold back at it, and whose most. */
struct cell stuck_disk_held_cell(const void *record, void *view);
struct cell stuck_disk_held_by_cell(const void *record, void *view);

/* How many reads and writes; 0: none, or unknown. */
uint64_t held_bios(const struct stuck_disk *k);

/*
 * "7 writes wait there for io.max of /batch (wbps=24576), in which scan (118) is", where held_bios() is not 0. Whose limit it
 * is may be unknown: then the status says why, or what else may be, the words have no name, and whose is NULL.
 */
enum status held_bios_words(struct dump *d, const struct stuck_disk *k, const char **whose,
			    struct strbuf *b);

/* "waits on a unix socket for dbproxy (298)" */
struct cell stuck_does_cell(const void *record, void *view);

/*
 * Who has its lock; of an answer on a socket the process. Nothing proves the name of a doubted owner, which may have the
 * task_struct of who exited with the lock: a reader sees none, and why in the warning; JSON has it with lock_holder_doubtful.
 */
struct cell stuck_holder_cell(const void *record, void *view);
struct cell stuck_holder_comm_cell(const void *record, void *view);
struct cell stuck_doubtful_cell(const void *record, void *view);
struct cell stuck_readers_cell(const void *record, void *view);

/* "reader (1 of 3)", "kworker/0:1 (evt_work [evt])", "ops (doubtful)" of one that waits for what it has itself */
struct cell stuck_held_by_cell(const void *record, void *view);

/* What became of a thread that is asked for and is no row. */
void stuck_others_by_pid(struct dump *d, struct other_names *ret);
void stuck_others_by_name(struct dump *d, struct other_names *ret);
bool stuck_keeps_name(const struct filter *f, const void *record, void *view, bool *unknown);

/* "by the log CPU 0 was stuck for 26 s in hbamon (186): a soft lockup, 21ms before the panic": a line for each of two. */
void stuck_put_stalls(const struct owner_view *v);

/* What AGE is not of threads that wait for a server of RPC; nothing where none does. */
void stuck_put_resent(const struct owner_view *v, const struct stuck *x);

/* "linkmux_tx (188), linkstat (266) were on CPUs and spun for locks": who has these no frame tells; false: none did. */
bool stuck_spin_words(const struct stuck *x, struct strbuf *b);

/*
 * "acqd (163), on a CPU in pxacq_wait_ready [pxacq], likely has the lock that acqd-status (165) spun for, by the same module":
 * who has a spin lock does not sleep, and in a driver out of tree it was the only other one on a CPU. false: there is none.
 */
bool stuck_spin_owner_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);
