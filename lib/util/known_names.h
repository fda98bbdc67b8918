/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that are accepted instead of a wrong word, and the one that it is most like:
 * "unknown column 'slak', the nearest is slack_bytes, known are: cache pages ... and 9 more".
 */
#pragma once

#include "util/likeness.h"
#include "util/strbuf.h"

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

/* ", the nearest is NAME", or "". */
const char *known_names_hint(const struct known_names *k);

/*
 * "a b c", or with those that have no room "a b c ... and 3 more (-o help)": help is what lists them
 * behind call, or NULL. Add nothing behind it.
 */
const char *known_names_text(struct known_names *k, const char *help);
