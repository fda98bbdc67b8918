/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of a kernel as a graph, whatever has them: each has a number, and leads to the types that it
 * is made of.  Answers to the questions of struct type_source are made of it in one way for all
 * (type_answers.c), as crash and its gdb give them.
 */
#pragma once

#include "types/name_index.h"
#include "types/type_source.h"
#include "util/hash_u64.h"

typedef uint64_t type_id; /* 0 is void */

enum type_class {
	TYPE_VOID,
	TYPE_NUMBER, /* booleans, characters, floating point too */
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ENUM,
	TYPE_FUNCTION,
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_QUALIFIED, /* in another way, of which nothing is shown */
	TYPE_FORWARD_STRUCT,
	TYPE_FORWARD_UNION,
	TYPE_FORWARD_ENUM,
};

/* A member, an enumerator, a parameter, a dimension of an array. */
struct type_part {
	const char *name; /* "" if it has none */
	type_id type;
	uint64_t
		bit_offset; /* of a member: from the start of its structure, in the order of the machine */
	uint32_t bit_size; /* 0: no bit field */
	int64_t value;	   /* of an enumerator; elements of a dimension, -1: not said */
};

struct type_node {
	enum type_class class;
	const char *name; /* "" if it has none */
	uint64_t size;	  /* bytes; not of arrays, nor of what is another type by another name */
	type_id of;	  /* what it points to, is an array of, is another name of, or gives back */
	bool is_variadic; /* a function that takes more than its parameters */
	uint32_t n;
	const struct type_part *parts;
};

struct type_graph {
	struct dump *dump;
	void *priv;
	/* Nodes are kept: it is called once for each. Memory of d->arena. False: there is no such type. */
	bool (*load)(struct type_graph *g, type_id id, struct type_node *ret);
	/* A name is not in the index: true if it was made longer. NULL: it never is. */
	bool (*more)(struct type_graph *g);
	/* The module that alone has a type; NULL: the kernel does. NULL: all are of one file. */
	const char *(*module_of)(struct type_graph *g, type_id id);
	/* A variable that the index lacks; NULL: there is no other way. */
	enum status (*variable)(struct type_graph *g, const char *name, struct field *ret);
	/* The first function of a name, 0: none; NULL: the index has them. */
	type_id (*function)(struct type_graph *g, const char *name);
	struct name_index names;
	struct hash_u64 nodes;
	struct type_word *room_for_words, *room_for_inner; /* of one type (type_words.c) */
};

/* The functions of a type_source on that graph, which stays where it is; priv and what are set. */
void type_graph_source(struct type_graph *g, const char *what, struct type_source *ret);

void type_graph_open(struct type_graph *g, struct dump *d);

/* NULL: there is no such type. */
const struct type_node *type_node(struct type_graph *g, type_id id);

/* Behind typedefs and qualifiers, and the definition of what is only declared; NULL as above. */
const struct type_node *type_strip(struct type_graph *g, type_id id);

/* "struct x", "union x", "enum x"; NULL: none. */
const struct type_node *type_named(struct type_graph *g, const char *type);

/* Bytes; 0: it has none, or they do not fit. */
uint64_t type_bytes(struct type_graph *g, type_id id);

/* Of a variable of that type; is_element: of its first element, ST_ABSENT if it has none. */
enum status type_as_field(struct type_graph *g, type_id id, bool is_element, struct field *ret);

/* For dump_ops.typed; priv: of the graph (type_words.c). */
enum status type_graph_typed(void *priv, const struct type_query *q, struct typed *ret);

/* As gdb's ptype shows it, behind "type = ", in lines; cut to size. */
void type_put_text(struct type_graph *g, const struct type_node *t, char *buf, size_t size);

/* A head or an entry of a list, a node of a tree. (type_member.c) */
bool type_is_link(const struct type_node *t);

/*
 * ".queues[0].cmds": the member that covers a byte, of links the whole of them; it ends where members of a union may
 * be meant. NULL: there is none with a name. (type_member.c)
 */
const char *type_member_at(struct type_graph *g, type_id id, uint64_t at);
