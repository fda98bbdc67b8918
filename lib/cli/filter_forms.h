/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is typed as other tools have it, and how it is typed here. */
#pragma once

#include "cli/filter.h"

struct alternative;

/*
 * Of a key that a view does not have: ", used_by takes the pid or the name of a process"; "": nothing.
 * use: of which keys one is wanted.
 */
const char *filter_hint_of_word(const struct key_set *set, unsigned int use, const char *name,
				size_t len);

/* Of a number in a form that is none here: "; a comma is between values"; "": nothing. */
const char *filter_hint_of_number(const char *value, size_t len);

/* Of a text that nothing has met, the same with what it is here: "; a comma is between values: comm=a,b". */
void filter_add_form(const struct filter *f, const struct alternative *a, struct strbuf *s);

/* Adds "comm=a", or "comm=a b" in double quotes where the shell of either door needs them: an argument of -f as it is typed. */
void filter_add_typed(struct strbuf *s, const char *name, const char *value);

/* "/tmp/": as a value a regular expression, and may have been meant as a path. */
bool filter_is_folder(const char *typed);

/* A word that is no value of its key, but of another one, or of none: what has it, behind the error. */
enum status filter_hint_of_choice(struct dump *d, const struct key_set *set, const struct key *key,
				  const char *value);

/* Whether one of -X has met something: where no row is left it may have left out all. */
bool filters_exclude_all(const struct filters *f);
