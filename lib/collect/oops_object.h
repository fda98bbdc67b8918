/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slab object that an exception of the kernel leads to: the one that a register points into, which has the word that
 * was taken for a pointer, or which is free.
 */
#pragma once

#include "collect/session.h"
#include "log/oops.h"
#include "slab/slub.h"

#define OOPS_BEGIN 24u

enum oops_use { OOPS_USE_UNKNOWN, OOPS_IN_USE, OOPS_FREE };

struct oops_object {
	struct oops_register at;  /* that points into it */
	struct oops_register bad; /* its value lies in it, and is no valid pointer; name "": none */
	uint64_t address;
	const struct slab_cache *cache;
	uint64_t offset;      /* of what the register points to */
	uint64_t word_offset; /* of the word with that value */
	enum oops_use use;
	/* Bytes of it: its first, or of the text that the word is in. */
	uint8_t begin[OOPS_BEGIN];
	size_t nbegin;	/* of these, that were read */
	bool is_filled; /* all of it is one byte, begin[0], but the last may differ */
};

/* ST_ABSENT: no register leads to such an object; ST_UNREADABLE: a slab that one may is not in the dump. */
enum status oops_object_find(const struct session *s, struct slabs *slabs, const struct oops *o,
			     struct oops_object *ret);

/* BUG() of kfree() and its like, of SLUB, where the object that a register points to is free already: inferred. */
bool oops_is_double_free(const struct oops *o, const struct oops_object *of);

/* The text of a bug, NULL: none, has the register's address, as that of list debugging has: then it is not left over. */
bool oops_tells(const char *text, const struct oops_object *of);

/* Of n bytes of the object what is the word that was no pointer, and what they have; at and offset are set. */
void oops_object_look(const struct oops *o, const uint8_t *bytes, size_t n, struct oops_object *of);
