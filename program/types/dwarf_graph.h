/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of DWARF as a graph, and an index of their names.  A type_id is the offset of a DIE, in the
 * file that dwz made of what several have in common with DWARF_ALT.
 */
#pragma once

#include <elfutils/libdw.h>

#include "types/type_graph.h"

#define DWARF_ALT (1ULL << 63)

struct dwarf_graph {
	struct type_graph graph;
	Dwarf *dwarf, *alt; /* alt NULL: there is none */
};

/* dwarf stays the caller's, and in use as long as ret, which stays where it is. The index is empty. */
void dwarf_graph_open(struct dwarf_graph *ret, struct dump *d, Dwarf *dwarf);

/* As types_from_dwarf(), of a file whose debug information is open, and stays so as long as ret is used. */
enum status types_of_dwarf(struct dump *d, const char *path, Dwarf *dwarf, struct type_source *ret);

/* Indexes the names of all units: of types, enumerators, variables and functions that are no one's part. */
void dwarf_graph_index(struct dwarf_graph *w);

/* On to the next DIE beside this one; false: it is the last, or its reference leads back. */
bool dwarf_graph_next(Dwarf_Die *die);
