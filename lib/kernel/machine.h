/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which machine a dump is of, and when on the calendar its kernel ended. */
#pragma once

#include "kernel/dump_info.h"
#include "util/maybe.h"

#define TAINT_LETTERS 64

/*
 * Whether CLOCK_MONOTONIC and the clock of the log agreed at the end, within two seconds and what NTP may have
 * turned them apart; only then times of other clocks are times of the log.
 */
struct machine_clocks {
	bool agree, has_utc;
	uint64_t apart_s; /* if agree: how much they differed, with the last tick */
	int64_t utc_ns;	  /* CLOCK_REALTIME - CLOCK_MONOTONIC at the end */
};

/* false: unknown, or before the boot. */
bool monotonic_of_utc(const struct machine_clocks *c, uint64_t s, uint64_t *ret);

/* CLOCK_MONOTONIC at the last tick of any CPU. */
enum status tick_read(struct dump *d, uint64_t *monotonic_ns);

struct machine {
	const char *host;  /* of init_uts_ns; NULL: unknown */
	const char *build; /* "#1 SMP PREEMPT_DYNAMIC ...", as uname -v has it; NULL: unknown */
	const char *command_line; /* NULL: unknown, no_line says why */
	struct first_problem no_line;
	struct maybe_u64 end_utc_s; /* seconds since 1970 at the end of info */
	struct machine_clocks clocks;
	struct maybe_u64 taint; /* tainted_mask */
};

/* What is not in this dump stays unknown; -D says why. */
void machine_read(struct dump *d, const struct dump_info *info, struct machine *ret);

/* "2026-11-20 10:15:31 UTC" */
#define UTC_TEXT 32
const char *utc_text(uint64_t seconds, char buf[UTC_TEXT]);

/* Letters of the bits of a mask, as the kernel's own table taint_flags[] has them. */
struct taint_letters {
	unsigned int n;
	char set[TAINT_LETTERS]; /* of a bit that is set */
};

enum status taint_letters_read(struct dump *d, struct taint_letters *ret);

/* "OE", "" of none; a bit without a letter is '?'. */
const char *taint_text(const struct taint_letters *t, uint64_t mask, char buf[TAINT_LETTERS + 1]);
