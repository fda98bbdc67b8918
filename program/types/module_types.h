/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types that a vmlinux lacks, for only modules have them: of debug information in the files of --modules, what
 * "mod -s" loads in crash, and of BTF of the dump. Loaded modules alone count, and files of their build ID.
 */
#pragma once

#include "types/type_source.h"

struct module_places {
	/* Path of the i-th file of a module, from 0; NULL: there are no more. Itself NULL: there are none. */
	const char *(*object)(void *arg, const char *module, unsigned int i);
	void *arg;
	bool has_btf;		       /* BTF of the dump is one of them, behind the files */
	const struct symbols *symbols; /* of types_from_btf() */
};

/*
 * Answers as types does, and what it does not know of these places, which are opened when the first such
 * question comes.  d and types are kept, and stay where they are.
 */
void module_types_behind(struct dump *d, const struct type_source *types,
			 const struct module_places *places, struct type_source *ret);
