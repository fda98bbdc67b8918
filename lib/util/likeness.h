/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a word is like another, for "the nearest is". */
#pragma once

#include "util/strbuf.h"

#define LIKENESS_BYTES 64 /* of each word are compared */

/*
 * How far a word is from another, for likeness_is_near(), and the less the nearer: by the characters to
 * change, add or take away to make one of the other; half of that for characters that only follow or
 * precede, as "dent" in "dentry", of several such the shortest; next to nothing for another form of a
 * size, "kmalloc-2048", or for a remark behind it, "nic-poll (101)", and little for a word that is
 * shortened, "procs". Upper and lower case are one.
 * A word is compared with the last name of a path.
 */
unsigned int likeness_distance(const char *typed, const char *known);

/* Whether one so far away can have been meant. */
bool likeness_is_near(const char *typed, unsigned int distance);

/* Orders a few names, those first that are most like the word; NULL: as they are. */
void likeness_order(const char *typed, const char **names, size_t n);

#define LIKENESS_HINT (LIKENESS_BYTES + 32)

/* ", the nearest is NAME" of "NAME NAME, NAME" for a word of len characters; "": none is near. */
const char *likeness_hint(char buf[LIKENESS_HINT], const char *word, size_t len, const char *names);

/*
 * The names that are accepted instead of a wrong word, and the one that it is most like:
 * "unknown column 'slak', the nearest is slack_bytes, known are: cache pages ... and 9 more".
 */

struct known_names {
	char word[LIKENESS_BYTES]; /* "": too long to be like any */
	char text[440], hint[LIKENESS_HINT];
	struct strbuf told;
	size_t more;	  /* without room */
	const char *call; /* what is typed before help, as view_call() has it; NULL: nothing */
	unsigned int distance;
	bool is_near;
};

void known_names_init(struct known_names *k, const char *word, size_t len);

/* A name that is accepted. */
void known_names_add(struct known_names *k, const char *name);

/* One that is accepted too, and not told unless the word is like it; NULL: none. */
void known_names_also(struct known_names *k, const char *name);

/* The same of a form of a name that is not accepted itself. */
void known_names_like(struct known_names *k, const char *form, const char *name);

/* ", the nearest is NAME", or "". */
const char *known_names_hint(const struct known_names *k);

/*
 * "a b c", or with those that have no room "a b c ... and 3 more (-o help)": help is what lists them
 * behind call, or NULL. Add nothing behind it.
 */
const char *known_names_text(struct known_names *k, const char *help);
