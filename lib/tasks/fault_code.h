/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a processor says of a page fault: the error code of x86 (arch/x86/include/asm/trap_pf.h),
 * ESR_EL1 of arm64 (arch/arm64/include/asm/esr.h), scause of riscv.  Each value is decoded with
 * all bits that any release names: hardware sets a bit whether the kernel knows it or not.
 */
#pragma once

#include "dump/structure.h"

enum fault_mode {
	FAULT_MODE_UNKNOWN, /* the value does not tell */
	FAULT_USER,
	FAULT_SUPERVISOR, /* as the processor counts: it also reads tables for user mode */
};

enum fault_access {
	FAULT_ACCESS_UNKNOWN,
	FAULT_READ,
	FAULT_WRITE,
	FAULT_FETCH, /* of an instruction */
};

#define FAULT_NOTES 12
#define FAULT_TEXT 256 /* bytes that hold the longest text but for unusual values */

struct fault_code {
	enum fault_mode mode;
	enum fault_access access;
	const char *reason; /* "page not present", or what exception it was if no fault */
	int level;	    /* of the page table, arm64; FAULT_NO_LEVEL: not told */
	const char *notes[FAULT_NOTES];
	unsigned int nnotes;
	uint64_t unknown; /* bits that have no name */
};

#define FAULT_NO_LEVEL (-8)

/* arch as uname -m has it.  False: no architecture that is known here; *ret is unchanged. */
bool fault_code_decode(const char *arch, uint64_t code, struct fault_code *ret);

/*
 * "user write, page not present": mode and access, the reason, then what else is set; bits without
 * a name as a number.  An unknown architecture: the number alone.  Writes into buf and returns it.
 */
const char *fault_code_text(const char *arch, uint64_t code, char *buf, size_t size);

/* "user", "supervisor"; "read", "write", "instruction fetch"; NULL: unknown. */
const char *fault_mode_name(enum fault_mode mode);
const char *fault_access_name(enum fault_access access);

/*
 * struct pt_regs that an exception left on a stack: found by the stack pointer that the log
 * tells of it.  On x86 the error code is not in it: entry code moves it to a register and sets
 * orig_ax to -1 (arch/x86/entry/entry_64.S, entry_fred.c, 4.19 to 7.3).
 */

struct exception_frames {
	struct dump *dump;
	struct structure regs;
	uint64_t size; /* bytes of struct pt_regs */
};

struct exception_frame {
	uint64_t address; /* of struct pt_regs */
	uint64_t ip;
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
