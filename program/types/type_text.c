// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types in the words of gdb's ptype, which -D shows and decoders read members of: a structure with its
 * members, of which one without a name is shown with its own, and a type without a name once in another.
 * show is gdb's: more than 0 shows a type that has a name with its members, less than 0 none at all.
 */

#include "types/type_graph.h"
#include "util/strbuf.h"

#define MAX_DEPTH 32 /* structures in each other */
#define INDENT 4     /* columns */

struct writer {
	struct type_graph *g;
	struct strbuf text;
	unsigned int depth;
};

/*
 * gdb gives numbers of C the names that C++ has for them, and compilers put "long unsigned int" into
 * debug information.
 */
static const char *number_name(const char *name)
{
	static const char *const names[][2] = {
		{ "long unsigned int", "unsigned long" },
		{ "long int", "long" },
		{ "short unsigned int", "unsigned short" },
		{ "short int", "short" },
		{ "long long unsigned int", "unsigned long long" },
		{ "long long int", "long long" },
		{ "__int128 unsigned", "unsigned __int128" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

/* Of a declaration, C puts the type it is made of first: "int" of "int (*name[2])(void)". */
static const struct type_node *base_of(struct type_graph *g, const struct type_node *t,
				       bool *is_const, bool *is_volatile)
{
	*is_const = *is_volatile = false;
	for (unsigned int i = 0; t && i < MAX_DEPTH * 4; i++) {
		switch (t->class) {
		case TYPE_POINTER:
		case TYPE_ARRAY:
		case TYPE_FUNCTION:
			*is_const = *is_volatile = false;
			break;
		case TYPE_CONST:
			*is_const = true;
			break;
		case TYPE_VOLATILE:
			*is_volatile = true;
			break;
		case TYPE_QUALIFIED:
			break;
		default:
			return t;
		}
		t = type_node(g, t->of);
	}
	return NULL;
}

static void put_declaration(struct writer *w, type_id id, const char *name, int show,
			    unsigned int column);

static void put_indent(struct writer *w, unsigned int column)
{
	strbuf_add(&w->text, "%*s", column, "");
}

static void put_members(struct writer *w, const struct type_node *t, int show, unsigned int column)
{
	strbuf_add(&w->text, "{\n");
	if (!t->n) {
		put_indent(w, column + INDENT);
		strbuf_add(&w->text, "<no data fields>\n");
	}
	for (uint32_t i = 0; i < t->n && !w->text.cut; i++) {
		const struct type_part *p = &t->parts[i];

		put_indent(w, column + INDENT);
		put_declaration(w, p->type, p->name, *p->name ? show - 1 : show, column + INDENT);
		if (p->bit_size)
			strbuf_add(&w->text, " : %u", p->bit_size);
		strbuf_add(&w->text, ";\n");
	}
	put_indent(w, column);
	strbuf_add(&w->text, "}");
}

static void put_enumerators(struct writer *w, const struct type_node *t)
{
	int64_t next = 0;

	strbuf_add(&w->text, "{");
	for (uint32_t i = 0; i < t->n && !w->text.cut; i++) {
		strbuf_add(&w->text, "%s%s", i ? ", " : "", t->parts[i].name);
		if (t->parts[i].value != next)
			strbuf_add(&w->text, " = %ld", t->parts[i].value);
		next = (uint64_t)t->parts[i].value + 1;
	}
	strbuf_add(&w->text, "}");
}

static void put_base(struct writer *w, const struct type_node *t, int show, unsigned int column)
{
	static const char *const keywords[] = {
		[TYPE_STRUCT] = "struct ",	 [TYPE_UNION] = "union ",
		[TYPE_ENUM] = "enum ",		 [TYPE_FORWARD_STRUCT] = "struct ",
		[TYPE_FORWARD_UNION] = "union ", [TYPE_FORWARD_ENUM] = "enum ",
	};
	bool has_parts = t->class == TYPE_STRUCT || t->class == TYPE_UNION || t->class == TYPE_ENUM;

	if (t->class == TYPE_VOID) {
		strbuf_add(&w->text, "void");
		return;
	}
	if (t->class < ARRAY_SIZE(keywords) && keywords[t->class])
		strbuf_add(&w->text, "%s", keywords[t->class]);
	strbuf_add(&w->text, "%s", t->class == TYPE_NUMBER ? number_name(t->name) : t->name);
	if (!has_parts || (show <= 0 && *t->name))
		return;
	if (*t->name)
		strbuf_add(&w->text, " ");
	if (show < 0 || w->depth == MAX_DEPTH) {
		strbuf_add(&w->text, "{...}");
		return;
	}
	w->depth++;
	if (t->class == TYPE_ENUM)
		put_enumerators(w, t);
	else
		put_members(w, t, show, column);
	w->depth--;
}

/* What stands left of the name: "*", "(*". */
static void put_before(struct writer *w, const struct type_node *t, bool of_pointer,
		       bool space_behind, unsigned int depth)
{
	bool is_const = false, is_volatile = false;

	for (; t && depth < MAX_DEPTH &&
	       (t->class == TYPE_CONST || t->class == TYPE_VOLATILE || t->class == TYPE_QUALIFIED);
	     depth++) {
		is_const |= t->class == TYPE_CONST;
		is_volatile |= t->class == TYPE_VOLATILE;
		t = type_node(w->g, t->of);
	}
	if (!t || depth >= MAX_DEPTH)
		return;
	if (t->class == TYPE_POINTER) {
		put_before(w, type_node(w->g, t->of), true, true, depth + 1);
		strbuf_add(&w->text, "*%s%s%s", is_const ? " const" : "",
			   is_volatile ? " volatile" : "",
			   (is_const || is_volatile) && space_behind ? " " : "");
	} else if (t->class == TYPE_ARRAY || t->class == TYPE_FUNCTION) {
		put_before(w, type_node(w->g, t->of), false, t->class == TYPE_ARRAY && space_behind,
			   depth + 1);
		if (of_pointer)
			strbuf_add(&w->text, "(");
	}
}

static void put_parameters(struct writer *w, const struct type_node *t)
{
	strbuf_add(&w->text, "(");
	for (uint32_t i = 0; i < t->n && !w->text.cut; i++) {
		strbuf_add(&w->text, "%s", i ? ", " : "");
		put_declaration(w, t->parts[i].type, "", 0, 0);
	}
	if (t->is_variadic)
		strbuf_add(&w->text, "%s...", t->n ? ", " : "");
	else if (!t->n)
		strbuf_add(&w->text, "void");
	strbuf_add(&w->text, ")");
}

/* What stands right of it: "[8]", ")(int)". */
static void put_behind(struct writer *w, const struct type_node *t, bool of_pointer,
		       unsigned int depth)
{
	while (t && depth < MAX_DEPTH &&
	       (t->class == TYPE_CONST || t->class == TYPE_VOLATILE ||
		t->class == TYPE_QUALIFIED)) {
		depth++;
		t = type_node(w->g, t->of);
	}
	if (!t || depth >= MAX_DEPTH)
		return;
	if (t->class != TYPE_POINTER && t->class != TYPE_ARRAY && t->class != TYPE_FUNCTION)
		return;
	if (t->class != TYPE_POINTER && of_pointer)
		strbuf_add(&w->text, ")");
	if (t->class == TYPE_FUNCTION)
		put_parameters(w, t);
	for (uint32_t i = 0; t->class == TYPE_ARRAY && i < t->n; i++) {
		if (t->parts[i].value < 0)
			strbuf_add(&w->text, "[]");
		else
			strbuf_add(&w->text, "[%ld]", t->parts[i].value);
	}
	put_behind(w, type_node(w->g, t->of), t->class == TYPE_POINTER, depth + 1);
}

static void put_type(struct writer *w, const struct type_node *t, const char *name, int show,
		     unsigned int column)
{
	bool is_const, is_volatile, is_plain;
	const struct type_node *base = base_of(w->g, t, &is_const, &is_volatile), *outer = t;

	if (!base || w->depth == MAX_DEPTH) {
		strbuf_add(&w->text, "?");
		return;
	}
	w->depth++;
	strbuf_add(&w->text, "%s%s", is_const ? "const " : "", is_volatile ? "volatile " : "");
	put_base(w, base, show, column);
	while (outer && outer != base &&
	       (outer->class == TYPE_CONST || outer->class == TYPE_VOLATILE ||
		outer->class == TYPE_QUALIFIED))
		outer = type_node(w->g, outer->of);
	is_plain = outer == base;
	if (*name || !is_plain)
		strbuf_add(&w->text, " ");
	put_before(w, t, false, *name, 0);
	strbuf_add(&w->text, "%s", name);
	put_behind(w, t, false, 0);
	w->depth--;
}

static void put_declaration(struct writer *w, type_id id, const char *name, int show,
			    unsigned int column)
{
	const struct type_node *t = type_node(w->g, id);

	if (t)
		put_type(w, t, name, show, column);
	else
		strbuf_add(&w->text, "?");
}

void type_put_text(struct type_graph *g, const struct type_node *t, char *buf, size_t size)
{
	struct writer w = { .g = g };

	w.text = strbuf_in(buf, size);
	strbuf_add(&w.text, "type = ");
	put_type(&w, t, "", 1, 0);
	strbuf_add(&w.text, "\n");
}
