/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of names of a vmlinux, kept by its build ID in ${XDG_CACHE_HOME:-~/.cache}/crash-memowner/types/,
 * since that of a distribution's kernel takes a second to make.  It is used only whole, and for the debug
 * information that it was made of; what cannot be written is not.  All files together have at most 256 MiB:
 * what was not used for longest is removed.
 */
#pragma once

#include "types/dwarf_graph.h"

struct index_file {
	char path[4096];
	uint64_t made_of; /* sizes of the sections of debug information, as one number */
};

/* False: there is no folder for it, or vmlinux has no build ID. */
bool index_file_name(const struct dwarf_graph *w, struct index_file *ret);

/* The index of the file instead of the one that is there; false: it has none that fits. */
bool index_file_read(const struct index_file *f, struct name_index *x);

void index_file_write(const struct index_file *f, const struct name_index *x);
