/* SPDX-License-Identifier: GPL-2.0-or-later */
/* KGTP, a kernel tracer of its own (a module): its settings, rings, frames, names. */
#pragma once

#include "kgtp/frame.h"

enum kgtp_setting {
	KGTP_SET_NEWEST,    /* id given last */
	KGTP_SET_CREATED,   /* frames begun since the rings were emptied */
	KGTP_SET_DISCARDED, /* pages overwritten */
	KGTP_SET_CIRCULAR,
	KGTP_SET_START,
	KGTP_SET_DISCONNECTED,
	KGTP_SET_PIPE_PID,
	KGTP_SETTINGS
};

struct kgtp {
	struct dump *dump;
	struct modules modules;
	struct kgtp_symbols symbols;
	bool known[KGTP_SETTINGS];
	int64_t settings[KGTP_SETTINGS];
	struct kgtp_registers regs;
	struct kgtp_rings rings;
	struct kgtp_variables variables;
	struct kgtp_tracepoints tracepoints;
	struct kgtp_reader reader;
	struct kgtp_frames frames;
	/* A GDB trace file that KGTP itself wrote when gtpframe was read; size 0: none. */
	uint64_t file, file_size;
	bool stopped; /* by Ctrl-C: frames are missing */
};

/* ST_ABSENT, ST_UNREADABLE, ST_UNKNOWN as kgtp_symbols_find() and kgtp_rings_read() say. */
enum status kgtp_open(struct dump *d, struct kgtp *ret);

/* The tracepoint of a frame, NULL: unknown. */
const struct kgtp_tracepoint *kgtp_tracepoint_of(const struct kgtp *k, const struct kgtp_frame *f);

/* Functions of the kernel that handle page faults: a tracepoint in one of them saw a fault. */

bool kgtp_handles_faults(const char *function);
