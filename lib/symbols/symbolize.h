/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a text address to "symbol+offset [module]", as the kernel's own %pS has
 * it: from the kallsyms of the dump, else from the symbols of vmlinux.
 */
#pragma once

#include "kernel/kallsyms.h"
#include "stackdepot/stackdepot.h"
#include "symbols/lines.h"

struct symbolizer {
	struct dump *dump;
	struct kallsyms kallsyms;
	bool has_kallsyms;
	struct modules modules;
	bool knows_modules;    /* all that are loaded, with their ranges */
	struct hash_u64 cache; /* of struct frame by address */
	struct lines *lines;   /* set for -l; NULL: symbols alone */
	/* Of vmlinux: all, and the text that is freed after boot; 0: not known. */
	uint64_t start, end, init_start, init_end;
	bool has_own_image;	 /* no module is within */
	struct init_text *inits; /* of each module, once a frame needs them; NULL: unknown */
	bool tried_inits, inits_missing; /* missing: not in this dump, or unknown */
	bool has_gone;			 /* a frame had LABEL_GONE */
	const char *problem;		 /* why names of modules are missing; NULL: they are not */
	enum status status;		 /* of that */
};

/* Never fails: what is missing costs names only. */
void symbolizer_open(struct dump *d, struct symbolizer *ret);

/* A frame that lives as long as the command. */
const struct frame *symbolize(struct symbolizer *s, uint64_t addr);

/* A stack of n return addresses, innermost first. */
const struct stack *symbolize_stack(struct symbolizer *s, const uint64_t *addrs, unsigned int n);

/* Handles into symbolized stacks, each looked up once. */

struct stack_cache {
	struct dump *dump;
	unsigned int depth_limit; /* frames where the kernel cuts; 0: not known */
	struct depot depot;
	struct symbolizer symbols;
	struct lines lines;
	struct hash_u64 cache;
};

struct cached_stack {
	bool decoded; /* its record was found */
	struct depot_stack record;
	bool printed; /* for whoever streams: it was shown already */
	bool named;   /* record is filled */
	struct stack stack;
};

enum status stack_cache_open(struct dump *d, struct stack_cache *ret);

/* For -l: frames have their source; s stays where it is.  dir as for lines_open(). */
void stack_cache_with_lines(struct stack_cache *s, const char *dir);

/* What the stack behind a handle is counted for. */
struct stack_owner {
	const struct frame *caller; /* as stack_caller() */
	const char *module;	    /* as stack_module() */
};

/* Without keeping the stack, of which no more frames are looked up than tell.  false: it has no record. */
bool stack_cache_owner(struct stack_cache *s, uint32_t handle, struct stack_owner *ret);

/* What is behind a handle; not decoded if it has no record. */
struct cached_stack *stack_cache_get(struct stack_cache *s, uint32_t handle);

/* The same of a record that was found without its handle: 0 is the handle of one in 6.8. */
struct cached_stack *stack_cache_add(struct stack_cache *s, const struct depot_stack *record);

/* Its frames with names, looked up at the first call; NULL if it was not decoded. */
const struct stack *stack_cache_frames(struct stack_cache *s, struct cached_stack *k);
