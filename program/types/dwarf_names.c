// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The index of names of DWARF: of what stands in a unit itself, in units that others import (dwz) as
 * well.  Of several types of one name the first is taken, as they are mostly the same one.
 */
#include <dwarf.h>

#include "types/dwarf_graph.h"

struct naming {
	struct dwarf_graph *w;
	Dwarf *dwarf;
};

/* What one look at the attributes of a DIE says. */
struct marks {
	const char *name;
	bool is_declaration, has_code, goes_on; /* goes_on: another DIE has the name */
};

static int look(Dwarf_Attribute *attr, void *arg)
{
	struct marks *m = arg;

	switch (dwarf_whatattr(attr)) {
	case DW_AT_name:
		m->name = dwarf_formstring(attr);
		break;
	case DW_AT_declaration:
		m->is_declaration = true;
		break;
	case DW_AT_low_pc:
	case DW_AT_ranges:
		m->has_code = true;
		break;
	case DW_AT_specification:
	case DW_AT_abstract_origin:
		m->goes_on = true;
		break;
	default:
		break;
	}
	return DWARF_CB_OK;
}

static bool is_known(const struct naming *n, enum name_kind kind, const char *name)
{
	return name_index_find(&n->w->graph.names, kind, name, NULL);
}

static void add(struct naming *n, enum name_kind kind, const char *name, Dwarf_Die *die)
{
	name_index_add(&n->w->graph.names, kind, name,
		       dwarf_dieoffset(die) | (n->dwarf == n->w->alt ? DWARF_ALT : 0));
}

/* Those of an enumeration whose first is known are all known. */
static void name_enumerators(struct naming *n, Dwarf_Die *die)
{
	Dwarf_Die child;

	for (bool go = !dwarf_child(die, &child), first = true; go;
	     go = dwarf_graph_next(&child), first = false) {
		const char *name = dwarf_diename(&child);

		if (!name)
			continue;
		if (first && is_known(n, NAME_ENUMERATOR, name))
			return;
		add(n, NAME_ENUMERATOR, name, die);
	}
}

static void name_type(struct naming *n, Dwarf_Die *die, enum name_kind kind, const struct marks *m)
{
	if (m->is_declaration || (m->name && is_known(n, kind, m->name)))
		return;
	if (m->name)
		add(n, kind, m->name, die);
	if (kind == NAME_ENUM)
		name_enumerators(n, die);
}

/* Every definition, since a static one of that name may be in another unit; of declarations the first. */
static void name_variable(struct naming *n, Dwarf_Die *die, const struct marks *m)
{
	const char *name = m->name ? m->name : m->goes_on ? dwarf_diename(die) : NULL;

	if (!name)
		return;
	if (!m->is_declaration)
		add(n, NAME_VARIABLE, name, die);
	else if (!is_known(n, NAME_DECLARED, name))
		add(n, NAME_DECLARED, name, die);
}

/* gdb knows those that have code: not what was only put in line. */
static void name_function(struct naming *n, Dwarf_Die *die, const struct marks *m)
{
	const char *name;

	if (!m->has_code)
		return;
	name = m->name ? m->name : m->goes_on ? dwarf_diename(die) : NULL;
	if (name && !is_known(n, NAME_FUNCTION, name))
		add(n, NAME_FUNCTION, name, die);
}

static void name_die(struct naming *n, Dwarf_Die *die)
{
	struct marks m = { .name = NULL };
	int tag = dwarf_tag(die);

	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variable:
	case DW_TAG_subprogram:
		break;
	default:
		return;
	}
	if (dwarf_getattrs(die, look, &m, 0) < 0)
		return;
	if (tag == DW_TAG_variable)
		name_variable(n, die, &m);
	else if (tag == DW_TAG_subprogram)
		name_function(n, die, &m);
	else
		name_type(n, die,
			  tag == DW_TAG_structure_type ? NAME_STRUCT
			  : tag == DW_TAG_union_type   ? NAME_UNION
						       : NAME_ENUM,
			  &m);
}

static void name_units(struct naming *n)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, die;

	while (!dwarf_get_units(n->dwarf, unit, &unit, NULL, NULL, &top, NULL)) {
		if (dump_stopped(n->w->graph.dump))
			return;
		for (bool go = !dwarf_child(&top, &die); go; go = dwarf_graph_next(&die))
			name_die(n, &die);
	}
}

void dwarf_graph_index(struct dwarf_graph *w)
{
	struct naming n = { .w = w, .dwarf = w->dwarf };

	name_units(&n);
	if (!w->alt)
		return;
	n.dwarf = w->alt;
	name_units(&n);
}
