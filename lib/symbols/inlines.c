// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/inlines.h"

#include <dwarf.h>

#define MAX_DIES 1000000 /* looked at for one address */
#define MAX_DEPTH 512	 /* blocks in each other */

static bool is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return true;
	default:
		return false;
	}
}

static uint64_t number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &v))
		return 0;
	return v;
}

/* The scope among the children that has pc; *dies is what may still be looked at. */
static bool descend(Dwarf_Die *die, uint64_t pc, unsigned int *dies)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return false;
	do {
		if (!*dies)
			return false;
		--*dies;
		if (is_scope(dwarf_tag(&child)) && dwarf_haspc(&child, pc) == 1) {
			*die = child;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

enum status inlines_find(struct dump *d, Dwarf_Die *function, uint64_t pc,
			 struct inline_call ret[static MAX_INLINES], unsigned int *n)
{
	Dwarf_Die die = *function;
	unsigned int dies = MAX_DIES, found = 0;

	for (unsigned int depth = 0; descend(&die, pc, &dies); depth++) {
		if (depth == MAX_DEPTH || found == MAX_INLINES)
			return dump_fail(d, ST_CORRUPT, "functions in line without end");
		if (dwarf_tag(&die) != DW_TAG_inlined_subroutine)
			continue;
		ret[found++] = (struct inline_call){
			.symbol = dwarf_diename(&die),
			.file = number(&die, DW_AT_call_file),
			.line = number(&die, DW_AT_call_line),
		};
	}
	if (!dies)
		return dump_fail(d, ST_CORRUPT, "a function of more than %d DIEs", MAX_DIES);
	*n = found;
	return ST_OK;
}
