/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits for whom, one behind the other: by locks, and by answers on sockets. The verdict, the story and memowner stuck
 * tell the same.
 */
#pragma once

#include "collect/stuck.h"

#define STUCK_CHAIN 5u /* one that waits, and four behind it: more says no more of where it ends */

struct stuck_chain {
	const struct stuck_task *of[STUCK_CHAIN];
	unsigned int n;
};

/* The thread with this pid, or (0) the only one of a process; NULL: which of several would answer is unknown. */
const struct stuck_task *stuck_thread(const struct stuck *all, int32_t tgid, int32_t pid);

/*
 * Of a deadlock it ends at the first one, whose line tells it; and at one that waits for a lock whose owner is doubted: what
 * that one waits for may have nothing to do with those before.
 */
void stuck_chain(const struct stuck *all, const struct stuck_task *of, struct stuck_chain *ret);

/* "quoteapi (588) waits on a TCP connection for ratefeed (275); ratefeed (275) waits for ...": from that one of them on. */
void stuck_add_chain(const struct stuck *all, const struct stuck_task *of, unsigned int from,
		     struct strbuf *b);

/* Of one that waits for an answer: no other one waits for it, or it is the first of many that wait for the same. */
bool stuck_begins_chain(const struct stuck *x, const struct stuck_task *s);

/* The chain of one for which no other one waits; false: it is none, or other lines tell what it waits for. */
bool stuck_chain_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);

/* How many wait for the answer of the peer of one; 0: it is not the first of them, or the peer is a root, which says it. */
size_t stuck_crowd(const struct stuck *x, const struct stuck_task *first);

/*
 * Whether a process does what keeps it from answering: all of its threads are asleep, and that neither for what it is to do
 * next, as in poll(), nor to read a socket of which it is not known who has the other end.
 */
bool stuck_peer_is_kept(const struct stuck *x, int32_t tgid);

/*
 * "6 processes job wait on a unix socket for partner (270); partner (270) is asleep in hrtimer_nanosleep": of the first of
 * STUCK_CROWD or more; false: it is none.
 */
bool stuck_crowd_words(const struct stuck *x, const struct stuck_task *first, struct strbuf *b);

/* "a (5) waits for a full pipe, which b (6) reads; b (6) is stopped"; false: it waits for none, or its deadlock is told. */
bool stuck_pipe_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);

/*
 * Threads that wait in a circle which leads over processes: one waits for the answer of a server, a thread of which waits for
 * the first one. Another thread of the server may answer: it is told as doubtful.
 */
#define STUCK_RING 8u /* threads: of more no reader finds the way */

struct stuck_ring {
	const struct stuck_task *of[STUCK_RING];
	unsigned int n;
};

/* The first of them, whose first thread waits for a server or an answer on a socket; false: there is none. */
bool stuck_ring_find(const struct stuck *x, struct stuck_ring *ret);

bool stuck_ring_has(const struct stuck_ring *r, const struct stuck_task *s);

/*
 * "perhaps a deadlock: updater (383) waits for the answer to an event of fanotify, whose file scand (385) has open, and so do 9
 * more threads; scan (387) waits for rwlock 0x4bc4c8 of 385, which renew (390) has; renew (390) waits on a unix socket for
 * updater (383)"
 */
void stuck_ring_words(const struct stuck *x, const struct stuck_ring *r, struct strbuf *b);
