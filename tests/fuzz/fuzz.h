/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump whose memory is the fuzzer's input, everywhere and over and over, with
 * the layouts of a real kernel.  Whatever pointer a decoder follows leads to
 * bytes that the fuzzer chose, or nowhere.
 */
#pragma once

#include <stdint.h>

#include "dump/dump.h"
#include "util/sink.h"

/* The decoders, each run by the program of its name (tests/tests.mk reads this list). */
#define FUZZ_TARGETS(X) \
	X(stackdepot)   \
	X(pageowner)    \
	X(pageclass)    \
	X(codetag)      \
	X(allocinfo)    \
	X(kallsyms)     \
	X(symbols)      \
	X(modules)      \
	X(printklog)    \
	X(tasks)        \
	X(depothealth)  \
	X(depotverify)  \
	X(pagetable)    \
	X(names)        \
	X(saved)        \
	X(filter)       \
	X(slabs)        \
	X(rings)        \
	X(traceevents)  \
	X(kgtp)         \
	X(stacks)       \
	X(oops)         \
	X(oomreport)    \
	X(logfile)      \
	X(exceptions)   \
	X(zones)        \
	X(files)        \
	X(pools)        \
	X(sockets)      \
	X(users)        \
	X(memcgs)       \
	X(json)         \
	X(types)        \
	X(vmcore)

#define FUZZ_PROTOTYPE(name) void fuzz_##name(struct dump *d, struct sink *out, uint32_t seed);
FUZZ_TARGETS(FUZZ_PROTOTYPE)

/* Traps unless it is a text that ends in its array and has no control character. */
void fuzz_array(const char *text, size_t size);

/* Eight bytes choose two of n lines, where the first is cut, and what is written over. */
void fuzz_line(const char *const *lines, size_t n, const uint8_t *bytes, char *ret, size_t size);
