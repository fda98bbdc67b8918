/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of a call trace of the log the functions of modules, and which one is the first to look at: that of a module out of
 * tree, by the flags of "Modules linked in:", else the innermost. Text only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MODULE_FRAMES 4	       /* the first of each kind is enough */
#define MODULE_FRAME_BYTES 128 /* as OOPS_SYMBOL: names of functions have less */
#define MODULE_NAME_BYTES 64   /* MODULE_NAME_LEN is 56 where it is most */

struct module_frames {
	char frames[MODULE_FRAMES]
		   [MODULE_FRAME_BYTES]; /* "symbol+0x1f/0x30 [module]", innermost first */
	unsigned int n;
	char out_of_tree[MODULE_FRAMES][MODULE_NAME_BYTES];
	unsigned int nout;
	char work
		[MODULE_FRAME_BYTES]; /* "function [module]": what a kworker was at; "": none of a module */
	bool is_whole;		      /* what follows was interrupted, and called nothing of it */
};

/* A frame, or a mark such as "</IRQ>", without the blanks before it; one that is of no module is left out. */
void module_frames_add(struct module_frames *m, const char *frame);

/*
 * A line "Modules linked in: leaky(OE) virtio", before the trace or behind it, or "Workqueue: events leak_fn [leaky]",
 * which tells a function that the stack may not have, as it ended by a jump; false: it is neither.
 */
bool module_frames_line(struct module_frames *m, const char *line);

/* The frame to look at; NULL: none is of a module. */
const char *module_frames_first(const struct module_frames *m);

/* "symbol [module]" without offset and size; to has size bytes. */
void frame_name(const char *frame, char *to, size_t size);
