/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is stuck, in words. */
#pragma once

#include "collect/stuck.h"
#include "util/units.h"

/*
 * "deadlock: a (1) waits for lock, which b (2) has, which waits for other, which a (1) has": of the thread of a
 * deadlock that has the lowest pid; false: of another one, which says it.
 */
bool stuck_deadlock_words(const struct stuck_task *first, struct strbuf *b);

/* "stands in a ptrace stop of crashmon (102), which is asleep in wait_for_partner" */
void stuck_add_wait(const struct stuck_task *s, struct strbuf *b);

/* "mariadbd (437) waits for a lock" */
void stuck_task_words(const struct stuck_task *s, struct strbuf *b);

/* What the one that has its lock does: "indexer (101) is asleep in fifo_open", "... with one of its 4 threads" */
void stuck_holder_words(const struct stuck_task *s, struct strbuf *b);

/*
 * "sh (1) waits for qsafe_lock [qsafe], which dd (147) has"; of two both are named, of more none. other: the second
 * of waiting threads; NULL: there is none.
 */
void stuck_lock_words(const struct stuck *x, const struct stuck_task *of,
		      const struct stuck_task *other, size_t waiting, struct strbuf *b);

/*
 * "FUSE connection 38 (/mnt): 3 threads wait for it, 5 requests are open; /dev/fuse of it is open in server (123),
 * which is stopped"; false: no thread waits for it.
 */
bool stuck_fuse_words(const struct stuck *x, const struct fuse_conn *c, struct strbuf *b);

/*
 * "131 threads wait for flock of /run/lock/x, which indexer (101) has; indexer (101) is asleep in fifo_open"; false: who
 * has it is unknown, or a deadlock says it.
 */
bool stuck_file_words(const struct stuck *x, const struct stuck_file_lock *l, struct strbuf *b);

/*
 * "bbud0, module raidbbu: 6 writes not completed, the oldest started 1.1min ago; 2 threads wait for it", "dm-0 (vg0-data)
 * is suspended: ...", "...; its server blockd (195), which waits on a unix socket for tierd (194), which is stopped";
 * false: nothing is known that keeps it.
 */
bool stuck_disk_words(const struct stuck *x, const struct stuck_disk *k, struct strbuf *b);

/* Of those that something keeps the two that most threads wait for, and how many more there are; nothing: there is none. */
void stuck_disks_words(const struct stuck *x, struct strbuf *b);

/*
 * "3 threads wait to write to /srv (vda), which is frozen (SB_FREEZE_COMPLETE), by which process is not recorded"; one is
 * named, "at least 3" where stacks are missing. false: no thread waits for it.
 */
bool stuck_frozen_words(const struct stuck *x, const struct frozen_super *f, struct strbuf *b);

/* "927 bytes", "2 packets": what the peer of one has not read. */
const char *stuck_unread_text(const struct stuck_task *s, uint64_t unread, char buf[UNITS_PLURAL]);
/* ", which has not read 3 packets of it": what waits for its peer; nothing if that is not known. */
void stuck_add_unread(const struct stuck_task *s, struct strbuf *b);

/*
 * "97 of 101 threads of keysvc (173), which has 12.5M resident, have waited up to 4.3min for mutex 0x4c10e0 of 173, which
 * signer (193) has by its words in user memory (inferred); signer (193) is asleep in do_nanosleep"; false: it waits for
 * no such lock, or another thread of it tells.
 */
bool stuck_service_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);
