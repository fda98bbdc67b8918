/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files, lines and functions put in line of the addresses of the kernel and of its
 * modules, for -l.  Debug files are looked for and opened when an address needs them.
 */
#pragma once

#include "symbols/debug_file.h"
#include "modules/module.h"

#define LINES_WARNINGS 64

struct lines_image {
	bool tried, usable;
	struct debug_image in_dump;
	struct debug_file file;
};

struct lines {
	struct dump *dump;
	const char *dir; /* of -l; NULL: without one */
	struct debug_paths in_dir, elsewhere;
	bool walked_dir, walked_elsewhere;
	struct lines_image kernel;
	struct hash_u64 modules; /* struct lines_image by address of struct module */
	/* One for each debug file that cannot be used. */
	const char *warnings[LINES_WARNINGS];
	unsigned int nwarnings;
};

/* dir lives as long as ret.  Nothing is opened yet. */
void lines_open(struct dump *d, const char *dir, struct lines *ret);

/*
 * The call before a return address; mod is the module that has it, NULL: vmlinux.
 * NULL: nothing is known; a warning says why unless it is the address's own.
 */
const struct src_lines *lines_of_call(struct lines *l, uint64_t addr, const struct module *mod);
