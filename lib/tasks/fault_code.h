/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a processor says of a page fault: the error code of x86 (arch/x86/include/asm/trap_pf.h),
 * ESR_EL1 of arm64 (arch/arm64/include/asm/esr.h), scause of riscv.  Each value is decoded with
 * all bits that any release names: hardware sets a bit whether the kernel knows it or not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
