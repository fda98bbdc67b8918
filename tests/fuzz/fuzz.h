/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump whose memory is the fuzzer's input, everywhere and over and over, with
 * the layouts of a real kernel.  Whatever pointer a decoder follows leads to
 * bytes that the fuzzer chose, or nowhere.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdint.h>

#include "dump/dump.h"
#include "util/sink.h"

/* Each decoder's; TARGET names the one that a program runs. */
void fuzz_stackdepot(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_pageowner(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_pageclass(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_codetag(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_allocinfo(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_kallsyms(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_modules(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_printklog(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_tasks(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_depothealth(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_pagetable(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_names(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_saved(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_filter(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_slabs(struct dump *d, struct sink *out, uint32_t seed);
void fuzz_json(struct dump *d, struct sink *out, uint32_t seed);

#endif
