/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What crash's gdb does not tell of types, by the readers that the program has: which members a structure has
 * and what they lead to, of the vmlinux that crash has open and of BTF of the dump, and the types of modules that no
 * "mod -s" brought. Each is opened when the first such question comes.
 */
#pragma once

#include "types.h"

/*
 * ops has the questions on types as crash answers them by lookup, and object; in *ret all but these are as in ops,
 * for what is returned as its priv. d and ops are kept, and live as long as d->arena has what it has.
 */
void *other_types(struct dump *d, const struct dump_ops *ops, const struct type_lookup *lookup,
		  struct dump_ops *ret);
