/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that have slept for long where no other line says what they wait for: in a function that no table names, or for
 * a lock that tells no holder.
 */
#pragma once

#include "collect/stuck.h"
#include "kernel/dump_info.h"

/*
 * "thumbd (339), df (355) and 8 more threads have slept for up to 27.5s in autofs_wait [autofs4], system call openat,
 * which waits for an automount": those of which most sleep alike, without interruption first; false: none has slept for
 * least nanoseconds.
 */
bool stuck_asleep_words(const struct stuck *x, const struct dump_info *info, uint64_t least,
			struct strbuf *b);
