/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame of a call stack, and its text. */
#pragma once

#include "util/sink.h"

/* Where in the source a text address is. */

struct src_loc {
	const char *symbol; /* of the function; NULL: unknown */
	const char *file;   /* NULL: unknown */
	uint32_t line;	    /* 0: unknown */
};

/*
 * at is in the function that has the symbol; inlined are the calls that the compiler
 * put in line there, innermost first, each with the line that it has reached.
 */
struct src_lines {
	struct src_loc at;
	const struct src_loc *inlined;
	unsigned int ninlined;
	bool knows_inlined; /* false: ninlined 0 says nothing */
};

enum frame_label {
	LABEL_NONE,
	LABEL_INIT,    /* text of boot or of a module's init, freed: other text may be there now */
	LABEL_GONE,    /* not of vmlinux, and no module is loaded at the address now */
	LABEL_UNKNOWN, /* not of vmlinux; not all modules that are loaded are known */
	FRAME_LABELS
};

struct frame {
	uint64_t addr;
	const char *symbol;    /* NULL: no symbol is known at the address */
	uint64_t offset, size; /* size 0: unknown */
	const char *module;    /* NULL: vmlinux */
	enum frame_label label;
	bool allocates; /* the symbol is of a function that allocates or frees for others */
	const struct src_lines *source; /* of the call; NULL: unknown, or without -l */
};

/* "init", "gone", "unknown" or NULL */
const char *frame_label_name(enum frame_label label);

/* Writes "symbol+0x1f [module]" or "0xffff..." and returns buf. */
const char *frame_text(const struct frame *f, char *buf, size_t size);
/* The same without the offset: "symbol [module]". */
const char *function_text(const struct frame *f, char *buf, size_t size);
/*
 * The same of where a thread is, for a sentence: "a function of module xge" of one whose name is not known, "text of no
 * module that is loaded"; NULL: an address alone, which is no place.
 */
const char *frame_place(const struct frame *f, char *buf, size_t size);

/*
 * One line, "    symbol+0x1f [module]"; with a known source also file and line, and before it a
 * line for each function that the compiler put in line there, innermost first.
 */
void frame_put(const struct frame *f, struct sink *sink);

/* The frames of a call stack, with their names. */

struct stack {
	unsigned int n;
	const struct frame **frames; /* innermost first */
	unsigned int cut;   /* frames that the kernel kept of a deeper stack; 0: all are here */
	unsigned int title; /* of a thread: the frame that tells what it does; 0: the caller does */
};

/* register_early_stack() makes that of all pages that are older than page_owner. */
bool stack_is_early(const struct stack *s);

/*
 * The module of the innermost frame that is of one, "[gone]" where no text is mapped any more, else
 * "vmlinux".  NULL: unknown, or no frames.
 */
const char *stack_module(const struct stack *s);

/* The innermost frame that is not of an allocator; NULL: none. */
const struct frame *stack_caller(const struct stack *s);
