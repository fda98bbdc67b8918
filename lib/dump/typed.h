/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A type as the words in it that may lead somewhere, for who goes along pointers: see dump_ops.typed.  Structures in it and
 * arrays of a known length are taken apart.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum word_form {
	WORD_TYPED, /* a pointer to a structure, or to a pointer to one */
	WORD_LINK,  /* of a list or a tree: leads into anything */
	WORD_ANY,   /* a pointer to anything else, or a part of a union that may be one */
	WORD_CODE,  /* a pointer to a function */
	WORD_LONG,  /* a number as long as a pointer */
};

struct type_word {
	uint64_t
		type; /* number of that which WORD_TYPED points to; of inner: its own, WORD_LINK if it is a link; of WORD_LINK: where the link begins */
	uint32_t offset;
	enum word_form form;
};

struct typed {
	uint64_t number, next;
	const char *name;   /* "struct x", "struct x *"; NULL: it has none */
	const char *module; /* that alone has it; NULL: the kernel has */
	uint64_t bytes;
	bool is_open; /* ends with an array whose length nothing says */
	uint32_t open_at,
		open_element; /* of it, if it has words, and of bytes of an element; the words are of the first */
	const struct type_word *words,
		*inner; /* rising by offset; structures in it, not those of unions */
	uint32_t nwords, ninner;
	const char *member; /* ".queues[0].cmds", where it was asked for alone */
};

enum type_by {
	TYPE_BY_NUMBER,
	TYPE_BY_NAME,	  /* "struct x" of the kernel */
	TYPE_BY_VARIABLE, /* what a variable is, of vmlinux or of a module */
	TYPE_BY_ORDER, /* structures one behind the other, of a module alone if it is set: number is 0, then next of the one before */
};

struct type_query {
	enum type_by by;
	const char *name, *module; /* module NULL: vmlinux; by order: all */
	uint64_t number;
	uint64_t base; /* added to the numbers of the answer: for who asks several */
	bool has_at;   /* by number: the member that covers the byte at is asked for */
	uint64_t at;
};
