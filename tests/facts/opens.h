/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every function of lib/ that opens a decoder or walks what is one symbol away. */
#pragma once

#include "dump/dump.h"

struct open_function {
	const char *name;
	enum status (*run)(struct dump *d);
};

struct facts;
struct blank;

/* Whether the facts have what opens_later.c asks for: those of the kernels that were not read again have not. */
bool open_is_asked(struct facts *f);

/* Those that a kernel is asked, from 0; NULL: there are no more. */
const struct open_function *open_nth(struct facts *f, unsigned int i);

/* Whether that kernel is asked it. */
bool open_is_of(struct facts *f, const struct open_function *open);

/* The function of that name; NULL: none. */
const struct open_function *open_function(const char *name);

/*
 * Runs it over a blank dump of the facts: "ok", or its message. Addresses in it are left out. It lives
 * in the arena of the facts.
 */
const char *open_run(const struct open_function *f, struct blank *b);
/* The same, and its status: ST_OK where it says "ok". */
const char *open_run_status(const struct open_function *f, struct blank *b, enum status *status);
