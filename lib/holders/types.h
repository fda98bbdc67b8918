/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects are, where their cache does not say: types go along typed pointers, from variables and from
 * caches of one structure.  An object of which words disagree, or that has not the shape of its type, is unknown.
 */
#pragma once

#include "holders/holders.h"
#include "util/hash_bytes.h"

/* A type that was asked for; those of one name and size are one. */
struct graph_type {
	struct typed t;
	const char *name; /* "struct x", "struct x [module]"; NULL: of no structure */
	bool is_array;	  /* of pointers, or of structures */
	bool is_page;	  /* one of the names of struct page */
	uint32_t element; /* bytes of one of these structures; 0: it is none of such */
};

struct node_type {
	uint16_t type; /* number in types; 0: unknown */
	uint8_t votes, against;
	uint8_t fit; /* percent of its pointers that lie where the type has some */
	uint8_t state : 4;
	uint8_t by_shape : 1; /* it is no surer than a shape, */
	uint8_t of_few : 1;   /* of a few objects, or what leads there is so */
};

/* A structure of a module inside of an object that is not of its type: from a byte on. */
struct inner_type {
	uint32_t at;
	uint16_t type; /* 0: several are said to be there */
};

enum node_type_state { NODE_UNTYPED, NODE_TYPED, NODE_SEED, NODE_UNFIT };

/* Limits of what fits an object of a group: bytes of a type are above low, and at most high. */
struct group_fit {
	uint32_t low, high;
	uint32_t least; /* the same of structures of a module whose cache may be merged into it */
	bool is_mixed;	/* of no single structure, as kmalloc-64 is */
	bool is_untold; /* of one that its name does not tell */
	uint16_t
		named; /* of these: the structure of that name, where the kernel merged others into it; 0: none */
};

#define SHAPE_PERCENT 90  /* confidence of what the shape alone says, at most (doc/types.md) */
#define FEW_PERCENT 50	  /* the same of less than three objects */
#define TYPED_BYTES 8192u /* of an object that are looked at */

struct node_types {
	struct holders *h;
	struct graph *g;
	struct arena *arena;
	struct graph_type *types;
	uint32_t ntypes, room;
	struct hash_u64 numbers; /* of uint16_t, by number of the type */
	struct hash_bytes named; /* the same by name and size */
	uint64_t next;		 /* of the order of types, behind the last that was asked for */
	struct hash_u64 parts;	 /* by part and place: the first of wholes, plus one */
	struct chunks wholes;
	struct hash_u64 heads; /* what lists with a head at one place have: struct learned */
	uint16_t xarray_node;  /* 0: it is not known */
	struct hash_u64 inner; /* of struct inner_type, by node */
	struct chunks *known;  /* nodes that became known, in their order */
	struct chunks links;   /* edges of links that lead to none of their kind */
	struct node_type *nodes;
	struct group_fit *groups;
	uint8_t bytes[TYPED_BYTES]; /* of the object that was looked at last */
	bool by_shape;	    /* what follows is no surer than the shape of what it begins with */
	bool of_few;	    /* the same of what votes now */
	uint32_t nspread;   /* of those that became known: their words have voted */
	bool has_leftovers; /* words behind the end of a type do not count */
	uint32_t good;	    /* words of it that lead to memory where the type has a pointer */
	uint32_t bytes_of, nbytes; /* that node, and how many; 0: not in this dump */
	uint64_t seeds;		   /* nodes whose type is known to begin with */
	/* For tests: caches that are taken for ones of no single structure. */
	bool (*hides)(void *arg, const char *cache);
	void *arg;
};

/*
 * hides NULL: none. ST_UNKNOWN: the reader of the dump cannot enumerate members; ST_NOMEM; ST_STOPPED.  h stays
 * where it is.
 */
enum status node_types_find(struct holders *h, bool (*hides)(void *arg, const char *cache),
			    void *arg, struct node_types *ret);

/* "struct entry [leaky]"; NULL: unknown.  confidence: of 1000. */
const char *node_type_name(const struct node_types *x, uint32_t node, uint16_t *confidence);

/* Whether structures of a module are known, and what would name them (type_table.c). */
bool types_of_module(struct dump *d, const char *module);
const char *types_missing_text(struct dump *d, const char *module);

/* What is inside of an object of no known type; NULL: nothing that is known (type_inner.c). */
const struct inner_type *node_types_inner(const struct node_types *x, uint32_t node);
void node_types_add_inner(struct node_types *x, uint32_t node, uint32_t at, uint16_t type);
void node_types_find_inner(struct node_types *x);
/* Parts of it. 0: there is none. */
uint16_t node_types_get(struct node_types *x, const struct type_query *q); /* type_table.c */
/* "struct x[]": an array of a structure. */
uint16_t node_types_array(struct node_types *x, uint16_t of);
/* The same of the copies of all CPUs, which lie behind each other; 0: it is not as large. */
uint16_t node_types_copies(struct node_types *x, uint32_t node, uint16_t of);
const struct type_word *graph_type_word(const struct graph_type *t, uint32_t offset);
bool graph_type_begins_with(struct node_types *x, uint16_t whole, uint16_t part);
void node_types_open_parts(struct node_types *x); /* type_parts.c */
/* The next structure that has a part at an offset; *at is 0 to begin with. */
uint16_t node_types_whole(struct node_types *x, uint16_t part, uint32_t offset, uint32_t *at);
/* Adds them to known; false: there are none (type_modules.c). */
bool node_types_of_modules(struct node_types *x, struct chunks *known);
/* Of those that none of that reaches (type_sizes.c). */
void node_types_by_size(struct node_types *x);
/* Of objects that are not ROLE_OF_NOBODY: in which part each is kept, 0: unknown (type_roles.c). */
#define ROLE_OF_NOBODY UINT32_MAX
void node_types_roles(const struct node_types *x, uint32_t *roles, struct arena *arena);
/* Per-CPU memory of boot is of what points to it, which votes; false: for nothing more (type_numbers.c). */
bool node_types_of_numbers(struct node_types *x);
/* The word of a known type that has the number of such memory; NULL: it is unknown. */
const struct type_word *node_types_number_word(const struct node_types *x,
					       const struct first_chunk *f);
/* The shape (type_shape.c). */
bool node_types_fits(const struct node_types *x, uint32_t group, uint16_t type);
bool node_types_knows(const struct node_types *x, uint32_t node);
uint16_t node_types_pointed(struct node_types *x, const struct type_word *w);
/* Whether a node may be an array, by its size; percent, as of fit, where words of elements say so. */
bool node_types_may_be_array(const struct node_types *x, uint32_t node, uint16_t type);
unsigned int node_types_array_fit(struct node_types *x, uint32_t node, uint16_t type);
/* Bytes of an object that are in x->bytes; 0: they are not in this dump. */
uint32_t node_types_read(struct node_types *x, uint32_t node);
#define TYPE_FIT_PERCENT 80
unsigned int node_types_fit(struct node_types *x, uint32_t node, uint16_t type);
/* Percent, as of fit; 0: the node has not the shape of a type, or no word that says so. */
unsigned int node_types_has_shape(struct node_types *x, uint32_t node, uint16_t type);
void node_types_seed(struct node_types *x); /* type_seeds.c */
