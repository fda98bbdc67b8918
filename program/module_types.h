/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types that only modules have, of debug information in the files of --modules: what "mod -s" loads in crash.
 * Loaded modules alone count, and files of their build ID.
 */
#ifndef MEMOWNER_MODULE_TYPES_H
#define MEMOWNER_MODULE_TYPES_H

#include "types/type_source.h"

struct module_files {
	/* Path of the i-th file of a module, from 0; NULL: there are no more. */
	const char *(*object)(void *arg, const char *module, unsigned int i);
	void *arg;
};

/*
 * Answers as types does, and what it does not know of these files, which are opened when the first such
 * question comes.  d and types are kept, and stay where they are.
 */
void module_types_behind(struct dump *d, const struct type_source *types,
			 const struct module_files *files, struct type_source *ret);

#endif
