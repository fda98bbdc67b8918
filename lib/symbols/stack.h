/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a call stack, with their names. */
#ifndef MEMOWNER_SYMBOLS_STACK_H
#define MEMOWNER_SYMBOLS_STACK_H

#include "symbols/frame.h"

struct stack {
	unsigned int n;
	const struct frame **frames; /* innermost first */
	unsigned int cut; /* frames that the kernel kept of a deeper stack; 0: all are here */
};

#endif
