/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct pt_regs that an exception left on a stack: found by the stack pointer that the log
 * tells of it.  On x86 the error code is not in it: entry code moves it to a register and sets
 * orig_ax to -1 (arch/x86/entry/entry_64.S, entry_fred.c, 4.19 to 7.3).
 */
#pragma once

#include "dump/structure.h"

struct exception_frames {
	struct dump *dump;
	struct structure regs;
	uint64_t size; /* bytes of struct pt_regs */
};

struct exception_frame {
	uint64_t address; /* of struct pt_regs */
	uint64_t ip, sp;
	bool user_mode;
};

enum status exception_frames_open(struct dump *d, struct exception_frames *ret);

/*
 * The frame with this stack pointer, in the stack below it or, after a stack overflow on x86,
 * on the exception stacks of cpu.  ST_ABSENT: there is none; ST_UNREADABLE: a part of
 * what was searched is not in this dump, and there is none in the rest.
 */
enum status exception_frames_find(struct exception_frames *x, uint64_t sp, unsigned int cpu,
				  struct exception_frame *ret);
