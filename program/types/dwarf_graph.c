// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/dwarf_graph.h"

#include <dwarf.h>

#define MAX_PARTS 65536 /* members or enumerators of one type */
#define ADDRESS_BYTES 8 /* of a 64-bit kernel */

static bool dwarf_graph_die(const struct dwarf_graph *w, type_id id, Dwarf_Die *ret)
{
	Dwarf *dwarf = id & DWARF_ALT ? w->alt : w->dwarf;

	return dwarf && dwarf_offdie(dwarf, id & ~DWARF_ALT, ret);
}

static type_id id_of(const struct dwarf_graph *w, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) |
	       (w->alt && dwarf_cu_getdwarf(die->cu) == w->alt ? DWARF_ALT : 0);
}

/* The type that a DIE says, or that which it goes on with; 0: void. */
static type_id type_of(const struct dwarf_graph *w, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type)
		       ? id_of(w, &type)
		       : 0;
}

static const char *name_of(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

static bool number(Dwarf_Die *die, unsigned int name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attr), &value))
		return false;
	*ret = value;
	return true;
}

/* A form of fixed size has no sign: as bytes, 240 is not -16. */
static int64_t constant(Dwarf_Die *die, unsigned int name, int64_t without)
{
	Dwarf_Attribute attr;
	Dwarf_Sword is_signed;
	Dwarf_Word is_unsigned;

	if (!dwarf_attr(die, name, &attr))
		return without;
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return dwarf_formsdata(&attr, &is_signed) ? without : is_signed;
	default:
		return dwarf_formudata(&attr, &is_unsigned) ? without : (int64_t)is_unsigned;
	}
}

/* Up to DWARF 2 a place is an expression. */
static uint64_t member_place(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return 0;
	if (!dwarf_formudata(&attr, &value))
		return value;
	return !dwarf_getlocation(&attr, &ops, &n) && n == 1 && ops->atom == DW_OP_plus_uconst
		       ? ops->number
		       : 0;
}

/* DWARF 4 counts the bits of a bit field from the high end of its number, later ones as the machine. */
static void load_member(struct dwarf_graph *w, Dwarf_Die *die, struct type_part *p)
{
	uint64_t bits = 0, from = 0, bytes = 0;

	p->type = type_of(w, die);
	p->bit_offset = member_place(die) * 8;
	if (!number(die, DW_AT_bit_size, &bits))
		return;
	p->bit_size = bits;
	if (number(die, DW_AT_data_bit_offset, &from)) {
		p->bit_offset = from;
		return;
	}
	if (!number(die, DW_AT_bit_offset, &from))
		return;
	if (!number(die, DW_AT_byte_size, &bytes))
		bytes = type_bytes(&w->graph, p->type);
	p->bit_offset += bytes * 8 - from - bits;
}

static void load_dimension(struct dwarf_graph *w NOT_USED, Dwarf_Die *die, struct type_part *p)
{
	int64_t last;

	p->value = constant(die, DW_AT_count, -1);
	if (p->value >= 0)
		return;
	last = constant(die, DW_AT_upper_bound, -2);
	/* All bits of any width are the one before 0. */
	p->value = last == -2 ? -1 : last == UINT32_MAX || last < 0 ? 0 : last + 1;
}

static void load_enumerator(struct dwarf_graph *w NOT_USED, Dwarf_Die *die, struct type_part *p)
{
	p->value = constant(die, DW_AT_const_value, 0);
}

static void load_parameter(struct dwarf_graph *w, Dwarf_Die *die, struct type_part *p)
{
	p->type = type_of(w, die);
}

static const struct part_loader {
	int tag;
	void (*load)(struct dwarf_graph *w, Dwarf_Die *die, struct type_part *p);
} member_loader = { DW_TAG_member, load_member },
  dimension_loader = { DW_TAG_subrange_type, load_dimension },
  enumerator_loader = { DW_TAG_enumerator, load_enumerator },
  parameter_loader = { DW_TAG_formal_parameter, load_parameter };

bool dwarf_graph_next(Dwarf_Die *die)
{
	Dwarf_Off at = dwarf_dieoffset(die);
	Dwarf_Die sibling;

	if (dwarf_siblingof(die, &sibling) || dwarf_dieoffset(&sibling) <= at)
		return false;
	*die = sibling;
	return true;
}

static bool load_parts(struct dwarf_graph *w, Dwarf_Die *die, const struct part_loader *loader,
		       struct type_node *ret)
{
	Dwarf_Die first, child;
	struct type_part *parts;
	uint32_t n = 0;
	bool more = !dwarf_child(die, &first);

	child = first;
	for (bool go = more; go && n < MAX_PARTS; go = dwarf_graph_next(&child))
		n += dwarf_tag(&child) == loader->tag;
	parts = arena_alloc(w->graph.dump->arena, (n + 1) * sizeof(*parts));
	child = first;
	for (bool go = more; go && ret->n < n; go = dwarf_graph_next(&child)) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			ret->is_variadic = true;
		if (dwarf_tag(&child) != loader->tag)
			continue;
		parts[ret->n].name = name_of(&child);
		loader->load(w, &child, &parts[ret->n++]);
	}
	ret->parts = parts;
	return true;
}

/* What runs refers to what the source has, whose parameters are all there. */
static bool load_function(struct dwarf_graph *w, Dwarf_Die *die, struct type_node *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die source, child;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &source))
		source = *die;
	if (!load_parts(w, &source, &parameter_loader, ret))
		return false;
	/* "..." comes last. */
	for (bool go = !dwarf_child(&source, &child); go; go = dwarf_graph_next(&child))
		ret->is_variadic |= dwarf_tag(&child) == DW_TAG_unspecified_parameters;
	return true;
}

static const struct {
	int tag;
	enum type_class class, declared;
	const struct part_loader *parts;
} tags[] = {
	{ DW_TAG_base_type, TYPE_NUMBER, TYPE_NUMBER, NULL },
	{ DW_TAG_pointer_type, TYPE_POINTER, TYPE_POINTER, NULL },
	{ DW_TAG_array_type, TYPE_ARRAY, TYPE_ARRAY, &dimension_loader },
	{ DW_TAG_structure_type, TYPE_STRUCT, TYPE_FORWARD_STRUCT, &member_loader },
	{ DW_TAG_union_type, TYPE_UNION, TYPE_FORWARD_UNION, &member_loader },
	{ DW_TAG_enumeration_type, TYPE_ENUM, TYPE_FORWARD_ENUM, &enumerator_loader },
	{ DW_TAG_subroutine_type, TYPE_FUNCTION, TYPE_FUNCTION, NULL },
	{ DW_TAG_subprogram, TYPE_FUNCTION, TYPE_FUNCTION, NULL },
	{ DW_TAG_typedef, TYPE_TYPEDEF, TYPE_TYPEDEF, NULL },
	{ DW_TAG_const_type, TYPE_CONST, TYPE_CONST, NULL },
	{ DW_TAG_volatile_type, TYPE_VOLATILE, TYPE_VOLATILE, NULL },
	{ DW_TAG_restrict_type, TYPE_QUALIFIED, TYPE_QUALIFIED, NULL },
	{ DW_TAG_atomic_type, TYPE_QUALIFIED, TYPE_QUALIFIED, NULL },
	{ DW_TAG_variable, TYPE_QUALIFIED, TYPE_QUALIFIED, NULL },
	{ DW_TAG_unspecified_type, TYPE_VOID, TYPE_VOID, NULL },
};

static bool load(struct type_graph *g, type_id id, struct type_node *ret)
{
	struct dwarf_graph *w = g->priv;
	Dwarf_Die die;
	bool is_declaration;
	int tag;

	if (!dwarf_graph_die(w, id, &die))
		return false;
	tag = dwarf_tag(&die);
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		if (tags[i].tag != tag)
			continue;
		is_declaration = dwarf_hasattr(&die, DW_AT_declaration);
		*ret = (struct type_node){
			.class = is_declaration ? tags[i].declared : tags[i].class,
			.name = name_of(&die),
			.of = type_of(w, &die),
		};
		if (!number(&die, DW_AT_byte_size, &ret->size) && ret->class == TYPE_POINTER)
			ret->size = ADDRESS_BYTES;
		if (ret->class == TYPE_FUNCTION)
			return load_function(w, &die, ret);
		return !tags[i].parts || load_parts(w, &die, tags[i].parts, ret);
	}
	return false;
}

void dwarf_graph_open(struct dwarf_graph *ret, struct dump *d, Dwarf *dwarf)
{
	*ret = (struct dwarf_graph){ .dwarf = dwarf, .alt = dwarf_getalt(dwarf) };
	type_graph_open(&ret->graph, d);
	ret->graph.priv = ret;
	ret->graph.load = load;
}
