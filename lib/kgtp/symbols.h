/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KGTP's module in the dump, by the symbols of its frame store.
 *
 * The kernel's GPRS tunnel driver (drivers/net/gtp.c) is called gtp as well, and a port of
 * KGTP may have any name: so a module counts as KGTP only if it has both gtp_rb and
 * gtp_rb_page_count.
 */
#pragma once

#include "modules/module.h"

enum kgtp_symbol {
	KGTP_RB,	   /* struct gtp_rb_s __percpu * */
	KGTP_PAGE_COUNT,   /* unsigned int: pages of the ring of one CPU */
	KGTP_RB_COUNT,	   /* atomic64_t: id of the newest frame */
	KGTP_DISCARDED,	   /* atomic_t: pages overwritten in circular mode, all CPUs */
	KGTP_CREATED,	   /* atomic_t: frames begun since the rings were emptied */
	KGTP_CIRCULAR,	   /* int */
	KGTP_START,	   /* int: tracing is on */
	KGTP_DISCONNECTED, /* int */
	KGTP_PIPE_PID,	   /* int: reader of gtpframe_pipe, -1: none */
	KGTP_LIST,	   /* struct gtp_entry *: tracepoints */
	KGTP_VAR_LIST,	   /* struct list_head of struct gtp_var */
	KGTP_FILE,	   /* char *: a GDB trace file in vmalloc memory */
	KGTP_FILE_SIZE,	   /* size_t */
	KGTP_SIMPLE_START, /* only with FRAME_SIMPLE=1 */
	KGTP_SIMPLE_FRAME, /* in both of the other frame stores */
	KGTP_FTRACE_ITER,  /* only with frames in an ftrace ring buffer */
	KGTP_SYMBOLS
};

struct kgtp_symbols {
	struct module *module;
	uint64_t address[KGTP_SYMBOLS]; /* 0: there is no such symbol */
	const char *source;		/* where they come from, in words */
};

/*
 * ST_ABSENT: no module of this kernel is KGTP; ST_UNREADABLE: the dump lacks what would tell;
 * ST_UNKNOWN: KGTP with a frame store that is not decoded.
 */
enum status kgtp_symbols_find(struct dump *d, struct modules *m, struct kgtp_symbols *ret);
