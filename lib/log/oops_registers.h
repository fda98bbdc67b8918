/* SPDX-License-Identifier: GPL-2.0-or-later */
/* General registers that an oops prints: of x86 "RAX: 0000000000000000 RBX: ...", of arm64 "x29: ... x28: ...". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OOPS_REGISTERS 31

struct oops_register {
	char name[4];
	uint64_t value;
};

/* Starts as zero. */
struct oops_registers {
	unsigned int n;
	struct oops_register all[OOPS_REGISTERS];
};

/* Those of a line.  The first value of each stays: what follows is of the code that was interrupted before. */
void oops_registers_line(struct oops_registers *r, const char *line);
