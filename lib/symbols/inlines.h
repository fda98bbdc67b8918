/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls that a compiler put in line around an address, from the DWARF of a function. */
#pragma once

#include <elfutils/libdw.h>

#include "dump/dump.h"

#define MAX_INLINES 64 /* that are inlined in each other */

struct inline_call {
	const char *symbol; /* of the function put in line; NULL: unknown */
	uint64_t file;	    /* of the call, an index in the table of its unit */
	uint64_t line;	    /* of the call; 0: unknown */
};

/* Outermost first; returns how many. ST_CORRUPT: the tree of DIEs does not end. */
enum status inlines_find(struct dump *d, Dwarf_Die *function, uint64_t pc,
			 struct inline_call ret[static MAX_INLINES], unsigned int *n);
