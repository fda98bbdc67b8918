/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of kallsyms by their form, in kernels whose VMCOREINFO does not name them: before 6.0.
 * scripts/kallsyms.c wrote them one behind the other, each from a multiple of 8 on:
 *
 *	kallsyms_offsets        4 bytes for each symbol
 *	kallsyms_relative_base  8 bytes
 *	kallsyms_num_syms       4 bytes, before 4.20 8
 *	kallsyms_names          records of a length and that many tokens
 *	kallsyms_markers        where each 256th record is: 4 bytes, before 4.20 8
 *	kallsyms_token_table    256 strings
 *	kallsyms_token_index    256 times where a string is: 2 bytes, which rise from 0
 */
#pragma once

#include "kernel/kallsyms.h"

/*
 * Between two addresses of the kernel's image.  ST_ABSENT: they are not there; ST_UNREADABLE: they may be
 * where this dump has no memory.
 */
enum status kallsyms_search(struct dump *d, uint64_t start, uint64_t end,
			    struct kallsyms_places *ret);

/*
 * Sets places->markers, which VMCOREINFO does not name: they are behind the names and before the next
 * of its tables.  ST_CORRUPT: they are not; ST_UNREADABLE.
 */
enum status kallsyms_find_markers(struct dump *d, struct kallsyms_places *places);
