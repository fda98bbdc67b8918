/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame of a call stack, and its text. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbols/src_loc.h"
#include "util/sink.h"

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
	const struct src_lines *source; /* of the call; NULL: unknown, or without -l */
};

/* "init", "gone", "unknown" or NULL */
const char *frame_label_name(enum frame_label label);

/* Writes "symbol+0x1f [module]" or "0xffff..." and returns buf. */
const char *frame_text(const struct frame *f, char *buf, size_t size);
/* The same without the offset: "symbol [module]". */
const char *function_text(const struct frame *f, char *buf, size_t size);

/*
 * One line, "    symbol+0x1f [module]"; with a known source also file and line, and before it a
 * line for each function that the compiler put in line there, innermost first.
 */
void frame_put(const struct frame *f, struct sink *sink);
