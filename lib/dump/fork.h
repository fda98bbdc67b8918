/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks: the forms that a structure has had from release to release, newest first, each with the
 * names in the debug information that only it has.  Decoders keep the index of the fork that was
 * found; nothing asks for the release, as vendors take changes to other releases.
 */
#pragma once

#include "dump/dump.h"

#define FORK_MEMBERS 2

/* What is not NULL must exist; a fork without any is that of all other kernels, and comes last. */
struct fork {
	const char *form;  /* for -D */
	const char *since; /* release, and the subject of the commit that made it */
	struct {
		const char *type, *member;
	} members[FORK_MEMBERS];
	const char *enumerator;
	const char *symbol;
};

/* The first fork that this kernel has, also told with -D: "fork   OF: FORM [SINCE]"; or n. */
size_t fork_find(struct dump *d, const char *of, const struct fork *forks, size_t n);
