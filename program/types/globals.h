/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of the variables that decoders ask for: BTF has those of the per-CPU section only.  Widths were
 * compared with the debug information of kernels from 5.10 to 7.3; lengths of arrays are known by an
 * enumerator or by the distance to the next symbol, which says also whether a name is an array or a pointer.
 */
#pragma once

#include "dump/dump.h"

/* What is known of a kernel besides the table. */
struct globals_kernel {
	/* Bytes of "struct x"; an enumerator.  As in struct type_source, with the same priv. */
	enum status (*type_size)(void *priv, const char *type, uint64_t *ret);
	enum status (*enumerator)(void *priv, const char *name, int64_t *ret);
	void *priv;
};

/*
 * "variable" or "variable[0]"; distance: bytes to the next symbol, 0: not known.  ST_ABSENT: it is not in
 * the table, or is not what the table knows, since it would not fit.
 */
enum status global_find(const struct globals_kernel *k, const char *name, uint64_t distance,
			struct field *ret);

/* Whether the table has the variable, named as above. */
bool global_known(const char *name);
