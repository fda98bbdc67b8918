/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether memory allocation profiling is built in, supported, on, compressed, in debug mode. */
#pragma once

#include "alloctag/codetag.h"

/* Yes, no, or not known: not recorded by this kernel, or not in this dump. */
enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

struct codetag_state {
	enum answer supported;	/* mem_profiling_support */
	enum answer on;		/* mem_alloc_profiling_key */
	enum answer compressed; /* mem_profiling_compressed, 6.13 and later */
	bool knows_option;
	const char *option; /* value of sysctl.vm.mem_profiling; NULL: not given */
};

#define PROFILING_OPTION "sysctl.vm.mem_profiling"

/* Never fails: what cannot be read is unknown. */
void codetag_state_read(struct dump *d, struct codetag_state *ret);

/*
 * Whether it was built with CONFIG_MEM_ALLOC_PROFILING_DEBUG: by a text that only this prints,
 * which a kernel without CONFIG_BUG does not have, or by what only this has.
 */
enum answer codetag_debug(struct dump *d);

/* The kernel command line says off, whatever became of it later. */
bool codetag_off_at_boot(const struct codetag_state *s);

/*
 * Whether a counter of a site was ever incremented: unknown where none of those that are known was,
 * and others are missing.
 */
enum answer codetags_counted(const struct codetags *tags);

/*
 * Of profiling that was off at the panic: that it counted before, or that this is unknown, a warning.
 * answer: of codetags_counted(), not ANSWER_NO.
 */
const char *codetag_off_text(enum answer counted);

/* Why nothing was counted, a message for dump->error. */
const char *codetag_reason(const struct codetag_state *s);
