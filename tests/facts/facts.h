/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of a kernel without a dump of it: its structures, enumerators and symbols, of the table
 * tests/facts/kernels.facts.xz (table.c) or of its BTF (btf_facts.c).
 */
#pragma once

#include <stdio.h>

#include "dump/dump.h"
#include "util/hash_bytes.h"

/* A member, or an enumerator with its value. */
struct fact {
	const char *name;   /* "a.b" is member b of a member a whose type has no name */
	const char *type;   /* as written */
	const char *behind; /* behind its typedefs; "" if it is the same */
	int64_t value;	    /* of an enumerator */
	uint32_t bit_offset, bytes, bits;
};

struct fact_type {
	const char *name; /* "struct page", "enum x"; "enum": enumerators of types without a name */
	uint64_t bytes;
	const struct fact *facts;
	size_t n;
};

struct facts {
	const char *name, *arch;
	bool by_order; /* the source had the order of members: offsets and enumerators are estimates */
	bool assumed; /* symbols are those of the nearest kernel whose symbols were read */
	struct facts
		*like; /* where assumed: whose symbols it has besides its own; NULL: no one's */
	/*
	 * The kernel of the nearest release, of any architecture, and the one that is to it what like is to this
	 * kernel: what the first has and the second has not went away since, and is assumed too. NULL: like is the nearest.
	 */
	struct facts *near, *near_like;
	struct arena *arena;
	/* The nth type of that name, from 0; NULL. */
	const struct fact_type *(*type)(struct facts *f, const char *name, unsigned int nth);
	/* Whether a symbol or a function has that name. */
	bool (*symbol)(struct facts *f, const char *name);
	/* The enumerator, of any type. */
	bool (*enumerator)(struct facts *f, const char *name, int64_t *ret);
	/* A function as C declares it; NULL: not known. */
	const char *(*signature)(struct facts *f, const char *name);
	void *source;
};

/* The table: all kernels of it; text is changed and stays in use. */
#define TABLE_KERNELS 192

struct facts_table {
	struct facts kernels[TABLE_KERNELS];
	unsigned int n;
	struct hash_bytes types;   /* of struct table_form *, the forms of a name */
	struct hash_bytes symbols; /* of a set of kernels */
	struct arena *arena;
};

/* 0, or the number of the line that is not as the table has them. */
unsigned int facts_table_read(struct facts_table *t, struct arena *arena, char *text);

/* The facts of a BTF; arch NULL: unknown. */
enum status facts_of_btf(struct dump *d, const void *bytes, size_t size, struct facts *ret);
/* Where its symbols are not known: those of the kernel whose types are most like its own. */
void facts_assume(struct facts *f, struct facts_table *t);
bool facts_assumed_symbol(struct facts *f, const char *name);
/* The names of its symbols, a line each; text is changed and stays in use. */
bool facts_add_symbols(struct facts *f, char *text);

/*
 * What every open function says on every kernel, as tests/facts/refused has it: a message, and the
 * kernels on which it refuses with it.
 */
void facts_refused(struct facts_table *t, FILE *out);

/* Which views answer on a kernel, and why others do not. */
void facts_views(struct facts *f, FILE *out);
/* All functions that it asks are in the table of opens.h. */
bool facts_views_known(void);

/*
 * Members and enumerators that an open function asks for and no kernel of the table has; bit fields
 * that are asked for without their bits.
 */
void facts_unanswered(struct facts_table *t, FILE *out);

/* All of a file, of a .xz what is in it, with a NUL behind it, or NULL. */
char *facts_file(struct arena *arena, const char *path, size_t *size);

/*
 * The seam over facts: every symbol has memory of its own that is zero but for what blank.c has of
 * an idle machine with two processors and one node. What is asked for is counted.
 */
struct question {
	unsigned int answered, refused;
	bool bits;	   /* asked for with its bits */
	bool is_bit_field; /* in one of the kernels */
};

/* Names that decoders ask for. */
struct facts_names {
	struct hash_bytes types, symbols, enumerators, signatures, untyped;
};

void facts_names_open(struct facts_names *names, struct arena *arena);
void facts_names_of_table(const struct facts_table *t, struct facts_names *names);
/* Those that the open functions ask for of such a kernel. */
void facts_ask(struct facts *f, struct facts_names *names);
/* A table of the kernels with what they have of those names. */
void facts_write(struct facts **kernels, unsigned int n, const struct facts_names *names,
		 struct arena *arena, FILE *out);

struct blank {
	struct facts *facts;
	struct dump dump;
	struct arena arena;
	bool second; /* of two types with one name the second, as gdb may have it */
	struct hash_bytes *questions; /* "struct page flags": struct question; NULL: not wanted */
	/* Names that were asked for; NULL: not wanted. */
	struct hash_bytes *types, *symbols, *enumerators, *signatures;
	struct hash_bytes *untyped;  /* variables that are not in the table of types, or here */
	struct hash_bytes addresses; /* of symbols */
	uint64_t next;
};

void blank_open(struct blank *b, struct facts *facts);
void blank_close(struct blank *b);
