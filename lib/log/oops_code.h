/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instruction at which an oops happened, of x86: "Code: 8b 40 <48> 8b 40 28 4c" has its bytes (show_opcodes() of
 * arch/x86/kernel/dumpstack.c). It tells which register was the pointer.
 */
#pragma once

#include "log/oops_registers.h"

#define OOPS_CODE 16 /* no instruction of x86 is longer than 15 */

struct oops_code {
	uint8_t bytes[OOPS_CODE]; /* from the instruction on */
	unsigned int n;		  /* 0: not told */
	bool is_over;		  /* its line was there, or registers of user mode are */
};

/* Starts as zero. Takes the line that has it, of the first one. */
void oops_code_line(struct oops_code *c, const char *line);

/*
 * The register whose value, with what the instruction adds to it, is that address; NULL: it has none, none of these
 * registers, or an instruction that is not known.
 */
const struct oops_register *oops_code_pointer(const struct oops_code *c,
					      const struct oops_registers *r, uint64_t address);

#define OOPS_POINTER 192
/*
 * "the error number -2 (ENOENT) in RAX was taken for a pointer", where that register has one (ERR_PTR()), or "LIST_POISON1
 * in RDX was taken for a pointer: ..." with a value of include/linux/poison.h; NULL: it has neither, or is not known. Of a
 * machine whose instructions are not known the address may tell the latter.
 */
const char *oops_pointer_text(const struct oops_code *c, const struct oops_registers *r,
			      uint64_t address, char buf[OOPS_POINTER]);
