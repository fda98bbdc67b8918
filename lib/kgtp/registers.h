/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of a frame: a raw struct pt_regs of the kernel that the dump is of, so its own
 * debug information says where each is.
 */
#pragma once

#include "dump/dump.h"

#define KGTP_REGISTERS 34

struct kgtp_register {
	const char *name;
	struct field field;	 /* in struct pt_regs */
	unsigned int trace_size; /* bytes in a GDB trace file; 0: it is not in one */
};

struct kgtp_registers {
	uint32_t size;				/* of struct pt_regs */
	struct kgtp_register r[KGTP_REGISTERS]; /* in the order of a GDB trace file */
	unsigned int n;
	unsigned int pc;	 /* index */
	unsigned int trace_size; /* of all in a GDB trace file */
};

/* ST_UNKNOWN: a struct pt_regs or an architecture that this build does not know. */
enum status kgtp_registers_open(struct dump *d, struct kgtp_registers *ret);
