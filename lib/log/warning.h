/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel complained of and went on, by its log: WARN() of kernel/panic.c, reports of KASAN, KFENCE, UBSAN, SLUB
 * and lockdep, "scheduling while atomic" and their like, as 4.19 to 7.3 print them. With panic_on_warn the newest is what
 * the kernel panicked of. Text only. An oops, a lockup and a stall are not of these.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"
#include "log/module_frames.h"
#include "util/strbuf.h"

#define WARNINGS 8 /* that differ: the first ones, and the newest */
#define WARNING_LINE 256
#define WARNING_FRAMES 8

struct log_warning {
	const struct kernel_record *first, *last; /* its headline, the first and the last time */
	char text[WARNING_LINE]; /* what is wrong; "": a WARNING that says only where */
	char at[WARNING_LINE];	 /* "lib/refcount.c:28 refcount_warn_saturate"; "": of no WARNING */
	struct log_number cpu, pid;
	char comm[LOG_COMM + 1];			 /* "": unknown, as pid is then */
	char frames[WARNING_FRAMES][MODULE_FRAME_BYTES]; /* of its trace, innermost first */
	unsigned int nframes;
	struct module_frames modules;
	unsigned int times;
	bool is_last; /* the task and the trace are of the last of these times, not of the first */
};

struct log_warnings {
	struct log_warning all[WARNINGS],
		last[WARNINGS]; /* n of each: the first time, and the last */
	unsigned int n;
	unsigned int more; /* others, between the last two */
	/* The newest of all before the panic, of which its headline, and no gap, is before it; NULL: there is none. */
	const struct log_warning *newest;
};

/* Up to the panic, if there is one. */
void log_warnings_read(const struct kernel_log *log, struct log_warnings *ret);

/*
 * "refcount_t: underflow; use-after-free (WARNING at lib/refcount.c:28 refcount_warn_saturate), called by tsn_release
 * [tsn_sess], task tsn-ctl (119)"; skip tells frames that asked for nothing themselves, NULL: none is.
 */
void log_warning_text(const struct log_warning *w, bool (*skip)(const char *function),
		      struct strbuf *b);
