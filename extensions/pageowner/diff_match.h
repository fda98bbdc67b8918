/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of two scans that are the same: those with the same text of all keys. A call stack has the
 * text of its frames, symbol+offset, which does not depend on where KASLR put the kernel. Of two
 * kernels the offsets differ: then functions alone are compared, from the caller on. A frame without a symbol is an
 * address, of another boot another one: stacks that are left over are compared without them.
 */
#pragma once

#include "groups.h"
#include "util/hash_bytes.h"

/* A group in both scans; NULL: not in that one. Both: it was merged with another pair. */
struct owner_pair {
	struct owner_group *now, *before;
};

struct owner_match {
	struct dump *dump;
	const char *by_function;  /* why offsets are not compared; NULL: they are */
	struct hash_bytes pairs;  /* of struct owner_pair, by text */
	struct hash_bytes masked; /* of struct owner_pair *, those that were left over */
};

/* now and before were scanned. */
void owner_match_groups(struct owner_groups *now, struct owner_groups *before,
			struct owner_match *ret);
