/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a kernel stack, from the innermost to the entry from user space: by ORC or frame
 * pointers on x86_64, by frame records on arm64.  Each frame has its bounds, so what an earlier,
 * deeper call left on the stack belongs to none or is not reached.
 *
 * Of a task on a CPU the dump has no registers that can be trusted in every format.  Its
 * frames are those that the lowest return address leads to from which every frame up to user
 * space follows, each called by the instruction before the return address.
 */
#pragma once

#include "tasks/orc.h"
#include "tasks/task_stack.h"

#define UNWIND_FRAMES 200

struct unwind_frame {
	uint64_t ip;   /* return address, or with regs where it was interrupted */
	uint64_t sp;   /* lowest address of the frame */
	uint64_t end;  /* first address behind it */
	uint64_t regs; /* struct pt_regs of its interruption; 0: it called the frame before */
};

enum unwind_end {
	UNWIND_CUT, /* what is beyond the last frame is unknown */
	UNWIND_TO_USER,
	UNWIND_TO_END, /* a kernel thread, or a new task */
};

struct unwind {
	enum unwind_end end;
	bool lacks_inner; /* there may be inner frames, of which text or ORC is not in this dump */
	uint64_t user_regs; /* struct pt_regs of the entry from user space, 0: none */
	unsigned int n;
	struct unwind_frame f[UNWIND_FRAMES];
};

struct unwinder {
	struct dump *dump;
	bool is_arm64, by_frame_pointer;
	struct orc orc;					/* neither */
	uint64_t start, end;				/* text of vmlinux; x86_64 */
	const struct modules *modules;			/* NULL: unknown */
	struct field ip, sp, bp, cs, stackframe, array; /* of struct pt_regs */
	uint64_t regs_size;				/* bytes of struct pt_regs */
	/* The image from _etext on is data, but for the text of init; 0: unknown. */
	uint64_t etext, init_start, init_end;
	uint64_t thunks; /* the first of the thunks of indirect jumps; 0: none */
};

enum status unwinder_open(struct dump *d, bool is_arm64, const struct modules *modules,
			  struct unwinder *ret);

/* ST_ABSENT: of a task on a CPU no frames follow from each other up to user space. */
enum status unwind(const struct unwinder *u, const struct task_stack *s, struct unwind *ret);
