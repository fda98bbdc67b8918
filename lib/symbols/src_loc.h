/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in the source a text address is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct src_loc {
	const char *symbol; /* of the function; NULL: unknown */
	const char *file;   /* NULL: unknown */
	uint32_t line;	    /* 0: unknown */
};

/*
 * at is in the function that has the symbol; inlined are the calls that the compiler
 * put in line there, innermost first, each with the line that it has reached.
 */
struct src_lines {
	struct src_loc at;
	const struct src_loc *inlined;
	unsigned int ninlined;
	bool knows_inlined; /* false: ninlined 0 says nothing */
};
