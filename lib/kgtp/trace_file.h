/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames as a GDB trace file ("target tfile" in GDB; its manual, "Trace File Format"):
 * lines of text that define variables and tracepoints, an empty line, then a record a frame
 * of registers, memory and variables. Numbers have the byte order of the dump.
 */
#pragma once

#include "kgtp/kgtp.h"
#include "util/sink.h"

struct kgtp_trace_file {
	struct kgtp *kgtp;
	size_t written;	 /* frames */
	size_t left_out; /* frames: of no known tracepoint, or with a number beyond the format's */
};

/* Everything that the rings have. arg is a struct kgtp_trace_file *. */
enum status kgtp_trace_file_put(void *arg, struct sink *out);

/* The file that KGTP itself wrote, byte for byte. arg is a struct kgtp *. */
enum status kgtp_trace_file_copy(void *arg, struct sink *out);
