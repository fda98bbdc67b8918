/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a text address to "symbol+offset [module]", as the kernel's own %pS has
 * it: from the kallsyms of the dump, else from the symbols of vmlinux.
 */
#pragma once

#include "dump/dump.h"
#include "kernel/kallsyms.h"
#include "modules/module.h"
#include "symbols/frame.h"
#include "symbols/lines.h"
#include "symbols/stack.h"
#include "util/hash_u64.h"

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
