/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that a second thread uncompresses before they are asked for, where blocks are read one behind the other.  It has
 * bytes and gives bytes, and no file: what is read, and what of it fails, is decided by the reader alone, so that what
 * is read is the same without it.  The reader waits for a block that the thread has begun, a moment and no longer, and
 * takes back what it has not.
 */
#pragma once

#include "dump/dump.h"

struct ahead;

/*
 * Blocks that were read one behind the other, in all, before any is told: to start a thread, to wake it and to carry blocks
 * from one CPU's cache to another took 4 to 6 % more of CPU time, which a small dump would pay for a wait of milliseconds.
 * These take 30 ms.
 */
#define AHEAD_FROM 8192u

/* Of blocks of that many bytes.  NULL: there is one CPU.  Its thread begins with the first block, and ends with d->arena. */
enum status ahead_open(struct dump *d, size_t block_bytes, struct ahead **ret);

/* A block that was put there, uncompressed; false: it is to be read. */
bool ahead_take(struct ahead *a, uint64_t block, void *out);

/*
 * A block is read: those that are to be asked for next are from *from up to what is returned; 0: none is told.
 * Each that is there and compressed is to be put there, then ahead_go() tells the thread.
 */
uint64_t ahead_next(struct ahead *a, uint64_t block, uint64_t *from);

/* False: there is no room.  len: of in, at most the bytes of a block. */
bool ahead_put(struct ahead *a, uint64_t block, unsigned int flags, const uint8_t *in, size_t len);
void ahead_go(struct ahead *a);
