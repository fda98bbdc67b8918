/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a text address to "symbol+offset [module]", as the kernel's own %pS has
 * it: from the kallsyms of the dump, else from the symbols of vmlinux.
 */
#ifndef MEMOWNER_SYMBOLS_SYMBOLIZE_H
#define MEMOWNER_SYMBOLS_SYMBOLIZE_H

#include "dump/dump.h"
#include "kernel/kallsyms.h"
#include "symbols/lines.h"
#include "util/hash_u64.h"
#include "kernel/module.h"

enum frame_label {
	LABEL_NONE,
	LABEL_INIT, /* text of boot: it is freed, and what is there now is something else */
	LABEL_GONE, /* not of vmlinux, and no module is there now */
};

struct frame {
	uint64_t addr;
	const char *symbol;    /* NULL: nothing is known there */
	uint64_t offset, size; /* size 0: unknown */
	const char *module;    /* NULL: vmlinux */
	enum frame_label label;
	const struct src_lines *source; /* of the call; NULL: unknown, or without -l */
};

struct symbolizer {
	struct dump *dump;
	struct kallsyms kallsyms;
	bool has_kallsyms;
	struct modules modules;
	struct hash_u64 cache; /* of struct frame by address */
	struct lines *lines;   /* set for -l; NULL: symbols alone */
	/* Of vmlinux: all, and the text that is freed after boot; 0: not known. */
	uint64_t start, end, init_start, init_end;
	bool has_gone;	     /* a frame had LABEL_GONE */
	const char *problem; /* why names of modules are missing; NULL: they are not */
};

/* Never fails: what is missing costs names only. */
void symbolizer_open(struct dump *d, struct symbolizer *ret);

/* A frame that lives as long as the command; NULL when there is no memory. */
const struct frame *symbolize(struct symbolizer *s, uint64_t addr);

/* "init", "gone" or NULL */
const char *frame_label_name(enum frame_label label);

/* Writes "symbol+0x1f [module]" or "0xffff..." and returns buf. */
const char *frame_text(const struct frame *f, char *buf, size_t size);
/* The same without the place in the function: "symbol [module]". */
const char *function_text(const struct frame *f, char *buf, size_t size);

#endif
